import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
	CursorScan,
	cursorFrom,
	type ScanQuestion,
} from '../../nodes/InspectionService/domain/cursorScan.ts';
import {
	cursorOf,
	cursorToJson,
	type Cursor,
} from '../../nodes/InspectionService/domain/cursorState.ts';
import type { InspectionRecord } from '../../nodes/InspectionService/domain/inspectionPage.ts';
import type { InspectionPageQuery } from '../../nodes/InspectionService/domain/inspectionQuery.ts';
import { timestampOf } from '../../nodes/InspectionService/domain/timestamp.ts';

const QUESTION: ScanQuestion = {
	event: 'updated',
	filter: {},
	includes: [],
	lookback: 60,
	maxItems: 500,
	oncePerInspection: false,
	matches: () => true,
};

type Row = InspectionRecord & { updated_at: string };

/** A service without surprises, which notes what it is asked. */
class PlainService {
	rows: Row[] = [];
	queries: InspectionPageQuery[] = [];

	put(id: string, updated_at: string): void {
		this.rows = [
			...this.rows.filter((row) => row.id !== id),
			{ id, updated_at, created_at: updated_at },
		];
	}

	list(query: InspectionPageQuery): Row[] {
		this.queries.push(query);
		const sign = query.sortOrder === 'asc' ? 1 : -1;
		return this.rows
			.filter(({ updated_at }) => updated_at >= (query.updatedAfter ?? '').replace('Z', ''))
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

	test('the beginning does not depend on filters: another filter later emits no history', () => {
		const service = serviceWith(5, (index) => at(100 + index * 20));
		poll(service, undefined, { filter: { teamId: 'a' } });
		expect(service.queries.some(({ teamId }) => teamId !== undefined)).toBe(false);
	});

	test('startFrom emits what changed since then, and not what changed before', () => {
		const service = serviceWith(5, (index) => at(100 + index * 20));
		const startFrom = timestampOf(at(140));
		if (startFrom === undefined) throw new Error('no timestamp');
		const first = poll(service, cursorFrom(startFrom));
		expect(first.emitted).toEqual([`i2@${at(140)}`, `i3@${at(160)}`, `i4@${at(180)}`]);
		expect(poll(service, first.cursor).emitted).toEqual([]);
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
	let cursor: Cursor | undefined = cursorFrom(beginning());
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
	let cursor: Cursor | undefined = cursorFrom(beginning());
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

test('one page per poll still gets through a second that holds many pages', () => {
	const service = serviceWith(950, (index) => at(30, `.${String(index).padStart(3, '0')}`));
	let cursor: Cursor | undefined = cursorFrom(beginning());
	const emitted: string[] = [];
	for (let polls = 0; polls < 40; polls++) {
		const result: Polled = poll(service, cursor, {}, 2);
		emitted.push(...result.emitted);
		({ cursor } = result);
	}
	expect(emitted.length).toBe(950);
	expect(new Set(emitted).size).toBe(950);
});

test('once per inspection: a later version stays unsaid, and forgetting is said', () => {
	const service = serviceWith(1, () => at(0));
	const once = { oncePerInspection: true, maxEmittedMarks: 3 };
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
	const scan = new CursorScan(cursorFrom(beginning()), QUESTION);
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
