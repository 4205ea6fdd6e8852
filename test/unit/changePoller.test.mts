// @module-tag slow
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { checkpointAt, pruneCheckpoint } from '#connector/domain/changes/checkpoint.ts';
import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import type { Timestamp } from '#connector/domain/timestamp.ts';
import { at, timeOf } from '#harness/times.mts';
import { scatter } from '#sandbox/service/guid.mts';
import { drained, poll, type Polled, PolledList, textOf } from './polledList.mts';

const BEGINNING = checkpointAt(timeOf('2020-01-01T00:00:00Z'));
const DAY = 86_400;

/** Polls a list for the first time, and returns the list. By default, the list has one older inspection. */
async function begun(list = new PolledList().fill('old', 1, () => at(0)), watch = {}) {
	await poll(list, watch);
	return list;
}

/** Returns a list of inspections that the trigger still has to emit. */
function unread(count: number, timeOfChange: (index: number) => Timestamp) {
	const list = new PolledList().fill('c', count, timeOfChange);
	list.checkpoint = BEGINNING;
	return list;
}

const withinSecond = (index: number) => at(30 + (index % 1000) / 1000);
const idsOf = (emitted: readonly string[]) =>
	emitted.map((version) => version.slice(0, version.indexOf('@')));

/** Makes the service return smaller pages than requested. Each request uses the next of these maximum page sizes. */
function capPages(list: PolledList, caps: readonly number[]) {
	list.respond = (query) => {
		const cap = caps[list.queries.length % caps.length] ?? 100;
		return list.page({ ...query, pageSize: Math.min(query.pageSize, cap) });
	};
}

describe('the first poll', () => {
	test('leaves changes during its reads to the next poll, because n8n can lose what a first poll emits', async () => {
		const list = new PolledList().fill('old', 5, (index) => at(100 + index));
		list.respond = (query) => {
			if (list.queries.length === 2) list.put('new', at(110));
			return list.page(query);
		};
		expect((await poll(list)).emitted).toEqual([]);
		expect((await poll(list)).emitted).toEqual([`new@${at(110)}`]);
	});

	test('needs one request without inspections, after which the first inspection is emitted', async () => {
		const list = new PolledList();
		expect((await poll(list)).requests).toBe(1);
		list.put('first', at(10));
		expect((await poll(list)).emitted).toEqual([`first@${at(10)}`]);
	});

	test('needs at most one request more than the lookback requires, however many changes are earlier', async () => {
		const list = new PolledList().fill('old', 3_000, at);
		expect((await poll(list)).requests).toBeLessThanOrEqual(2);
	});

	test('fails in time with the fix "Lookback" if the lookback has too many changes to read', async () => {
		const list = new PolledList().fill('old', 3_000, at);
		await expect(poll(list, { lookback: DAY, requests: 5 })).rejects.toThrow(
			'Lookback: more inspections changed in the last 86400 seconds than one poll has time to read',
		);
		expect(list.queries.length).toBeLessThan(10);
		// A shorter lookback starts the trigger.
		await poll(list, { requests: 5 });
		list.put('new', at(3_010));
		expect((await poll(list)).emitted).toEqual([`new@${at(3_010)}`]);
	});

	test('emits later changes in the newest second, however little time it has', async () => {
		const list = new PolledList().fill('old', 150, withinSecond);
		await poll(list, { requests: 1 });
		list.put('new', at(30.7));
		expect((await poll(list)).emitted).toEqual([`new@${at(30.7)}`]);
	});

	test('stores no more changes of the lookback than it can remember, with a warning in the log', async () => {
		const list = new PolledList().fill('old', 3_000, withinSecond);
		const { checkpoint, warnings } = await poll(list, { maxSeen: 2_000 });
		expect(textOf(checkpoint).length).toBeLessThan(36_000);
		expect(warnings.join()).toMatch(
			/^More than 2000 inspections changed within the lookback of 60 seconds/,
		);
		list.put('next', at(31));
		expect((await poll(list)).emitted).toEqual([`next@${at(31)}`]);
	});
});

