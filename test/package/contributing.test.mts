/** Compares the table in CONTRIBUTING.md with the files and names of the code. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { projectFile, tableRows } from '#harness/pages.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

const CONNECTOR = 'nodes/InspectionService';
const PAGE = projectFile('CONTRIBUTING.md');

/** Returns the part of the page below a heading. */
const section = (heading: string) => PAGE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** Matches a file, and what follows it in parentheses. */
const FILE = /`([\w./-]+\.(?:ts|mts|json|yaml|md))`(?: \(([^)]*)\))?/g;

const ROWS = tableRows(section('You want to …')).map(([want = '', change = '']) => ({
	want,
	/** The files in the row, each with the names that follow in parentheses. */
	files: [...change.matchAll(FILE)].map(([, path = '', names = '']) => ({
		path: existsSync(join(PROJECT, path)) ? path : join(CONNECTOR, path),
		names: [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
	})),
}));

test.each(ROWS)('the row "$want" leads to a declaration in an existing file', ({ files }) => {
	for (const { path, names } of files) {
		expect(existsSync(join(PROJECT, path)), path).toBe(true);
		for (const name of names) {
			expect(projectFile(path), `${name} in ${path}`).toMatch(
				new RegExp(`^(?:export )?(?:async )?(?:function\\*?|const|class) ${name}\\b`, 'm'),
			);
		}
	}
});

test('the table has files', () => {
	expect(ROWS.flatMap(({ files }) => files).length).toBeGreaterThan(30);
});
