import { expect, test } from 'vitest';

import { NewestVersions } from '#connector/domain/list/readFirst.ts';

const version = (name: string, updated_at?: string) => ({ id: 'a', name, updated_at });
const OLD = version('old', '2026-05-01T00:00:00.0000002Z');
const NEW = version('new', '2026-05-01T00:00:00.0000010Z');
const UNDATED = version('undated');

test.each([
	['the newer one', [OLD, NEW], 'new'],
	['the newer one, also where it came first', [NEW, OLD], 'new'],
	['the one that came last, where it has no time', [NEW, UNDATED], 'undated'],
	['the one that came last, where the one before has no time', [UNDATED, OLD], 'old'],
])('of two versions of an inspection %s is kept', (_, versions, kept) => {
	const newest = new NewestVersions(() => true);
	newest.add(versions);
	expect(newest.inOrderRead().map(({ name }) => name)).toEqual([kept]);
});

test.each([
	['asc', ['c', 'a', 'b', 'd', 'e']],
	['desc', ['a', 'b', 'c', 'd', 'e']],
] as const)(
	'%s: equal times are sorted by id, and inspections without a time come last',
	(sortOrder, ids) => {
		const newest = new NewestVersions(() => true);
		const time = '2026-05-02T00:00:00Z';
		newest.add([
			...[{ id: 'e' }, { id: 'b', updated_at: time }, { id: 'd', updated_at: 'soon' }],
			...[
				{ id: 'a', updated_at: time },
				{ id: 'c', updated_at: '2026-05-01T00:00:00Z' },
			],
		]);
		const sorted = newest.sorted({ sortBy: 'updated_at', sortOrder });
		expect(sorted.map(({ id }) => id)).toEqual(ids);
	},
);