test('a trigger polls as the example in docs/dev/reading.md describes', async () => {
	const list = new PolledList();
	const polled = async (changes: Readonly<Record<string, string>>, seconds = 0) => {
		list.seconds += seconds;
		for (const [id, time] of Object.entries(changes)) list.put(id, timeOf(`2026-03-01T${time}Z`));
		const { emitted, checkpoint } = await poll(list);
		const seen = Object.keys(checkpoint.seen.serialize()).map((second) => second.slice(11));
		return [idsOf(emitted).join(' '), checkpoint.watermark.slice(11, 19), seen];
	};
	const first = await polled({ A: '09:58:10', B: '09:59:30' });
	expect(first).toEqual(['', '09:58:30', ['09:59:30']]);
	const second = await polled({ C: '10:00:20', D: '10:00:40', A: '10:00:50' });
	expect(second).toEqual(['C D A', '09:59:50', ['10:00:20', '10:00:40', '10:00:50']]);
	const third = await polled({ F: '10:01:30', E: '10:00:30' });
	expect(third).toEqual(['E F', '10:00:30', ['10:00:30', '10:00:40', '10:00:50', '10:01:30']]);
	expect(await polled({}, 60)).toMatchObject(['', '10:01:30', {}]);
	expect(await polled({}, 60)).toEqual(['', '10:01:31', []]);
});

test('an idle poll after the lookback only needs one request', async () => {
	const list = await begun();
	list.put('new', at(600));
	const requests: number[] = [];
	let before = '';
	for (const seconds of [0, 30, 31, 60, 60]) {
		list.seconds += seconds;
		before = list.checkpoint === undefined ? '' : textOf(list.checkpoint);
		requests.push((await poll(list)).requests);
	}
	expect(requests).toEqual([3, 3, 3, 1, 1]);
	expect(list.checkpoint && textOf(list.checkpoint)).toBe(before);
	expect(list.queries.at(-1)?.updatedAfter).toBe(at(601));
});

test('a poll emits an inspection once even if a page lists it twice', async () => {
	const list = await begun();
	list.put('twice', at(20));
	list.respond = (query) => list.page(query).flatMap((row) => [row, row]);
	expect((await drained(list)).emitted).toEqual([`twice@${at(20)}`]);
});

describe('a backlog', () => {
	test('drains in order, within the limits on items, state, or requests', async () => {
		const list = unread(10_000, (index) => at(index * 7));
		const { emitted, polls, requests } = await drained(list, { maxInspections: 500 });
		expect(emitted.toSorted()).toEqual(list.versions());
		const stamps = emitted.map((version) => version.split('@')[1] ?? '');
		expect(stamps).toEqual(stamps.toSorted());
		const largest = Math.max(...polls.map(({ checkpoint }) => textOf(checkpoint).length));
		expect(largest).toBeLessThan(4_000);
		expect(Math.max(...polls.map((one) => one.emitted.length))).toBe(500);
		// 10,000 inspections take 20 polls and 100 full pages. A few empty polls follow. Each poll can also request the
		// newest inspection, and read one page again.
		expect(polls.length).toBeLessThanOrEqual(24);
		expect(requests).toBeLessThan(100 + 3 * 20);
	});

	// Page 1 of a tied second doesn't end a poll (`isStuck` in changePoller.ts). Without it, a poll with little time
	// reads page 1 of this second again and again.
	// A tied second is read from the first unknown page on (readTiedSecond.ts). Without it, each poll reads a long
	// second from its beginning. Of 1,150 inspections, 600 are emitted. 84 inspections were missed in 594 storms.
	test.each([
		['a second that holds many pages is got through with one page per poll', 2],
		['a second that takes longer than one poll is eventually skipped', 5],
	])('is emitted completely, with a warning in the log: %s', async (_, requests) => {
		const list = unread(950, withinSecond).fill('c later', 200, (index) => at(DAY + index * 3600));
		const { emitted, warnings } = await drained(list, { requests, minutes: true });
		expect(emitted.toSorted()).toEqual(list.versions());
		expect(warnings.join()).toMatch(/than one poll has time to read/);
	});

	// A page that reports that it is the last one ends the backlog (`isLast` in changePoller.ts). Otherwise, if the
	// rest of a backlog no longer exists and polls have little time, the backlog never ends.
	test('ends if the service no longer shows the rest, however little time a poll has', async () => {
		const list = (await begun()).fill('c', 250, (index) => at(100 + index));
		expect((await poll(list, { requests: 1 })).hasMore).toBe(true);
		list.clear();
		expect((await poll(list, { requests: 1 })).hasMore).toBe(false);
	});

	test("uses the current poll's filters without returning to what earlier ones rejected", async () => {
		const list = unread(300, (index) => at(100 + index * 5));
		const [even, odd] = [0, 1].map((rest) => ({
			matches: ({ id }: InspectionRecord) => Number(id.slice(1)) % 2 === rest,
		}));
		const named = (from: number, to: number) =>
			Array.from({ length: (to - from) / 2 }, (_, index) => `c${from + 2 * index}`);
		const first = await poll(list, { ...even, maxInspections: 40 });
		expect(idsOf(first.emitted)).toEqual(named(0, 80));
		expect(idsOf((await drained(list, odd)).emitted)).toEqual(named(81, 301));
		expect((await poll(list, even)).emitted).toEqual([]);
	});
});

