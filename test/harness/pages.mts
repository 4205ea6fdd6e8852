/** The project's files as text, and tables of its pages, for tests that compare docs with the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PROJECT } from '#scripts/projectPaths.mts';

/** A file by its path from the project's root folder. */
export const projectFile = (...path: string[]) => readFileSync(join(PROJECT, ...path), 'utf8');

/** The cells of each row of the tables in a page, without table headers. */
export const tableRows = (page: string): string[][] =>
	page
		.replace(/^\|.*\n\| ?-.*$/gm, '')
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) => line.slice(1, -1).split(' | '))
		.map((cells) => cells.map((cell) => cell.trim()));
