import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
	type Checkpoint,
	checkpointAt,
	checkpointOf,
	checkpointToJson,
} from '#connector/domain/changes/checkpoint.ts';
import type { Change, Watch } from '#connector/domain/changes/emitNewVersions.ts';
import { firstPoll } from '#connector/domain/changes/firstPoll.ts';
import { readChanges } from '#connector/domain/changes/readChanges.ts';
import { ServiceClock } from '#connector/domain/changes/serviceClock.ts';
import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import type { InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import { timestampOf } from '#connector/domain/timestamp.ts';
import { allowed } from './changingList.mts';
import { PLAIN_WATCH } from './plainWatch.mts';

type Row = InspectionRecord & { updated_at: string };

/** A service without surprises, which notes what it is asked. */
class PlainService {
	rows: Row[] = [];
	/** Inspections on a page, at most. */
	cap = 100;
	/** Another cap for each request. */
	capOf: (query: InspectionPageQuery) => number = () => this.cap;
	/** The `Date` header; undefined for a service that sends none. */
	date: string | undefined;
	/** Seconds of a clock that is never set. */
	seconds = 0;
	readonly clock = new ServiceClock(() => this.seconds * 1000);
	queries: InspectionPageQuery[] = [];

	put(id: string, updated_at: string, status = 'new'): void {
		this.rows = [
			...this.rows.filter((row) => row.id !== id),
			{ id, updated_at, created_at: updated_at, status },
		];
	}

	list(query: InspectionPageQuery): Row[] {
		this.queries.push(query);
		const sign = query.sortOrder === 'asc' ? 1 : -1;
		const pageSize = Math.min(query.pageSize, this.capOf(query));
		return this.rows
			.filter(({ updated_at }) => updated_at >= (query.updatedAfter ?? '').replace('Z', ''))
			.filter(({ updated_at }) => updated_at <= (query.updatedBefore ?? '9'))
			.sort((a, b) => (a.updated_at < b.updated_at ? -sign : sign))
			.slice((query.page - 1) * pageSize, query.page * pageSize);
	}
}

interface Polled {
	emitted: string[];
	checkpoint: Checkpoint;
	requests: number;
	/** There is a backlog. */
	hasMore: boolean;
	warnings: string[];
}

/** More than any poll here makes. */
const MOST_REQUESTS = 2_000;

/** A poll that has time for so many requests; the checkpoint is taken through its text form, as n8n does. */
async function poll(
	service: PlainService,
	before: Checkpoint | undefined,
	question: Partial<Watch> = {},
	requests = Infinity,
): Promise<Polled> {
	const emitted: string[] = [];
	const from = service.queries.length;
	const asked = () => service.queries.length - from;
	const source = {
		list: async (query: InspectionPageQuery) => {
			if (asked() > MOST_REQUESTS) throw new Error('the poll has no end');
			const inspections = service.list(allowed(query));
			return await Promise.resolve({ inspections, sentAt: timestampOf(service.date) });
		},
		clock: service.clock,
		hasTimeLeft: () => asked() < requests,
		emit: async (changes: readonly Change[]) => {
			emitted.push(...changes.map(({ inspection, stamp }) => `${inspection.id}@${stamp}`));
			return await Promise.resolve(changes.length);
		},
	};
	const whole = { ...PLAIN_WATCH, ...question };
	if (before === undefined) {
		const first = await firstPoll(whole, source);
		return { emitted, ...first, requests: asked(), hasMore: false };
	}
	const checkpoint = stored(before);
	const warnings = await readChanges(checkpoint, whole, source);
	const hasMore = checkpoint.resumeAt !== undefined;
	return { emitted, checkpoint, requests: asked(), hasMore, warnings };
}

function stored(checkpoint: Checkpoint): Checkpoint {
	const text = JSON.stringify(checkpointToJson(checkpoint));
	const parsed = checkpointOf(JSON.parse(text));
	expect(JSON.stringify(parsed && checkpointToJson(parsed))).toBe(text);
	if (parsed === undefined) throw new Error('unreadable');
	return parsed;
}

const at = (second: number, fraction = '') =>
	`2026-03-01T10:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}${fraction}Z`;

function serviceWith(count: number, stampOf: (index: number) => string): PlainService {
	const service = new PlainService();
	for (let index = 0; index < count; index++) service.put(`i${index}`, stampOf(index));
	return service;
}

describe('the first poll', () => {
	test('emits nothing and remembers what the lookback window holds', async () => {
		const service = serviceWith(5, (index) => at(100 + index * 20));
		const first = await poll(service, undefined);
		expect(first.emitted).toEqual([]);
		const second = await poll(service, first.checkpoint);
		expect(second.emitted).toEqual([]);
	});

	test('leaves changes that come while it reads to the next poll: n8n may lose what a first poll emits', async () => {
		const service = serviceWith(5, (index) => at(100 + index));
		const list = service.list.bind(service);
		service.list = (query) => {
			if (service.queries.length === 1) service.put('new', at(110));
			return list(query);
		};
		const first = await poll(service, undefined);
		expect(first.emitted).toEqual([]);
		expect((await poll(service, first.checkpoint)).emitted).toEqual([`new@${at(110)}`]);
	});

	test('a change that appears late but within the lookback is emitted', async () => {
		const service = serviceWith(5, (index) => at(100 + index * 20));
		const { checkpoint } = await poll(service, undefined);
		service.put('late', at(125));
		expect((await poll(service, checkpoint)).emitted).toEqual([`late@${at(125)}`]);
	});

	test('an organisation without inspections emits its first', async () => {
		const service = new PlainService();
		const first = await poll(service, undefined);
		expect(first.requests).toBe(1);
		service.put('first', at(10));
		expect((await poll(service, first.checkpoint)).emitted).toEqual([`first@${at(10)}`]);
	});

	test('a lookback with more changes than it has time to read: it ends in time, and what comes later is emitted', async () => {
		const service = serviceWith(3_000, (index) => at(index));
		const first = await poll(service, undefined, { lookback: 86_400 }, 5);
		expect(first.requests).toBeLessThan(10);
		service.put('new', at(3_010));
		const second = await poll(service, first.checkpoint, { lookback: 86_400 });
		expect(second.emitted).toEqual([`new@${at(3_010)}`]);
	});

	test('however little time it has, what comes later in the newest second is emitted', async () => {
		const service = serviceWith(150, (index) => at(30, `.${String(index).padStart(3, '0')}`));
		const first = await poll(service, undefined, {}, 1);
		service.put('new', at(30, '.7'));
		expect((await poll(service, first.checkpoint)).emitted).toEqual([`new@${at(30, '.7')}`]);
	});

	test('startFrom emits what changed since then, and not what changed before', async () => {
		const service = serviceWith(5, (index) => at(100 + index * 20));
		const startFrom = timestampOf(at(140));
		if (startFrom === undefined) throw new Error('no timestamp');
		const first = await poll(service, checkpointAt(startFrom));
		expect(first.emitted).toEqual([`i2@${at(140)}`, `i3@${at(160)}`, `i4@${at(180)}`]);
		expect((await poll(service, first.checkpoint)).emitted).toEqual([]);
	});
});

test('an idle poll is one request and changes nothing', async () => {
	const service = serviceWith(50, (index) => at(index * 10));
	const { checkpoint } = await poll(service, undefined);
	service.put('new', at(600));
	const second = await poll(service, checkpoint);
	const idle = await poll(service, second.checkpoint);
	expect(idle.requests).toBe(1);
	expect(checkpointToJson(idle.checkpoint)).toEqual(checkpointToJson(second.checkpoint));
	expect(service.queries.at(-1)?.updatedAfter).toBe(at(540));
});

test('an idle poll is one request also where n8n knows nothing of the service yet', async () => {
	const service = serviceWith(1, () => at(0));
	const { checkpoint } = await poll(service, undefined);
	service.put('new', at(600));
	const second = await poll(service, checkpoint);
	expect((await poll(service, second.checkpoint)).requests).toBe(1);
});

test('a row that is on a page twice is emitted once', async () => {
	const service = serviceWith(1, () => at(10));
	const { checkpoint } = await poll(service, undefined);
	service.put('twice', at(20));
	service.rows.push(...service.rows.slice(-1));
	const second = await poll(service, checkpoint);
	expect(second.emitted).toEqual([`twice@${at(20)}`]);
	expect((await poll(service, second.checkpoint)).emitted).toEqual([]);
});

test('seven fractional digits are told apart', async () => {
	const service = serviceWith(1, () => at(10));
	const { checkpoint } = await poll(service, undefined);
	service.put('a', at(20, '.8660001'));
	const second = await poll(service, checkpoint);
	service.put('a', at(20, '.8660002'));
	const third = await poll(service, second.checkpoint);
	expect(second.emitted).toEqual([`a@${at(20, '.8660001')}`]);
	expect(third.emitted).toEqual([`a@${at(20, '.8660002')}`]);
});

test('a backlog of 10,000 drains in order, in polls of maxItems, with a small state', async () => {
	const service = serviceWith(10_000, (index) =>
		new Date(Date.UTC(2026, 0, 1) + index * 7_000).toISOString(),
	);
	let checkpoint: Checkpoint | undefined = checkpointAt(beginning());
	const emitted: string[] = [];
	let polls = 0;
	for (let hasMore = true; hasMore && polls < 500; polls++) {
		const result: Polled = await poll(service, checkpoint, { maxItems: 500 });
		expect(result.emitted.length).toBeLessThanOrEqual(500);
		expect(JSON.stringify(checkpointToJson(result.checkpoint)).length).toBeLessThan(4_000);
		emitted.push(...result.emitted);
		({ checkpoint, hasMore } = result);
	}
	const stamps = emitted.map((entry) => entry.split('@')[1] ?? '');
	expect(new Set(emitted).size).toBe(10_000);
	expect(stamps).toEqual([...stamps].sort());
	// The last one finds that nothing follows.
	expect(polls).toBeLessThanOrEqual(21);
	// 100 pages, and per poll one question for the newest and at most one page read twice.
	expect(service.queries.length).toBeLessThan(100 + 3 * 20);
});

test('of 10,000 changed in one instant each is emitted once, and the state stays bounded', async () => {
	const service = serviceWith(10_000, () => at(30, '.5'));
	let checkpoint: Checkpoint | undefined = checkpointAt(beginning());
	const emitted: string[] = [];
	for (let hasMore = true, left = 500; hasMore && left > 0; left--) {
		const result: Polled = await poll(service, checkpoint, { maxItems: 1_000 });
		expect(result.warnings).toEqual([]);
		expect(JSON.stringify(checkpointToJson(result.checkpoint)).length).toBeLessThan(200_000);
		emitted.push(...result.emitted);
		({ checkpoint, hasMore } = result);
	}
	expect(emitted.length).toBe(10_000);
	expect(new Set(emitted).size).toBe(10_000);
	service.put('next', at(200));
	const after = await poll(service, checkpoint);
	const rest = await poll(service, after.checkpoint);
	expect(after.emitted).toEqual([`next@${at(200)}`]);
	expect(JSON.stringify(checkpointToJson(rest.checkpoint)).length).toBeLessThan(1_000);
});

test('late commits behind a place that a poll stopped at are found', async () => {
	const service = serviceWith(1, () => at(100));
	const first = await poll(service, undefined);
	for (let index = 0; index < 130; index++) service.put(`tie${index}`, at(130));
	const stopped = await poll(service, first.checkpoint, { maxItems: 130 });
	expect(stopped.checkpoint.resumeAt).toBe(at(130));
	service.put('late', at(110));
	const second = await poll(service, stopped.checkpoint);
	const third = await poll(service, second.checkpoint);
	expect([...second.emitted, ...third.emitted]).toEqual([`late@${at(110)}`]);
});

test('polls that emit no more than one page go on where that page ended', async () => {
	const service = new PlainService();
	let { checkpoint } = await poll(service, undefined);
	for (let index = 0; index < 1_500; index++) service.put(`tie${index}`, at(130));
	const before = service.queries.length;
	const emitted: string[] = [];
	for (let hasMore = true, left = 500; hasMore && left > 0; left--) {
		const result: Polled = await poll(service, checkpoint, { maxItems: 100 });
		emitted.push(...result.emitted);
		({ checkpoint, hasMore } = result);
	}
	expect(new Set(emitted).size).toBe(1_500);
	expect(emitted.length).toBe(1_500);
	// 15 pages, three times; and per poll one question for the newest and one page read again.
	expect(service.queries.length - before).toBeLessThan(3 * 15 + 2 * 17);
});

test('one page per poll still gets through a second that holds many pages', async () => {
	const service = serviceWith(950, (index) => at(30, `.${String(index).padStart(3, '0')}`));
	let checkpoint: Checkpoint | undefined = checkpointAt(beginning());
	const emitted: string[] = [];
	for (let polls = 0; polls < 40; polls++) {
		const result: Polled = await poll(service, checkpoint, {}, 2);
		emitted.push(...result.emitted);
		({ checkpoint } = result);
	}
	expect(emitted.length).toBe(950);
	expect(new Set(emitted).size).toBe(950);
});

describe('more in one instant than can be remembered', () => {
	const few = { maxItems: 100, limits: { seenVersions: 150 } };

	/** Polls until nothing is left, and a few times more. */
	async function drained(service: PlainService, from: Checkpoint | undefined, question = few) {
		let checkpoint = from;
		const emitted: string[] = [];
		const warnings: string[] = [];
		for (let polls = 0, quiet = 0; quiet < 3 && polls < 100; polls++) {
			const result = await poll(service, checkpoint, question);
			emitted.push(...result.emitted);
			warnings.push(...result.warnings);
			({ checkpoint } = result);
			quiet = result.hasMore ? 0 : quiet + 1;
		}
		return { emitted, warnings, checkpoint };
	}

	/** The times of versions, such as those that were not emitted, that no warning covers. */
	function unannounced(stamps: readonly string[], warnings: readonly string[]): string[] {
		const forgotten = warnings.flatMap(
			(warning) => /with the time (\S+) or an/.exec(warning)?.[1] ?? [],
		);
		const isAnnounced = (stamp: string) =>
			forgotten.some((time) => sortable(stamp) <= sortable(time));
		return stamps.filter((stamp) => !isAnnounced(stamp));
	}
	const sortable = (stamp: string) => stamp.replace('Z', '');

	test('nothing comes twice, what is missed is announced, and newer data is found', async () => {
		const service = serviceWith(1, () => at(100));
		const { checkpoint } = await poll(service, undefined);
		for (let index = 0; index < 350; index++) service.put(`full${index}`, at(130));
		const first = await poll(service, checkpoint, few);
		const second = await poll(service, first.checkpoint, few);
		expect(second.warnings.join()).toMatch(/changed within the lookback of 60 seconds/);
		service.put('next', at(300));
		const rest = await drained(service, second.checkpoint);
		const emitted = [...first.emitted, ...second.emitted, ...rest.emitted];
		expect(emitted.length).toBeGreaterThan(200);
		expect(emitted).toContain(`next@${at(300)}`);
		expect(new Set(emitted).size).toBe(emitted.length);
	});

	test('the state stays bounded', async () => {
		const service = serviceWith(1, () => at(0));
		let { checkpoint } = await poll(service, undefined, few);
		for (let index = 0; index < 1_000; index++)
			service.put(`c${index}`, at(30 + (index % 5), `.${String(index % 7)}`));
		for (let polls = 0; polls < 20; polls++) {
			const result = await poll(service, checkpoint, few);
			expect(JSON.stringify(checkpointToJson(result.checkpoint)).length).toBeLessThan(2_500);
			({ checkpoint } = result);
		}
	});

	test('any imports, any page budget: each is emitted once, or the log says what may be missed', async () => {
		const instant = fc.record({
			count: fc.oneof(
				fc.integer({ min: 1, max: 350 }),
				fc.constantFrom(50, 100, 150, 200, 300, 400),
			),
			// What comes with a time that was forgotten comes late: that is missed, and said.
			gap: fc.constantFrom(0.1, 0.3, 1, 2, 30, 70, 200),
			polls: fc.integer({ min: 0, max: 6 }),
			pages: fc.integer({ min: 2, max: 5 }),
			maxItems: fc.constantFrom(30, 50, 90, 100, 130, 200, 300),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(instant, { maxLength: 6 }), async (instants) => {
				const service = serviceWith(3, (index) => at(index));
				let { checkpoint } = await poll(service, undefined, few);
				const emitted: string[] = [];
				const warnings: string[] = [];
				let second = 10.05;
				let created = 0;
				for (const { count, gap, polls, pages, maxItems } of instants) {
					second += gap;
					for (let left = count; left > 0; left--) service.put(`c${created++}`, moment(second));
					for (let left = polls; left > 0; left--) {
						const result = await poll(service, checkpoint, { ...few, maxItems }, pages);
						emitted.push(...result.emitted);
						warnings.push(...result.warnings);
						({ checkpoint } = result);
					}
				}
				const rest = await drained(service, checkpoint);
				emitted.push(...rest.emitted);
				warnings.push(...rest.warnings);
				expect(new Set(emitted).size).toBe(emitted.length);
				const isLeft = warnings.some((warning) => warning.includes('one poll has time to read'));
				if (isLeft) return;
				const missed = service.rows
					.filter(({ id }) => id.startsWith('c'))
					.map(({ id, updated_at }) => ({ id, stamp: String(timestampOf(updated_at)) }))
					.filter(({ id, stamp }) => !emitted.includes(`${id}@${stamp}`));
				const stamps = missed.map(({ stamp }) => stamp);
				expect(unannounced(stamps, warnings)).toEqual([]);
			}),
			{
				// More of them: SEEDS=10000 npx vitest run test/unit/readChanges.test.mts -t 'any imports'
				numRuns: Number(process.env.SEEDS ?? 200),
				examples: [
					[
						[
							{ count: 300, gap: 0.1, polls: 0, pages: 2, maxItems: 30 },
							{ count: 300, gap: 1, polls: 0, pages: 2, maxItems: 30 },
						],
					],
					[
						[
							{ count: 148, gap: 0.1, polls: 0, pages: 2, maxItems: 30 },
							{ count: 100, gap: 1, polls: 3, pages: 4, maxItems: 300 },
							{ count: 50, gap: 0.1, polls: 0, pages: 2, maxItems: 30 },
							{ count: 50, gap: 0.1, polls: 0, pages: 2, maxItems: 30 },
							{ count: 50, gap: 1, polls: 0, pages: 2, maxItems: 30 },
						],
					],
					[
						[
							{ count: 400, gap: 0.1, polls: 6, pages: 3, maxItems: 300 },
							{ count: 1, gap: 0.1, polls: 0, pages: 2, maxItems: 30 },
							{ count: 1, gap: 70, polls: 0, pages: 2, maxItems: 30 },
						],
					],
					[
						[
							{ count: 150, gap: 0.1, polls: 3, pages: 2, maxItems: 200 },
							{ count: 151, gap: 0.1, polls: 0, pages: 2, maxItems: 30 },
							{ count: 1, gap: 70, polls: 1, pages: 3, maxItems: 300 },
						],
					],
					[
						[
							{ count: 136, gap: 0.1, polls: 3, pages: 2, maxItems: 300 },
							{ count: 1, gap: 0.1, polls: 0, pages: 2, maxItems: 30 },
							{ count: 50, gap: 1, polls: 0, pages: 2, maxItems: 30 },
							{ count: 50, gap: 0.1, polls: 0, pages: 2, maxItems: 30 },
						],
					],
					[
						[
							{ count: 200, gap: 0.1, polls: 3, pages: 3, maxItems: 100 },
							{ count: 100, gap: 0.1, polls: 1, pages: 5, maxItems: 130 },
						],
					],
					[
						[
							{ count: 150, gap: 0.1, polls: 0, pages: 2, maxItems: 30 },
							{ count: 50, gap: 0.1, polls: 1, pages: 2, maxItems: 30 },
							{ count: 150, gap: 200, polls: 4, pages: 4, maxItems: 130 },
							{ count: 1, gap: 0.1, polls: 0, pages: 2, maxItems: 30 },
							{ count: 300, gap: 30, polls: 0, pages: 2, maxItems: 30 },
						],
					],
				],
			},
		);
	});

	test('any imports, with late commits and updates: nothing comes twice', async () => {
		const step = fc.record({
			count: fc.constantFrom(1, 50, 100, 150, 300),
			gap: fc.constantFrom(0.1, 0.3, 1, 30),
			late: fc.constantFrom(0, 0, 5, 20),
			updated: fc.constantFrom(0, 0, 5, 20),
			polls: fc.integer({ min: 0, max: 4 }),
			pages: fc.integer({ min: 2, max: 5 }),
			maxItems: fc.constantFrom(30, 90, 100, 200),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
				const service = serviceWith(3, (index) => at(index));
				let { checkpoint } = await poll(service, undefined, few);
				const emitted: string[] = [];
				let second = 10.05;
				let created = 0;
				const put = (count: number, stamp: string) => {
					for (let left = count; left > 0; left--) service.put(`c${created++}`, stamp);
				};
				for (const { count, gap, late, updated, polls, pages, maxItems } of steps) {
					put(late, moment(second));
					put(late, moment(second - 0.02));
					second += gap;
					put(count, moment(second));
					for (let index = 0; index < updated; index++) service.put(`c${index}`, moment(second));
					for (let left = polls; left > 0; left--) {
						const result = await poll(service, checkpoint, { ...few, maxItems }, pages);
						emitted.push(...result.emitted);
						({ checkpoint } = result);
					}
				}
				emitted.push(...(await drained(service, checkpoint)).emitted);
				expect(new Set(emitted).size).toBe(emitted.length);
			}),
			{ numRuns: Number(process.env.SEEDS ?? 100) },
		);
	});
});

