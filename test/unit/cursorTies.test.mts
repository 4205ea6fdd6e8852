import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { CursorScan, cursorFrom } from '../../nodes/InspectionService/domain/cursor/cursorScan.ts';
import { EVERYTHING } from '../../nodes/InspectionService/domain/cursor/cursorScope.ts';
import {
	cursorOf,
	cursorToJson,
	type Cursor,
} from '../../nodes/InspectionService/domain/cursor/cursorState.ts';
import { PagePass } from '../../nodes/InspectionService/domain/cursor/pagePass.ts';
import type { InspectionRecord } from '../../nodes/InspectionService/domain/list/inspectionPage.ts';
import type { InspectionPageQuery } from '../../nodes/InspectionService/domain/list/inspectionQuery.ts';
import { timestampOf } from '../../nodes/InspectionService/domain/timestamp.ts';
import { QUESTION } from './scanQuestion.mts';

const INSTANT = '2026-03-01T08:00:00Z';
const NEXT_DAY = '2026-03-02T08:00:00Z';

type Ties = 'another order for every request' | 'another order for every page';

/** Many inspections of one instant, and one of the next day. */
class TiedService {
	requests = 0;
	private readonly rows: InspectionRecord[];
	private readonly ties: Ties;
	private readonly seed: number;

	constructor(count: number, ties: Ties, seed: number) {
		this.ties = ties;
		this.seed = seed;
		this.rows = Array.from({ length: count }, (_, index) => ({
			id: `i${index}`,
			updated_at: INSTANT,
		}));
		this.rows.push({ id: 'later', updated_at: NEXT_DAY });
	}

	list(query: InspectionPageQuery): InspectionRecord[] {
		this.requests += 1;
		const salt = this.ties === 'another order for every page' ? query.page : this.requests;
		const key = ({ id, updated_at }: InspectionRecord) =>
			`${String(updated_at)} ${createHash('md5').update(`${id}/${this.seed}/${salt}`).digest('hex')}`;
		const sorted = this.rows
			.filter(({ updated_at }) => String(updated_at) >= (query.updatedAfter ?? ''))
			.map((row) => ({ row, key: key(row) }))
			.sort((a, b) => (a.key < b.key ? -1 : 1))
			.map(({ row }) => row);
		if (query.sortOrder === 'desc') sorted.reverse();
		return sorted.slice((query.page - 1) * query.pageSize, query.page * query.pageSize);
	}
}

/** Polls that have time for `pages` each, until nothing is left. */
function drained(service: TiedService, pages = Infinity) {
	const emitted: string[] = [];
	const warnings: string[] = [];
	const beginning = timestampOf('2020-01-01T00:00:00Z');
	let cursor: Cursor | undefined = beginning && cursorFrom(beginning, EVERYTHING);
	for (let polls = 0, quiet = 0; polls < 200 && quiet < 3; polls++) {
		const scan = new CursorScan(cursor, QUESTION);
		const before = emitted.length;
		let left = pages;
		for (let query = scan.query(); query !== undefined && left > 0; query = scan.query()) {
			if (query.sortOrder === 'asc') left -= 1;
			const found = scan.receive(service.list(query));
			emitted.push(...found.map(({ inspection }) => inspection.id));
			scan.confirm(found.length);
		}
		const result = scan.conclude();
		cursor = cursorOf(JSON.parse(JSON.stringify(cursorToJson(result.cursor))));
		warnings.push(...result.warnings);
		quiet = !result.hasMore && emitted.length === before ? quiet + 1 : 0;
	}
	return { emitted, warnings };
}

describe('more inspections of one instant than a page', () => {
	test.each([150, 250, 400])('%i in another order for every request: each once', (count) => {
		for (let seed = 0; seed < 40; seed++) {
			const service = new TiedService(count, 'another order for every request', seed);
			const { emitted, warnings } = drained(service);
			expect(new Set(emitted).size).toBe(count + 1);
			expect(emitted.length).toBe(count + 1);
			expect(warnings).toEqual([]);
		}
	});

	test('in another order for every page: what no page shows is said to be missed, and the rest goes on', () => {
		const service = new TiedService(250, 'another order for every page', 1);
		const { emitted, warnings } = drained(service);
		const missed = 251 - emitted.length;
		expect(missed).toBeGreaterThan(0);
		expect(new Set(emitted).size).toBe(emitted.length);
		expect(emitted).toContain('later');
		expect(warnings.join()).toContain(`of 250 inspections in the second from ${INSTANT} on`);
		expect(warnings.join()).toContain(`it has shown ${250 - missed}`);
		expect(service.requests).toBeLessThan(150);
	});
});

describe('a pass over the pages of one second', () => {
	const page = (...rows: string[]) => ({ rows, held: rows.length });

	test('is complete where nothing was unseen and no row came twice', () => {
		const pass = PagePass.begin();
		pass.count(page('a', 'b'));
		pass.count(page('c'));
		expect(pass.isComplete(3)).toBe(true);
		pass.foundOne();
		expect(pass.isComplete(3)).toBe(false);
	});

	test('with a row twice has to be followed by another one without anything unseen', () => {
		const first = PagePass.begin();
		first.count(page('a', 'b'));
		first.count(page('b', 'c'));
		expect(first.isComplete(4)).toBe(false);
		const second = first.next();
		second.count(page('a', 'b'));
		expect(second.isComplete(4)).toBe(true);
	});

	test('with a row twice is not complete while fewer are known than the pages held', () => {
		let pass = PagePass.begin();
		pass.count(page('a', 'b'));
		pass.count(page('b', 'c'));
		for (let passes = 1; passes < 8; passes++) {
			expect(pass.isHopeless).toBe(false);
			pass = pass.next();
			pass.count(page('b', passes % 2 === 0 ? 'c' : 'a'));
			expect(pass.held).toBe(4);
			expect(pass.isComplete(3)).toBe(false);
		}
		expect(pass.isHopeless).toBe(true);
	});
});
