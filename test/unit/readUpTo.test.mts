// @module-tag slow
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { STAND_IN } from '#connector/domain/id.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import type { InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import { LatestById } from '#connector/domain/list/latestById.ts';
import { type ListOptions, readUpTo } from '#connector/domain/list/readUpTo.ts';
import {
	anyPrecision,
	anyShownPrecision,
	ChangingList,
	idsOf,
	type ListSettings,
	readThrough,
	type Respond,
	START,
} from '#harness/changingList.mts';
import { EXACT } from '#sandbox/service/inspectionList.mts';
import { TICKS_PER_SECOND } from '#sandbox/service/time.mts';
import { anyChanges, anyWork, changesOf, listOfWork } from './generatedList.mts';

/**
 * Returns a list of inspections from a quarter of an hour. Some have the same second, and half of them were updated
 * later.
 */
function listOf(count: number, settings: Partial<ListSettings> = {}) {
	const list = new ChangingList(settings, START + 10_000n * TICKS_PER_SECOND);
	list.fill(count, (index) => BigInt((index * 523) % 900) * TICKS_PER_SECOND);
	for (const [index, row] of [...list.rows.values()].entries())
		if (index % 2 === 0) list.update(row);
	return list;
}

const BY_UPDATE = { sortBy: 'updated_at', sortOrder: 'asc' } as const;

async function read(
	limit: number,
	list: ChangingList | Respond,
	question: Partial<ListOptions> = {},
	maxPages?: number,
) {
	const isEnough =
		maxPages === undefined ? undefined : (_: unknown, pages: number) => pages >= maxPages;
	const whole = { filter: {}, includes: [], ...BY_UPDATE, ...question };
	const { result } = await readThrough(
		async (source) => await readUpTo(whole, limit, source, isEnough),
		list,
	);
	return result;
}

const isCompleted = ({ status }: JsonRecord) => status === 'completed';

