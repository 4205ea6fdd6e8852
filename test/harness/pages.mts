/** Files of the project as text, and tables of its pages: for tests that compare pages with the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { PROJECT } from '#scripts/projectPaths.mts';

/** A file by its path from the project's top folder. */
export const projectFile = (...path: string[]) => readFileSync(join(PROJECT, ...path), 'utf8');

/** The cells of each row of the tables in a page. Heads of tables are left out. */
export const tableRows = (page: string): string[][] =>
	page
		.replace(/^\|.*\n\| ?-.*$/gm, '')
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) => line.slice(1, -1).split(' | '))
		.map((cells) => cells.map((cell) => cell.trim()));