test('once per inspection: a later version is not emitted, and the log says what was forgotten', async () => {
	const service = serviceWith(1, () => at(0));
	const once = { oncePerInspection: true, limits: { emittedMarks: 3 } };
	let { checkpoint } = await poll(service, undefined, once);
	const emitted: string[] = [];
	const warnings: string[] = [];
	for (const [second, id] of ['a', 'b', 'a', 'c', 'd', 'b', 'a'].entries()) {
		service.put(id, at(100 + second * 70));
		const result = await poll(service, checkpoint, once);
		({ checkpoint } = result);
		emitted.push(...result.emitted.map((entry) => entry.split('@')[0] ?? ''));
		warnings.push(...result.warnings);
	}
	expect(emitted).toEqual(['a', 'b', 'c', 'd', 'a']);
	expect(warnings.length).toBeGreaterThan(0);
});

test('what was not dealt with is found again', async () => {
	const service = serviceWith(10, (index) => at(100 + index));
	const checkpoint = checkpointAt(beginning());
	const source = {
		list: async (query: InspectionPageQuery) =>
			await Promise.resolve({ inspections: service.list(allowed(query)) }),
		clock: service.clock,
		hasTimeLeft: () => true,
		emit: async () => await Promise.resolve(4),
	};
	await readChanges(checkpoint, PLAIN_WATCH, source);
	expect(checkpoint.resumeAt).toBe(at(104));
	const rest = await poll(service, checkpoint);
	expect(rest.emitted.map((entry) => entry.split('@')[0])).toEqual([
		'i4',
		'i5',
		'i6',
		'i7',
		'i8',
		'i9',
	]);
});