describe('a limited read', () => {
	it.each([1, 5])(
		'reads %i in few requests even after 150 inspections without an ID',
		async (limit) => {
			const list = listOf(200);
			const oldest = [1, 2].flatMap((page) => list.page({ ...BY_UPDATE, page, pageSize: 75 }));
			const withoutId = new Set(oldest.map(({ id }) => id));
			let requests = 0;
			const { inspections } = await read(limit, (query) => {
				requests += 1;
				return list
					.page(query)
					.map((one) => (withoutId.has(one.id) ? { ...one, id: STAND_IN + one.id } : one));
			});
			expect(idsOf(inspections)).toHaveLength(limit);
			expect(idsOf(inspections).filter((id) => id.startsWith(STAND_IN))).toEqual([]);
			expect(requests).toBeLessThanOrEqual(4);
		},
	);

	it.each([1, 50, 100])(
		'needs for %i inspections one request of exactly that size',
		async (limit) => {
			const list = listOf(250);
			const sizes: number[] = [];
			const { inspections } = await read(limit, (query) => {
				sizes.push(query.pageSize);
				return list.page(query);
			});
			expect(inspections).toHaveLength(limit);
			expect(sizes).toEqual([limit]);
		},
	);

	it('sends no request for a limit of 0', async () => {
		expect((await read(0, () => [{ id: 'a' }])).inspections).toEqual([]);
	});

	it("rejects a bound that isn't a time, with its name in the error", async () => {
		await expect(
			read(1, () => [], { filter: { createdAfter: 'soon' }, sortBy: 'created_at' }),
		).rejects.toThrow(/^createdAfter: "soon" is not a date and time such as 2026/);
	});

	it.each([
		['one request is enough', 3, [1]],
		['a look at page 2 finds nothing more', 50, [1, 2]],
	])("keeps the service's own order if %s", async (_, limit, wanted) => {
		const pages: number[] = [];
		const { inspections } = await read(limit, ({ page }) => {
			pages.push(page);
			return page === 1 ? [{ id: 'c' }, { id: 'a' }, { id: 'b' }] : [];
		});
		expect(idsOf(inspections)).toEqual(['c', 'a', 'b']);
		expect(pages).toEqual(wanted);
	});

	const order = fc.record({
		sortBy: fc.constantFrom('created_at', 'updated_at'),
		sortOrder: fc.constantFrom('asc', 'desc'),
	});
	const limits = fc.integer({ min: 1, max: 420 });

	// An upper bound is the end of the second (`upperBoundFor` in timeRange.ts). Without it, a service that shows fewer
	// digits than it compares hides inspections: from Limit 5 of 350, and from the search by unique key 11 of 12.
	it('has the first ones in the requested order, each once, at any precision of the service', async () => {
		await fc.assert(
			fc.asyncProperty(
				anyWork,
				fc.record({ precision: anyPrecision, shownPrecision: anyShownPrecision }),
				limits,
				order,
				async (work, settings, limit, asked) => {
					const list = listOfWork(work, settings);
					const { inspections } = await read(limit, list, asked);
					const wanted = list.page({ ...asked, page: 1, pageSize: limit });
					const times = inspections.map((inspection) => inspection[asked.sortBy]);
					expect(times).toEqual(wanted.map((inspection) => inspection[asked.sortBy]));
					expect(new Set(idsOf(inspections)).size).toBe(wanted.length);
				},
			),
			{ numRuns: 100 },
		);
	});

	it('repeats nothing while others change what is being read', async () => {
		await fc.assert(
			fc.asyncProperty(anyWork, anyChanges, limits, order, async (work, changes, limit, asked) => {
				const list = listOfWork(work);
				const change = changesOf(list, changes);
				const respond = (query: InspectionPageQuery) => {
					const page = list.page(query);
					change();
					return page;
				};
				const { inspections } = await read(limit, respond, asked);
				expect(new Set(idsOf(inspections)).size).toBe(inspections.length);
				const times = inspections.map((inspection) => String(inspection[asked.sortBy]));
				const rising = times.toSorted();
				expect(times).toEqual(asked.sortOrder === 'asc' ? rising : rising.reverse());
			}),
			{ numRuns: 100 },
		);
	});

	it('has an inspection that an update moves to the beginning while several pages are read, last updated first', async () => {
		const list = listOf(150);
		const order = { sortBy: 'updated_at', sortOrder: 'desc' } as const;
		const [oldest] = list.page({ ...order, sortOrder: 'asc', page: 1, pageSize: 1 });
		const row = list.rows.get(oldest?.id ?? '');
		const { inspections } = await read(
			150,
			(query) => {
				const page = list.page(query);
				if (row !== undefined && list.requestCount === 2) list.update(row);
				return page;
			},
			order,
		);
		expect(inspections).toHaveLength(150);
		expect(inspections[0]?.id).toBe(oldest?.id);
		// The read requests two pages and what was updated meanwhile. Two requests check that these lists end there. The
		// test itself requests one page.
		expect(list.requestCount).toBeLessThanOrEqual(6);
	});

	it.each([5, 100, 150])(
		'ends in few requests if the last of %i is repeated for every later page',
		async (count) => {
			const list = listOf(count, { ends: { afterLastPage: 'repeated' } });
			const { inspections } = await read(200, list);
			expect(inspections).toHaveLength(count);
			expect(list.requestCount).toBeLessThanOrEqual(5);
		},
	);

	it('requests full pages until enough inspections pass the node’s own filter', async () => {
		const list = listOf(600);
		const sizes = new Set<number>();
		const respond = (query: InspectionPageQuery) => {
			sizes.add(query.pageSize);
			return list.page(query);
		};
		const { inspections } = await read(60, respond, { isWanted: isCompleted });
		const wanted = list
			.page({ ...BY_UPDATE, page: 1, pageSize: 1_000 })
			.filter(isCompleted)
			.slice(0, 60);
		expect(idsOf(inspections)).toEqual(idsOf(wanted));
		expect([...sizes]).toEqual([100]);
	});

	describe.each(['asc', 'desc'] as const)('%s', (sortOrder) => {
		const order = { sortBy: 'created_at', sortOrder } as const;

		// The second before the end of the range is included (`isAtEnd` in timeRange.ts). Otherwise, in descending
		// order, reading a tied second never ends.
		it.each([
			['hundreds of equal times', 430, 20, (index: number) => (index < 350 ? 4 : index - 350)],
			['60 of each second', 900, 40, (index: number) => index / 60],
			['dense seconds', 900, 40, (index: number) => index / 150],
			['very dense seconds', 900, 40, (index: number) => index / 400],
		])('reads %s if times are compared by the second', async (_, limit, maxRequests, secondOf) => {
			const list = new ChangingList({ precision: { ...EXACT, times: 's' } });
			list.fill(limit + 10, (index) => BigInt(Math.round(secondOf(index) * 1e7)));
			const { inspections } = await read(limit, list, order);
			const first = list.page({ ...order, page: 1, pageSize: limit });
			expect(idsOf(inspections)).toEqual(idsOf(first));
			expect(list.requestCount).toBeLessThan(maxRequests);
		});
	});

	it('reads up to its limit however the page cap changes, even if it depends on the includes', async () => {
		await fc.assert(
			fc.asyncProperty(
				// Pages are larger than the number of inspections in any second. If page sizes changed within such a second,
				// the read could end with an error (docs/dev/reading.md).
				fc.infiniteStream(fc.integer({ min: 10, max: 120 })),
				fc.constantFrom(undefined, 10, 25, 60),
				fc.integer({ min: 0, max: 400 }),
				async (caps, capWithData, count) => {
					const list = listOf(count);
					const respond: Respond = (query) =>
						list.page(query, (query.includes && capWithData) ?? caps.next().value);
					const { inspections } = await read(300, respond, { includes: ['data'] });
					expect(idsOf(inspections)).toEqual(
						idsOf(list.page({ ...BY_UPDATE, page: 1, pageSize: 300 })),
					);
				},
			),
			{ numRuns: Number(process.env.SEEDS ?? 60) },
		);
	});

	it('uses nothing from a request that only checks for a page 2, because other users might have moved its inspections', async () => {
		const list = listOf(30);
		const [first, second, ...others] = idsOf(list.page({ ...BY_UPDATE, page: 1, pageSize: 1_000 }));
		const moving = [first, second].flatMap((id) => list.rows.get(id ?? '') ?? []);
		const { inspections } = await read(12, (query) => {
			const page = list.page(query, 10);
			for (const row of moving.splice(0)) list.update(row);
			return page;
		});
		expect(idsOf(inspections)).toEqual(expect.arrayContaining(others.slice(0, 10)));
	});

	it.each([
		['reports that it ended before the limit', 250, 200, true],
		["doesn't report that if the list ends with the first page", 90, 200, false],
		["doesn't report that if the limit was reached", 250, 5, false],
	])('%s (two pages are enough)', async (_, count, limit, isCut) => {
		const list = listOf(count);
		const { inspections, isCutShort } = await read(limit, list, { isWanted: isCompleted }, 2);
		expect(isCutShort).toBe(isCut);
		expect(inspections.length).toBeGreaterThan(4);
		expect(list.requestCount).toBeLessThanOrEqual(2);
	});
});

