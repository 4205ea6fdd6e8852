import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { InspectionRecord } from '../../nodes/InspectionService/domain/list/inspectionPage.ts';
import type { InspectionFilter } from '../../nodes/InspectionService/domain/list/inspectionQuery.ts';
import { NewestVersions } from '../../nodes/InspectionService/domain/list/newestVersions.ts';
import { WholeListReader } from '../../nodes/InspectionService/domain/list/wholeListReader.ts';
import {
	ChangingList,
	STATUSES,
	TICKS_PER_SECOND,
	pick,
	randomOf,
	readAll,
	textOfTicks,
	ticksOfText,
	type ListSettings,
	type Row,
} from './changingList.mts';

const START = ticksOfText('2026-03-01T08:00:00.0000000Z');
const DAY = 86_400n * TICKS_PER_SECOND;
const LANES = 8;

const settings: fc.Arbitrary<ListSettings> = fc.record({
	filterPrecision: fc.constantFrom('full', 'ms', 'nearest ms', 's'),
	cutsRowTimes: fc.constantFrom(false, true, 'to the second' as const),
	digits: fc.constantFrom(3, 6, 7),
	ties: fc.constantFrom('by id', 'by update'),
});
const exact: ListSettings = {
	filterPrecision: 'full',
	cutsRowTimes: false,
	digits: 7,
	ties: 'by id',
};

/** Work as it happens: quiet weeks, busy hours, imports of hundreds within a second, a millisecond or a tick. */
function fill(list: ChangingList, random: () => number): void {
	const bursts = Math.floor(random() * 6);
	let at = START;
	for (let burst = 0; burst <= bursts; burst++) {
		const size = Math.floor(random() * random() * 500);
		const gap = pick(random, [0n, 0n, 1n, 3n, 9_000n, 700_000n, TICKS_PER_SECOND, DAY / 40n]);
		for (let count = 0; count < size; count++) {
			at += BigInt(Math.floor(random() * 3)) * gap;
			list.create(at);
		}
		at += BigInt(Math.floor(random() * 1_000_000)) * pick(random, [1n, 1_000n, TICKS_PER_SECOND]);
	}
	list.now = at + DAY;
	for (const row of list.rows.values()) if (random() < 0.3) list.update(row);
}

function filterOf(list: ChangingList, random: () => number): InspectionFilter {
	const rows = [...list.rows.values()];
	const some = (name: keyof InspectionFilter, value: string | undefined) =>
		random() < 0.2 && value !== undefined ? { [name]: value } : {};
	const time = (key: 'created' | 'updated') =>
		rows.length === 0 ? undefined : textOfTicks(pick(random, rows)[key]);
	return {
		...(random() < 0.5 ? { status: STATUSES.filter(() => random() < 0.6) } : {}),
		...some('createdAfter', time('created')),
		...some('createdBefore', time('created')),
		...some('updatedAfter', time('updated')),
	};
}

/**
 * Who matched all the time, by the service's rule and by every digit as well, and who at any time, by either: what
 * the service leaves out is nobody's to find, and among equal times the reader applies the filter by every digit.
 */
function watch(list: ChangingList, filter: InspectionFilter) {
	const throughout = new Set<string>();
	const everMatched = new Set<string>();
	const note = (row: Row) => {
		const rules = [list.matches(row, filter), list.matchesExactly(row, filter)];
		if (rules.includes(true)) everMatched.add(row.id);
		return !rules.includes(false);
	};
	for (const row of list.rows.values()) if (note(row)) throughout.add(row.id);
	const touch = (row: Row) => {
		if (!note(row)) throughout.delete(row.id);
	};
	return { throughout, everMatched, touch };
}

/** An update, a creation, or a creation that becomes visible late. */
function changeSomething(list: ChangingList, random: () => number): Row {
	const rows = [...list.rows.values()];
	if (rows.length === 0 || random() < 0.3) {
		return list.create(random() < 0.2 ? list.now - DAY : (list.now += 17n));
	}
	const row = pick(random, rows);
	list.update(row);
	return row;
}

