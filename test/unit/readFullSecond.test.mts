import { expect, it } from 'vitest';

import type { Reading } from '#connector/domain/list/askPage.ts';
import { NOTHING_KNOWN, readFullSecond } from '#connector/domain/list/readFullSecond.ts';
import { allowed } from './changingList.mts';
import { at } from './times.mts';

/** Reads a second of `count` inspections, of which the caller has dealt with `known`. Returns the sizes that it asked for. */
async function readSecond(count: number, known: number) {
	const all = Array.from({ length: count }, (_, id) => ({ id: `i${id}`, updated_at: at(0) }));
	const sizes: number[] = [];
	const reading: Reading = {
		...{ filter: {}, includes: [], pageSize: 100 },
		order: { sortBy: 'updated_at', sortOrder: 'asc' },
		list: async (query) => {
			const { page, pageSize } = allowed(query);
			sizes.push(pageSize);
			const inspections = all.slice((page - 1) * pageSize, page * pageSize);
			return await Promise.resolve({ inspections });
		},
	};
	const found = new Set<string>();
	const range = { after: at(0), before: at(1) };
	const begun = { second: at(0), range, inspections: all.slice(0, 100) };
	const options = { ...NOTHING_KNOWN, knownIn: () => known };
	for await (const page of readFullSecond(reading, begun, options)) {
		for (const { id } of page) found.add(id);
	}
	expect(found.size).toBe(count);
	return sizes;
}

it('a second that nobody changes is read in whole pages, and once more to see that nothing is missing', async () => {
	const sizes = await readSecond(1_050, 0);
	expect(new Set(sizes)).toEqual(new Set([100]));
	expect(sizes.length).toBeLessThan(2 * 11 + 2);
});

it('a second that was said to hold 10,000 and now holds 150 takes few requests', async () => {
	expect((await readSecond(150, 10_000)).length).toBeLessThan(20);
});

it('the error for a second that could not be read completely names its time and what to do', () => {
	expect(() => NOTHING_KNOWN.onIncomplete(at(0), { shown: 150, holds: 151 })).toThrow(
		/the time 2026-03-01T10:00:00Z.*could not be read completely\. Try again/,
	);
});
