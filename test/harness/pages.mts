/** Reads the project's files and the tables in its docs, for tests that compare docs with the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PROJECT } from '#scripts/projectPaths.mts';

/** Reads a file as text. `path` starts at the project's root folder. */
export const projectFile = (...path: string[]) => readFileSync(join(PROJECT, ...path), 'utf8');

/** Returns the cells of all table rows in a page, without the tables' headers. */
export const tableRows = (page: string): string[][] =>
	page
		.replace(/^\|.*\n\| ?-.*$/gm, '')
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) => line.slice(1, -1).split(' | '))
		.map((cells) => cells.map((cell) => cell.trim()));
