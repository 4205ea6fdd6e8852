import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
	CursorScan,
	cursorFrom,
	type ScanQuestion,
} from '../../nodes/InspectionService/domain/cursor/cursorScan.ts';
import {
	EVERYTHING,
	type CursorScope,
} from '../../nodes/InspectionService/domain/cursor/cursorScope.ts';
import {
	cursorOf,
	cursorToJson,
	type Cursor,
} from '../../nodes/InspectionService/domain/cursor/cursorState.ts';
import type { InspectionRecord } from '../../nodes/InspectionService/domain/list/inspectionPage.ts';
import type { InspectionPageQuery } from '../../nodes/InspectionService/domain/list/inspectionQuery.ts';
import { timestampOf } from '../../nodes/InspectionService/domain/timestamp.ts';
import { QUESTION } from './scanQuestion.mts';

type Row = InspectionRecord & { updated_at: string };

/** A service without surprises, which notes what it is asked. */
class PlainService {
	rows: Row[] = [];
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
		return this.rows
			.filter(({ updated_at }) => updated_at >= (query.updatedAfter ?? '').replace('Z', ''))
			.filter(({ status }) => !query.status || query.status.some((wanted) => wanted === status))
			.sort((a, b) => (a.updated_at < b.updated_at ? -sign : sign))
			.slice((query.page - 1) * query.pageSize, query.page * query.pageSize);
	}
}

interface Polled {
	emitted: string[];
	cursor: Cursor;
	requests: number;
	hasMore: boolean;
	warnings: string[];
}

/** A poll, the cursor taken through its text form as n8n does. */
function poll(
	service: PlainService,
	cursor: Cursor | undefined,
	question: Partial<ScanQuestion> = {},
	pages = Infinity,
): Polled {
	const scan = new CursorScan(stored(cursor), { ...QUESTION, ...question });
	const emitted: string[] = [];
	const before = service.queries.length;
	let left = pages;
	for (let query = scan.query(); query !== undefined && left > 0; query = scan.query()) {
		const found = scan.receive(service.list(query));
		emitted.push(...found.map(({ inspection, stamp }) => `${inspection.id}@${stamp}`));
		scan.confirm(found.length);
		left -= 1;
	}
	return { emitted, requests: service.queries.length - before, ...scan.conclude() };
}

function stored(cursor: Cursor | undefined): Cursor | undefined {
	if (cursor === undefined) return undefined;
	const text = JSON.stringify(cursorToJson(cursor));
	const parsed = cursorOf(JSON.parse(text));
	expect(JSON.stringify(parsed && cursorToJson(parsed))).toBe(text);
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
	test('emits nothing and remembers what the lookback window holds', () => {
		const service = serviceWith(5, (index) => at(100 + index * 20));
		const first = poll(service, undefined);
		expect(first.emitted).toEqual([]);
		const second = poll(service, first.cursor);
		expect(second.emitted).toEqual([]);
	});

	test('leaves what comes while it reads to the next one: n8n may lose what a first poll emits', () => {
		const service = serviceWith(5, (index) => at(100 + index));
		const list = service.list.bind(service);
		service.list = (query) => {
			if (query.sortOrder === 'asc') service.put('new', at(110));
			return list(query);
		};
		const first = poll(service, undefined);
		expect(first.emitted).toEqual([]);
		expect(poll(service, first.cursor).emitted).toEqual([`new@${at(110)}`]);
	});

	test('a change that appears late but within the lookback is emitted', () => {
		const service = serviceWith(5, (index) => at(100 + index * 20));
		const { cursor } = poll(service, undefined);
		service.put('late', at(125));
		expect(poll(service, cursor).emitted).toEqual([`late@${at(125)}`]);
	});

	test('an organisation without inspections emits its first', () => {
		const service = new PlainService();
		const first = poll(service, undefined);
		expect(first.requests).toBe(1);
		service.put('first', at(10));
		expect(poll(service, first.cursor).emitted).toEqual([`first@${at(10)}`]);
	});

	test('startFrom emits what changed since then, and not what changed before', () => {
		const service = serviceWith(5, (index) => at(100 + index * 20));
		const startFrom = timestampOf(at(140));
		if (startFrom === undefined) throw new Error('no timestamp');
		const first = poll(service, cursorFrom(startFrom, EVERYTHING));
		expect(first.emitted).toEqual([`i2@${at(140)}`, `i3@${at(160)}`, `i4@${at(180)}`]);
		expect(poll(service, first.cursor).emitted).toEqual([]);
	});
});

