import { describe, expect, it } from 'vitest';

import type { Reading } from '#connector/domain/list/askPage.ts';
import { NOTHING_KNOWN, readFullSecond } from '#connector/domain/list/readFullSecond.ts';
import { type Timestamp, timestampOf } from '#connector/domain/timestamp.ts';
import { allowed } from './changingList.mts';

function at(second: number): Timestamp {
	const moment = timestampOf(new Date(Date.UTC(2026, 2, 1, 8) + second * 1000).toISOString());
	if (moment === undefined) throw new Error('no timestamp');
	return moment;
}

/** Reads a second of `count` inspections, of which the caller has dealt with `known`. Returns what it asked for. */
async function readSecond(count: number, known: number) {
	const all = Array.from({ length: count }, (_, id) => ({ id: `i${id}`, updated_at: at(0) }));
	const asked: { page: number; pageSize: number }[] = [];
	const reading: Reading = {
		...{ filter: {}, includes: [], pageSize: 100 },
		order: { sortBy: 'updated_at', sortOrder: 'asc' },
		list: async (query) => {
			const { page, pageSize } = allowed(query);
			asked.push({ page, pageSize });
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
	return asked;
}

describe('a second', () => {
	it('that nobody changes is read in whole pages, and once more to see that nothing is missing', async () => {
		const asked = await readSecond(1_050, 0);
		expect(asked.every(({ pageSize }) => pageSize === 100)).toBe(true);
		expect(asked.length).toBeLessThan(2 * 11 + 2);
	});

	it('that was said to hold 10,000 and now holds 150 takes few requests', async () => {
		const asked = await readSecond(150, 10_000);
		expect(asked.length).toBeLessThan(20);
	});
});
