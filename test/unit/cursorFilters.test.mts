import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
	CursorScan,
	cursorFrom,
	type ScanQuestion,
} from '../../nodes/InspectionService/domain/cursor/cursorScan.ts';
import type { CursorScope } from '../../nodes/InspectionService/domain/cursor/cursorScope.ts';
import {
	cursorOf,
	cursorToJson,
	type Cursor,
} from '../../nodes/InspectionService/domain/cursor/cursorState.ts';
import type { InspectionRecord } from '../../nodes/InspectionService/domain/list/inspectionPage.ts';
import type {
	InspectionPageQuery,
	Status,
} from '../../nodes/InspectionService/domain/list/inspectionQuery.ts';
import { timestampOf } from '../../nodes/InspectionService/domain/timestamp.ts';

interface Row extends InspectionRecord {
	status: Status;
	updated_at: string;
}

const moment = (second: number) => new Date(Date.UTC(2026, 2, 1, 10) + second * 1000).toISOString();
const versionOf = ({ id, updated_at }: Row) => `${id}@${updated_at}`;
const isIn = (scope: readonly Status[], status: Status) =>
	scope.length === 0 || scope.includes(status);

class Service {
	readonly rows = new Map<string, Row>();

	put(id: string, second: number, status: Status): Row {
		const row = { id, status, updated_at: moment(second), created_at: moment(second) };
		this.rows.set(id, row);
		return row;
	}

	list(query: InspectionPageQuery): Row[] {
		const sign = query.sortOrder === 'asc' ? 1 : -1;
		return [...this.rows.values()]
			.filter(({ updated_at }) => updated_at >= (query.updatedAfter ?? '').replace('Z', ''))
			.filter(({ status }) => isIn(query.status ?? [], status))
			.sort((a, b) => compare(a.updated_at, b.updated_at) * sign || compare(a.id, b.id))
			.slice((query.page - 1) * query.pageSize, query.page * query.pageSize);
	}
}

function compare(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}

/** A trigger whose filters are edited while it runs. */
class Trigger {
	readonly emitted: string[] = [];
	cursor: Cursor | undefined;
	private readonly service: Service;

	constructor(service: Service, cursor?: Cursor) {
		this.service = service;
		this.cursor = cursor;
	}

	/** One poll that has time for `pages`; true where there is more. The cursor is kept as text, as n8n does. */
	poll(status: readonly Status[], limits: { pages?: number; maxItems?: number } = {}): boolean {
		const { pages = Infinity, maxItems = 500 } = limits;
		const question: ScanQuestion = {
			event: 'updated',
			scope: scopeOf(status),
			includes: [],
			lookback: 60,
			maxItems,
			oncePerInspection: false,
			matches: () => true,
		};
		const scan = new CursorScan(this.cursor, question);
		let left = pages;
		for (let query = scan.query(); query !== undefined && left > 0; query = scan.query()) {
			const found = scan.receive(this.service.list(query));
			this.emitted.push(...found.map(({ inspection, stamp }) => `${inspection.id}@${stamp}`));
			scan.confirm(found.length);
			if (query.sortOrder === 'asc') left -= 1;
		}
		const { cursor, hasMore } = scan.conclude();
		const text = JSON.stringify(cursorToJson(cursor));
		this.cursor = cursorOf(JSON.parse(text));
		expect(this.cursor && JSON.stringify(cursorToJson(this.cursor))).toBe(text);
		return hasMore;
	}

	drain(status: readonly Status[]): void {
		for (let left = 300; this.poll(status) && left > 0; left--);
	}
}

function scopeOf(status: readonly Status[]): CursorScope {
	return { teamId: undefined, status };
}

/** What the trigger emitted, in the notation of `versionOf`. */
function stampedLike(emitted: readonly string[]): Set<string> {
	return new Set(emitted.map((entry) => entry.replace(/(\.\d{3})?Z$/, '')));
}
const bare = (row: Row) => versionOf(row).replace(/(\.\d{3})?Z$/, '');