test.each([
	[[at(190), at(250)], /did not sort/],
	[[at(3)], /ignored updated_after/],
	[['soon'], /updated_at/],
])(
	'a service that ignores order or filter is an error, not a loss: %j',
	async (stamps, message) => {
		const service = serviceWith(5, (index) => at(100 + index * 20));
		const { checkpoint } = await poll(service, undefined);
		service.list = () => stamps.map((updated_at, index) => ({ id: `x${index}`, updated_at }));
		await expect(poll(service, checkpoint)).rejects.toThrow(message);
	},
);

test('a service that ignores the page is an error, not a poll without an end', async () => {
	const service = serviceWith(300, () => at(100));
	const list = service.list.bind(service);
	service.list = (query) => list({ ...query, page: 1 });
	await expect(poll(service, checkpointAt(beginning()))).rejects.toThrow(
		/ignore the parameter page/,
	);
});

test('filters hold from the next poll on for everything not yet dealt with', async () => {
	const service = new PlainService();
	for (let index = 0; index < 300; index++)
		service.put(`i${index}`, at(100 + index * 5), index % 3 === 0 ? 'new' : 'completed');
	const matches = (status: string) => (inspection: InspectionRecord) =>
		inspection.status === status;
	let { checkpoint, emitted } = await poll(service, checkpointAt(beginning()), {
		matches: matches('new'),
		maxItems: 40,
	});
	expect(emitted).toHaveLength(40);
	// What the former filter refused was dealt with; what comes after it is judged by the present one.
	for (let hasMore = true, left = 500; hasMore && left > 0; left--) {
		const result: Polled = await poll(service, checkpoint, { matches: matches('completed') });
		emitted = [...emitted, ...result.emitted];
		({ checkpoint, hasMore } = result);
	}
	const after = service.rows.filter(({ updated_at }) => updated_at > at(100 + 119 * 5));
	const completed = after.filter(({ status }) => status === 'completed');
	expect(emitted.slice(40).map((entry) => entry.split('@')[0])).toEqual(
		completed.map(({ id }) => id),
	);
	expect((await poll(service, checkpoint, { matches: matches('new') })).emitted).toEqual([]);
});

