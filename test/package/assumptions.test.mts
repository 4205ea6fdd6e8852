import { expect, it } from 'vitest';

import { projectFile, tableRows } from '#harness/pages.mts';
import { serviceDocument } from '#sandbox/service/serviceDocument.mts';

/** Returns the names of all assumptions: the keys of each `x-assumed` in the OpenAPI document. */
function assumedIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, member]) =>
		key === 'x-assumed' ? Object.keys(Object(member)) : assumedIn(member),
	);
}

it('docs/dev/assumptions.md has a row for each assumption of the service document', () => {
	const rows = tableRows(projectFile('docs', 'dev', 'assumptions.md'));
	const named = [...new Set(assumedIn(serviceDocument))].toSorted();
	expect(named).not.toEqual([]);
	expect(rows.map(([name]) => name).toSorted()).toEqual(named);
});