describe('other filters', () => {
	const NEW: CursorScope = { teamId: undefined, status: ['new'] };
	const COMPLETED: CursorScope = { teamId: undefined, status: ['completed'] };
	const BOTH: CursorScope = { teamId: undefined, status: ['new', 'completed'] };

	function serviceOfTwo(): PlainService {
		const service = new PlainService();
		for (let index = 0; index < 300; index++) {
			service.put(`c${index}`, at(100 + index * 5), 'completed');
			if (index % 60 === 0) service.put(`n${index}`, at(100 + index * 5, '.5'));
		}
		return service;
	}

	test('begin with what changes from then on: no history is emitted', () => {
		const service = serviceOfTwo();
		let { cursor } = poll(service, cursorFrom(beginning(), NEW), { scope: NEW });
		const changed = poll(service, cursor, { scope: COMPLETED });
		expect(changed.emitted).toEqual([]);
		service.put('c9', at(2000), 'completed');
		service.put('late', at(1590), 'completed');
		({ cursor } = changed);
		expect(poll(service, cursor, { scope: COMPLETED }).emitted).toEqual([
			`late@${at(1590)}`,
			`c9@${at(2000)}`,
		]);
	});

	test('what passes both is emitted as if nothing had happened', () => {
		const service = serviceOfTwo();
		const { cursor } = poll(service, cursorFrom(beginning(), NEW), { scope: NEW });
		service.put('fresh', at(1700));
		service.put('other', at(1701), 'completed');
		const wider = poll(service, cursor, { scope: BOTH });
		expect(wider.emitted).toEqual([`fresh@${at(1700)}`]);
		service.put('other', at(1800), 'completed');
		const narrower = poll(service, wider.cursor, { scope: COMPLETED });
		expect(narrower.emitted).toEqual([`other@${at(1800)}`]);
		expect(poll(service, narrower.cursor, { scope: COMPLETED }).emitted).toEqual([]);
	});

	test('a backlog under way is drained first', () => {
		const service = serviceOfTwo();
		const first = poll(service, cursorFrom(beginning(), COMPLETED), {
			scope: COMPLETED,
			maxItems: 50,
		});
		let { cursor } = first;
		const emitted = [...first.emitted];
		for (let hasMore = true; hasMore; ) {
			const result: Polled = poll(service, cursor, { scope: BOTH, maxItems: 50 });
			emitted.push(...result.emitted);
			({ cursor, hasMore } = result);
		}
		expect(emitted.length).toBe(300);
		expect(emitted.every((entry) => entry.startsWith('c'))).toBe(true);
		service.put('n0', at(2000));
		expect(poll(service, cursor, { scope: BOTH }).emitted).toEqual([`n0@${at(2000)}`]);
	});
});

test('an idle poll is one request and changes nothing', () => {
	const service = serviceWith(50, (index) => at(index * 10));
	const { cursor } = poll(service, undefined);
	service.put('new', at(600));
	const second = poll(service, cursor);
	const idle = poll(service, second.cursor);
	expect(idle.requests).toBe(1);
	expect(cursorToJson(idle.cursor)).toEqual(cursorToJson(second.cursor));
	expect(service.queries.at(-1)?.updatedAfter).toBe(at(540));
});

