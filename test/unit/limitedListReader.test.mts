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
					cutsRowTimes: fc.boolean(),
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

	it('makes no request for nothing', () => {
		expect(readerOf(0).requests()).toEqual([]);
	});
});
