import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { projectFile, tableRows } from '#harness/pages.mts';
import { serviceDocument } from '#sandbox/service/serviceDocument.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

/** Returns the names of all assumptions: the keys of each `x-assumed` in the OpenAPI document. */
function assumedIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, member]) =>
		key === 'x-assumed' ? Object.keys(Object(member)) : assumedIn(member),
	);
}

const ROWS = tableRows(projectFile('docs', 'dev', 'assumptions.md'));

it('docs/dev/assumptions.md has a row for each assumption of the service document', () => {
	const named = [...new Set(assumedIn(serviceDocument))].toSorted();
	expect(named).not.toEqual([]);
	expect(ROWS.map(([name]) => name).toSorted()).toEqual(named);
});

it.each(ROWS)('the assumption "%s" names existing code', (_name, _assumption, code = '') => {
	const [, path = ''] = /`([^`]+)`/.exec(code) ?? [];
	expect(path).toMatch(/\.ts$/);
	expect(existsSync(join(PROJECT, 'nodes/InspectionService', path)), path).toBe(true);
});