test('a row that is on a page twice is emitted once', () => {
	const service = serviceWith(1, () => at(10));
	const { cursor } = poll(service, undefined);
	service.put('twice', at(20));
	service.rows.push(...service.rows.slice(-1));
	const second = poll(service, cursor);
	expect(second.emitted).toEqual([`twice@${at(20)}`]);
	expect(poll(service, second.cursor).emitted).toEqual([]);
});

test('seven fractional digits are told apart', () => {
	const service = serviceWith(1, () => at(10));
	const { cursor } = poll(service, undefined);
	service.put('a', at(20, '.8660001'));
	const second = poll(service, cursor);
	service.put('a', at(20, '.8660002'));
	const third = poll(service, second.cursor);
	expect(second.emitted).toEqual([`a@${at(20, '.8660001')}`]);
	expect(third.emitted).toEqual([`a@${at(20, '.8660002')}`]);
});

test('a backlog of 10,000 drains in order, in polls of maxItems, with a small state', () => {
	const service = serviceWith(10_000, (index) =>
		new Date(Date.UTC(2026, 0, 1) + index * 7_000).toISOString(),
	);
	let cursor: Cursor | undefined = cursorFrom(beginning(), EVERYTHING);
	const emitted: string[] = [];
	let polls = 0;
	for (let hasMore = true; hasMore; polls++) {
		const result: Polled = poll(service, cursor, { maxItems: 500 });
		expect(result.emitted.length).toBeLessThanOrEqual(500);
		expect(JSON.stringify(cursorToJson(result.cursor)).length).toBeLessThan(4_000);
		emitted.push(...result.emitted);
		({ cursor, hasMore } = result);
	}
	const stamps = emitted.map((entry) => entry.split('@')[1] ?? '');
	expect(new Set(emitted).size).toBe(10_000);
	expect(stamps).toEqual([...stamps].sort());
	expect(polls).toBe(20);
	// 100 pages, and per poll one question for the newest and at most one page read twice.
	expect(service.queries.length).toBeLessThan(100 + 3 * 20);
});

test('10,000 changed in one instant: every one once, the state bounded', () => {
	const service = serviceWith(10_000, () => at(30, '.5'));
	let cursor: Cursor | undefined = cursorFrom(beginning(), EVERYTHING);
	const emitted: string[] = [];
	for (let hasMore = true; hasMore; ) {
		const result: Polled = poll(service, cursor, { maxItems: 1_000 });
		expect(result.warnings).toEqual([]);
		expect(JSON.stringify(cursorToJson(result.cursor)).length).toBeLessThan(200_000);
		emitted.push(...result.emitted);
		({ cursor, hasMore } = result);
	}
	expect(emitted.length).toBe(10_000);
	expect(new Set(emitted).size).toBe(10_000);
	service.put('next', at(200));
	const after = poll(service, cursor);
	const rest = poll(service, after.cursor);
	expect(after.emitted).toEqual([`next@${at(200)}`]);
	expect(JSON.stringify(cursorToJson(rest.cursor)).length).toBeLessThan(1_000);
});

test('late commits are found although n8n keeps no poll that emits nothing', () => {
	const service = serviceWith(1, () => at(100));
	const first = poll(service, undefined);
	for (let index = 0; index < 130; index++) service.put(`tie${index}`, at(130));
	const { cursor } = poll(service, first.cursor, { maxItems: 130 });
	expect(cursor.place).not.toBeNull();
	expect(poll(service, cursor).emitted).toEqual([]);
	service.put('late', at(110));
	expect(poll(service, cursor).emitted).toEqual([`late@${at(110)}`]);
});

test('polls that end with their first page of news go on behind it', () => {
	const service = new PlainService();
	let { cursor } = poll(service, undefined);
	for (let index = 0; index < 1_500; index++) service.put(`tie${index}`, at(130));
	const before = service.queries.length;
	const emitted: string[] = [];
	for (let hasMore = true; hasMore; ) {
		const result: Polled = poll(service, cursor, { maxItems: 100 });
		emitted.push(...result.emitted);
		({ cursor, hasMore } = result);
	}
	expect(new Set(emitted).size).toBe(1_500);
	expect(emitted.length).toBe(1_500);
	// 15 pages, three times; and per poll one question for the newest and one page read again.
	expect(service.queries.length - before).toBeLessThan(3 * 15 + 2 * 17);
});

