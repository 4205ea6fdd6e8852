import { describe, expect, it } from 'vitest';

import { rangeOf } from '../../nodes/InspectionService/domain/list/keyRange.ts';
import type { Reading } from '../../nodes/InspectionService/domain/list/readRange.ts';
import { NOTHING_KNOWN, readTie } from '../../nodes/InspectionService/domain/list/readTie.ts';
import { type Slice, takeHalves } from '../../nodes/InspectionService/domain/list/slice.ts';
import { type Timestamp, timestampOf } from '../../nodes/InspectionService/domain/timestamp.ts';
import { allowed } from './changingList.mts';

function at(second: number): Timestamp {
	const moment = timestampOf(new Date(Date.UTC(2026, 2, 1, 8) + second * 1000).toISOString());
	if (moment === undefined) throw new Error('no timestamp');
	return moment;
}

/** Reads a second of `count` inspections, of which the caller has dealt with `known`. Returns what it asked for. */
async function readSecond(count: number, known: number) {
	const rows = Array.from({ length: count }, (_, id) => ({ id: `i${id}`, updated_at: at(0) }));
	const asked: { page: number; pageSize: number }[] = [];
	const reading: Reading = {
		...{ filter: {}, includes: [], pageSize: 100 },
		order: { sortBy: 'updated_at', sortOrder: 'asc' },
		list: async (query) => {
			const { page, pageSize } = allowed(query);
			asked.push({ page, pageSize });
			const inspections = rows.slice((page - 1) * pageSize, page * pageSize);
			return await Promise.resolve({ inspections });
		},
	};
	const found = new Set<string>();
	const tie = { second: at(0), range: { after: at(0), before: at(1) }, pageSize: 100 };
	const begun = () => ({ known, isPassed: false });
	for await (const page of readTie(reading, tie, { ...NOTHING_KNOWN, begun })) {
		for (const { id } of page.rows) found.add(id);
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

	it.each([0, 150])(
		'that was said to hold 10,000 and now holds %i takes few requests',
		async (count) => {
			const asked = await readSecond(count, 10_000);
			expect(asked.length).toBeLessThan(20);
		},
	);
});

describe('a list read side by side', () => {
	const slice = (from: number, to: number): Slice => ({
		range: { after: at(from), before: at(to) },
		spanMs: 1_000,
	});

	it('is shared out among all lanes, the longest slice first', () => {
		const [short, long] = [slice(0, 10), slice(10, 1_000)];
		const slices = new Set([short, long]);
		const halves = takeHalves(slices, 4);
		expect(slices.size).toBe(4);
		expect(halves).toHaveLength(2);
		expect(short.range.before).toBe(at(10));
		expect(long.range.before).toBe(halves.at(-1)?.range.after);
	});

	it('is not shared out where one lane alone is as fast', () => {
		expect(takeHalves(new Set([slice(0, 2)]), 8)).toEqual([]);
	});
});

it('a bound that is no time is refused, and the error names it', () => {
	expect(() => rangeOf({ createdAfter: 'soon' }, 'created_at')).toThrow(
		/^createdAfter: "soon" is not a date and time such as 2026/,
	);
});

it('the error for a second that could not be read completely names its time and what to do', () => {
	expect(() => NOTHING_KNOWN.onIncomplete(at(0), { known: 150, held: 151 })).toThrow(
		/the time 2026-03-01T08:00:00Z.*could not be read completely\. Try again/,
	);
});