function readerOf(filter: InspectionFilter = {}, lanes = LANES) {
	return new WholeListReader(
		{ filter, includes: [], sortBy: 'created_at', sortOrder: 'asc' },
		lanes,
	);
}

function idsOf(inspections: readonly InspectionRecord[]): string[] {
	return inspections.map(({ id }) => id);
}

/** Rows at equal distances from `START`. */
function rowsApart(
	count: number,
	ticks: bigint,
	list = new ChangingList(exact, randomOf(1), START),
) {
	for (let index = 0; index < count; index++) list.create(START + BigInt(index) * ticks);
	return list;
}

describe('Return All', () => {
	it('has every inspection that matched throughout exactly once, whatever others do meanwhile', () => {
		fc.assert(
			fc.property(
				fc.integer(),
				settings,
				fc.integer({ min: 1, max: 10 }),
				(seed, options, lanes) => {
					const random = randomOf(seed);
					const list = new ChangingList(options, random, START);
					fill(list, random);
					const filter = filterOf(list, random);
					const { throughout, everMatched, touch } = watch(list, filter);
					const churn = () => {
						for (let change = Math.floor(random() * 4); change > 0; change--) {
							touch(changeSomething(list, random));
						}
					};
					const reader = readerOf(filter, lanes);
					const most = readAll(
						reader,
						({ query }) => {
							churn();
							const page = list.page(query);
							churn();
							return page;
						},
						random,
					);

					const ids = idsOf(reader.result());
					expect(new Set(ids).size).toBe(ids.length);
					expect([...throughout].filter((id) => !ids.includes(id))).toEqual([]);
					expect(ids.filter((id) => !everMatched.has(id))).toEqual([]);
					expect(most).toBeLessThanOrEqual(lanes);
				},
			),
			{
				numRuns: Number(process.env.SEEDS ?? 200),
				// The bound is rounded up: what was updated just then matches by every digit, not by the service.
				examples: [
					[
						-970674918,
						{ filterPrecision: 'nearest ms', cutsRowTimes: false, digits: 6, ties: 'by id' },
						1,
					],
				],
			},
		);
	});

	it('gives the newest version that was read, in whatever order they came', () => {
		const versions = new NewestVersions(() => true);
		const version = (updated_at: string) => ({ id: 'a', updated_at });
		versions.add([version('2026-03-01T08:00:00.0000002Z')]);
		versions.add([version('2026-03-01T08:00:00.0000010Z'), version('2026-03-01T08:00:00.000Z')]);
		expect(versions.inOrderRead()).toEqual([version('2026-03-01T08:00:00.0000010Z')]);
	});

	it('takes one request for what fits on a page', () => {
		for (const count of [0, 1, 99]) {
			const list = rowsApart(count, TICKS_PER_SECOND);
			readAll(readerOf(), ({ query }) => list.page(query));
			expect(list.requestCount).toBe(1);
			expect(list.largestPage).toBe(count);
		}
	});

	it('looks at page 2 where a page may have been cut short by a cap of the service', () => {
		for (const count of [10, 25, 50, 90]) {
			const list = rowsApart(count, TICKS_PER_SECOND);
			const reader = readerOf();
			const asked: unknown[] = [];
			readAll(reader, ({ query }) => {
				asked.push([query.page, query.pageSize]);
				return list.page(query);
			});
			expect(asked).toEqual([
				[1, 100],
				[2, 100],
			]);
			expect(reader.result()).toHaveLength(count);
		}
	});

	it('does without times where one page is all there is', () => {
		const reader = readerOf();
		readAll(reader, () => [{ id: 'b' }, { id: 'a' }]);
		expect(idsOf(reader.result())).toEqual(['a', 'b']);
	});

	it.each([
		['evenly spread', (index: number) => BigInt(index) * 1_000n * TICKS_PER_SECOND],
		[
			'more and more of them',
			(index: number) => BigInt(Math.floor(Math.sqrt(index) * 1e6)) * 10_000n,
		],
		[
			'nearly all on one day',
			(index: number) =>
				index < 20 ? BigInt(index) * DAY : 20n * DAY + BigInt(index) * 3_000_000n,
		],
		['within seconds', (index: number) => BigInt(index) * 13_331n],
		['within one second', (index: number) => BigInt(index) * 1_999n],
	])('reads 5,000 inspections with few requests to spare: %s', (_, at) => {
		const list = new ChangingList(exact, randomOf(1), START);
		for (let index = 0; index < 5_000; index++) list.create(START + at(index));
		const reader = readerOf();
		const rounds = countRounds(reader, list);
		expect(reader.result()).toHaveLength(5_000);
		// 50 full pages at least, 7 rounds of 8 at least.
		expect(list.requestCount).toBeLessThanOrEqual(70);
		expect(rounds).toBeLessThanOrEqual(13);
	});

	it('reads hundreds with one and the same time, between others', () => {
		for (const filterPrecision of ['full', 'ms', 's'] as const) {
			const list = new ChangingList({ ...exact, filterPrecision }, randomOf(5), START);
			rowsApart(130, 7_000_000n, list);
			for (let count = 0; count < 730; count++) list.create(START + 100n * TICKS_PER_SECOND + 123n);
			for (let count = 0; count < 250; count++)
				list.create(START + 101n * TICKS_PER_SECOND + BigInt(count));
			for (let count = 0; count < 130; count++)
				list.create(START + BigInt(200 + count) * TICKS_PER_SECOND);
			const reader = readerOf();
			readAll(reader, ({ query }) => list.page(query));
			expect(list.rows.size).toBe(1_240);
			expect(idsOf(reader.result()).toSorted()).toEqual([...list.rows.keys()].toSorted());
		}
	});

	it.each([60, 90, 150, 400])(
		'reads all where the service compares the time cut to the second: %i per second',
		(perSecond) => {
			for (const filterPrecision of ['full', 'ms', 'nearest ms', 's'] as const) {
				for (let seed = 1; seed <= 5; seed++) {
					const random = randomOf(seed);
					const settings = { ...exact, filterPrecision, cutsRowTimes: 'to the second' } as const;
					const list = new ChangingList(settings, random, START);
					// Becoming more on the way, so that pages reach further than was to be expected.
					rowsApart(200, (4n * TICKS_PER_SECOND) / BigInt(perSecond), list);
					const from = START + 9n * TICKS_PER_SECOND;
					for (let index = 0n; index < 800n; index++) {
						list.create(from + (index * TICKS_PER_SECOND) / BigInt(perSecond));
					}
					const reader = readerOf();
					readAll(reader, ({ query }) => list.page(query), random);
					expect(idsOf(reader.result()).toSorted()).toEqual([...list.rows.keys()].toSorted());
				}
			}
		},
	);

	it('cuts no second between two slices that the service may compare as one', () => {
		const list = new ChangingList({ ...exact, cutsRowTimes: 'to the second' }, randomOf(1), START);
		const ms = TICKS_PER_SECOND / 1_000n;
		// The first page promises short pages, the second reaches beyond where they would be cut.
		rowsApart(90, ms, list);
		for (let index = 0n; index < 500n; index++) list.create(START + (1_000n + index * 6n) * ms);
		for (let index = 0n; index < 150n; index++) list.create(START + (4_000n + index) * ms);
		const reader = readerOf();
		readAll(reader, ({ query }) => list.page(query));
		expect(idsOf(reader.result()).toSorted()).toEqual([...list.rows.keys()].toSorted());
	});

	it('does not let go of a second because what came last in it left the list meanwhile', () => {
		const list = rowsApart(700, 13_331n);
		for (const row of list.rows.values()) row.status = 'new';
		const [, , ...afterThird] = list.rows.values();
		const createdAfter = textOfTicks(afterThird[0]?.created ?? START);
		const reader = readerOf({ status: ['new'], createdAfter }, 1);
		const gone = new Set<string>();
		readAll(reader, ({ query }) => {
			const page = list.page(query);
			const row = list.rows.get(page.at(-1)?.id ?? '');
			if (row && gone.size < 3) {
				row.status = 'completed';
				gone.add(row.id);
			}
			return page;
		});
		const all = afterThird.map(({ id }) => id).toSorted();
		expect(gone.size).toBe(3);
		// Those that left may have been read before.
		expect([...new Set([...idsOf(reader.result()), ...gone])].toSorted()).toEqual(all);
	});

	it('reads all where the service sorts by less than it sends', () => {
		const rows = Array.from({ length: 150 }, (_, index) => ({
			id: String(index).padStart(3, '0'),
			created_at: textOfTicks(START + BigInt((index * 61) % 150)),
		}));
		const reader = readerOf();
		readAll(reader, ({ query: { page, pageSize, sortOrder } }) => {
			const rowsOfPage = rows.slice((page - 1) * pageSize, page * pageSize);
			// One millisecond to the service, so the newest page may as well be the first one, in any order.
			return sortOrder === 'asc' ? rowsOfPage : rowsOfPage.toSorted(byTimeFalling);
		});
		expect(idsOf(reader.result())).toEqual(
			rows.toSorted((a, b) => byTimeFalling(b, a)).map(({ id }) => id),
		);
	});

	it('holds the service to the status asked for among equal times too', () => {
		const list = new ChangingList(exact, randomOf(3), START);
		for (let count = 0; count < 900; count++) list.create(START, STATUSES[count % 4]);
		const reader = readerOf({ status: ['completed', 'new'] });
		readAll(reader, ({ query }) => list.page(query));
		const wanted = [...list.rows.values()].filter(({ status }) => /^(completed|new)$/.test(status));
		expect(wanted).toHaveLength(450);
		expect(idsOf(reader.result())).toEqual(wanted.map(({ id }) => id).toSorted());
	});

	describe('reads equal times as a whole, or says that it could not, where their order changes', () => {
		it.each([
			['with every request', 'by chance', 20],
			['from page to page, the same every time', 'by page', 15],
		] as const)('%s', (_, ties, mostlyRead) => {
			let read = 0;
			for (let seed = 1; seed <= 20; seed++) {
				const list = new ChangingList({ ...exact, ties }, randomOf(seed), START);
				rowsApart(101 + seed * 15, 0n, list);
				const reader = readerOf();
				try {
					readAll(reader, ({ query }) => list.page(query));
					expect(idsOf(reader.result())).toEqual([...list.rows.keys()].toSorted());
					read += 1;
				} catch (error) {
					expect(String(error)).toMatch(/could not be read completely/);
				}
				expect(list.requestCount).toBeLessThan(200);
			}
			expect(read).toBeGreaterThanOrEqual(mostlyRead);
		});
	});

	it.each([
		['created_at', 'asc', (row: InspectionRecord) => row.created_at],
		['updated_at', 'desc', (row: InspectionRecord) => row.updated_at],
	] as const)('comes sorted by %s %s, equal times by id', (sortBy, sortOrder, key) => {
		const random = randomOf(11);
		const list = new ChangingList(exact, random, START);
		fill(list, random);
		rowsApart(300, 0n, list);
		const reader = new WholeListReader({ filter: {}, includes: [], sortBy, sortOrder }, LANES);
		readAll(reader, ({ query }) => list.page(query));
		const keys = reader.result().map((row) => `${String(key(row))}`);
		const sorted = keys.toSorted();
		expect(keys).toEqual(sortOrder === 'asc' ? sorted : sorted.reverse());
		const ids = idsOf(reader.result().filter((row) => row.created_at === textOfTicks(START)));
		expect(ids).toEqual(ids.toSorted());
	});

	it('keeps in memory only what this side wants', () => {
		const list = rowsApart(450, TICKS_PER_SECOND);
		const reader = new WholeListReader(
			{
				filter: {},
				includes: [],
				sortBy: 'created_at',
				sortOrder: 'asc',
				isWanted: ({ status }) => status === 'new',
			},
			LANES,
		);
		readAll(reader, ({ query }) => list.page(query));
		const wanted = [...list.rows.values()].filter(({ status }) => status === 'new');
		expect(idsOf(reader.result()).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
	});

	describe('ends with a clear error, not in a loop, when the service', () => {
		const list = rowsApart(450, TICKS_PER_SECOND);
		const ties = rowsApart(450, 0n);
		it.each<[string, RegExp, (query: Parameters<ChangingList['page']>[0]) => InspectionRecord[]]>([
			[
				'ignores created_after',
				/ignored created_after=/,
				(query) => list.page({ ...query, createdAfter: undefined }),
			],
			[
				'ignores sort_by',
				/did not sort.*sort_by=created_at/,
				(query) => list.page({ ...query, sortBy: 'updated_at' }).toReversed(),
			],
			[
				'ignores sort_order',
				/did not sort.*sort_order=desc/,
				(query) => list.page({ ...query, sortOrder: 'asc' }),
			],
			['ignores page', /ignore the parameter page/, (query) => ties.page({ ...query, page: 1 })],
			[
				'sends the same page for ever',
				/ignored created_after=|did not sort/,
				() => list.page({ page: 1, pageSize: 100, sortBy: 'created_at', sortOrder: 'asc' }),
			],
			[
				'sends no created_at',
				/no ISO 8601 timestamp under "created_at"/,
				() => Array.from({ length: 100 }, (_, id) => ({ id: `${id}` })),
			],
			['sends ever new inspections of one time', /without an end/, endless()],
		])('%s', (_, message, answer) => {
			expect(() => readAll(readerOf(), ({ query }) => answer(query))).toThrow(message);
		});
	});

	it.each([10, 25, 50])('reads all from a service that sends no more than %i at once', (cap) => {
		for (const ties of ['by id', 'by chance'] as const) {
			const list = new ChangingList({ ...exact, ties }, randomOf(2), START);
			rowsApart(450, TICKS_PER_SECOND, list);
			for (let count = 0; count < cap * 3; count++) list.create(START + 7n * TICKS_PER_SECOND);
			const reader = readerOf();
			readAll(reader, ({ query }) =>
				list.page({ ...query, pageSize: Math.min(query.pageSize, cap) }),
			);
			expect(idsOf(reader.result()).toSorted()).toEqual([...list.rows.keys()].toSorted());
			expect(list.largestPage).toBe(cap);
		}
	});

	it('reads all from a service that knows neither page nor page_size', () => {
		for (const count of [10, 237]) {
			const list = rowsApart(count, TICKS_PER_SECOND);
			const reader = readerOf();
			readAll(reader, ({ query }) => list.page({ ...query, page: 1, pageSize: 10 }));
			expect(reader.result()).toHaveLength(count);
		}
	});

	it('copes with a service that ignores page_size and sends all at once', () => {
		const list = rowsApart(450, TICKS_PER_SECOND);
		const reader = readerOf();
		readAll(reader, ({ query }) => list.page({ ...query, pageSize: 10_000 }));
		expect(reader.result()).toHaveLength(450);
		expect(list.requestCount).toBeLessThanOrEqual(3);
	});
});

function byTimeFalling(a: InspectionRecord, b: InspectionRecord): number {
	return String(a.created_at) < String(b.created_at) ? 1 : -1;
}

/** As many answers at a time as there are lanes: what the reading takes in round trips. */
function countRounds(reader: WholeListReader, list: ChangingList): number {
	let rounds = 0;
	for (let asked = reader.requests(); asked.length > 0; asked = reader.requests()) {
		rounds += 1;
		for (const request of asked) reader.receive(request, list.page(request.query));
	}
	return rounds;
}

function endless() {
	let count = 0;
	return () =>
		Array.from({ length: 100 }, () => ({
			id: `${(count += 1)}`,
			created_at: '2026-03-01T08:00:00Z',
		}));
}
