import { expect, it } from 'vitest';

import { projectFile, tableRows } from '#harness/pages.mts';
import { serviceDocument } from '#sandbox/service/serviceDocument.mts';

/** The names of all assumptions: the keys under each `x-assumed`. */
function assumedIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, member]) =>
		key === 'x-assumed' ? Object.keys(Object(member)) : assumedIn(member),
	);
}

it('docs/what-is-assumed.md has a row for each assumption: what, in which file, what changes it', () => {
	const rows = tableRows(projectFile('docs', 'what-is-assumed.md'));
	const named = [...new Set(assumedIn(serviceDocument))].toSorted();
	expect(named.length).toBeGreaterThan(30);
	expect(rows.map(([name]) => name).toSorted()).toEqual(named);
	const isWhole = ([, what, file = '', change, ...more]: string[]) =>
		what && /^`\w+\/.+\.ts`$/.test(file) && change && more.length === 0;
	expect(rows.filter((row) => !isWhole(row))).toEqual([]);
});