test('one page per poll still gets through a second that holds many pages', () => {
	const service = serviceWith(950, (index) => at(30, `.${String(index).padStart(3, '0')}`));
	let cursor: Cursor | undefined = cursorFrom(beginning(), EVERYTHING);
	const emitted: string[] = [];
	for (let polls = 0; polls < 40; polls++) {
		const result: Polled = poll(service, cursor, {}, 2);
		emitted.push(...result.emitted);
		({ cursor } = result);
	}
	expect(emitted.length).toBe(950);
	expect(new Set(emitted).size).toBe(950);
});

describe('more in one instant than can be remembered', () => {
	const few = { maxItems: 100, limits: { seenCharacters: 1_500 } };

	/** Polls until nothing is left, and a few times more. */
	function drained(service: PlainService, from: Cursor | undefined, question = few) {
		let cursor = from;
		const emitted: string[] = [];
		const warnings: string[] = [];
		for (let polls = 0, quiet = 0; quiet < 3 && polls < 100; polls++) {
			const result = poll(service, cursor, question);
			emitted.push(...result.emitted);
			warnings.push(...result.warnings);
			({ cursor } = result);
			quiet = result.hasMore ? 0 : quiet + 1;
		}
		return { emitted, warnings, cursor };
	}

	test('newer data does not send the reading back to what was forgotten', () => {
		const service = serviceWith(1, () => at(100));
		const { cursor } = poll(service, undefined);
		for (let index = 0; index < 350; index++) service.put(`tie${index}`, at(130));
		const first = poll(service, cursor, few);
		const second = poll(service, first.cursor, few);
		expect(second.cursor.place?.once).toBe(true);
		service.put('next', at(300));
		const rest = drained(service, second.cursor);
		const emitted = [...first.emitted, ...second.emitted, ...rest.emitted];
		expect(emitted.length).toBe(351);
		expect(new Set(emitted).size).toBe(351);
	});

	test('pages that end with the instant leave nothing to be read twice', () => {
		const service = serviceWith(400, () => at(30));
		const { emitted, warnings } = drained(service, cursorFrom(beginning(), EVERYTHING));
		expect(emitted.length).toBe(400);
		expect(new Set(emitted).size).toBe(400);
		expect(warnings.length).toBeGreaterThan(0);
	});

	test('more of the same second, behind a poll that ended within it', () => {
		const service = serviceWith(1, () => at(0));
		const { cursor } = poll(service, undefined, few);
		for (let index = 0; index < 400; index++) service.put(`first${index}`, at(30, '.1'));
		const rest = drained(service, cursor);
		for (let index = 0; index < 150; index++) service.put(`second${index}`, at(30, '.2'));
		const { emitted } = drained(service, rest.cursor);
		expect(emitted.length).toBe(150);
		expect(new Set(emitted).size).toBe(150);
	});

	test('any imports, any page budget: each is emitted once', () => {
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
		fc.assert(
			fc.property(fc.array(instant, { maxLength: 6 }), (instants) => {
				const service = serviceWith(3, (index) => at(index));
				let { cursor } = poll(service, undefined, few);
				const emitted: string[] = [];
				let second = 10.05;
				let created = 0;
				for (const { count, gap, polls, pages, maxItems } of instants) {
					second += gap;
					for (let left = count; left > 0; left--) service.put(`c${created++}`, moment(second));
					for (let left = polls; left > 0; left--) {
						const result = poll(service, cursor, { ...few, maxItems }, pages);
						emitted.push(...result.emitted);
						({ cursor } = result);
					}
				}
				emitted.push(...drained(service, cursor).emitted);
				expect(emitted.length).toBe(created);
				expect(new Set(emitted).size).toBe(created);
			}),
			{
				numRuns: 200,
				examples: [
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
});

test('once per inspection: a later version stays unsaid, and forgetting is said', () => {
	const service = serviceWith(1, () => at(0));
	const once = { oncePerInspection: true, limits: { emittedMarks: 3 } };
	let { cursor } = poll(service, undefined, once);
	const emitted: string[] = [];
	const warnings: string[] = [];
	for (const [second, id] of ['a', 'b', 'a', 'c', 'd', 'b', 'a'].entries()) {
		service.put(id, at(100 + second * 70));
		const result = poll(service, cursor, once);
		({ cursor } = result);
		emitted.push(...result.emitted.map((entry) => entry.split('@')[0] ?? ''));
		warnings.push(...result.warnings);
	}
	expect(emitted).toEqual(['a', 'b', 'c', 'd', 'a']);
	expect(warnings.length).toBeGreaterThan(0);
});

test('what was not confirmed is found again', () => {
	const service = serviceWith(10, (index) => at(100 + index));
	const scan = new CursorScan(cursorFrom(beginning(), EVERYTHING), QUESTION);
	for (const confirmed of [0, 4]) {
		const query = scan.query();
		if (query === undefined) throw new Error('nothing asked');
		scan.receive(service.list(query));
		scan.confirm(confirmed);
	}
	const rest = poll(service, scan.conclude().cursor);
	expect(rest.emitted.map((entry) => entry.split('@')[0])).toEqual([
		'i4',
		'i5',
		'i6',
		'i7',
		'i8',
		'i9',
	]);
});

test('a service that ignores order or filter is an error, not a loss', () => {
	const service = serviceWith(5, (index) => at(100 + index * 20));
	const { cursor } = poll(service, undefined);
	const scan = new CursorScan(cursor, QUESTION);
	scan.query();
	expect(() =>
		scan.receive([
			{ id: 'a', updated_at: at(190) },
			{ id: 'b', updated_at: at(150) },
		]),
	).toThrow(/did not sort/);
	expect(() => scan.receive([{ id: 'a', updated_at: at(3) }])).toThrow(/ignored updated_after/);
	expect(() => scan.receive([{ id: 'a' }])).toThrow(/updated_at/);
});

test('a service that ignores the page is an error, not a poll without an end', () => {
	const service = serviceWith(300, () => at(100));
	const scan = new CursorScan(cursorFrom(beginning(), EVERYTHING), QUESTION);
	const ask = () => {
		const query = scan.query();
		if (query === undefined) throw new Error('nothing asked');
		const found = scan.receive(service.list({ ...query, page: 1 }));
		scan.confirm(found.length);
	};
	expect(() => {
		for (let requests = 0; requests < 10; requests++) ask();
	}).toThrow(/ignore the parameter page/);
});

test('any history, any page budget: each version that stays is emitted once', () => {
	const change = fc.record({
		id: fc.integer({ min: 0, max: 30 }),
		gap: fc.constantFrom(0, 0, 0, 1, 20, 70),
		polls: fc.boolean(),
		pages: fc.integer({ min: 2, max: 4 }),
		maxItems: fc.integer({ min: 1, max: 20 }),
	});
	fc.assert(
		fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
			const service = serviceWith(3, (index) => at(index));
			let { cursor } = poll(service, undefined);
			const emitted: string[] = [];
			const run = (pages: number, maxItems: number) => {
				const result = poll(service, cursor, { maxItems }, pages);
				emitted.push(...result.emitted);
				({ cursor } = result);
				return result.hasMore;
			};
			let second = 10;
			for (const { id, gap, polls, pages, maxItems } of changes) {
				second += gap;
				service.put(`c${id}`, moment(second));
				if (polls) run(pages, maxItems);
			}
			for (let left = 200; run(Infinity, 20) && left > 0; left--);
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
