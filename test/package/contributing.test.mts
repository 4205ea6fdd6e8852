/** Compares CONTRIBUTING.md with the linter's rules for imports and with the files and names in its table. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { projectFile, tableRows } from '#harness/pages.mts';
import { PROJECT } from '#scripts/projectPaths.mts';
import { FOLDERS_OF_DOMAIN, ROOMS } from '../../eslint.tooling.mjs';

const CONNECTOR = 'nodes/InspectionService';
const PAGE = projectFile('CONTRIBUTING.md');

/** Returns the part of the page below a heading. */
const section = (heading: string) => PAGE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** Returns the arrows of a diagram on the page. An arrow with several sources or targets counts as several arrows. */
function drawnArrows(picture: string): string[] {
	return [...picture.matchAll(/^ *(\S.*?) +──► (.+?)(?: {2,}|$)/gm)]
		.flatMap(([, from = '', to = '']) =>
			from.split(', ').flatMap((one) => to.split(', ').map((other) => `${one} ──► ${other}`)),
		)
		.toSorted();
}

/** Returns the arrows that the linter allows. It doesn't restrict the nodes' files and the credentials. */
const allowedArrows = (parts: Record<string, string[]>) =>
	Object.entries(parts)
		.flatMap(([from, others]) => others.map((to) => `${from} ──► ${to}`))
		.toSorted();

test('the diagram has an arrow for each import that the linter allows, and no others', () => {
	const [, rooms = '', , folders = ''] = section('The picture').split('```');
	const drawn = drawnArrows(rooms).filter((arrow) => (arrow.split(' ')[0] ?? '') in ROOMS);
	expect(drawn).toEqual(allowedArrows(ROOMS));
	expect(drawnArrows(folders)).toEqual(allowedArrows(FOLDERS_OF_DOMAIN));
});

const ROWS = tableRows(section('You want to …')).map(([want = '', change = '']) => ({
	want,
	/** The paths in the row, each with the names that follow in parentheses. */
	paths: [...change.matchAll(/`([^`]+)`(?: \(((?:`\w+`(?:, )?)+)\))?/g)].map(
		([, path = '', names = '']) => ({
			path: existsSync(join(PROJECT, path)) ? path : join(CONNECTOR, path),
			names: names.match(/\w+/g) ?? [],
		}),
	),
}));

test.each(ROWS)('the row "$want" leads to a declaration in an existing file', ({ paths }) => {
	expect(paths).not.toEqual([]);
	for (const { path, names } of paths) {
		expect(existsSync(join(PROJECT, path)), path).toBe(true);
		for (const name of names) {
			expect(projectFile(path), `${name} in ${path}`).toMatch(
				new RegExp(`^(?:export )?(?:async )?(?:function\\*?|const|class) ${name}\\b`, 'm'),
			);
		}
	}
});