// A tied second is read backward (readTiedSecond.ts). Without it, inspections that move to an earlier page are lost.
// A poll then returns 242 of 251 inspections of one instant.
describe('a bulk change', () => {
	test.each([
		['in one instant', () => at(130)],
		['within a second', (index: number) => at(130 + (index % 1000) / 1000)],
		['within ten seconds', (index: number) => at(130 + (index % 10))],
	])(
		'is emitted once with few requests afterwards, even for 10,000 inspections %s',
		async (_, timeOfChange) => {
			const list = (await begun()).fill('c', 10_000, timeOfChange);
			const bulk = await drained(list, { maxInspections: 2_000 });
			expect(bulk.emitted.toSorted()).toEqual(list.versions());
			expect(bulk.warnings).toEqual([]);
			expect(bulk.requests).toBeLessThan(1_000);
			const sizes = bulk.polls.map(({ checkpoint }) => textOf(checkpoint).length);
			expect(Math.max(...sizes)).toBeLessThan(250_000);
			await drained(list, { minutes: true });
			const quiet = await poll(list);
			expect(quiet.requests).toBe(1);
			expect(list.queries.at(-1)?.updatedAfter?.localeCompare(at(130)) ?? 0).toBeGreaterThan(0);
			expect(textOf(quiet.checkpoint).length).toBeLessThan(200);
			list.put('next', at(1_000));
			expect((await poll(list)).emitted).toEqual([`next@${at(1_000)}`]);
		},
	);
});

// The number of inspections in a tied second is checked (readTiedSecond.ts). Otherwise, if a service sorts equal
// times differently in each request, inspections that it never sends aren't reported.
describe('more inspections of one instant than a page', () => {
	test.each([
		['request', false],
		['page', true],
	])(
		'are emitted once each in a different order for every %s, unless the log warns of missed ones',
		async (_, isSameEachTime) => {
			for (let seed = 0; seed < 10; seed++) {
				const list = unread(250, () => at(0));
				list.put('c later', at(DAY));
				list.tieOf = (id, { page }) => {
					const salt = isSameEachTime ? seed * 100 + page : seed * 1_000 + list.queries.length;
					return scatter(`${salt} ${id}`);
				};
				const { emitted, warnings, requests } = await drained(list);
				expect(new Set(emitted).size).toBe(emitted.length);
				expect(emitted).toContain(`c later@${at(DAY)}`);
				const shown = isSameEachTime ? String(emitted.length - 1) : '\\d+';
				if (emitted.length < 251)
					expect(warnings.join()).toMatch(new RegExp(`only ${shown} of them`));
				if (!isSameEachTime) expect(emitted).toHaveLength(251);
				expect(requests).toBeLessThan(isSameEachTime ? 24 : 60);
			}
		},
	);
});

