import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { LimitedListReader } from '../../nodes/InspectionService/domain/list/limitedListReader.ts';
import type { ReadQuestion } from '../../nodes/InspectionService/domain/list/inspectionReader.ts';
import type { JsonRecord } from '../../nodes/InspectionService/domain/json.ts';
import {
	ChangingList,
	TICKS_PER_SECOND,
	pick,
	randomOf,
	readAll,
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

function readerOf(limit: number, question: Partial<ReadQuestion> = {}) {
	return new LimitedListReader(
		{ filter: {}, includes: [], sortBy: 'updated_at', sortOrder: 'asc', ...question },
		limit,
	);
}

describe('a limited read', () => {
	it.each([1, 50, 100])('of %i takes one request of just that size', (limit) => {
		const list = listOf(250);
		const reader = readerOf(limit);
		readAll(reader, ({ query }) => {
			expect(query.pageSize).toBe(limit);
			return list.page(query);
		});
		expect(reader.result()).toHaveLength(limit);
		expect(list.requestCount).toBe(1);
	});

	it("keeps the service's own order where one request is enough", () => {
		const reader = readerOf(3);
		readAll(reader, () => [{ id: 'c' }, { id: 'a' }, { id: 'b' }]);
		expect(reader.result().map(({ id }) => id)).toEqual(['c', 'a', 'b']);
	});

	it('has the first ones in the order asked for, each once, at any precision of the service', () => {
		fc.assert(
			fc.property(
				fc.record({
					seed: fc.integer(),
					limit: fc.integer({ min: 1, max: 420 }),
					filterPrecision: fc.constantFrom('full', 'ms', 'nearest ms', 's'),
					cutsRowTimes: fc.constantFrom(false, true, 'to the second' as const),
					sortBy: fc.constantFrom('created_at', 'updated_at'),
					sortOrder: fc.constantFrom('asc', 'desc'),
				}),
				({ seed, limit, filterPrecision, cutsRowTimes, sortBy, sortOrder }) => {
					const list = listOf(400, { filterPrecision, cutsRowTimes }, seed);
					const reader = readerOf(limit, { sortBy, sortOrder });
					readAll(reader, ({ query }) => list.page(query));
					const wanted = list.page({ sortBy, sortOrder, page: 1, pageSize: limit });
					const times = reader.result().map((inspection) => inspection[sortBy]);
					expect(times).toEqual(wanted.map((inspection) => inspection[sortBy]));
					expect(new Set(reader.result().map(({ id }) => id)).size).toBe(wanted.length);
				},
			),
			{ numRuns: 200 },
		);
	});

	it('repeats nothing while others update what is being read', () => {
		fc.assert(
			fc.property(fc.integer(), fc.constantFrom('asc', 'desc'), (seed, sortOrder) => {
				const list = listOf(400, {}, seed);
				const random = randomOf(seed);
				const reader = readerOf(350, { sortOrder });
				readAll(reader, ({ query }) => {
					const page = list.page(query);
					for (let count = 0; count < 5; count++)
						list.update(pick(random, [...list.rows.values()]));
					return page;
				});
				const ids = reader.result().map(({ id }) => id);
				expect(new Set(ids).size).toBe(ids.length);
			}),
			{ numRuns: 50 },
		);
	});

	it('goes on until enough of what this side wants is found', () => {
		const list = listOf(600);
		const isWanted = ({ status }: JsonRecord) => status === 'completed';
		const reader = readerOf(60, { isWanted });
		readAll(reader, ({ query }) => list.page(query));
		const all = list.page({ sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 1_000 });
		const wanted = all.filter(isWanted).slice(0, 60);
		expect(reader.result().map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
	});

	it('reads hundreds of equal times in either direction', () => {
		for (const sortOrder of ['asc', 'desc'] as const) {
			const list = listOf(0);
			for (let index = 0; index < 350; index++) list.create(START + 4n * TICKS_PER_SECOND);
			for (let index = 0; index < 90; index++) {
				list.create(START + BigInt(index) * TICKS_PER_SECOND);
			}
			const reader = readerOf(430, { sortBy: 'created_at', sortOrder });
			readAll(reader, ({ query }) => list.page(query));
			const all = list.page({ sortBy: 'created_at', sortOrder, page: 1, pageSize: 1_000 });
			const first = all.slice(0, 430).map(({ created_at }) => created_at);
			expect(reader.result().map(({ created_at }) => created_at)).toEqual(first);
			expect(new Set(reader.result().map(({ id }) => id)).size).toBe(430);
			expect(list.requestCount).toBeLessThan(20);
		}
	});

	it.each(['asc', 'desc'] as const)(
		'reads dense seconds where the service compares times cut to the second: %s',
		(sortOrder) => {
			for (const perSecond of [60n, 150n, 400n]) {
				const list = listOf(0, { cutsRowTimes: 'to the second' });
				for (let index = 0n; index < 1_000n; index++) {
					list.create(START + (index * TICKS_PER_SECOND) / perSecond);
				}
				const reader = readerOf(900, { sortBy: 'created_at', sortOrder });
				readAll(reader, ({ query }) => list.page(query));
				const all = list.page({ sortBy: 'created_at', sortOrder, page: 1, pageSize: 900 });
				expect(reader.result().map(({ id }) => id)).toEqual(all.map(({ id }) => id));
			}
		},
	);

	it('reads up to its limit from a service that sends no more than 10 at once', () => {
		const list = listOf(250);
		const reader = readerOf(100);
		readAll(reader, ({ query }) => list.page({ ...query, pageSize: Math.min(10, query.pageSize) }));
		const first = list.page({ sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 100 });
		expect(reader.result().map(({ id }) => id)).toEqual(first.map(({ id }) => id));
	});

	it('takes nothing from a look at page 2, which others may have moved', () => {
		const list = listOf(30);
		const order = { sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 100 } as const;
		const [first, second, ...others] = list.page(order).map(({ id }) => id);
		const moving = [first, second].flatMap((id) => list.rows.get(id ?? '') ?? []);
		const reader = readerOf(12);
		readAll(reader, ({ query }) => {
			const page = list.page({ ...query, pageSize: Math.min(10, query.pageSize) });
			for (const row of moving.splice(0)) list.update(row);
			return page;
		});
		const ids = reader.result().map(({ id }) => id);
		expect(others.slice(0, 10).filter((id) => !ids.includes(id))).toEqual([]);
	});

	it("keeps the service's own order where a look at page 2 finds nothing more", () => {
		const reader = readerOf(50);
		const ids = Array.from({ length: 10 }, (_, index) => ({ id: `${9 - index}` }));
		const pages: number[] = [];
		readAll(reader, ({ query }) => {
			pages.push(query.page);
			return query.page === 1 ? ids : [];
		});
		expect(pages).toEqual([1, 2]);
		expect(reader.result()).toEqual(ids);
	});

	it('asks for full pages where this side refuses some of what comes', () => {
		const list = listOf(250);
		const reader = readerOf(3, { isWanted: ({ status }) => status === 'completed' });
		readAll(reader, ({ query }) => {
			expect(query.pageSize).toBe(100);
			return list.page(query);
		});
		expect(reader.result()).toHaveLength(3);
		expect(list.requestCount).toBe(1);
	});

	it('makes no request for nothing', () => {
		expect(readerOf(0).requests()).toEqual([]);
	});
});
