/** docs/mutation.md and the README's strip agree, and no folder of the domain is left out. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { projectFile, tableRows } from '#harness/pages.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

const numberIn = (text: string) => Number(text.replace(',', ''));

const ROWS = tableRows(projectFile('docs', 'mutation.md')).map(
	([folder = '', sample = '', , , counts = '', percent = '']) => {
		const [noticed = NaN, mutants = NaN] = counts.split(' of ').map(numberIn);
		return { folder: folder.replaceAll('`', ''), sample, noticed, mutants, percent };
	},
);
const IN_DOMAIN = ROWS.filter(({ folder }) => folder.startsWith('domain/'));

it('each folder of the domain was tried whole', () => {
	const domain = join(PROJECT, 'nodes', 'InspectionService', 'domain');
	const folders = readdirSync(domain, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => `domain/${name}`);
	expect(IN_DOMAIN.map(({ folder }) => folder).toSorted()).toEqual(
		[...folders, 'domain/*.ts'].toSorted(),
	);
	expect(new Set(IN_DOMAIN.map(({ sample }) => sample))).toEqual(new Set(['whole']));
});

it.each(ROWS)('enough is noticed in $folder', ({ folder, noticed, mutants, percent }) => {
	expect(Math.floor((100 * noticed) / mutants)).toBe(Number(percent));
	expect(Number(percent)).toBeGreaterThanOrEqual(folder.startsWith('domain/') ? 90 : 80);
});

it('the README has the sums of the domain', () => {
	const sumOf = (name: 'noticed' | 'mutants') => IN_DOMAIN.reduce((sum, row) => sum + row[name], 0);
	const percent = String(Math.floor((100 * sumOf('noticed')) / sumOf('mutants')));
	const mutants = sumOf('mutants').toLocaleString('en');
	expect(projectFile('README.md')).toContain(
		`[${percent}%](docs/mutation.md) of ${mutants} small changes`,
	);
});
