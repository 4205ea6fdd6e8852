// @module-tag slow
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import type {
	InspectionFilter,
	InspectionPageQuery,
} from '#connector/domain/list/inspectionQuery.ts';
import { readAll } from '#connector/domain/list/readAll.ts';
import type { ListOptions } from '#connector/domain/list/readUpTo.ts';
import {
	anyPrecision,
	anyShownPrecision,
	ChangingList,
	idsOf,
	type ListSettings,
	readScheduled,
	readThrough,
	type Respond,
	type Row,
	settled,
	START,
} from '#harness/changingList.mts';
import { LIST_SHAPES } from '#harness/listShapes.mts';
import type { ListEnds } from '#sandbox/service/inspectionList.mts';
import { STATUSES } from '#sandbox/service/model.mts';
import { formatTimestamp, TICKS_PER_SECOND } from '#sandbox/service/time.mts';
import {
	anyChanges,
	anyPlace,
	anyWork,
	type Changes,
	changesOf,
	DAY,
	type Generated,
	listOfWork,
	rowAt,
	type Work,
} from './generatedList.mts';

const WORKERS = 8;
const QUESTION: ListOptions = {
	...({ filter: {}, includes: [], sortBy: 'created_at', sortOrder: 'asc' } as const),
};

const anyFilter = fc.record({
	status: fc.subarray([...STATUSES]),
	createdAfter: anyPlace,
	createdBefore: anyPlace,
	updatedAfter: anyPlace,
});
type GivenFilter = Generated<typeof anyFilter>;

/** Returns a filter whose dates are times of inspections in the list, at the given positions. */
function filterOf(list: ChangingList, { status, ...positions }: GivenFilter): InspectionFilter {
	const rows = [...list.rows.values()];
	const timeAt = (position: number | undefined, key: 'createdAt' | 'updatedAt') => {
		const row = position === undefined ? undefined : rowAt(rows, position);
		return row && formatTimestamp(row[key], '100ns');
	};
	return {
		status,
		createdAfter: timeAt(positions.createdAfter, 'createdAt'),
		createdBefore: timeAt(positions.createdBefore, 'createdAt'),
		updatedAfter: timeAt(positions.updatedAfter, 'updatedAt'),
	};
}

/**
 * Tracks which inspections surely match the filter during the whole read, and which possibly match at some point.
 * Checks times both at the service's precision and exactly, because the service and the connector can differ for times
 * within one second.
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

async function read(
	list: ChangingList | Respond,
	question: Partial<ListOptions> = {},
	{ workers = WORKERS, isLastFirst = false } = {},
) {
	return await readThrough(
		async (source) => await readAll({ ...QUESTION, ...question }, source, workers),
		list,
		{ isLastFirst },
	);
}

/** Checks that a result contains each inspection of a list exactly once. */
function expectAll(result: readonly InspectionRecord[], list: ChangingList) {
	expect(idsOf(result).toSorted()).toEqual([...list.rows.keys()].toSorted());
}

/** Creates inspections at equal distances from `START`, and returns their list. */
const rowsApart = (count: number, ticks: bigint, list = new ChangingList()) =>
	list.fill(count, (index) => BigInt(index) * ticks);

/**
 * Checks that a read finds all inspections. Also accepts an error about missing inspections with equal times.
 */
async function expectAllOrError(list: ChangingList, respond: ChangingList | Respond = list) {
	try {
		expectAll((await read(respond)).result, list);
	} catch (error) {
		expect(String(error)).toMatch(/time \d{4}-\S+Z.* didn't send all of them/);
	}
}

const blocks = fc.array(
	fc.record({
		size: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constantFrom(99, 100, 101, 150, 200, 800)),
		gap: fc.constantFrom(0n, 1n, 9_000n, 90_000n, TICKS_PER_SECOND, 2n * TICKS_PER_SECOND, DAY),
	}),
	{ minLength: 1, maxLength: 5 },
);

/** Changes by other users before each response: they update one inspection, and sometimes delete one. */
const anyTurns = fc.array(fc.record({ gone: anyPlace, updated: fc.nat() }), { maxLength: 60 });

/** The ways in which a service can behave at the end of a list. */
const anyEnds = fc.record<Partial<ListEnds>>(
	{
		afterLastPage: fc.constantFrom('empty', 'repeated', '404'),
		resultWindow: fc.constantFrom(50, 100, 150, 1_000),
		offsetLimit: fc.constantFrom(100, 500, 1_000),
		pageCap: fc.constantFrom(10, 50, 99),
	},
	{ requiredKeys: [] },
);

