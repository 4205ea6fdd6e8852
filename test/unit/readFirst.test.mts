import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import type { InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import { type ListOptions, readFirst } from '#connector/domain/list/readFirst.ts';
import {
	ChangingList,
	pick,
	randomOf,
	readThrough,
	TICKS_PER_SECOND,
	ticksOfText,
} from './changingList.mts';

const START = ticksOfText('2026-03-01T08:00:00.0000000Z');

function listOf(count: number, settings: Partial<ChangingList['settings']> = {}, seed = 1) {
	const random = randomOf(seed);
	const list = new ChangingList(
		{
			filterPrecision: 'full',
			cutsRowTimes: false,
			digits: 7,
			ties: 'by id',
			...settings,
		},
		random,
		START + 10_000n * TICKS_PER_SECOND,
	);
	for (let index = 0; index < count; index++) {
		list.create(START + BigInt(Math.floor(random() * 900)) * TICKS_PER_SECOND);
	}
	for (const row of list.rows.values()) if (random() < 0.5) list.update(row);
	return list;
}

const QUESTION: ListOptions = {
	filter: {},
	includes: [],
	sortBy: 'updated_at',
	sortOrder: 'asc',
};

async function read(
	limit: number,
	respond: (query: InspectionPageQuery) => readonly InspectionRecord[],
	question: Partial<ListOptions> = {},
) {
	const whole = { ...QUESTION, ...question };
	const { result } = await readThrough(
		async (source) => await readFirst(whole, limit, source),
		respond,
	);
	return result.inspections;
}

describe('a limited read', () => {
	it.each([1, 50, 100])('of %i takes one request of just that size', async (limit) => {
		const list = listOf(250);
		const result = await read(limit, (query) => {
			expect(query.pageSize).toBe(limit);
			return list.page(query);
		});
		expect(result).toHaveLength(limit);
		expect(list.requestCount).toBe(1);
	});

	it("keeps the service's own order where one request is enough", async () => {
		const result = await read(3, () => [{ id: 'c' }, { id: 'a' }, { id: 'b' }]);
		expect(result.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
	});

	it('has the first ones in the order asked for, each once, at any precision of the service', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					seed: fc.integer(),
					limit: fc.integer({ min: 1, max: 420 }),
					filterPrecision: fc.constantFrom('full', 'ms', 'nearest ms', 's'),
					cutsRowTimes: fc.constantFrom(false, true, 'to the second' as const),
					sortBy: fc.constantFrom('created_at', 'updated_at'),
					sortOrder: fc.constantFrom('asc', 'desc'),
				}),
				async ({ seed, limit, filterPrecision, cutsRowTimes, sortBy, sortOrder }) => {
					const list = listOf(400, { filterPrecision, cutsRowTimes }, seed);
					const result = await read(limit, (query) => list.page(query), { sortBy, sortOrder });
					const wanted = list.page({ sortBy, sortOrder, page: 1, pageSize: limit });
					const times = result.map((inspection) => inspection[sortBy]);
					expect(times).toEqual(wanted.map((inspection) => inspection[sortBy]));
					expect(new Set(result.map(({ id }) => id)).size).toBe(wanted.length);
				},
			),
			{ numRuns: 200 },
		);
	});

	it('repeats nothing while others update what is being read', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer(), fc.constantFrom('asc', 'desc'), async (seed, sortOrder) => {
				const list = listOf(400, {}, seed);
				const random = randomOf(seed);
				const churn = (query: InspectionPageQuery) => {
					const page = list.page(query);
					for (let count = 0; count < 5; count++)
						list.update(pick(random, [...list.rows.values()]));
					return page;
				};
				const result = await read(350, churn, { sortOrder });
				const ids = result.map(({ id }) => id);
				expect(new Set(ids).size).toBe(ids.length);
				const times = result.map(({ updated_at }) => String(updated_at)).toSorted();
				if (sortOrder === 'desc') times.reverse();
				expect(result.map(({ updated_at }) => updated_at)).toEqual(times);
			}),
			{ numRuns: 50 },
		);
	});

	it('goes on until enough inspections have passed the node’s own filter', async () => {
		const list = listOf(600);
		const isWanted = ({ status }: JsonRecord) => status === 'completed';
		const result = await read(60, (query) => list.page(query), { isWanted });
		const all = list.page({ sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 1_000 });
		const wanted = all.filter(isWanted).slice(0, 60);
		expect(result.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
	});

	it('reads hundreds of equal times in either direction', async () => {
		for (const sortOrder of ['asc', 'desc'] as const) {
			const list = listOf(0);
			for (let index = 0; index < 350; index++) list.create(START + 4n * TICKS_PER_SECOND);
			for (let index = 0; index < 90; index++) {
				list.create(START + BigInt(index) * TICKS_PER_SECOND);
			}
			const result = await read(430, (query) => list.page(query), {
				sortBy: 'created_at',
				sortOrder,
			});
			const all = list.page({ sortBy: 'created_at', sortOrder, page: 1, pageSize: 1_000 });
			const first = all.slice(0, 430).map(({ created_at }) => created_at);
			expect(result.map(({ created_at }) => created_at)).toEqual(first);
			expect(new Set(result.map(({ id }) => id)).size).toBe(430);
			expect(list.requestCount).toBeLessThan(20);
		}
	});

	it.each(['asc', 'desc'] as const)(
		'reads dense seconds where the service compares times cut to the second: %s',
		async (sortOrder) => {
			for (const perSecond of [60n, 150n, 400n]) {
				const list = listOf(0, { cutsRowTimes: 'to the second' });
				for (let index = 0n; index < 1_000n; index++) {
					list.create(START + (index * TICKS_PER_SECOND) / perSecond);
				}
				const result = await read(900, (query) => list.page(query), {
					sortBy: 'created_at',
					sortOrder,
				});
				const all = list.page({ sortBy: 'created_at', sortOrder, page: 1, pageSize: 900 });
				expect(result.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
			}
		},
	);

	it('reads up to its limit from a service that sends no more than 10 at once', async () => {
		const list = listOf(250);
		const result = await read(100, (query) =>
			list.page({ ...query, pageSize: Math.min(10, query.pageSize) }),
		);
		const first = list.page({ sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 100 });
		expect(result.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
	});

	it('takes nothing from a look at page 2, which others may have moved', async () => {
		const list = listOf(30);
		const order = { sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 100 } as const;
		const [first, second, ...others] = list.page(order).map(({ id }) => id);
		const moving = [first, second].flatMap((id) => list.rows.get(id ?? '') ?? []);
		const result = await read(12, (query) => {
			const page = list.page({ ...query, pageSize: Math.min(10, query.pageSize) });
			for (const row of moving.splice(0)) list.update(row);
			return page;
		});
		const ids = result.map(({ id }) => id);
		expect(others.slice(0, 10).filter((id) => !ids.includes(id))).toEqual([]);
	});

	it("keeps the service's own order where a look at page 2 finds nothing more", async () => {
		const ids = Array.from({ length: 10 }, (_, index) => ({ id: `${9 - index}` }));
		const pages: number[] = [];
		const result = await read(50, (query) => {
			pages.push(query.page);
			return query.page === 1 ? ids : [];
		});
		expect(pages).toEqual([1, 2]);
		expect(result).toEqual(ids);
	});

	it('asks for full pages where the node’s own filter refuses some inspections', async () => {
		const list = listOf(250);
		const asked = (query: InspectionPageQuery) => {
			expect(query.pageSize).toBe(100);
			return list.page(query);
		};
		const result = await read(3, asked, { isWanted: ({ status }) => status === 'completed' });
		expect(result).toHaveLength(3);
		expect(list.requestCount).toBe(1);
	});

	/** Reads 151 inspections of one second, shown by pages of each size as `shown` has it. */
	async function readShown(ids: readonly string[], shown: (pageSize: number) => readonly string[]) {
		const result = await read(1_000, ({ updatedAfter = '', page, pageSize }) => {
			if (updatedAfter > '2026-03-01T08:00:00Z') return [];
			return shown(pageSize)
				.slice((page - 1) * pageSize, page * pageSize)
				.map((id) => ({ id, updated_at: '2026-03-01T08:00:00Z' }));
		});
		expect(new Set(result.map(({ id }) => id))).toEqual(new Set(ids));
	}
	const ids = Array.from({ length: 151 }, (_, index) => `i${index}`);
	const without = (...hidden: number[]) => ids.filter((_, index) => !hidden.includes(index));

	it('goes on until as many were shown as the second holds, with smaller pages', async () => {
		const sizes = new Set<number>();
		await readShown(ids, (pageSize) => {
			sizes.add(pageSize);
			// In pages of this size one inspection comes twice, and another one not at all.
			return pageSize === 100 ? [...without(150), 'i0'] : ids;
		});
		expect([...sizes]).toEqual([100, 82]);
	});

	it('goes on until a pass has shown nothing new: what leaves the second makes room for what comes', async () => {
		let requests = 0;
		await readShown(ids, () => {
			requests += 1;
			// After two pages i5 has left the second and i150 has come to it.
			return requests <= 2 ? without(150) : without(5);
		});
	});

	describe('of two pages at most', () => {
		const readTwo = async (count: number, limit: number) => {
			const list = listOf(count);
			const { result } = await readThrough(
				async (source) => await readFirst({ ...QUESTION, isWanted }, limit, source, 2),
				(query) => list.page(query),
			);
			// The third request shows whether there is more.
			expect(list.requestCount).toBeLessThanOrEqual(3);
			return result;
		};
		const isWanted = ({ status }: JsonRecord) => status === 'completed';

		it('says that it ended before the list and the limit did', async () => {
			const { inspections, isCutShort } = await readTwo(250, 200);
			expect(isCutShort).toBe(true);
			expect(inspections.length).toBeGreaterThan(10);
		});

		it.each([
			['the list ends with the second', 150, 200],
			['the limit was reached', 250, 5],
		])('does not say so where %s', async (_, count, limit) => {
			expect((await readTwo(count, limit)).isCutShort).toBe(false);
		});
	});

	it('makes no request for a limit of 0', async () => {
		expect(await read(0, () => [{ id: 'a' }])).toEqual([]);
	});
});