describe('after a bulk', () => {
	/** Polls once a minute for so many minutes; requests of each poll. */
	async function minutes(service: PlainService, from: Checkpoint, count: number) {
		const requests: number[] = [];
		const emitted: string[] = [];
		let checkpoint = from;
		for (let minute = 0; minute < count; minute++) {
			service.seconds += 60;
			const result = await poll(service, checkpoint);
			requests.push(result.requests);
			emitted.push(...result.emitted);
			({ checkpoint } = result);
		}
		return { requests, emitted, checkpoint };
	}

	test.each([
		['in one instant', () => at(130)],
		['within a second', (index: number) => at(130, `.${String(index % 1000).padStart(3, '0')}`)],
		['within ten seconds', (index: number) => at(130 + (index % 10))],
	])('of 10,000 changes %s, idle polls become one small request again', async (_, stampOf) => {
		const service = serviceWith(1, () => at(0));
		let { checkpoint } = await poll(service, undefined);
		for (let index = 0; index < 10_000; index++) service.put(`b${index}`, stampOf(index));
		for (let hasMore = true, left = 500; hasMore && left > 0; left--) {
			const result: Polled = await poll(service, checkpoint, { maxItems: 2_000 });
			({ checkpoint, hasMore } = result);
		}
		const quiet = await minutes(service, checkpoint, 5);
		expect(quiet.requests.slice(2)).toEqual([1, 1, 1]);
		expect(quiet.emitted).toEqual([]);
		expect(service.queries.at(-1)?.updatedAfter?.localeCompare(at(130)) ?? 0).toBeGreaterThan(0);
		expect(JSON.stringify(checkpointToJson(quiet.checkpoint)).length).toBeLessThan(200);
		service.put('next', at(1_000));
		expect((await minutes(service, quiet.checkpoint, 1)).emitted).toEqual([`next@${at(1_000)}`]);
	});

	test('a change that becomes visible within the lookback is still found', async () => {
		const service = serviceWith(1, () => at(100));
		const { checkpoint } = await poll(service, undefined);
		service.put('new', at(130));
		const first = await minutes(service, checkpoint, 1);
		service.seconds += 59;
		service.put('late', at(129));
		const second = await poll(service, first.checkpoint);
		expect(second.emitted).toEqual([`late@${at(129)}`]);
	});
});

