/** The table of docs/how-it-reads.md: each piece has its file, and the tests and storms that it names are there. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { PROJECT } from '#scripts/projectPaths.mts';
import { SCENARIOS } from '../trigger/scenarios.mts';

const read = (...path: string[]) => readFileSync(join(PROJECT, ...path), 'utf8');
const PAGE = read('docs', 'how-it-reads.md');
const ROWS = [...PAGE.matchAll(/^\| ([^|]+?) +\| `(\w+\/\w+)` +\| [^|]+ \| ([^|]+?) +\|$/gm)];

/** The words that have no test of `named` (such as `readChanges` or `trigger/poll`); those behind a `;` are of the same. */
function missing(shownBy: string): string[] {
	let named: string[] = [];
	return shownBy.split('; ').filter((part) => {
		if (part.startsWith('`bench/')) return !existsSync(join(PROJECT, part.replaceAll('`', '')));
		if (part.startsWith('storm')) {
			const storms = [...part.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
			return storms.some((storm) => !SCENARIOS.some(({ name }) => name === storm));
		}
		const files = [...part.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
		if (files.length > 0) named = files;
		const words = part.replace(/^`.*`(: )?/, '').toLowerCase();
		return !named
			.map((file) => read('test', `${file.includes('/') ? file : `unit/${file}`}.test.mts`))
			.some((tests) => tests.toLowerCase().includes(words));
	});
}

it('docs/how-it-reads.md says how many storms there are', () => {
	expect(ROWS.length).toBeGreaterThan(40);
	expect(PAGE).toContain(`${SCENARIOS.length} scenarios`);
});

it.each(ROWS.map(([, piece = '', file = '', shownBy = '']) => ({ piece, file, shownBy })))(
	'docs/how-it-reads.md, "$piece": its file and its tests are there',
	({ file, shownBy }) => {
		const files = globSync(`nodes/InspectionService/{domain/,}${file}.ts`, { cwd: PROJECT });
		expect(files).toHaveLength(1);
		expect(missing(shownBy)).toEqual([]);
	},
);