test('filters widened during a backlog count from their first poll on, while it is drained', () => {
	const service = new Service();
	const beginning = timestampOf('2020-01-01T00:00:00Z');
	const trigger = new Trigger(service, beginning && cursorFrom(beginning, scopeOf(['new'])));
	for (let index = 0; index < 1_000; index++) service.put(`n${index}`, index * 10, 'new');
	service.put('history', 9_995, 'completed');
	for (let polls = 0; polls < 2; polls++) trigger.poll(['new'], { maxItems: 100 });
	const done: Row[] = [];
	for (let minute = 0; minute < 25; minute++) {
		trigger.poll(['new', 'completed'], { maxItems: 100 });
		done.push(service.put(`c${minute}`, 20_000 + minute * 60, 'completed'));
	}
	trigger.drain(['new', 'completed']);
	const emitted = stampedLike(trigger.emitted);
	expect(done.filter((row) => !emitted.has(bare(row)))).toEqual([]);
	expect(trigger.emitted.length).toBe(1_025);
	expect(emitted.size).toBe(1_025);
});

const STATUS_SETS: readonly (readonly Status[])[] = [
	[],
	['new'],
	['completed'],
	['new', 'completed'],
	['in_progress', 'completed'],
	['canceled'],
];

const step = fc.record({
	count: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 90, max: 220 })),
	/** Seconds between two of them: 0 is one instant. */
	spread: fc.constantFrom(0, 1, 20),
	gap: fc.constantFrom(1, 30, 100, 500),
	updates: fc.boolean(),
	polls: fc.integer({ min: 1, max: 3 }),
	pages: fc.constantFrom(1, 2, 3, Infinity),
	maxItems: fc.constantFrom(5, 60, 500),
	scope: fc.option(fc.constantFrom(...STATUS_SETS), { nil: undefined }),
});

interface Made {
	row: Row;
	/** The filters of the last poll before it, and of all polls behind it. */
	filters: (readonly Status[])[];
}

test('any edits, any page budget: what counted all the time is emitted once, history never', () => {
	const STATUSES: readonly Status[] = ['new', 'in_progress', 'completed', 'canceled'];
	fc.assert(
		fc.property(
			fc.array(step, { minLength: 1, maxLength: 8 }),
			fc.integer({ min: 0, max: 250 }),
			fc.infiniteStream(fc.nat(997)),
			(steps, population, chance) => {
				const service = new Service();
				const trigger = new Trigger(service);
				const random = (below: number) => chance.next().value % below;
				const status = () => STATUSES[random(4)] ?? 'new';
				let second = 0;
				for (let index = 0; index < population; index++)
					service.put(`p${index}`, second++, status());
				let filter: readonly Status[] = [];
				const made: Made[] = [];
				let created = 0;
				trigger.poll(filter);
				for (const { count, spread, gap, updates, polls, pages, maxItems, scope } of steps) {
					second += gap;
					for (let left = count; left > 0; left--) {
						// Each at most once: two versions of one instant are one.
						const old = updates && left % 2 === 0 && left < population ? `p${left}` : undefined;
						const row = service.put(old ?? `c${created++}`, second, status());
						made.push({ row, filters: [filter] });
						second += spread;
					}
					filter = scope ?? filter;
					for (const { filters } of made) filters.push(filter);
					for (let left = polls; left > 0; left--) trigger.poll(filter, { pages, maxItems });
				}
				trigger.drain(filter);
				const emitted = stampedLike(trigger.emitted);
				expect(emitted.size).toBe(trigger.emitted.length);
				for (const { row, filters } of made) {
					const isCurrent = service.rows.get(row.id) === row;
					const counted = filters.every((scope) => isIn(scope, row.status));
					if (counted && isCurrent) expect(emitted).toContain(bare(row));
					if (!filters.some((scope) => isIn(scope, row.status)))
						expect(emitted).not.toContain(bare(row));
				}
			},
		),
		{ numRuns: Number(process.env.FUZZ_RUNS ?? 60) },
	);
});