/**
 * Returns a list of at most `most` inspections. They come in blocks, with ten seconds between two blocks and `gap`
 * ticks between two inspections.
 */
function listOfBlocks(
	sizes: readonly { size: number; gap: bigint }[],
	maxCount = Infinity,
	list = new ChangingList(),
) {
	let at = START;
	for (const { size, gap } of sizes) {
		at += 10n * TICKS_PER_SECOND;
		for (let left = size; left > 0 && list.rows.size < maxCount; left--) list.create((at += gap));
	}
	return list;
}

describe('Return All', () => {
	// A gap ends one second after the first inspection of the next sample (readAll.ts). Without it, inspections of that
	// second that are before the sample are lost.
	it('has every inspection that matched throughout exactly once, whatever others do meanwhile', async () => {
		const settings = fc.record({
			precision: anyPrecision,
			timestampPrecision: fc.constantFrom<'ms' | 'us' | '100ns'>('ms', 'us', '100ns'),
			shownPrecision: anyShownPrecision,
			ties: fc.constantFrom<'by id' | 'by update'>('by id', 'by update'),
		});
		const workers = fc.integer({ min: 1, max: 10 });
		const check = async (
			scheduler: fc.Scheduler,
			work: Work,
			given: GivenFilter,
			changes: Changes,
			[options, workerCount]: [Partial<ListSettings>, number],
		) => {
			const list = listOfWork(work, options);
			const filter = filterOf(list, given);
			const { throughout, everMatched, touch } = watch(list, filter);
			const change = changesOf(list, changes, touch);
			const respond: Respond = (query) => {
				change();
				return list.page(query);
			};
			const reading = readScheduled(
				async (source) => await readAll({ ...QUESTION, filter }, source, workerCount),
				respond,
				scheduler,
			);
			// With `ties: 'by update'`, an update changes the order of equal times. Then some inspections of that second can
			// be missing, which an error reports.
			const failure = await reading.catch((error: unknown) => String(error));
			const isTold = /didn't send all of them/.test(String(failure));
			if (options.ties === 'by update' && isTold) return;
			const { result, maxOpen } = await reading;
			const ids = idsOf(result);
			expect(new Set(ids).size).toBe(ids.length);
			expect([...throughout].filter((id) => !ids.includes(id))).toEqual([]);
			expect(ids.filter((id) => !everMatched.has(id))).toEqual([]);
			expect(maxOpen).toBeLessThanOrEqual(workerCount);
		};
		await fc.assert(
			fc.asyncProperty(
				fc.scheduler(),
				anyWork,
				anyFilter,
				anyChanges,
				fc.tuple(settings, workers),
				check,
			),
			{ numRuns: Number(process.env.SEEDS ?? 200) },
		);
	});

	// The end of a short list is checked from the other end (`isSameFromOtherEnd` in fetchPage.ts). Without it, a
	// result window as small as the page cap hides the rest of the list. Of 90 inspections, 50 are returned without an
	// error.
	it('is complete, whatever the service does at the end of a list', async () => {
		await fc.assert(
			fc.asyncProperty(
				blocks,
				anyEnds,
				anyShownPrecision,
				fc.constantFrom('by id', 'by request'),
				async (sizes, ends, shownPrecision, ties) => {
					// Makes all times different. If a whole result window had equal times, and both sort orders returned the same
					// inspections, missing ones couldn't be detected.
					const spread = sizes.map(({ size, gap }) => ({ size, gap: gap === 0n ? 1n : gap }));
					const settings = { ends, shownPrecision, ties };
					await expectAllOrError(listOfBlocks(spread, Infinity, new ChangingList(settings)));
				},
			),
			{
				numRuns: Number(process.env.SEEDS ?? 100),
				examples: [
					[[{ size: 1_001, gap: TICKS_PER_SECOND }], { resultWindow: 1_000 }, 's', 'by id'],
					[[{ size: 1_500, gap: TICKS_PER_SECOND }], { resultWindow: 1_000 }, 's', 'by id'],
					[[{ size: 90, gap: TICKS_PER_SECOND }], { pageCap: 50, resultWindow: 50 }, 's', 'by id'],
					[[{ size: 90, gap: 1n }], { pageCap: 50, resultWindow: 50 }, 's', 'by id'],
					[[{ size: 1_500, gap: 1n }], { offsetLimit: 1_000 }, 's', 'by id'],
					[[{ size: 200, gap: 1n }], { afterLastPage: 'repeated' }, 's', 'by id'],
					[[{ size: 100, gap: 1n }], { afterLastPage: 'repeated' }, 's', 'by id'],
				],
			},
		);
	});

	it.each([2, 3, 5, 40, 99, 100, 150, 270])(
		'reads %i inspections with one time in random order, even if the last page is repeated',
		async (count) => {
			for (let salt = 0; salt < 20; salt++) {
				const ends = { afterLastPage: 'repeated' } as const;
				const list = rowsApart(count, 0n, new ChangingList({ ties: 'by request', salt, ends }));
				expectAll((await read(list)).result, list);
			}
		},
	);

	// A tied second is also read in the opposite order (readTiedSecond.ts). Without it, a result window hides a part of
	// this second.
	it.each([
		[1_500, 'reads'],
		[1_950, 'reads'],
		[2_100, 'reports that it could not read'],
	])(
		'handles %i inspections of one second with a window of 1,000: it %s all',
		async (count, outcome) => {
			const list = rowsApart(count, 1n, new ChangingList({ ends: { resultWindow: 1_000 } }));
			const reading = read(list);
			if (outcome === 'reads') expectAll((await reading).result, list);
			else await expect(reading).rejects.toThrow(/didn't send all of them/);
		},
	);

	it.each([
		['needs one request if the envelope shows that nothing follows', true],
		['otherwise checks the end with one more request, because the service might have a cap', false],
	])('%s', async (_, isLast) => {
		for (const count of [1, 10, 25, 99]) {
			const list = rowsApart(count, TICKS_PER_SECOND);
			const asked: string[] = [];
			const { result } = await read((query) => {
				asked.push(`page ${query.page} of ${query.pageSize}, ${query.sortOrder}`);
				return { inspections: list.page(query), isLast };
			});
			const check = count === 1 ? 'page 2 of 1, asc' : 'page 1 of 100, desc';
			expect(asked).toEqual(['page 1 of 100, asc', ...(isLast ? [] : [check])]);
			expectAll(result, list);
		}
	});

	it('needs no times if there is only one page', async () => {
		const { result } = await read(({ page }) => (page === 1 ? [{ id: 'b' }, { id: 'a' }] : []));
		expect(idsOf(result)).toEqual(['a', 'b']);
	});

	// A gap is read past its end, without an upper bound (`until` in readRange.ts). Without it, each gap needs one more
	// request, which finds out whether the gap is complete.
	// Every second page of a list is requested by number as samples (readAll.ts). Without it, Return All reads one page
	// after the other.
	it.each([
		['evenly spread', 55, 8],
		['more and more of them', 55, 8],
		['ever faster', 59, 9],
		['a bulk between quiet months', 60, 9],
		['nearly all on one day', 55, 8],
		['within seconds', 72, 13],
		['within one second', 60, 12],
		['in one instant', 60, 12],
	] as const)(
		'reads 5,000 inspections with 10 workers in few extra requests: %s',
		async (shape, requests, maxRounds) => {
			const list = new ChangingList().fill(5_000, LIST_SHAPES[shape]);
			const { result, rounds, ...reading } = await read(list, {}, { workers: 10 });
			expectAll(result, list);
			expect(reading.maxOpen).toBeLessThanOrEqual(10);
			// The minimum would be 50 full pages, in 6 rounds of 10 requests.
			expect(list.requestCount).toBeLessThanOrEqual(requests);
			expect(rounds).toBeLessThanOrEqual(maxRounds);
		},
	);

	it.each(Object.entries(LIST_SHAPES))(
		'reads 1,000 inspections in 11 requests within 4 rounds, or twice as many within seconds: %s',
		async (name, shape) => {
			const list = new ChangingList().fill(1_000, shape);
			const { result, rounds } = await read(list, {}, { workers: 10 });
			expectAll(result, list);
			const [maxRequests, maxRounds] = /within|instant/.test(name) ? [20, 8] : [11, 4];
			expect(list.requestCount).toBeLessThanOrEqual(maxRequests);
			expect(rounds).toBeLessThanOrEqual(maxRounds);
		},
	);

	it.each(['within seconds', 'within one second', 'in one instant'] as const)(
		'reads 120 inspections in at most 6 requests: %s',
		async (shape) => {
			const list = new ChangingList().fill(120, LIST_SHAPES[shape]);
			const { result, rounds } = await read(list, {}, { workers: 10 });
			expectAll(result, list);
			expect(list.requestCount).toBeLessThanOrEqual(6);
			expect(rounds).toBeLessThanOrEqual(5);
		},
	);

	it('reads lists completely with a limited number of requests, however they are spread', async () => {
		const pagesEndInImports = [
			{ size: 100, gap: TICKS_PER_SECOND },
			{ size: 150, gap: 0n },
		];
		await fc.assert(
			fc.asyncProperty(blocks, fc.boolean(), async (sizes, isLong) => {
				const list = isLong
					? listOfBlocks([...sizes, { size: 1_300, gap: TICKS_PER_SECOND }])
					: listOfBlocks(sizes, 1_000);
				expectAll((await read(list, {}, { workers: isLong ? WORKERS : 10 })).result, list);
				if (!isLong) expect(list.requestCount).toBeLessThanOrEqual(list.rows.size / 25 + 12);
			}),
			{ numRuns: Number(process.env.SEEDS ?? 200), examples: [[pagesEndInImports, true]] },
		);
	});

	it.each([120, 5_000])(
		'reads %i with a filter whose outcome others can change in few extra requests, even with workers',
		async (count) => {
			const list = new ChangingList().fill(count, LIST_SHAPES['evenly spread']);
			expectAll((await read(list, { filter: { teamId: 't' } }, { workers: 10 })).result, list);
			expect(list.requestCount).toBeLessThanOrEqual(1.2 * (count / 100) + 2);
		},
	);

	// Page 1 isn't requested again for a tied second, unless the node applies filters (`isPage1Filtered` in
	// readTiedSecond.ts). Without it, each tied second needs one more request.
	it('reads a full second of time only once if the connector itself applies a status filter', async () => {
		const list = rowsApart(600, 0n);
		const filter = { status: ['new', 'completed'] } as const;
		const { result } = await read(list, { filter }, { workers: 1 });
		expect(result.every(({ status }) => status !== 'canceled')).toBe(true);
		expect(list.requestCount).toBeLessThanOrEqual(12);
	});

	// This test takes 4 s on an idle machine.
	it('reads an import of 150,000 inspections with one time', { timeout: 60_000 }, async () => {
		const { result } = await read(rowsApart(150_000, 0n));
		expect(new Set(idsOf(result)).size).toBe(150_000);
	});

	it('reads all if the service sorts by fewer digits than it sends', async () => {
		const rows = Array.from({ length: 150 }, (_, index) => ({
			id: String(index).padStart(3, '0'),
			created_at: formatTimestamp(START + BigInt((index * 61) % 150), '100ns'),
		}));
		const falling = (a: InspectionRecord, b: InspectionRecord) =>
			String(a.created_at) < String(b.created_at) ? 1 : -1;
		const { result } = await read(({ page, pageSize, sortOrder }) => {
			const rowsOfPage = rows.slice((page - 1) * pageSize, page * pageSize);
			// To this service, all times are equal, because it sorts by milliseconds. So the newest page can contain any
			// inspections in any order.
			return sortOrder === 'asc' ? rowsOfPage : rowsOfPage.toSorted(falling);
		});
		expect(idsOf(result)).toEqual(idsOf(rows.toSorted(falling)).toReversed());
	});

	it('misses none of 250 with one time if one is created between concurrently fetched pages', async () => {
		const list = rowsApart(250, 0n);
		const before = [...list.rows.keys()].toSorted();
		let responses = 0;
		const respond: Respond = (query) => {
			// Page 3 has already arrived. A new inspection on page 2 moves the last one of page 2 to page 3.
			if (++responses === 5) {
				const [first = '', last = ''] = [before[100], before[199]];
				let { id } = list.create(START);
				while (id < first || id > last) {
					list.delete(id);
					({ id } = list.create(START));
				}
			}
			return list.page(query);
		};
		const { result } = await read(respond, {}, { isLastFirst: true });
		expect(before.filter((id) => !idsOf(result).includes(id))).toEqual([]);
	});

	// A list with filters that only the service can apply is also read backward (mutableFilters.ts). Otherwise, in a
	// tied second, an inspection that is no longer flagged hides a different inspection.
	it.each([{ flaggedItemsOnly: true }, { templateControlIds: ['c'] }, { teamId: 't' }])(
		'misses none that stays in the filter while others leave it within a full second: %j',
		async (filter) => {
			const check = async (scheduler: fc.Scheduler, turns: Generated<typeof anyTurns>) => {
				const list = rowsApart(450, 1_999n);
				const before = [...list.rows.values()];
				const left = new Set<string>();
				const turn = turns.values();
				const respond: Respond = (query) => {
					const { gone, updated = 0 } = turn.next().value ?? {};
					// Another user deletes an inspection, so all inspections after it move forward by one position.
					const row = gone === undefined ? undefined : rowAt(before, gone);
					if (row !== undefined && list.delete(row.id)) left.add(row.id);
					const moved = rowAt([...list.rows.values()], updated);
					if (moved !== undefined) list.update(moved);
					return list.page(query);
				};
				const { result } = await readScheduled(
					async (source) => await readAll({ ...QUESTION, filter }, source, WORKERS),
					respond,
					scheduler,
				);
				const ids = new Set(idsOf(result));
				expect(before.filter(({ id }) => !left.has(id) && !ids.has(id))).toEqual([]);
			};
			await fc.assert(fc.asyncProperty(fc.scheduler(), anyTurns, check), { numRuns: 50 });
		},
	);

	// In a tied second, the node applies the filters for status and update time itself (mutableFilters.ts). Without it,
	// inspections that an update moves from page to page are lost: one in 14 of 400 runs.
	it('misses none of one second that keeps its status while the status of others changes', async () => {
		const filter = { status: ['completed'] } as const;
		const toggles = fc.array(fc.array(fc.nat(), { maxLength: 6 }), { maxLength: 40 });
		const check = async (scheduler: fc.Scheduler, turns: readonly (readonly number[])[]) => {
			const list = new ChangingList();
			const rows = Array.from({ length: 450 }, () => list.create(START, 'completed'));
			const changing = rows.filter((_, index) => index % 2 === 0);
			const turn = turns.values();
			const respond: Respond = (query) => {
				for (const position of turn.next().value ?? []) {
					const row = rowAt(changing, position);
					if (row !== undefined) list.update(row, row.status === 'new' ? 'completed' : 'new');
				}
				return list.page(query);
			};
			const { result } = await readScheduled(
				async (source) => await readAll({ ...QUESTION, filter }, source, WORKERS),
				respond,
				scheduler,
			);
			const ids = new Set(idsOf(result));
			expect(rows.filter((row) => !changing.includes(row) && !ids.has(row.id))).toEqual([]);
		};
		await fc.assert(fc.asyncProperty(fc.scheduler(), toggles, check), {
			numRuns: Number(process.env.SEEDS ?? 100),
		});
	});

	it.each([
		['evenly spread', TICKS_PER_SECOND],
		['more than a page in each second', TICKS_PER_SECOND / 750n],
	])('has no open or further request after a failure: %s', async (_, step) => {
		const list = rowsApart(5_000, step);
		let [requests, underWay, afterFailure] = [0, 0, 0];
		const slowly = async (query: InspectionPageQuery) => {
			const number = ++requests;
			underWay += 1;
			// The 20th request is the first to fail, because the concurrent requests take longer.
			for (let turns = number === 20 ? 1 : 5; turns > 0; turns--) await settled();
			underWay -= 1;
			if (number !== 20) return { inspections: list.page(query) };
			afterFailure = requests;
			throw new Error('the service is down');
		};
		await expect(readAll(QUESTION, { list: slowly }, WORKERS)).rejects.toThrow('is down');
		expect(afterFailure).toBeGreaterThan(0);
		expect([requests, underWay]).toEqual([afterFailure, 0]);
	});

	it.each(['by request', 'by page'] as const)(
		"either reads equal times completely or reports that it couldn't, if their order differs %s",
		async (ties) => {
			const [count, salt] = [fc.integer({ min: 101, max: 400 }), fc.nat()];
			await fc.assert(
				fc.asyncProperty(count, salt, async (rows, given) => {
					const list = rowsApart(rows, 0n, new ChangingList({ ties, salt: given }));
					await expectAllOrError(list);
					// Up to ten requests detect that all times are equal. Up to eleven passes follow, and one in the opposite
					// order. Each pass ends with an empty page.
					expect(list.requestCount).toBeLessThan(10 + 12 * (Math.ceil(rows / 100) + 1));
				}),
				{ numRuns: Number(process.env.SEEDS ?? 40) },
			);
		},
	);

	it('keeps only matching inspections in memory, in the requested order', async () => {
		const order = { sortBy: 'updated_at', sortOrder: 'desc' } as const;
		const isWanted = ({ status }: InspectionRecord) => status === 'new';
		await fc.assert(
			fc.asyncProperty(anyWork, async (work) => {
				const list = listOfWork(work);
				const { result } = await read(list, { ...order, isWanted });
				const all = list.page({ ...order, page: 1, pageSize: Infinity });
				expect(result).toEqual(all.filter(isWanted));
			}),
			{ numRuns: 30 },
		);
	});

	describe('ends with a clear error instead of looping if the service', () => {
		const spread = rowsApart(1_450, TICKS_PER_SECOND);
		const ties = rowsApart(450, 0n);
		let sent = 0;
		const hundred = (created_at?: string) =>
			Array.from({ length: 100 }, () => ({ id: `${++sent}`, created_at }));
		const page: Respond = (query) => spread.page(query);
		const anyTime = { createdAfter: undefined };
		const first = { page: 1, pageSize: 100, sortBy: 'created_at', sortOrder: 'asc' } as const;
		// A page that repeats page 1 is checked for page numbers (`respectsPageNumbers` in fetchPage.ts). Without it, only
		// 100 of 450 inspections are returned, without an error.
		it.each<[string, RegExp, Respond]>([
			['ignores created_after', /ignored created_after=/, (q) => page({ ...q, ...anyTime })],
			['ignores sort_order', /sort.*sort_order=desc/, (q) => page({ ...q, sortOrder: 'asc' })],
			['ignores page', /ignore the "page" parameter/, (q) => ties.page({ ...q, page: 1 })],
			['sends the same page for ever', /ignored created_after=|did not sort/, () => page(first)],
			['sends no created_at', /no ISO 8601 timestamp under "created_at"/, () => hundred()],
			[
				'sends ever new ones of one time',
				/endless pages/,
				() => hundred(formatTimestamp(START, '100ns')),
			],
			// This service sends 500,000 inspections before the read stops.
		])('%s', { timeout: 60_000 }, async (_, message, respond) => {
			await expect(read(respond)).rejects.toThrow(message);
		});
	});

	describe('reads all from a service', () => {
		it.each<[string, number, number, object]>([
			['that sends no more than 10 per page', 10, 30, {}],
			['that sends no more than 50 per page', 50, 150, {}],
			['that knows neither page nor page_size', 10, 0, { page: 1 }],
			['that ignores page_size and sends all in one page', Infinity, 0, { pageSize: 10_000 }],
		])('%s', async (_, cap, inOneSecond, instead) => {
			const list = rowsApart(450, TICKS_PER_SECOND).fill(inOneSecond, () => 7n * TICKS_PER_SECOND);
			expectAll((await read((query) => list.page({ ...query, ...instead }, cap))).result, list);
			if (cap === Infinity) expect(list.requestCount).toBeLessThanOrEqual(5);
		});

		it('whatever the page cap is for each request', async () => {
			await fc.assert(
				fc.asyncProperty(
					fc.infiniteStream(fc.integer({ min: 2, max: 120 })),
					fc.integer({ min: 0, max: 400 }),
					fc.constantFrom(1n, 5n, 3_000n),
					async (caps, count, step) => {
						const list = rowsApart(count, step * TICKS_PER_SECOND);
						expectAll((await read((query) => list.page(query, caps.next().value))).result, list);
					},
				),
				{ numRuns: Number(process.env.SEEDS ?? 60) },
			);
		});
	});

	it('ends although others create more with each request than fits on a page', async () => {
		const list = rowsApart(450, TICKS_PER_SECOND);
		const before = [...list.rows.keys()];
		const { result } = await read((query) => {
			if (list.requestCount > 40) throw new Error('the read has no end');
			const page = list.page(query);
			list.now += DAY;
			for (let n = 0n; n < 150n; n++) list.create(list.now + n * TICKS_PER_SECOND);
			return page;
		});
		const ids = new Set(idsOf(result));
		expect(before.filter((id) => !ids.has(id))).toEqual([]);
	});

	it('never ends early without an error if the page cap drops within a full second', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(1, 3, 20, 47, 60, 80),
				fc.integer({ min: 101, max: 270 }),
				fc.nat({ max: 12 }),
				async (low, count, dropsAt) => {
					// The order of equal times is always the same. With a changing order and a changing page cap, nothing would
					// show that inspections are missing.
					const list = rowsApart(count, 0n, new ChangingList({ ties: 'by id' }));
					await expectAllOrError(list, (query) =>
						list.page(query, list.requestCount < dropsAt ? 100 : low),
					);
				},
			),
			{ numRuns: Number(process.env.SEEDS ?? 60) },
		);
	});
});