const version = (name: string, updated_at?: string) => ({ id: 'a', name, updated_at });
const OLD = version('old', '2026-05-01T00:00:00.0000002Z');
const NEW = version('new', '2026-05-01T00:00:00.0000010Z');
const UNDATED = version('undated');

it.each([
	['the newer one', [OLD, NEW], 'new'],
	['the newer one, even if it arrived first', [NEW, OLD], 'new'],
	['the last one that arrived, if it has no time', [NEW, UNDATED], 'undated'],
	['the last one that arrived, if the earlier one has no time', [UNDATED, OLD], 'old'],
])('keeps %s of two versions of an inspection', (_, versions, kept) => {
	const newest = new LatestById(() => true);
	newest.add(versions);
	expect(newest.inReadingOrder().map(({ name }) => name)).toEqual([kept]);
});

it.each([
	['asc', ['c', 'a', 'b', 'd', 'e']],
	['desc', ['a', 'b', 'c', 'd', 'e']],
] as const)(
	'in the order %s, inspections with equal times are sorted by ID, before those without a time',
	(sortOrder, ids) => {
		const newest = new LatestById(() => true);
		const time = '2026-05-02T00:00:00Z';
		newest.add([
			{ id: 'e' },
			{ id: 'd', updated_at: 'soon' },
			...['b', 'a'].map((id) => ({ id, updated_at: time })),
			{ id: 'c', updated_at: '2026-05-01T00:00:00Z' },
		]);
		const sorted = newest.sorted({ sortBy: 'updated_at', sortOrder });
		expect(sorted.map(({ id }) => id)).toEqual(ids);
	},
);