test('the example of docs/how-it-reads.md', async () => {
	const of = (time: string) => `2026-03-01T${time}Z`;
	const service = new PlainService();
	const shown = ({ emitted, checkpoint }: Polled) => ({
		emitted: emitted.map((entry) => entry.split('@')[0]).join(' '),
		watermark: checkpoint.watermark,
		seen: Object.keys(checkpoint.seen.toJson()).map((second) => second.slice(11)),
	});
	service.put('A', of('09:58:10'));
	service.put('B', of('09:59:30'));
	const first = await poll(service, undefined);
	expect(shown(first)).toEqual({ emitted: '', watermark: of('09:58:30'), seen: ['09:59:30'] });

	service.put('C', of('10:00:20'));
	service.put('D', of('10:00:40'));
	service.put('A', of('10:00:50'));
	const second = await poll(service, first.checkpoint);
	expect(shown(second)).toEqual({
		emitted: 'C D A',
		watermark: of('09:59:50'),
		seen: ['10:00:20', '10:00:40', '10:00:50'],
	});

	service.put('F', of('10:01:30'));
	service.put('E', of('10:00:30'));
	const third = await poll(service, second.checkpoint);
	expect(shown(third)).toEqual({
		emitted: 'E F',
		watermark: of('10:00:30'),
		seen: ['10:00:30', '10:00:40', '10:00:50', '10:01:30'],
	});

	service.seconds += 60;
	const quiet = await poll(service, third.checkpoint);
	expect(quiet.checkpoint.watermark).toBe(of('10:01:30'));
	service.seconds += 60;
	const quieter = await poll(service, quiet.checkpoint);
	expect(shown(quieter)).toEqual({ emitted: '', watermark: of('10:01:31'), seen: [] });
});