describe('more in one instant than can be remembered', () => {
	const few = { maxInspections: 100, maxSeen: 150 };

	/**
	 * The numbers of an import. First the inspections with one timestamp, and the seconds since the previous import. Then
	 * the inspections that become visible late, and the updates of earlier inspections. Finally the polls, the pages that
	 * a poll has time for, and Max Items.
	 */
	type Import = [number, number, number, number, number, number, number];
	const imports: fc.Arbitrary<Import[]> = fc.array(
		fc.tuple(
			fc.oneof(fc.integer({ min: 1, max: 350 }), fc.constantFrom(50, 100, 150, 200, 300, 400)),
			fc.constantFrom(0.1, 0.3, 1, 2, 30, 70, 200),
			...([fc.constantFrom(0, 0, 0, 5, 20), fc.constantFrom(0, 0, 0, 5, 20)] as const),
			...([fc.integer({ min: 0, max: 6 }), fc.integer({ min: 2, max: 5 })] as const),
			fc.constantFrom(30, 50, 90, 100, 130, 200, 300),
		),
		{ maxLength: 6 },
	);
	/**
	 * Imports with which earlier versions of the trigger failed. Each import has the number of inspections, the seconds
	 * since the previous import, polls, pages per poll, and Max Items.
	 */
	const found = [
		'300 0.1 0 2 30, 300 1 0 2 30',
		'148 0.1 0 2 30, 100 1 3 4 300, 50 0.1 0 2 30, 50 0.1 0 2 30, 50 1 0 2 30',
		'400 0.1 6 3 300, 1 0.1 0 2 30, 1 70 0 2 30',
		'150 0.1 3 2 200, 151 0.1 0 2 30, 1 70 1 3 300',
		'136 0.1 3 2 300, 1 0.1 0 2 30, 50 1 0 2 30, 50 0.1 0 2 30',
		'200 0.1 3 3 100, 100 0.1 1 5 130',
		'150 0.1 0 2 30, 50 0.1 1 2 30, 150 200 4 4 130, 1 0.1 0 2 30, 300 30 0 2 30',
	];
	const importOf = (text: string): Import => {
		const [count = 0, gap = 0, polls = 0, pages = 0, maxInspections = 0] = text
			.split(' ')
			.map(Number);
		return [count, gap, 0, 0, polls, pages, maxInspections];
	};

	/** Returns the latest time (without its `Z`) up to which the trigger has forgotten changes, as its warnings say. */
	const forgottenIn = (warnings: readonly string[]) =>
		warnings
			.map((warning) => /changes up to (\S+)Z that/.exec(warning)?.[1] ?? '')
			.toSorted()
			.at(-1) ?? '';

	test('are emitted once each with any page budget, unless the log warns of missed ones', async () => {
		await fc.assert(
			fc.asyncProperty(imports, async (steps) => {
				const list = await begun(new PolledList().fill('old', 3, at), few);
				const polled: Polled[] = [];
				let [second, created, isPlain] = [10.05, 0, true];
				const put = (count: number, time: number) => {
					for (let left = count; left > 0; left--) list.put(`c${created++}`, at(time));
				};
				for (const [count, gap, late, updates, polls, requests, maxInspections] of steps) {
					put(late, second);
					put(late, second - 0.02);
					second += gap;
					put(count, second);
					for (let index = 0; index < updates; index++) list.put(`c${index}`, at(second));
					isPlain &&= late + updates === 0;
					for (let left = polls; left > 0; left--) {
						polled.push(await poll(list, { ...few, maxInspections, requests }));
					}
				}
				polled.push(...(await drained(list, few)).polls);
				const emitted = polled.flatMap((one) => one.emitted);
				const warnings = polled.flatMap((one) => one.warnings);
				expect(new Set(emitted).size).toBe(emitted.length);
				const sizes = polled.map(({ checkpoint }) => textOf(checkpoint).length);
				expect(Math.max(...sizes)).toBeLessThan(2_500);
				// The log warns about changes that can be missed: late changes that are older than the remembered ones, and
				// changes in a second that the poll skipped.
				if (!isPlain || warnings.join().includes('one poll has time to read')) return;
				const missed = list.versions().filter((version) => !emitted.includes(version));
				const times = missed.map((version) => version.split('@')[1]?.replace('Z', '') ?? '');
				expect(times.filter((time) => time > forgottenIn(warnings))).toEqual([]);
			}),
			{
				// To run more: SEEDS=10000 npx vitest run test/unit/changePoller.test.mts -t 'any imports'
				numRuns: Number(process.env.SEEDS ?? 200),
				examples: found.map((steps) => [steps.split(', ').map(importOf)]),
			},
		);
	});
});

test('a trigger forgets the oldest of more than 50,000 changes or 5,000 started inspections', () => {
	const checkpoint = checkpointAt(at(0));
	const add = (id: number) => checkpoint.seen.add(at(id), `c${id}`);
	for (let id = 1; id <= 50_000; id++) add(id);
	expect(pruneCheckpoint(checkpoint, DAY)).toEqual([]);
	add(50_001);
	expect(pruneCheckpoint(checkpoint, DAY).join()).toContain('More than 50000 inspections changed');
	const of = (count: number) => new Set(Array.from({ length: count }, (_, index) => `${index}`));
	expect(pruneCheckpoint(checkpointAt(at(0), of(5_000)), DAY)).toEqual([]);
	const emitted = of(5_001);
	const warnings = pruneCheckpoint(checkpointAt(at(0), emitted), DAY);
	expect(warnings.join()).toContain('forgot older inspections (1 in this poll)');
	expect([emitted.size, emitted.has('0')]).toEqual([5_000, false]);
});

