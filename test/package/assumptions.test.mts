import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { serviceDocument } from '#sandbox/service/serviceDocument.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

/** The names of all assumptions: the keys under each `x-assumed`. */
function assumedIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, member]) =>
		key === 'x-assumed' ? Object.keys(Object(member)) : assumedIn(member),
	);
}

/** The rows of docs/what-is-assumed.md, without those that head and underline a table. */
const ROWS = readFileSync(join(PROJECT, 'docs', 'what-is-assumed.md'), 'utf8')
	.split('\n')
	.filter((line) => /^\| (?!name |---)/.test(line))
	.map((line) => line.slice(1, -1).split('|'))
	.map((cells) => cells.map((cell) => cell.trim()));

it('every assumption of the document has a row of the same name, and every row an assumption', () => {
	const named = [...new Set(assumedIn(serviceDocument))].toSorted();
	expect(named.length).toBeGreaterThan(30);
	expect(ROWS.map(([name]) => name).toSorted()).toEqual(named);
});

it('every row names a file of the code, and what changes the assumption', () => {
	const wrong = ROWS.filter(([, assumed = '', file = '', change = '', ...more]) => {
		const path = join(PROJECT, 'nodes', 'InspectionService', file.replaceAll('`', ''));
		return !file.includes('/') || !existsSync(path) || !assumed || !change || more.length > 0;
	});
	expect(wrong).toEqual([]);
});