test('a second that takes longer than one poll is given up in the end, and the log says so', async () => {
	const service = serviceWith(950, (index) => at(30, `.${String(index).padStart(3, '0')}`));
	const day = 86_400;
	for (let index = 0; index < 200; index++)
		service.put(`later${index}`, moment(day + index * 3600));
	let checkpoint: Checkpoint | undefined = checkpointAt(beginning());
	const emitted: string[] = [];
	const warnings: string[] = [];
	for (let polls = 0; polls < 60; polls++) {
		service.seconds += 60;
		const result: Polled = await poll(service, checkpoint, {}, 5);
		emitted.push(...result.emitted);
		warnings.push(...result.warnings);
		({ checkpoint } = result);
	}
	expect(new Set(emitted).size).toBe(1_150);
	expect(emitted).toHaveLength(1_150);
	expect(warnings.join()).toMatch(/than one poll has time to read/);
});

describe('a service that sends fewer inspections than it is asked for', () => {
	const steps = [0.2, 7];
	test.each([1, 7, 10, 25, 50, 99].flatMap((cap) => steps.map((step) => [cap, step] as const)))(
		'cap %i, 200 changes %d s apart: nothing is lost',
		async (cap, step) => {
			const service = serviceWith(1, () => at(0, '.000'));
			service.cap = cap;
			let { checkpoint } = await poll(service, undefined);
			for (let index = 0; index < 200; index++)
				service.put(
					`c${index}`,
					new Date(Date.UTC(2026, 2, 1, 10, 2) + index * step * 1000).toISOString(),
				);
			const emitted: string[] = [];
			for (let polls = 0; polls < 10; polls++) {
				service.seconds += 60;
				const result: Polled = await poll(service, checkpoint);
				emitted.push(...result.emitted);
				({ checkpoint } = result);
			}
			expect(new Set(emitted).size).toBe(200);
			expect(emitted).toHaveLength(200);
		},
	);
});

