// @module-tag slow
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ListSource } from '#connector/domain/list/fetchPage.ts';
import { findInspections, windowsAround } from '#connector/domain/list/findInspections.ts';
import type { Include, InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import { type Timestamp, timestampOf } from '#connector/domain/timestamp.ts';
import {
	anyPrecision,
	anyShownPrecision,
	ChangingList,
	readScheduled,
	readThrough,
	type Respond,
	type Row,
	START,
} from '#harness/changingList.mts';
import { timeOf } from '#harness/times.mts';
import { formatTimestamp, TICKS_PER_SECOND } from '#sandbox/service/time.mts';
import { anyChanges, anyWork, changesOf, listOfWork, rowAt } from './generatedList.mts';

type Wanted = ReadonlyMap<string, Timestamp | undefined>;

const LANES = 10;
const MINUTE = 60n * TICKS_PER_SECOND;

/** Returns a list of inspections that were created `gap` ticks apart. Every seventh was updated later. */
function listOf(count: number, gap = MINUTE) {
	const list = new ChangingList({}, START + BigInt(count) * gap);
	list.fill(count, (index) => BigInt(index) * gap);
	for (const [index, row] of [...list.rows.values()].entries())
		if (index % 7 === 0) list.update(row);
	return list;
}

/** Returns the list's rows, with the latest update first. */
const newestFirst = (list: ChangingList) =>
	[...list.rows.values()].toSorted((a, b) => Number(b.updatedAt - a.updatedAt));

const wantedRows = (rows: readonly Row[]): Wanted => new Map(rows.map(({ id }) => [id, undefined]));
const wantedNear = (rows: readonly Row[], offBy = 0n): Wanted =>
	new Map(
		rows.map(({ id, updatedAt }) => [id, timestampOf(formatTimestamp(updatedAt + offBy, '100ns'))]),
	);

const search =
	(wanted: Wanted, includes: readonly Include[] = []) =>
	async (source: ListSource) =>
		await findInspections(wanted, source, includes);

const find = async (wanted: Wanted, list: ChangingList | Respond, includes?: readonly Include[]) =>
	await readThrough(search(wanted, includes), list);

describe('a search by id', () => {
	it('finds everything that exists throughout while others change the list, whatever the service does', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				anyWork.filter((work) => work.some(({ size }) => size > 0)),
				fc.array(fc.nat(), { minLength: 1, maxLength: 30 }),
				fc.tuple(anyChanges, fc.infiniteStream(fc.boolean())),
				fc.record({
					precision: anyPrecision,
					shownPrecision: anyShownPrecision,
					cap: fc.constantFrom(100, 100, 25),
					knowsTimes: fc.boolean(),
					includes: fc.constantFrom<Include[]>([], ['data']),
				}),
				async (scheduler, work, positions, [changes, ofWanted], given) => {
					const { precision, shownPrecision, cap, knowsTimes, includes } = given;
					const list = listOfWork(work, { precision, shownPrecision });
					const rows = [...list.rows.values()];
					const some = positions.flatMap((position) => rowAt(rows, position) ?? []);
					const wanted = knowsTimes ? wantedNear(some) : wantedRows(some);
					const change = changesOf(list, changes);
					const respond = (query: InspectionPageQuery) => {
						const page = list.page(query, cap);
						change(ofWanted.next().value ? some : rows);
						return page;
					};
					const { result, maxOpen } = await readScheduled(
						search(wanted, includes),
						respond,
						scheduler,
					);
					expect([...result.found.keys()].toSorted()).toEqual([...wanted.keys()].toSorted());
					expect(maxOpen).toBeLessThanOrEqual(LANES);
				},
			),
			{ numRuns: 60 },
		);
	});

	it.each([1, 50])(
		'needs one request for the newest, even for %i of them together',
		async (many) => {
			const list = listOf(5_000);
			const { result } = await find(wantedRows(newestFirst(list).slice(0, many)), list);
			expect([result.found.size, list.requestCount]).toEqual([many, 1]);
		},
	);

	it.each([
		['one request if the time is known', 0n, 1],
		["one request if it's two minutes off", 120n, 1],
		// One request reads the expected time. A few more read the hours around it, and the part of the list after them.
		["few requests if it's hours off, such as a sheet’s time without its zone", 18_000n, 4],
	])('needs %s, whatever its age', async (_, secondsOff, maxRequests) => {
		const list = listOf(5_000, 10n * MINUTE);
		const old = newestFirst(list).slice(4_000, 4_001);
		const { result } = await find(wantedNear(old, secondsOff * TICKS_PER_SECOND), list);
		expect(result.found.size).toBe(1);
		expect(list.requestCount).toBeLessThanOrEqual(maxRequests);
	});

	it('ends when all are found, so that ten cost no more than a missing one', async () => {
		const requestsFor = async (depths: readonly number[], others: Wanted = new Map()) => {
			const list = listOf(3_000);
			const rows = newestFirst(list);
			const wanted = wantedRows(depths.flatMap((depth) => rows[depth] ?? []));
			await find(new Map([...wanted, ...others]), list);
			return list.requestCount;
		};
		const missing = await requestsFor([], new Map([['gone', undefined]]));
		// 30 pages, a few more because pages overlap, one empty page after the last one, and one request for recent
		// changes.
		expect(missing).toBeLessThanOrEqual(36);
		expect(await requestsFor([2_900])).toBeLessThan(missing);
		const ten = Array.from({ length: 10 }, (_, index) => index * 290);
		expect(await requestsFor(ten)).toBeLessThan(missing);
	});

	it('reads the whole list without answers before it reports an inspection as missing', async () => {
		const list = listOf(1_234);
		const asked: InspectionPageQuery[] = [];
		const respond = (query: InspectionPageQuery) => {
			asked.push(query);
			return list.page(query);
		};
		const wanted = new Map([['gone', undefined]]);
		const { result } = await find(wanted, respond, ['data', 'files']);
		expect(result).toMatchObject({ found: new Map(), checkedCount: 1_234 });
		expect(asked.filter(({ includes }) => includes !== undefined)).toEqual([]);
		expect(asked.length).toBeLessThanOrEqual(17);
	});

	it('requests answers only for found inspections, in their current version', async () => {
		const list = listOf(900);
		const rows = newestFirst(list).slice(500, 505);
		const heavy: number[] = [];
		const respond: Respond = (query) => {
			const page = list.page(query);
			if (query.includes === undefined) return page;
			heavy.push(page.length);
			if (heavy.length === 1) rows.slice(0, 1).forEach((row) => list.update(row));
			return page.map((inspection) => ({ ...inspection, data: {} }));
		};
		const { result } = await find(wantedRows(rows), respond, ['data']);
		expect([...result.found.values()].filter(({ data }) => data !== undefined)).toHaveLength(5);
		expect(heavy.slice(0, 4).every((length) => length <= 1)).toBe(true);
	});

	it.each([
		[20, 1, 25],
		[21, 100, 20],
		[500, 100, 20],
	])(
		'requests the answers of up to 20 individually: of %i requested, pages of %i, in at most %i requests',
		async (many, size, maxRequests) => {
			const list = listOf(900);
			let largest = 0;
			const respond: Respond = (query) => {
				const page = list.page(query);
				if (query.includes !== undefined) largest = Math.max(largest, page.length);
				return page;
			};
			const wanted = wantedRows(newestFirst(list).slice(200, 200 + many));
			const { result } = await find(wanted, respond, ['data']);
			expect([result.found.size, largest]).toEqual([many, size]);
			expect(list.requestCount).toBeLessThanOrEqual(maxRequests);
		},
	);

	it('finds an inspection that changes during the search, even if it becomes visible late', async () => {
		const list = listOf(900);
		const [newest, ...others] = newestFirst(list);
		const old = others.at(-1);
		if (newest === undefined || old === undefined) throw new Error('the list is empty');
		const before = newest.updatedAt;
		const respond: Respond = (query) => {
			const page = list.page(query);
			if (list.requestCount === 1) {
				list.update(old);
				old.updatedAt = before - 5n * TICKS_PER_SECOND;
			}
			return page;
		};
		expect((await find(wantedRows([old]), respond)).result.found.size).toBe(1);
	});

	it('ends if others change more with each request than fits on a page', async () => {
		const list = listOf(300);
		const { result } = await find(new Map([['absent', undefined]]), (query) => {
			const page = list.page(query);
			for (const row of [...list.rows.values()].slice(0, 150)) list.update(row);
			return page;
		});
		expect(result.found.size).toBe(0);
		expect(list.requestCount).toBeLessThan(40);
	});

	it('finds an inspection of a service that writes IDs in uppercase', async () => {
		const id = '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f';
		const { result } = await find(new Map([[id, undefined]]), () => [{ id: id.toUpperCase() }]);
		expect(result.found.get(id)).toEqual({ id: id.toUpperCase() });
	});

	it('reads an empty list once', async () => {
		const list = new ChangingList();
		const { result } = await find(new Map([['a', undefined]]), list);
		expect([result.checkedCount, list.requestCount]).toEqual([0, 1]);
	});
});

describe('the windows of a search', () => {
	it('merge if they overlap', () => {
		const times = ['2026-03-01T08:00:00Z', '2026-03-01T10:00:00.5Z', '2026-03-01T08:03:00Z'];
		expect(windowsAround(times.map(timeOf), 120)).toEqual([
			{ after: '2026-03-01T07:58:00Z', before: '2026-03-01T08:05:01Z', timeCount: 2 },
			{ after: '2026-03-01T09:58:00Z', before: '2026-03-01T10:02:01Z', timeCount: 1 },
		]);
	});
});
