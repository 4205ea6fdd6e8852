/** The table of docs/how-it-reads.md: the tests and storms that it names for each piece are there. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { projectFile, quotedIn, tableRows } from '#harness/pages.mts';
import { PROJECT } from '#scripts/projectPaths.mts';
import { SCENARIOS } from '../trigger/scenarios.mts';

const PAGE = projectFile('docs', 'how-it-reads.md');
const ROWS = tableRows(PAGE).filter(([, file = '']) => /^`\w+\/\w+`$/.test(file));

/** The words that have no test of `named` (such as `readChanges` or `trigger/poll`); those behind a `;` are of the same. */
function missing(shownBy: string): string[] {
	let named: string[] = [];
	return shownBy.split('; ').filter((part) => {
		if (part.startsWith('`bench/')) return !existsSync(join(PROJECT, part.replaceAll('`', '')));
		if (part.startsWith('storm')) {
			const storms = [...part.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
			return storms.some((storm) => !SCENARIOS.some(({ name }) => name === storm));
		}
		const files = quotedIn(part);
		if (files.length > 0) named = files;
		const words = part.replace(/^`.*`(: )?/, '').toLowerCase();
		return !named
			.map((file) => projectFile('test', `${file.includes('/') ? file : `unit/${file}`}.test.mts`))
			.some((tests) => tests.toLowerCase().includes(words));
	});
}

it('docs/how-it-reads.md says how many storms there are', () => {
	expect(ROWS.length).toBeGreaterThan(40);
	expect(PAGE).toContain(`${SCENARIOS.length} scenarios`);
});

it.each(ROWS.map(([piece, , , shownBy = '']) => [piece, shownBy] as const))(
	'docs/how-it-reads.md, "%s": its tests are there',
	(_, shownBy) => {
		expect(missing(shownBy)).toEqual([]);
	},
);