test('a page cap that n8n has forgotten does not hide a late commit behind a page of known ones', async () => {
	const service = serviceWith(1, () => at(0));
	service.cap = 10;
	const first = await poll(service, undefined);
	for (let index = 0; index < 10; index++) service.put(`c${index}`, at(200 + index));
	const second = await poll(service, first.checkpoint);
	expect(second.emitted).toHaveLength(10);
	service.put('late', at(195));
	// Nothing has changed since.
	service.seconds += 3_600;
	const third = await poll(service, second.checkpoint);
	const fourth = await poll(service, third.checkpoint);
	expect([...third.emitted, ...fourth.emitted]).toEqual([`late@${at(195)}`]);
});

test('a silence measured by an n8n whose clock runs fast hides no later change', async () => {
	const service = serviceWith(1, () => at(0));
	let { checkpoint } = await poll(service, undefined);
	service.put('before', at(600));
	({ checkpoint } = await poll(service, checkpoint));
	// Half an hour of the service's clock is two hours of n8n's.
	for (let polls = 0; polls < 4; polls++) {
		service.seconds += 1_800;
		({ checkpoint } = await poll(service, checkpoint));
	}
	service.put('after', at(2_400));
	expect((await poll(service, checkpoint)).emitted).toEqual([`after@${at(2_400)}`]);
});

test('what an update moves to a page that was read is found, wherever in the second a poll ends', async () => {
	const stampOf = (index: number) => `.${String(index).padStart(3, '0')}5`;
	for (let requests = 2; requests < 20; requests++) {
		const service = serviceWith(450, (index) => at(30, stampOf(index)));
		for (let index = 0; index < 250; index++) service.put(`next${index}`, at(31, stampOf(index)));
		const list = service.list.bind(service);
		service.list = (query) => {
			// The first inspection leaves the second: one of page 3 is on page 2 now, which has come.
			if (query.page === 3) service.put('i0', at(500));
			return list(query);
		};
		let checkpoint: Checkpoint | undefined = checkpointAt(beginning());
		const emitted: string[] = [];
		const warnings: string[] = [];
		for (let polls = 0; polls < 60; polls++) {
			const result: Polled = await poll(service, checkpoint, {}, requests);
			emitted.push(...result.emitted);
			warnings.push(...result.warnings);
			({ checkpoint } = result);
		}
		expect(new Set(emitted).size).toBe(emitted.length);
		if (warnings.length > 0) continue;
		const current = service.rows.map(({ id, updated_at }) => `${id}@${updated_at}`);
		expect(current.filter((version) => !emitted.includes(version))).toEqual([]);
	}
});

test('more in the lookback than can be remembered: the first poll stores no more, and says so', async () => {
	const service = serviceWith(3_000, (index) =>
		at(30, `.${String(index % 1000).padStart(3, '0')}`),
	);
	const first = await poll(service, undefined, { limits: { seenVersions: 2_000 } });
	expect(JSON.stringify(checkpointToJson(first.checkpoint)).length).toBeLessThan(36_000);
	expect(first.warnings.join()).toMatch(/^More than 2000 inspections changed within the lookback/);
	service.put('next', at(31));
	expect((await poll(service, first.checkpoint)).emitted).toEqual([`next@${at(31)}`]);
});

test('any history, any page budget: each version that stays is emitted once', async () => {
	const change = fc.record({
		id: fc.integer({ min: 0, max: 30 }),
		gap: fc.constantFrom(0, 0, 0, 1, 20, 70),
		polls: fc.boolean(),
		pages: fc.integer({ min: 2, max: 4 }),
		maxItems: fc.integer({ min: 1, max: 20 }),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(change, { maxLength: 60 }), async (changes) => {
			const service = serviceWith(3, (index) => at(index));
			let { checkpoint } = await poll(service, undefined);
			const emitted: string[] = [];
			const run = async (pages: number, maxItems: number) => {
				const result = await poll(service, checkpoint, { maxItems }, pages);
				emitted.push(...result.emitted);
				({ checkpoint } = result);
				return result.hasMore;
			};
			let second = 10;
			for (const { id, gap, polls, pages, maxItems } of changes) {
				second += gap;
				service.put(`c${id}`, moment(second));
				if (polls) await run(pages, maxItems);
			}
			for (let left = 200; (await run(Infinity, 20)) && left > 0; left--);
			const current = service.rows.filter(({ id }) => id.startsWith('c'));
			expect(new Set(emitted).size).toBe(emitted.length);
			for (const { id, updated_at } of current) expect(emitted).toContain(`${id}@${updated_at}`);
		}),
		{ numRuns: 150 },
	);
});

function beginning() {
	const moment = timestampOf('2020-01-01T00:00:00Z');
	if (moment === undefined) throw new Error('no timestamp');
	return moment;
}

function moment(second: number): string {
	return new Date(Date.UTC(2026, 2, 1, 10) + second * 1000).toISOString().replace('.000Z', 'Z');
}

