import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { findInspections, type Wanted } from '#connector/domain/list/findInspections.ts';
import type { Include, InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import { windowsAround, windowsBefore } from '#connector/domain/list/searchWindows.ts';
import { timestampOf } from '#connector/domain/timestamp.ts';
import {
	ChangingList,
	type ListSettings,
	pick,
	randomOf,
	readThrough,
	type Row,
	textOfTicks,
	TICKS_PER_SECOND,
	ticksOfText,
} from './changingList.mts';

const START = ticksOfText('2026-03-01T08:00:00.0000000Z');
const EXACT: ListSettings = {
	filterPrecision: 'full',
	cutsRowTimes: false,
	digits: 7,
	ties: 'by id',
};
const LANES = 10;

/** Inspections, the first ones `gap` ticks apart. Every seventh has been updated since. */
function listOf(count: number, gap: bigint, settings: Partial<ListSettings> = {}, seed = 1) {
	const list = new ChangingList(
		{ ...EXACT, ...settings },
		randomOf(seed),
		START + BigInt(count) * gap,
	);
	for (let index = 0; index < count; index++) list.create(START + BigInt(index) * gap);
	for (const [index, row] of [...list.rows.values()].entries()) {
		if (index % 7 === 0) list.update(row);
	}
	return list;
}

/** The list's rows, those that were updated last first. */
const newestFirst = (list: ChangingList) =>
	[...list.rows.values()].toSorted((a, b) => Number(b.updated - a.updated));

const timeOf = (row: Row) => timestampOf(textOfTicks(row.updated));
const wantedIds = (ids: readonly string[]): Wanted => new Map(ids.map((id) => [id, undefined]));
const wantedRows = (rows: readonly Row[]): Wanted => wantedIds(rows.map(({ id }) => id));
const wantedNear = (rows: readonly Row[]): Wanted =>
	new Map(rows.map((row) => [row.id, timeOf(row)]));

async function find(
	wanted: Wanted,
	respond: (query: InspectionPageQuery) => ReturnType<ChangingList['page']>,
	{ includes = [], random }: { includes?: readonly Include[]; random?: () => number } = {},
) {
	return await readThrough(
		async (source) => await findInspections(wanted, { source, includes, lanes: LANES }),
		respond,
		random,
	);
}

describe('a search by id', () => {
	it('finds what is there throughout, while others create and update, whatever the service does', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					seed: fc.integer(),
					count: fc.integer({ min: 1, max: 900 }),
					gap: fc.constantFrom(0n, 3n, 90_000n, TICKS_PER_SECOND, 86_400n * TICKS_PER_SECOND),
					filterPrecision: fc.constantFrom('full', 'ms', 'nearest ms', 's'),
					cutsRowTimes: fc.constantFrom(false, true, 'to the second' as const),
					cap: fc.constantFrom(100, 100, 25),
					wanted: fc.integer({ min: 1, max: 30 }),
					knowsTimes: fc.boolean(),
					includes: fc.constantFrom<Include[]>([], ['data']),
					changes: fc.integer({ min: 0, max: 3 }),
				}),
				async ({ seed, count, gap, cap, knowsTimes, includes, changes, ...given }) => {
					const random = randomOf(seed);
					const list = listOf(count, gap, given, seed);
					const rows = [...list.rows.values()];
					const some = Array.from({ length: given.wanted }, () => pick(random, rows));
					const wanted = knowsTimes ? wantedNear(some) : wantedRows(some);
					const asked: InspectionPageQuery[] = [];
					let left = 200;
					const { result, most } = await find(
						wanted,
						(query) => {
							asked.push(query);
							const page = list.page({ ...query, pageSize: Math.min(query.pageSize, cap) });
							for (let change = 0; change < changes && left > 0; change++, left--) {
								if (random() < 0.2) list.create(list.now);
								else list.update(pick(random, random() < 0.5 ? some : rows));
							}
							return page;
						},
						{ includes, random },
					);
					expect([...result.found.keys()].toSorted()).toEqual([...wanted.keys()].toSorted());
					expect(most).toBeLessThanOrEqual(LANES);
				},
			),
			{ numRuns: 60 },
		);
	});

	it('takes one request for each of the newest, and one for all of them', async () => {
		for (const many of [1, 50]) {
			const list = listOf(5_000, 60n * TICKS_PER_SECOND);
			const { result } = await find(wantedRows(newestFirst(list).slice(0, many)), (query) =>
				list.page(query),
			);
			expect(result.found.size).toBe(many);
			expect(list.requestCount).toBe(1);
		}
	});

	it('takes one or two requests where the time is known, however old it is', async () => {
		const list = listOf(5_000, 600n * TICKS_PER_SECOND);
		const old = newestFirst(list).slice(4_000, 4_001);
		const { result } = await find(wantedNear(old), (query) => list.page(query));
		expect(result.found.size).toBe(1);
		expect(list.requestCount).toBe(1);
		// Hours off: a sheet's time without its zone.
		list.requestCount = 0;
		const hoursOff = timestampOf(textOfTicks((old[0]?.updated ?? 0n) + 18_000n * TICKS_PER_SECOND));
		await find(new Map([[old[0]?.id ?? '', hoursOff]]), (query) => list.page(query));
		// The window of minutes shows its one inspection, and a look behind that.
		expect(list.requestCount).toBeLessThanOrEqual(4);
	});

	it('ends when all are found, and costs for ten no more than for one that is not there', async () => {
		const requestsFor = async (depths: readonly number[], others: readonly string[] = []) => {
			const list = listOf(3_000, 60n * TICKS_PER_SECOND);
			const rows = newestFirst(list);
			const wanted = wantedRows(depths.flatMap((depth) => rows[depth] ?? []));
			await find(new Map([...wanted, ...wantedIds(others)]), (query) => list.page(query));
			return list.requestCount;
		};
		const one = await requestsFor([2_900]);
		const ten = await requestsFor(Array.from({ length: 10 }, (_, index) => index * 290));
		const missing = await requestsFor([], ['gone']);
		expect(one).toBeLessThan(missing);
		expect(ten).toBeLessThan(missing);
		// 30 pages, and a look behind each end that a lane finds.
		expect(missing).toBeLessThanOrEqual(75);
	});

	it('looks at everything before it says that an inspection is not there, and asks for nothing heavy', async () => {
		const list = listOf(1_234, 60n * TICKS_PER_SECOND);
		const asked: InspectionPageQuery[] = [];
		const { result } = await find(
			wantedIds(['gone']),
			(query) => {
				asked.push(query);
				return list.page(query);
			},
			{ includes: ['data', 'files'] },
		);
		expect(result.found.size).toBe(0);
		expect(result.lookedAt).toBe(1_234);
		expect(result.oldest).toBe(timestampOf(textOfTicks(newestFirst(list).at(-1)?.updated ?? 0n)));
		expect(asked.filter(({ includes }) => includes !== undefined)).toEqual([]);
		expect(asked.length).toBeLessThanOrEqual(40);
	});

	it('finds one that moves to the newest end when the search has come near it', async () => {
		const list = listOf(900, 60n * TICKS_PER_SECOND);
		const row = newestFirst(list).at(-1);
		let requests = 0;
		const { result } = await find(wantedRows(row === undefined ? [] : [row]), (query) => {
			requests += 1;
			if (requests === 2 && row !== undefined) list.update(row);
			return list.page(query);
		});
		expect(requests).toBeGreaterThan(2);
		expect(result.found.size).toBe(1);
	});

	it('asks for answers of what it has found only, and again for what has changed meanwhile', async () => {
		const list = listOf(900, 60n * TICKS_PER_SECOND);
		const rows = newestFirst(list).slice(500, 505);
		const heavy: number[] = [];
		const { result } = await find(
			wantedRows(rows),
			(query) => {
				const page = list.page(query);
				if (query.includes === undefined) return page;
				heavy.push(page.length);
				const [row] = rows;
				if (heavy.length === 1 && row !== undefined) list.update(row);
				return page.map((inspection) => ({ ...inspection, data: {} }));
			},
			{ includes: ['data'], random: randomOf(4) },
		);
		expect([...result.found.values()].filter(({ data }) => data !== undefined)).toHaveLength(5);
		expect(heavy.slice(0, 4).every((length) => length <= 1)).toBe(true);
	});

	it('reads the pages with their answers where many are wanted', async () => {
		const list = listOf(900, 60n * TICKS_PER_SECOND);
		const { result } = await find(
			wantedRows(newestFirst(list).slice(0, 500)),
			(query) =>
				list
					.page(query)
					.map((inspection) => ({ ...inspection, data: [...(query.includes ?? [])] })),
			{ includes: ['data'] },
		);
		expect(result.found.size).toBe(500);
		expect(list.requestCount).toBeLessThanOrEqual(20);
	});

	it('finds an inspection of a service that writes ids in upper case', async () => {
		const id = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f';
		const { result } = await find(wantedIds([id]), () => [{ id: id.toUpperCase() }]);
		expect(result.found.get(id)).toEqual({ id: id.toUpperCase() });
	});

	it('reads an empty list once', async () => {
		let requests = 0;
		const { result } = await find(wantedIds(['a']), () => {
			requests += 1;
			return [];
		});
		expect(result).toMatchObject({ lookedAt: 0, oldest: undefined });
		expect(requests).toBe(1);
	});
});

describe('the windows of a search', () => {
	it('lie end to end, each longer than the one before, back to the beginning', () => {
		const end = timestampOf('2026-03-01T08:00:00.5Z');
		if (end === undefined) throw new Error('no time');
		for (const spanMs of [0, 86_400_000, 1e12]) {
			const windows = [...windowsBefore(end, spanMs)];
			expect(windows[0]?.before).toBe('2026-03-01T08:00:01Z');
			expect(windows.at(-1)?.after).toBeUndefined();
			expect(windows.slice(1).map(({ before }) => before)).toEqual(
				windows.slice(0, -1).map(({ after }) => after),
			);
			expect(windows.length).toBeLessThanOrEqual(12);
		}
	});

	it('around several times are one where they overlap', () => {
		const times = ['2026-03-01T08:00:00Z', '2026-03-01T10:00:00.5Z', '2026-03-01T08:03:00Z'];
		const moments = times.flatMap((time) => timestampOf(time) ?? []);
		expect(windowsAround(moments, 120)).toEqual([
			{ after: '2026-03-01T07:58:00Z', before: '2026-03-01T08:05:00Z' },
			{ after: '2026-03-01T09:58:00Z', before: '2026-03-01T10:02:01Z' },
		]);
	});
});
