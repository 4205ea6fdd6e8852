import { describe, expect, test } from 'vitest';

import { ServiceClock } from '#connector/domain/changes/serviceClock.ts';
import type { StoredData } from '#connector/domain/changes/storedCheckpoint.ts';
import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import type { InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import { timestampOf } from '#connector/domain/timestamp.ts';
import { leftByLastPoll, memoryOf } from '#connector/trigger/nodeMemory.ts';
import { runStoredPoll, type StoredPollOutcome } from '#connector/trigger/storedPoll.ts';

const at = (second: number) => new Date(Date.UTC(2026, 2, 1, 10) + second * 1000).toISOString();

/** Refuses every request behind the first `allowed` of a poll. */
class Service {
	rows: InspectionRecord[] = [];
	allowed = Infinity;
	readonly clock = new ServiceClock(() => 0);

	put(id: string, second: number, template: string): void {
		this.rows.push({ id, template, status: 'new', updated_at: at(second), created_at: at(second) });
	}

	list(query: InspectionPageQuery): InspectionRecord[] {
		if (this.allowed-- <= 0) throw new Error('503');
		const sign = query.sortOrder === 'asc' ? 1 : -1;
		return this.rows
			.filter((row) => String(row.updated_at) >= (query.updatedAfter ?? '').replace('Z', ''))
			.filter((row) => String(row.updated_at) <= (query.updatedBefore ?? '9'))
			.sort((a, b) => (String(a.updated_at) < String(b.updated_at) ? -sign : sign))
			.slice((query.page - 1) * query.pageSize, query.page * query.pageSize);
	}
}

interface PollOptions {
	/** Pages that the poll has time for. */
	pages?: number;
	/** The process that polls. */
	process?: string;
	nodeId?: string;
	isInMemory?: boolean;
	/** A date, or `never`. */
	startFrom?: string;
	/** Whether rendering fails. */
	fails?: boolean;
	/** Where the poll reads and stores; a copy of its own where none is given. */
	shared?: StoredData;
	/** Called before every request. */
	beside?(): Promise<void>;
}

/** One poll, and what it left to be stored; the caller decides what n8n keeps of it. */
async function poll(
	service: Service,
	kept: StoredData,
	options: PollOptions = {},
): Promise<{ outcome: StoredPollOutcome<string>; left: StoredData }> {
	const left: StoredData = options.shared ?? { ...kept };
	const { pages = Infinity, process = 'p1', nodeId = 'n', isInMemory = false } = options;
	const { startFrom = '2020-01-01T00:00:00Z', fails = false } = options;
	let read = 0;
	const outcome = await runStoredPoll<string>({
		storage: {
			read: () => structuredClone(left),
			write: (own, backup) => Object.assign(left, structuredClone({ own, backup })),
		},
		...{ memory: memoryOf(process, nodeId), isInMemory, clock: service.clock },
		polled: {
			...{ nodeId, nodeName: 'Trigger', baseUrl: 'https://service.example', event: 'updated' },
			...{ credentialId: 'c', teamId: undefined, startFrom: startFromOf(startFrom) },
		},
		watch: {
			...{ sortBy: 'updated_at', filter: {}, includes: [], lookback: 60, maxItems: 500 },
			...{ oncePerInspection: false, matches: ({ template }) => template === 'wanted' },
		},
		list: async (query) => {
			await options.beside?.();
			return { inspections: service.list(query) };
		},
		render: async (found) =>
			fails
				? await Promise.reject(new Error('rendering failed'))
				: await Promise.resolve(found.map(({ id }) => [id])),
		batch: 100,
		hasTimeLeft: () => ++read < pages,
	});
	return { outcome, left };
}

function startFromOf(parameter: string) {
	const moment = timestampOf(parameter);
	return moment && { parameter, moment };
}

const NOTHING: StoredData = { own: undefined, backup: undefined };
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
			emitted.push(...outcome.outputs);
			kept = left;
		}
		expect(emitted).toEqual(['wanted']);
	});

	test('a poll that gets no further than the last one fails', async () => {
		const service = serviceWithBacklog();
		const process = `process ${processes++}`;
		let kept = NOTHING;
		const failures: boolean[] = [];
		for (let polls = 0; polls < 4; polls++) {
			service.allowed = polls === 0 ? 3 : 1;
			const shared = { ...kept };
			const polled = await poll(service, kept, { process, shared }).catch(() => undefined);
			failures.push(polled === undefined);
			if (polls === 0) expect(polled?.outcome.setback).toBeDefined();
			else expect(shared).toEqual(kept);
			kept = shared;
		}
		expect(failures).toEqual([false, true, true, true]);
	});

	test('polls go on even where n8n discards the checkpoints of polls that emit nothing', async () => {
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
		const stored = { mark: '[]', revision: 9, isInMemory: false };
		expect(leftByLastPoll(memoryOf(one, 'n'), stored)).toBeUndefined();
	});
});