test("a trigger that starts once per inspection doesn't emit a later version", async () => {
	const once = { oncePerInspection: true };
	const list = await begun(undefined, once);
	const emitted: string[] = [];
	for (const [index, id] of ['a', 'b', 'a', 'c', 'b', 'a'].entries()) {
		list.put(id, at(100 + index * 70));
		emitted.push(...idsOf((await poll(list, once)).emitted));
	}
	expect(emitted).toEqual(['a', 'b', 'c']);
});

test('a poll fails if the service ignores order or filter, so that it loses no changes', async () => {
	const list = await begun();
	list.respond = () => [250, 190].map((second) => ({ id: `x${second}`, updated_at: at(second) }));
	await expect(poll(list)).rejects.toThrow(/did not sort/);
});

test("a page cap that n8n has forgotten doesn't hide a late commit after a page of known inspections", async () => {
	const list = (await begun()).fill('c', 10, (index) => at(200 + index));
	capPages(list, [10]);
	expect((await poll(list)).emitted).toHaveLength(10);
	list.put('late', at(195));
	// An hour passes without another change.
	list.seconds += 3_600;
	expect((await drained(list)).emitted).toEqual([`late@${at(195)}`]);
});

// The page after a short page is requested (fetchPage.ts). Without it, the list of a service with a page cap seems to
// end with page 1.
test('a page cap that differs for every request causes no missed or repeated change', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.integer({ min: 2, max: 100 }), { minLength: 1, maxLength: 30 }),
			fc.constantFrom(0.2, 1, 3, 7, 20),
			fc.integer({ min: 1, max: 300 }),
			async (caps, step, count) => {
				const list = (await begun()).fill('c', count, (index) => at(120 + index * step));
				capPages(list, caps);
				const { emitted } = await drained(list, { minutes: step < 1 });
				expect(emitted.toSorted()).toEqual(list.versions());
			},
		),
		{
			numRuns: Number(process.env.SEEDS ?? 60),
			examples: [1, 7, 10, 25, 50, 99].flatMap((cap): [number[], number, number][] => [
				[[cap], 0.2, 200],
				[[cap], 7, 200],
			]),
		},
	);
});

test('a silence measured by an n8n with a fast clock hides no later change', async () => {
	const list = await begun();
	list.put('before', at(600));
	// n8n's clock runs five times as fast as the service's clock: two and a half hours pass here, but only half an hour
	// for the service.
	for (let polls = 0; polls < 5; polls++) {
		await poll(list);
		list.seconds += 1_800;
	}
	list.put('after', at(2_400));
	expect((await poll(list)).emitted).toEqual([`after@${at(2_400)}`]);
});

test('a time far ahead of the service’s clock doesn’t silence the trigger', async () => {
	const list = new PolledList().fill('old', 10, at);
	list.put('ahead', timeOf('2031-01-01T00:00:00Z'));
	list.date = at(10);
	await begun(list);
	list.date = at(21);
	list.put('new', at(20));
	expect((await poll(list)).emitted).toEqual([`new@${at(20)}`]);
	expect((await poll(list)).requests).toBe(3);
});