describe('times far ahead of the service’s clock', () => {
	/** A service whose responses say what time it is. */
	function datedService(count: number) {
		const service = serviceWith(count, (index) => at(index));
		service.date = at(count);
		return service;
	}
	const YEARS_AHEAD = '2031-01-01T00:00:00Z';

	test.each(['before activation', 'after activation'])(
		'one %s does not silence the trigger',
		async (when) => {
			const service = datedService(10);
			if (when === 'before activation') service.put('ahead', YEARS_AHEAD);
			let { checkpoint } = await poll(service, undefined);
			if (when === 'after activation') service.put('ahead', YEARS_AHEAD);
			const emitted: string[] = [];
			for (let minute = 1; minute <= 5; minute++) {
				service.date = at(60 * minute + 1);
				service.seconds += 60;
				service.put(`c${minute}`, at(60 * minute));
				const result = await poll(service, checkpoint);
				emitted.push(...result.emitted);
				({ checkpoint } = result);
			}
			const changes = [1, 2, 3, 4, 5].map((minute) => `c${minute}@${at(60 * minute)}`);
			const ahead = when === 'after activation' ? [`ahead@${YEARS_AHEAD}`] : [];
			expect(emitted.toSorted()).toEqual([...ahead, ...changes].toSorted());
			// Idle polls are one request all the same.
			for (let minute = 6; minute <= 10; minute++) {
				service.date = at(60 * minute + 1);
				service.seconds += 60;
				const idle = await poll(service, checkpoint);
				({ checkpoint } = idle);
				if (minute > 8) expect(idle.requests).toBe(1);
			}
		},
	);

	test('any times, ahead and behind, any page budget: each version that stays is emitted once', async () => {
		const change = fc.record({
			id: fc.integer({ min: 0, max: 30 }),
			gap: fc.constantFrom(0, 0, 1, 20, 70),
			// Behind: within the lookback only. Later than that is missed, and docs/trigger.md says so.
			ahead: fc.constantFrom(0, 0, 0, -50, 61, 3_600, 86_400 * 400),
			polls: fc.boolean(),
			pages: fc.integer({ min: 2, max: 4 }),
			maxItems: fc.integer({ min: 1, max: 20 }),
		});
		await fc.assert(
			fc.asyncProperty(
				fc.array(change, { maxLength: 60 }),
				fc.boolean(),
				async (changes, begins) => {
					const service = new PlainService();
					service.date = moment(9);
					if (begins) service.put('old', moment(86_400));
					let { checkpoint } = await poll(service, undefined);
					const emitted: string[] = [];
					const run = async (pages: number, maxItems: number) => {
						const result = await poll(service, checkpoint, { maxItems }, pages);
						emitted.push(...result.emitted);
						({ checkpoint } = result);
						return result.hasMore;
					};
					let second = 100;
					for (const { id, gap, ahead, polls, pages, maxItems } of changes) {
						second += gap;
						service.seconds += gap;
						service.date = moment(second);
						// No version is older than the one before it.
						const known = service.rows.find((row) => row.id === `c${id}`)?.updated_at ?? '';
						const stamp = moment(second + ahead);
						if (stamp > known) service.put(`c${id}`, stamp);
						if (polls) await run(pages, maxItems);
					}
					for (let left = 200; (await run(Infinity, 20)) && left > 0; left--);
					await run(Infinity, 100);
					const current = service.rows.filter(({ id }) => id.startsWith('c'));
					expect(new Set(emitted).size).toBe(emitted.length);
					for (const { id, updated_at } of current)
						expect(emitted).toContain(`${id}@${updated_at}`);
				},
			),
			{ numRuns: Number(process.env.SEEDS ?? 100) },
		);
	});
});

test('a backlog whose rest the service no longer shows ends, however little time a poll has', async () => {
	const service = serviceWith(1, () => at(0));
	const first = await poll(service, undefined);
	for (let index = 0; index < 250; index++) service.put(`c${index}`, moment(100 + index));
	const second = await poll(service, first.checkpoint, {}, 1);
	expect(second.hasMore).toBe(true);
	service.rows = [];
	const third = await poll(service, second.checkpoint, {}, 1);
	expect(third.hasMore).toBe(false);
});

test('any page cap, another one with every request: nothing is missed, and nothing comes twice', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.infiniteStream(fc.integer({ min: 2, max: 100 })),
			fc.constantFrom(1, 3, 20),
			fc.integer({ min: 1, max: 300 }),
			async (caps, step, count) => {
				const service = serviceWith(1, () => at(0));
				service.capOf = () => caps.next().value;
				let { checkpoint } = await poll(service, undefined);
				for (let index = 0; index < count; index++)
					service.put(`c${index}`, moment(100 + index * step));
				const emitted: string[] = [];
				for (let polls = 0, quiet = 0; quiet < 3 && polls < 100; polls++) {
					const result: Polled = await poll(service, checkpoint);
					emitted.push(...result.emitted);
					quiet = result.hasMore || result.emitted.length > 0 ? 0 : quiet + 1;
					({ checkpoint } = result);
				}
				expect(new Set(emitted).size).toBe(count);
				expect(emitted).toHaveLength(count);
			},
		),
		{ numRuns: Number(process.env.SEEDS ?? 60) },
	);
});