test('a poll that can hand nothing over fails, and leaves everything to the next poll', async () => {
	const service = new Service();
	const process = `process ${processes++}`;
	for (let index = 0; index < 5; index++) service.put(`i${index}`, index * 100, 'wanted');
	const shared = { ...NOTHING };
	await expect(poll(service, NOTHING, { process, shared, fails: true })).rejects.toThrow(
		'rendering failed',
	);
	expect(shared).toEqual(NOTHING);
	expect((await poll(service, NOTHING, { process })).outcome.outputs).toHaveLength(5);
});

test('what a poll found is dropped where another one has stored meanwhile, such as after a laptop has slept', async () => {
	const service = new Service();
	const process = `process ${processes++}`;
	service.put('one', 0, 'wanted');
	const shared: StoredData = { ...NOTHING };
	let other: StoredPollOutcome<string> | undefined;
	let begins = 0;
	const beside = async () => {
		if (begins++ > 0) return;
		({ outcome: other } = await poll(service, shared, { process, shared }));
	};
	const { outcome } = await poll(service, shared, { process, shared, beside });
	expect(other?.outputs).toEqual(['one']);
	expect(outcome.outputs).toEqual([]);
});

test('two live registrations of one trigger emit each change once, and either can take over', async () => {
	const service = new Service();
	const process = `process ${processes++}`;
	const asked = { process, isInMemory: true, startFrom: 'never' };
	service.put('old', 0, 'wanted');
	const begun = (await poll(service, NOTHING, asked)).left;
	let [one, other] = [begun, begun];
	const emitted: string[] = [];
	for (let round = 1; round <= 5; round++) {
		service.put(`c${round}`, round * 100, 'wanted');
		const first = await poll(service, one, asked);
		const second = await poll(service, other, asked);
		emitted.push(...first.outcome.outputs, ...second.outcome.outputs);
		// The order changes; behind the third round, one of them is gone.
		[one, other] = [second.left, round < 3 ? first.left : other];
	}
	expect(emitted).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
});

test('outputs are in the order of time, also where a second look at a second brings an earlier one', async () => {
	const service = new Service();
	const list = service.list.bind(service);
	const stampOf = (index: number) => `2026-03-01T10:00:30.${String(index).padStart(4, '0')}Z`;
	const put = (id: string, index: number) =>
		service.rows.push({ id, template: 'wanted', updated_at: stampOf(index) });
	for (let index = 1; index <= 150; index++) put(`i${String(index).padStart(3, '0')}`, index);
	service.list = (query) => {
		// Becomes visible when the first page of the second was read already.
		if (query.page === 2 && service.rows.length === 150) put('i000', 0);
		return list(query);
	};
	const { outcome } = await poll(service, NOTHING);
	expect(outcome.outputs.length).toBe(151);
	expect(outcome.outputs).toEqual([...outcome.outputs].sort());
});