describe('a clock that was wrong once', () => {
	const wrong = timeOf('9999-12-31T23:59:59Z');
	/** Returns a list, with `today` as the time of n8n's clock. */
	const listAt = (today: number, date?: Timestamp) =>
		Object.assign(new PolledList().fill('old', 10, at), { today: at(today), date });

	test.each([
		['with its Date', wrong],
		['without Date', undefined],
	])("doesn't hide later changes if it's in the very first response, %s", async (_, date) => {
		const list = listAt(10, date);
		list.respond = (query) =>
			list.queries.length > 1
				? list.page(query)
				: [{ id: 'x', updated_at: wrong }, ...list.page(query)];
		await poll(list);
		list.date = undefined;
		list.put('new', at(12));
		expect(idsOf((await poll(list)).emitted)).toContain('new');
	});

	test.each([
		['with Date', at(200), undefined],
		['without Date', undefined, undefined],
		['in a backlog', at(200), wrong],
	])(
		'costs only one poll if a watermark far ahead moves back, %s, with a warning in the log',
		async (_, date, resumeAt) => {
			const list = listAt(200, date);
			list.put('new', at(195));
			list.checkpoint = { ...checkpointAt(wrong), resumeAt };
			const first = await poll(list);
			expect(idsOf(first.emitted)).toEqual(['new']);
			expect(first.warnings.join()).toMatch(/far ahead of the service's clock/);
			list.put('next', at(210));
			expect(await poll(list)).toMatchObject({ emitted: [`next@${at(210)}`], warnings: [] });
		},
	);

	test("doesn't override a Start From in the future, before which nothing is emitted", async () => {
		const list = listAt(200, at(200));
		const startAt = at(DAY);
		list.checkpoint = checkpointAt(startAt);
		expect(await poll(list, { startAt })).toMatchObject({ emitted: [], warnings: [] });
		list.put('early', at(210));
		list.put('wanted', at(DAY + 1));
		const second = await poll(list, { startAt });
		expect(second).toMatchObject({ emitted: [`wanted@${at(DAY + 1)}`], warnings: [] });
	});

	test("doesn't move a watermark far ahead of n8n’s clock if the service shows that time", async () => {
		const list = listAt(-3 * DAY);
		list.checkpoint = checkpointAt(at(10));
		expect(await poll(list)).toMatchObject({ emitted: [], checkpoint: { watermark: at(10) } });
	});
});

describe('one wrong HTTP header Date', () => {
	const DAYS_AGO = 400;

	/** Returns a list of 300 inspections that changed 32 hours apart. The trigger has emitted all of them. */
	async function watched() {
		const list = unread(300, (index) => at(-index * 115_200));
		const now = { date: at(60), today: at(60) };
		Object.assign(list, now);
		expect((await drained(list)).emitted).toHaveLength(300);
		return { list, now };
	}

	// The watermark moves back only if the newest inspection agrees, and only to the median of three times
	// (changePoller.ts). Without it, one wrong `Date` header emits all inspections again.
	test.each([
		['of 1970', timeOf('1970-01-01T00:00:00Z'), at(60)],
		['of 1970, while n8n’s clock is behind,', timeOf('1970-01-01T00:00:00Z'), at(-10 * DAY)],
		['of 300 days ago', at(-300 * DAY), at(60)],
		['of next year', at(365 * DAY), at(60)],
	])('%s neither repeats nor hides a change', async (_, date, today) => {
		const { list, now } = await watched();
		Object.assign(list, { date, today });
		const wrong = await poll(list);
		Object.assign(list, now);
		list.put('new', at(61));
		const right = await drained(list);
		expect([...wrong.emitted, ...right.emitted]).toEqual([`new@${at(61)}`]);
		expect([...wrong.warnings, ...right.warnings]).toEqual([]);
	});

	test('is ignored in a quiet year if the next response has the right time', async () => {
		const list = new PolledList().fill('old', 1, () => at(-DAYS_AGO * DAY));
		list.today = at(60);
		list.checkpoint = checkpointAt(at(0));
		list.respond = (query) => {
			list.date = list.queries.length === 1 ? timeOf('1970-01-01T00:00:00Z') : at(60);
			return list.page(query);
		};
		expect(await poll(list)).toMatchObject({ emitted: [], warnings: [] });
	});

	test('doesn’t decide how far a watermark ahead of everything moves back', async () => {
		const { list, now } = await watched();
		list.checkpoint = checkpointAt(at(DAYS_AGO * DAY));
		Object.assign(list, { date: timeOf('1970-01-01T00:00:00Z') });
		const wrong = await poll(list);
		expect(wrong.warnings.join()).toContain("far ahead of the service's clock");
		Object.assign(list, now);
		expect(idsOf([...wrong.emitted, ...(await drained(list)).emitted])).toEqual(['c0']);
	});
});

describe('a second change within one timestamp', () => {
	const inProgress = { status: 'in_progress' };

	test('is emitted, because services that store whole seconds give both changes the same time', async () => {
		const list = await begun();
		list.put('walk', at(20), inProgress);
		expect((await poll(list)).emitted).toEqual([`walk@${at(20)}`]);
		list.put('walk', at(20), { status: 'completed' });
		expect((await poll(list)).emitted).toEqual([`walk@${at(20)}`]);
		expect((await poll(list)).emitted).toEqual([]);
	});

	test("doesn't count as created again", async () => {
		const created = { sortBy: 'created_at' } as const;
		const list = await begun(undefined, created);
		list.put('walk', at(20), inProgress);
		expect(await poll(list, created)).toMatchObject({ emitted: [`walk@${at(20)}`] });
		list.put('walk', at(20), { status: 'completed' });
		expect(await poll(list, created)).toMatchObject({ emitted: [] });
	});
});

describe('an inspection without updated_at', () => {
	const untimed = (list: PolledList, count = 1) => {
		list.respond = (query) =>
			query.page > 1
				? list.page(query)
				: [...list.page(query), ...Array.from({ length: count }, () => ({ id: 'draft' }))];
	};

	test.each([
		['the first poll', new PolledList()],
		['a poll', new PolledList().fill('old', 1, () => at(0))],
	])('doesn’t stop %s if one page holds everything, but logs a warning', async (_, list) => {
		await begun(list);
		untimed(list);
		list.put('new', at(20));
		const { emitted, warnings } = await poll(list);
		expect(emitted).toEqual([`new@${at(20)}`]);
		expect(warnings.join()).toContain('without a valid "updated_at": draft.');
	});
});

describe('Wait Until Unchanged', () => {
	const wait = { settle: 300 };
	/** Sets the time of both clocks. With `hasDate`, the service's responses have a `Date` header. */
	const clockAt = (list: PolledList, second: number, hasDate = true) => {
		list.seconds += Math.max(0, second - list.seconds);
		if (hasDate) list.date = at(second);
	};

	// The end of the wait limits the watermark (changePoller.ts). Without it, all inspections that were still changing
	// are missed.
	test.each([
		['with', true],
		['without', false],
	])(
		"%s an HTTP header Date, emits an inspection once it hasn't changed for that time",
		async (_, hasDate) => {
			const list = new PolledList().fill('old', 1, () => at(0));
			clockAt(list, 0, hasDate);
			await begun(list, wait);
			const polls: string[][] = [];
			for (const [second, change] of [
				[10, 10],
				[200, 190],
				[400, undefined],
				[489, undefined],
				[491, undefined],
				[900, undefined],
			] as const) {
				clockAt(list, second, hasDate);
				if (change !== undefined) list.put('walk', at(change));
				polls.push((await poll(list, wait)).emitted);
			}
			// If the HTTP header `Date` is missing, the wait only begins when the trigger first sees the change.
			const due = hasDate ? 4 : 5;
			const expected = polls.map((_emitted, index) => (index === due ? [`walk@${at(190)}`] : []));
			expect(polls).toEqual(expected);
		},
	);

	test('needs two requests per poll even with many changes within the wait', async () => {
		for (const hasDate of [true, false]) {
			const long = { settle: 1_800 };
			const list = new PolledList().fill('c', 2_000, (index) => at(index * 3.6));
			clockAt(list, 0, hasDate);
			const visible = (second: number) => {
				list.respond = (query) =>
					list.page({ ...query, updatedBefore: query.updatedBefore ?? at(second) });
			};
			visible(0);
			await poll(list, long);
			const emitted: string[] = [];
			const requests: number[] = [];
			for (let second = 60; second <= 7_200; second += 60) {
				clockAt(list, second, hasDate);
				visible(second);
				const polled = await poll(list, long);
				emitted.push(...polled.emitted);
				requests.push(polled.requests);
			}
			expect(Math.max(...requests.slice(40))).toBe(2);
			// In two hours, about 1,500 of the inspections become old enough. The first one isn't emitted, because it existed
			// before the trigger.
			expect(emitted.length).toBeGreaterThanOrEqual(1_498);
			expect(new Set(emitted).size).toBe(emitted.length);
		}
	});

	test("doesn't delay other inspections if one has a time in the future", async () => {
		const list = new PolledList().fill('old', 1, () => at(0));
		clockAt(list, 0);
		await begun(list, wait);
		list.put('ahead', at(5_000));
		list.put('walk', at(10));
		const seen: string[][] = [];
		for (const second of [310, 5_200, 5_301]) {
			clockAt(list, second);
			seen.push(idsOf((await poll(list, wait)).emitted));
		}
		expect(seen).toEqual([['walk'], [], ['ahead']]);
	});

	test('neither misses nor repeats an inspection if its length changes', async () => {
		const list = new PolledList().fill('old', 1, () => at(0));
		clockAt(list, 0);
		await begun(list);
		list.put('a', at(100));
		clockAt(list, 200);
		const emitted = [idsOf((await poll(list)).emitted)];
		list.put('b', at(250));
		for (const [second, settle] of [
			[300, 600],
			[849, 600],
			[850, 600],
		] as const) {
			clockAt(list, second);
			emitted.push(idsOf((await poll(list, { settle })).emitted));
		}
		list.put('c', at(851));
		clockAt(list, 900);
		emitted.push(idsOf((await poll(list, { settle: 600 })).emitted));
		emitted.push(idsOf((await poll(list, { settle: 30 })).emitted));
		expect(emitted).toEqual([['a'], [], [], ['b'], [], ['c']]);
	});

	test('uses the age since creation if the trigger starts with Created', async () => {
		const created = { ...wait, sortBy: 'created_at' as const };
		const list = new PolledList().fill('old', 1, () => at(0));
		clockAt(list, 0);
		await begun(list, created);
		list.put('walk', at(10), { updated_at: at(290) });
		clockAt(list, 310);
		expect(idsOf((await poll(list, created)).emitted)).toEqual(['walk']);
	});
});

test('a trigger with any history of changes emits each version that lasts once, with any page budget or clock', async () => {
	const change = fc.record({
		id: fc.integer({ min: 0, max: 30 }),
		gap: fc.constantFrom(0, 0, 0, 1, 20, 70),
		// A change is late by less than the lookback. According to docs/trigger.md, later ones are missed.
		behind: fc.constantFrom(0, 0, 0, 0, 50),
		ahead: fc.constantFrom(0, 0, 0, 61, 3_600, DAY * 400),
		polls: fc.boolean(),
		requests: fc.integer({ min: 2, max: 4 }),
		maxInspections: fc.integer({ min: 1, max: 20 }),
	});
	await fc.assert(
		fc.asyncProperty(
			fc.array(change, { maxLength: 60 }),
			// Times are only in the future if the trigger can detect that: by the `Date` header, or by n8n's clock if it's
			// right.
			fc.constantFrom(
				'no Date',
				'no Date, n8n’s clock is behind',
				'no Date, n8n’s clock is right',
				'Date',
				'Date, n8n’s clock is behind',
				'Date, and a time ahead from before',
			),
			async (changes, kind) => {
				const [hasDate, isRight] = [kind.startsWith('Date'), kind.endsWith('right')];
				const list = new PolledList().fill('old', hasDate ? 0 : 3, at);
				if (hasDate) list.date = at(9);
				if (kind.endsWith('behind')) list.today = at(-3 * DAY);
				if (isRight) list.today = at(9);
				if (kind.endsWith('before')) list.put('old', at(DAY));
				await begun(list);
				const emitted: string[] = [];
				let second = 100;
				for (const { id, gap, ahead, behind, polls, ...budget } of changes) {
					second += gap;
					list.seconds += gap;
					if (hasDate) list.date = at(second);
					if (isRight) list.today = at(second);
					const isDetectable = hasDate || (isRight && ahead > 600);
					const time = at(second - behind + (isDetectable ? ahead : 0));
					// A service never replaces a version with an older one.
					if (time > (list.lastUpdate(`c${id}`) ?? '')) list.put(`c${id}`, time);
					if (polls) emitted.push(...(await poll(list, budget)).emitted);
				}
				emitted.push(...(await drained(list, { maxInspections: 20 })).emitted);
				expect(new Set(emitted).size).toBe(emitted.length);
				expect(list.versions().filter((version) => !emitted.includes(version))).toEqual([]);
			},
		),
		{ numRuns: Number(process.env.SEEDS ?? 200) },
	);
});

describe('a poll', () => {
	test('requests only the inspections of the chosen team', async () => {
		const list = await begun(undefined, { teamId: 'north' });
		list.put('c', at(10));
		await poll(list, { teamId: 'north' });
		expect(new Set(list.queries.map(({ teamId }) => teamId))).toEqual(new Set(['north']));
	});

	test('emits a change without an item only after it has changed again', async () => {
		const list = await begun();
		list.put('c', at(10), { isEmpty: true });
		expect((await drained(list, { oncePerInspection: true })).emitted).toEqual([]);
		list.put('c', at(20));
		expect((await poll(list, { oncePerInspection: true })).emitted).toEqual([`c@${at(20)}`]);
	});

	test('requests one page after the newest inspection if that page reached Max Items', async () => {
		const list = unread(300, at);
		expect((await poll(list, { maxInspections: 100 })).requests).toBe(2);
	});

	test('continues with the first change that the previous poll had no time to render', async () => {
		const list = unread(5, (index) => at(100 * index));
		const { emitted } = await poll(list, { rendered: 2 });
		expect(idsOf(emitted)).toEqual(['c0', 'c1']);
		const before = list.queries.length;
		const next = await poll(list);
		expect(idsOf(next.emitted)).toEqual(['c2', 'c3', 'c4']);
		const [page] = list.queries.slice(before).filter(({ sortOrder }) => sortOrder === 'asc');
		expect(page?.updatedAfter).toBe(at(200));
	});
});
