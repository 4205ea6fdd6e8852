import { describe, expect, test } from 'vitest';

import {
	EVERYTHING,
	type CursorScope,
} from '../../nodes/InspectionService/domain/cursor/cursorScope.ts';
import type { StoredCursor } from '../../nodes/InspectionService/domain/cursor/cursorStore.ts';
import type { InspectionRecord } from '../../nodes/InspectionService/domain/list/inspectionPage.ts';
import type { InspectionPageQuery } from '../../nodes/InspectionService/domain/list/inspectionQuery.ts';
import { timestampOf } from '../../nodes/InspectionService/domain/timestamp.ts';
import {
	runStoredPoll,
	type StoredPollOutcome,
} from '../../nodes/InspectionService/trigger/storedPoll.ts';
import { unkeptCursor } from '../../nodes/InspectionService/trigger/unkeptCursor.ts';

const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 10) + second * 1000).toISOString();

/** Refuses every request behind the first `allowed` of a poll. */
class Service {
	rows: InspectionRecord[] = [];
	allowed = Infinity;

	put(id: string, second: number, template: string): void {
		this.rows.push({ id, template, status: 'new', updated_at: at(second), created_at: at(second) });
	}

	list(query: InspectionPageQuery): InspectionRecord[] {
		if (this.allowed-- <= 0) throw new Error('503');
		const sign = query.sortOrder === 'asc' ? 1 : -1;
		return this.rows
			.filter((row) => String(row.updated_at) >= (query.updatedAfter ?? '').replace('Z', ''))
			.sort((a, b) => (String(a.updated_at) < String(b.updated_at) ? -sign : sign))
			.slice((query.page - 1) * query.pageSize, query.page * query.pageSize);
	}
}

interface PollOptions {
	scope?: CursorScope;
	/** Pages that the poll has time for. */
	pages?: number;
	/** The process that polls. */
	process?: string;
	nodeId?: string;
}

/** One poll, and what it left to be stored; the caller decides what n8n keeps of it. */
async function poll(
	service: Service,
	kept: StoredCursor,
	{ scope = EVERYTHING, pages = Infinity, process = 'p1', nodeId = 'n' }: PollOptions = {},
): Promise<{ outcome: StoredPollOutcome<string>; left: StoredCursor }> {
	const left: StoredCursor = { ...kept };
	let read = 0;
	const outcome = await runStoredPoll<string>({
		storage: {
			read: () => structuredClone(left),
			write: (own, copy) => Object.assign(left, structuredClone({ own, copy })),
		},
		unkept: unkeptCursor(process),
		owner: { nodeId, nodeName: 'Trigger', baseUrl: 'https://service.example', event: 'updated' },
		startFrom: timestampOf('2020-01-01T00:00:00Z'),
		round: {
			question: {
				event: 'updated',
				scope,
				includes: [],
				lookback: 60,
				maxItems: 500,
				oncePerInspection: false,
				matches: ({ template }) => template === 'wanted',
			},
			list: async (query) => await Promise.resolve(service.list(query)),
			render: async (found) => await Promise.resolve(found.map(({ id }) => [id])),
			batch: 100,
			hasTimeLeft: () => ++read < pages,
		},
	});
	return { outcome, left };
}

const NOTHING: StoredCursor = { own: undefined, copy: undefined };
let processes = 0;

/** A backlog of 1,500 inspections from another template, and one that is wanted behind them. */
function serviceWithBacklog(): Service {
	const service = new Service();
	for (let index = 0; index < 1_500; index++) service.put(`other ${index}`, index * 10, 'other');
	service.put('wanted', 20_000, 'wanted');
	return service;
}

describe('a backlog in which the template filter lets nothing through', () => {
	test('a failure behind pages that were dealt with does not send the trigger back', async () => {
		const service = serviceWithBacklog();
		const process = `process ${processes++}`;
		let kept = NOTHING;
		const emitted: string[] = [];
		for (let polls = 0; polls < 8; polls++) {
			service.allowed = 4;
			const { outcome, left } = await poll(service, kept, { process });
			expect(outcome.failure).toBeUndefined();
			emitted.push(...outcome.outputs);
			kept = left;
		}
		expect(emitted).toEqual(['wanted']);
	});

	test('a service that answers only what was read before is a failure of the poll, once per poll', async () => {
		const service = serviceWithBacklog();
		const process = `process ${processes++}`;
		let kept = NOTHING;
		const failures: boolean[] = [];
		for (let polls = 0; polls < 4; polls++) {
			service.allowed = polls === 0 ? 3 : 1;
			const { outcome, left } = await poll(service, kept, { process });
			failures.push(outcome.failure !== undefined);
			if (polls === 0) expect(outcome.setback).toBeDefined();
			else expect(left).toEqual(kept);
			kept = left;
		}
		expect(failures).toEqual([false, true, true, true]);
	});

	test('where n8n discards what polls leave that emit nothing, they go on all the same', async () => {
		const service = serviceWithBacklog();
		const process = `process ${processes++}`;
		const emitted: string[] = [];
		for (let polls = 0; polls < 3; polls++) {
			const { outcome } = await poll(service, NOTHING, { process, pages: 7 });
			emitted.push(...outcome.outputs);
		}
		expect(emitted).toEqual(['wanted']);
		// What that emission left was not stored either: it is made again, though not from the middle.
		const { outcome } = await poll(service, NOTHING, { process, pages: 7 });
		expect(outcome.outputs).toEqual([]);
		const again = await poll(service, NOTHING, { process });
		expect(again.outcome.outputs).toEqual(['wanted']);
	});

	test('what another process has stored counts more', async () => {
		const service = serviceWithBacklog();
		const [one, other] = [`process ${processes++}`, `process ${processes++}`];
		await poll(service, NOTHING, { process: one, pages: 3 });
		const { left } = await poll(service, NOTHING, { process: other });
		const { outcome } = await poll(service, left, { process: one });
		expect(outcome.outputs).toEqual([]);
		expect(unkeptCursor(one).read('[null,null]')).toBeUndefined();
	});
});
