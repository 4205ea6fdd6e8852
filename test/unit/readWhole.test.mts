import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import type { InspectionFilter } from '#connector/domain/list/inspectionQuery.ts';
import { NewestVersions } from '#connector/domain/list/newestVersions.ts';
import { type ListOptions, type ListSource, readFirst } from '#connector/domain/list/readFirst.ts';
import { readPages, readWhole } from '#connector/domain/list/readWhole.ts';
import {
	ChangingList,
	type ListSettings,
	pick,
	randomOf,
	readThrough,
	type Respond,
	type Row,
	STATUSES,
	textOfTicks,
	TICKS_PER_SECOND,
	ticksOfText,
} from './changingList.mts';
import { bulkBetweenQuietMonths, LIST_SHAPES, StillList } from './stillList.mts';

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

function timesOf(count: number, at: (index: number, count: number) => bigint): bigint[] {
	return Array.from({ length: count }, (_, index) => START + at(index, count));
}

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
 * Who matched all the time by every rule, and who at any time by some: what the service leaves out is nobody's to
 * find, and within one second the reading judges updates by every digit, creation as the service does.
 */
function watch(list: ChangingList, filter: InspectionFilter) {
	const throughout = new Set<string>();
	const everMatched = new Set<string>();
	const note = (row: Row) => {
		const { surely, possibly } = list.matchesByAnyRule(row, filter);
		if (possibly) everMatched.add(row.id);
		return surely;
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

const QUESTION: ListOptions = {
	filter: {},
	includes: [],
	sortBy: 'created_at',
	sortOrder: 'asc',
};

async function read(
	respond: Respond,
	question: Partial<ListOptions> = {},
	{ lanes = LANES, random }: { lanes?: number; random?: () => number } = {},
) {
	const whole = { ...QUESTION, ...question };
	return await readThrough(
		async (source) => await readWhole(whole, source, lanes),
		respond,
		random,
	);
}

function idsOf(inspections: readonly InspectionRecord[]): string[] {
	return inspections.map(({ id }) => id);
}

async function nextTurn(): Promise<void> {
	await new Promise<void>((resolve) => setImmediate(resolve));
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
	it('has every inspection that matched throughout exactly once, whatever others do meanwhile', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer(),
				settings,
				fc.integer({ min: 1, max: 10 }),
				async (seed, options, lanes) => {
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
					const { result, most } = await read(
						(query) => {
							churn();
							const page = list.page(query);
							churn();
							return page;
						},
						{ filter },
						{ lanes, random },
					);

					const ids = idsOf(result);
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
					// Two inspections, and a third one while they were read: the service seems to send two at once at most.
					[
						-2132091121,
						{ filterPrecision: 'full', cutsRowTimes: false, digits: 3, ties: 'by update' },
						5,
					],
				],
			},
		);
	});

	it('gives the newest version that was read, in whatever order they came', async () => {
		const versions = new NewestVersions(() => true);
		const version = (updated_at: string) => ({ id: 'a', updated_at });
		versions.add([version('2026-03-01T08:00:00.0000002Z')]);
		versions.add([version('2026-03-01T08:00:00.0000010Z'), version('2026-03-01T08:00:00.000Z')]);
		expect(versions.inOrderRead()).toEqual([version('2026-03-01T08:00:00.0000010Z')]);
	});

	it('takes one request for what fits on a page, where the envelope says that nothing follows', async () => {
		for (const count of [0, 1, 10, 50, 99]) {
			const list = rowsApart(count, TICKS_PER_SECOND);
			await read((query) => ({ inspections: list.page(query), isLast: true }));
			expect(list.requestCount).toBe(1);
			expect(list.largestPage).toBe(count);
		}
	});

	it('looks behind a short page where the envelope says nothing: the service may have a cap', async () => {
		for (const count of [1, 10, 25, 37, 50, 99]) {
			const list = rowsApart(count, TICKS_PER_SECOND);
			const asked: unknown[] = [];
			const { result } = await read((query) => {
				asked.push([query.page, query.pageSize]);
				return list.page(query);
			});
			expect(asked).toEqual([
				[1, 100],
				[2, count],
			]);
			expect(result).toHaveLength(count);
		}
	});

	it('needs no times where one page is all there is', async () => {
		const { result } = await read(({ page }) => (page === 1 ? [{ id: 'b' }, { id: 'a' }] : []));
		expect(idsOf(result)).toEqual(['a', 'b']);
	});

	it.each(Object.entries(LIST_SHAPES))(
		'reads 5,000 inspections with few requests to spare: %s',
		async (_, at) => {
			const list = new StillList(timesOf(5_000, at));
			const { result, rounds, most } = await read((query) => list.page(query));
			expect(result).toHaveLength(5_000);
			expect(most).toBeLessThanOrEqual(LANES);
			// 50 full pages at least, 7 rounds of 8 at least.
			expect(list.requests).toBeLessThanOrEqual(70);
			expect(rounds).toBeLessThanOrEqual(12);
		},
	);

	it('reads a bulk between quiet months side by side', async () => {
		const list = new StillList(timesOf(5_000, bulkBetweenQuietMonths));
		const { result, rounds } = await read((query) => list.page(query));
		expect(result).toHaveLength(5_000);
		// Finding the bulk takes some requests for each lane, however large it is. One lane alone would take 52 rounds.
		expect(list.requests).toBeLessThanOrEqual(150);
		expect(rounds).toBeLessThanOrEqual(20);
	});

	it('reads an import of 150,000 inspections that have one time', async () => {
		const list = new StillList(timesOf(150_000, () => 0n));
		const { result } = await read((query) => list.page(query));
		expect(new Set(idsOf(result)).size).toBe(150_000);
	});

	it('reads hundreds with one and the same time, between others', async () => {
		for (const filterPrecision of ['full', 'ms', 's'] as const) {
			const list = new ChangingList({ ...exact, filterPrecision }, randomOf(5), START);
			rowsApart(130, 7_000_000n, list);
			for (let count = 0; count < 730; count++) list.create(START + 100n * TICKS_PER_SECOND + 123n);
			for (let count = 0; count < 250; count++)
				list.create(START + 101n * TICKS_PER_SECOND + BigInt(count));
			for (let count = 0; count < 130; count++)
				list.create(START + BigInt(200 + count) * TICKS_PER_SECOND);
			const { result } = await read((query) => list.page(query));
			expect(list.rows.size).toBe(1_240);
			expect(idsOf(result).toSorted()).toEqual([...list.rows.keys()].toSorted());
		}
	});

	it.each([60, 90, 150, 400])(
		'reads all where the service compares the time cut to the second: %i per second',
		async (perSecond) => {
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
					const { result } = await read((query) => list.page(query), {}, { random });
					expect(idsOf(result).toSorted()).toEqual([...list.rows.keys()].toSorted());
				}
			}
		},
	);

	it('cuts no second between two slices that the service may compare as one', async () => {
		const list = new ChangingList({ ...exact, cutsRowTimes: 'to the second' }, randomOf(1), START);
		const ms = TICKS_PER_SECOND / 1_000n;
		// The first page promises short pages, the second reaches beyond where they would be cut.
		rowsApart(90, ms, list);
		for (let index = 0n; index < 500n; index++) list.create(START + (1_000n + index * 6n) * ms);
		for (let index = 0n; index < 150n; index++) list.create(START + (4_000n + index) * ms);
		const { result } = await read((query) => list.page(query));
		expect(idsOf(result).toSorted()).toEqual([...list.rows.keys()].toSorted());
	});

	it('reads a second to its end, even if the last inspection that came leaves the list meanwhile', async () => {
		const list = rowsApart(700, 13_331n);
		for (const row of list.rows.values()) row.status = 'new';
		const [, , ...afterThird] = list.rows.values();
		const createdAfter = textOfTicks(afterThird[0]?.created ?? START);

		const gone = new Set<string>();
		const leaving: Respond = (query) => {
			const page = list.page(query);
			const row = list.rows.get(page.at(-1)?.id ?? '');
			if (row && gone.size < 3) {
				row.status = 'completed';
				gone.add(row.id);
			}
			return page;
		};
		const { result } = await read(
			leaving,
			{ filter: { status: ['new'], createdAfter } },
			{ lanes: 1 },
		);
		const all = afterThird.map(({ id }) => id).toSorted();
		expect(gone.size).toBe(3);
		// Those that left may have been read before.
		expect([...new Set([...idsOf(result), ...gone])].toSorted()).toEqual(all);
	});

	it('reads all where the service sorts by fewer digits than it sends', async () => {
		const rows = Array.from({ length: 150 }, (_, index) => ({
			id: String(index).padStart(3, '0'),
			created_at: textOfTicks(START + BigInt((index * 61) % 150)),
		}));
		const { result } = await read(({ page, pageSize, sortOrder }) => {
			const rowsOfPage = rows.slice((page - 1) * pageSize, page * pageSize);
			// One millisecond to the service, so the newest page may as well be the first one, in any order.
			return sortOrder === 'asc' ? rowsOfPage : rowsOfPage.toSorted(byTimeFalling);
		});
		expect(idsOf(result)).toEqual(rows.toSorted((a, b) => byTimeFalling(b, a)).map(({ id }) => id));
	});

	it('misses nothing that is moved between pages which are read side by side', async () => {
		const list = new ChangingList(exact, randomOf(1), START);
		for (let index = 1n; index <= 850n; index++) list.create(START + index * 1_999n);
		const before = [...list.rows.keys()];
		let responses = 0;
		const respond: Respond = (query) => {
			// Pages 8 to 5 have come. What is created on page 4 now moves its last inspection to page 5.
			if (++responses === 8) list.create(START + 350n * 1_999n + 1n);
			return list.page(query);
		};
		const { result } = await read(respond, {}, { random: () => 0.999 });
		expect(before.filter((id) => !idsOf(result).includes(id))).toEqual([]);
	});

	it('gives only inspections of the status asked for, among equal times too', async () => {
		const list = new ChangingList(exact, randomOf(3), START);
		for (let count = 0; count < 900; count++) list.create(START, STATUSES[count % 4]);
		const { result } = await read((query) => list.page(query), {
			filter: { status: ['completed', 'new'] },
		});
		const wanted = [...list.rows.values()].filter(({ status }) => /^(completed|new)$/.test(status));
		expect(wanted).toHaveLength(450);
		expect(idsOf(result)).toEqual(wanted.map(({ id }) => id).toSorted());
	});

	it('hands the pages over as they come, for a caller that keeps less', async () => {
		const list = rowsApart(1_234, TICKS_PER_SECOND);
		const handed = new Set<string>();
		let largest = 0;
		const { most } = await readThrough(
			async (source) =>
				await readPages(QUESTION, source, 4, (page) => {
					for (const { id } of page) handed.add(id);
					largest = Math.max(largest, page.length);
				}),
			(query) => list.page(query),
		);
		expect([...handed].toSorted()).toEqual([...list.rows.keys()].toSorted());
		expect(largest).toBe(100);
		expect(most).toBeLessThanOrEqual(4);
	});

	it('starts no request after a failure, and leaves none under way', async () => {
		const list = rowsApart(5_000, TICKS_PER_SECOND);
		let [requests, underWay, afterFailure] = [0, 0, 0];
		const source: ListSource = {
			list: async (query) => {
				const number = ++requests;
				underWay += 1;
				// The tenth request fails first; those beside it are under way for longer.
				for (let turns = number === 10 ? 1 : 5; turns > 0; turns--) await nextTurn();
				underWay -= 1;
				if (number === 10) {
					afterFailure = requests;
					throw new Error('the service is down');
				}
				return { inspections: list.page(query) };
			},
		};
		await expect(readWhole(QUESTION, source, LANES)).rejects.toThrow('the service is down');
		expect(afterFailure).toBeGreaterThan(0);
		expect(requests).toBe(afterFailure);
		expect(underWay).toBe(0);
	});

	describe('reads equal times as a whole, or says that it could not, where their order changes', () => {
		it.each([
			['with every request', 'by chance', 20],
			['from page to page, the same every time', 'by page', 15],
		] as const)('%s', async (_, ties, mostlyRead) => {
			let complete = 0;
			for (let seed = 1; seed <= 20; seed++) {
				const list = new ChangingList({ ...exact, ties }, randomOf(seed), START);
				rowsApart(101 + seed * 15, 0n, list);
				try {
					const { result } = await read((query) => list.page(query));
					expect(idsOf(result)).toEqual([...list.rows.keys()].toSorted());
					complete += 1;
				} catch (error) {
					expect(String(error)).toMatch(/time 2026-\S+Z.* could not be read completely/);
				}
				expect(list.requestCount).toBeLessThan(200);
			}
			expect(complete).toBeGreaterThanOrEqual(mostlyRead);
		});
	});

	it.each([
		['created_at', 'asc', (row: InspectionRecord) => row.created_at],
		['updated_at', 'desc', (row: InspectionRecord) => row.updated_at],
	] as const)('comes sorted by %s %s, equal times by id', async (sortBy, sortOrder, key) => {
		const random = randomOf(11);
		const list = new ChangingList(exact, random, START);
		fill(list, random);
		rowsApart(300, 0n, list);
		const { result } = await read((query) => list.page(query), { sortBy, sortOrder });
		const keys = result.map((row) => `${String(key(row))}`);
		const sorted = keys.toSorted();
		expect(keys).toEqual(sortOrder === 'asc' ? sorted : sorted.reverse());
		const ids = idsOf(result.filter((row) => row.created_at === textOfTicks(START)));
		expect(ids).toEqual(ids.toSorted());
	});

	it('keeps only wanted inspections in memory', async () => {
		const list = rowsApart(450, TICKS_PER_SECOND);
		const { result } = await read((query) => list.page(query), {
			isWanted: ({ status }) => status === 'new',
		});
		const wanted = [...list.rows.values()].filter(({ status }) => status === 'new');
		expect(idsOf(result).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
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
		])('%s', async (_, message, answer) => {
			await expect(read(answer)).rejects.toThrow(message);
		});
	});

	it.each([10, 25, 50])(
		'reads all from a service that sends no more than %i at once',
		async (cap) => {
			for (const ties of ['by id', 'by chance'] as const) {
				const list = new ChangingList({ ...exact, ties }, randomOf(2), START);
				rowsApart(450, TICKS_PER_SECOND, list);
				for (let count = 0; count < cap * 3; count++) list.create(START + 7n * TICKS_PER_SECOND);
				const { result } = await read((query) =>
					list.page({ ...query, pageSize: Math.min(query.pageSize, cap) }),
				);
				expect(idsOf(result).toSorted()).toEqual([...list.rows.keys()].toSorted());
				expect(list.largestPage).toBe(cap);
			}
		},
	);

	it('reads all however the page cap changes, also where it depends on what is included', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.infiniteStream(fc.integer({ min: 2, max: 120 })),
				fc.constantFrom(undefined, 25, 60),
				fc.integer({ min: 0, max: 400 }),
				fc.constantFrom(1n, 5n, 3_000n),
				async (caps, capWithData, count, step) => {
					const list = rowsApart(count, step * TICKS_PER_SECOND);
					const capped: Respond = (query) => {
						const isRich = (query.includes ?? []).length > 0;
						const cap = (isRich ? capWithData : undefined) ?? caps.next().value;
						return list.page({ ...query, pageSize: Math.min(query.pageSize, cap) });
					};
					const { result } = await read(capped, { includes: ['data'] });
					expect(idsOf(result).toSorted()).toEqual([...list.rows.keys()].toSorted());
					const first = { ...QUESTION, includes: ['data' as const] };
					const limited = await readThrough(
						async (source) => await readFirst(first, 300, source),
						capped,
					);
					expect(limited.result.inspections).toHaveLength(Math.min(300, count));
				},
			),
			{ numRuns: Number(process.env.SEEDS ?? 60) },
		);
	});

	it.each([1, 3, 20, 47, 60, 80])(
		'never ends early in silence where the page cap drops to %i within a full second',
		async (low) => {
			let complete = 0;
			const seeds = low < 10 ? 8 : 24;
			for (let seed = 1; seed <= seeds; seed++) {
				const random = randomOf(seed);
				const ties = seed % 4 === 0 ? 'by chance' : 'by id';
				const list = new ChangingList({ ...exact, ties }, random, START);
				rowsApart(101 + seed * 7, 0n, list);
				const dropsAt = Math.floor(random() * 12);
				const capped: Respond = (query) => {
					const cap = list.requestCount < dropsAt ? 100 : low;
					return list.page({ ...query, pageSize: Math.min(query.pageSize, cap) });
				};
				try {
					const { result } = await read(capped);
					expect(idsOf(result).toSorted()).toEqual([...list.rows.keys()].toSorted());
					complete += 1;
				} catch (error) {
					expect(ties).toBe('by chance');
					expect(String(error)).toMatch(/could not be read completely/);
				}
			}
			expect(complete).toBeGreaterThanOrEqual(seeds * 0.8);
		},
	);

	it('reads all from a service that knows neither page nor page_size', async () => {
		for (const count of [10, 237]) {
			const list = rowsApart(count, TICKS_PER_SECOND);
			const { result } = await read((query) => list.page({ ...query, page: 1, pageSize: 10 }));
			expect(result).toHaveLength(count);
		}
	});

	it('copes with a service that ignores page_size and sends all at once', async () => {
		const list = rowsApart(450, TICKS_PER_SECOND);
		const { result } = await read((query) => list.page({ ...query, pageSize: 10_000 }));
		expect(result).toHaveLength(450);
		expect(list.requestCount).toBeLessThanOrEqual(3);
	});
});

function byTimeFalling(a: InspectionRecord, b: InspectionRecord): number {
	return String(a.created_at) < String(b.created_at) ? 1 : -1;
}

function endless() {
	let count = 0;
	return () =>
		Array.from({ length: 100 }, () => ({
			id: `${(count += 1)}`,
			created_at: '2026-03-01T08:00:00Z',
		}));
}
