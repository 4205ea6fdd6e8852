import { expect, test } from 'vitest';

import type { StoredData } from '#connector/domain/changes/storedCheckpoint.ts';
import { timestampOf } from '#connector/domain/timestamp.ts';
import { leftByLastPoll, type NodeMemory } from '#connector/trigger/nodeMemory.ts';
import { runStoredPoll } from '#connector/trigger/storedPoll.ts';
import { PLAIN_WATCH, POLLED, PolledList } from './polledList.mts';
import { at } from './times.mts';

const WANTED = { template: 'wanted' };
const NOTHING: StoredData = { own: undefined, backup: undefined };
/** Seconds. */
const MINUTE = 60;
const LONG_AGO = '2020-01-01T00:00:00Z';

interface PollOptions {
	/** Pages that the poll has time for, and requests until the service refuses them. */
	pages?: number;
	requests?: number;
	isInMemory?: boolean;
	/** A date, or `never`. */
	startFrom?: string;
	/** How many changes the poll hands over before that fails. */
	emits?: number;
	/** Where the poll reads and stores; a copy of its own where none is given. */
	shared?: StoredData;
	/** Called before every request. */
	beside?(): Promise<void>;
}

/** A process of n8n that polls a list. Each poll gives what it left to be stored: the test says what n8n keeps of it. */
function processWith(list: PolledList) {
	const memory: NodeMemory = { clock: list.clock };
	const poll = async (
		kept: StoredData,
		{ pages = Infinity, requests = Infinity, emits = Infinity, ...options }: PollOptions = {},
	) => {
		const { isInMemory = false, startFrom = LONG_AGO, shared: left = { ...kept } } = options;
		const moment = timestampOf(startFrom);
		const [read, asked] = [{ pages: 0 }, { requests: 0 }];
		list.seconds += MINUTE;
		const outcome = await runStoredPoll({
			storage: {
				read: () => structuredClone(left),
				write: (own, backup) => Object.assign(left, structuredClone({ own, backup })),
			},
			...{ memory, isInMemory, clock: list.clock },
			polled: { ...POLLED, startFrom: moment && startFrom },
			watch: { ...PLAIN_WATCH, startAt: moment, matches: ({ template }) => template === 'wanted' },
			list: async (query) => {
				await options.beside?.();
				if (++asked.requests > requests) throw new Error('503');
				return { inspections: list.respond(query) };
			},
			async *emit(changes) {
				yield* await Promise.resolve(changes.slice(0, emits).map(() => true));
				if (changes.length > emits) throw new Error('rendering failed');
			},
			hasTimeLeft: () => ++read.pages < pages,
		});
		const outputs = outcome?.emitted.map(({ inspection }) => inspection.id) ?? [];
		return { outputs, failure: outcome?.failure, left };
	};
	return { memory, poll };
}

/** A backlog of 1,500 inspections from another template, and one that is wanted behind them. */
function backlog(): PolledList {
	const list = new PolledList().fill('other', 1_500, (index) => at(index * 10));
	list.put('wanted', at(20_000), WANTED);
	return list;
}

test('a failure behind a part of a backlog that the filters refuse does not send the trigger back', async () => {
	const { poll } = processWith(backlog());
	let kept = NOTHING;
	const emitted: string[] = [];
	for (let polls = 0; polls < 8; polls++) {
		const polled = await poll(kept, { requests: 4 });
		emitted.push(...polled.outputs);
		kept = polled.left;
	}
	expect(emitted).toEqual(['wanted']);
});

test('in a backlog, a poll that gets no further than the last one fails and stores nothing', async () => {
	const { poll } = processWith(backlog());
	const first = await poll(NOTHING, { requests: 3 });
	expect(first.failure).toBeDefined();
	const shared = { ...first.left };
	await expect(poll(shared, { requests: 1, shared })).rejects.toThrow('503');
	expect(shared).toEqual(first.left);
});

test('polls go on even where n8n discards the checkpoints of polls that emit nothing', async () => {
	const { poll } = processWith(backlog());
	const emitted: string[] = [];
	for (let polls = 0; polls < 3; polls++) {
		emitted.push(...(await poll(NOTHING, { pages: 7 })).outputs);
	}
	expect(emitted).toEqual(['wanted']);
	// What that emission left was not stored either: it is made again, though not from the middle.
	expect((await poll(NOTHING, { pages: 7 })).outputs).toEqual([]);
	expect((await poll(NOTHING)).outputs).toEqual(['wanted']);
});

test('what another process has stored counts more than what this one remembers', async () => {
	const list = backlog();
	const [one, other] = [processWith(list), processWith(list)];
	await one.poll(NOTHING, { pages: 3 });
	const { left } = await other.poll(NOTHING);
	expect((await one.poll(left)).outputs).toEqual([]);
	const stored = { mark: '9 9', ownRevision: 9, revision: 9, isInMemory: false };
	expect(leftByLastPoll(one.memory, stored)).toBeUndefined();
});

test('a poll that can hand nothing over fails, and leaves everything to the next poll; one that hands some over does not', async () => {
	const list = new PolledList();
	for (let index = 0; index < 5; index++) list.put(`c${index}`, at(index * 100), WANTED);
	const { poll } = processWith(list);
	const shared = { ...NOTHING };
	await expect(poll(NOTHING, { shared, emits: 0 })).rejects.toThrow('rendering failed');
	expect(shared).toEqual(NOTHING);
	const first = await poll(NOTHING, { emits: 2 });
	expect([first.outputs, first.failure]).toEqual([['c0', 'c1'], expect.any(Error)]);
	expect((await poll(first.left)).outputs).toEqual(['c2', 'c3', 'c4']);
});

test('what a poll found is dropped where another one has stored meanwhile, such as after a laptop has slept', async () => {
	const list = new PolledList();
	list.put('one', at(0), WANTED);
	const { poll } = processWith(list);
	const shared: StoredData = { ...NOTHING };
	const others: string[][] = [];
	let begins = 0;
	const beside = async () => {
		if (begins++ > 0) return;
		// As long as n8n waits for a poll.
		list.seconds += 6 * MINUTE;
		others.push((await poll(shared, { shared })).outputs);
	};
	expect((await poll(shared, { shared, beside })).outputs).toEqual([]);
	expect(others).toEqual([['one']]);
});

test('two live registrations of one trigger emit each change once, and either can take over', async () => {
	const list = new PolledList();
	list.put('old', at(0), WANTED);
	const { poll } = processWith(list);
	const live = { isInMemory: true, startFrom: 'never' };
	const { left: begun } = await poll(NOTHING, live);
	let [one, other] = [begun, begun];
	const emitted: string[] = [];
	for (let round = 1; round <= 5; round++) {
		list.put(`c${round}`, at(round * 100), WANTED);
		const first = await poll(one, live);
		const second = await poll(other, live);
		emitted.push(...first.outputs, ...second.outputs);
		// The order changes; behind the third round, one of them is gone.
		[one, other] = [second.left, round < 3 ? first.left : other];
	}
	expect(emitted).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
});

test('outputs are in the order of time, also where a second look at a second brings an earlier one', async () => {
	const list = new PolledList();
	for (let index = 101; index <= 250; index++) list.put(`c${index}`, at(30 + index / 1000), WANTED);
	list.respond = (query) => {
		// Becomes visible when the first page of the second was read already.
		if (query.page === 2) list.put('c100', at(30.1), WANTED);
		return list.page(query);
	};
	const { outputs } = await processWith(list).poll(NOTHING);
	expect(outputs).toEqual(Array.from({ length: 151 }, (_, index) => `c${100 + index}`));
});

test('an emission that was not saved beside the node is made again, also behind a poll that n8n gave up', async () => {
	const list = new PolledList();
	list.put('first', at(0), WANTED);
	const { poll } = processWith(list);
	const { left: saved } = await poll(NOTHING);
	list.put('other', at(100));
	// n8n keeps nothing of this poll: it took too long, or the database failed. The process goes on from it all the same.
	await poll(saved);
	list.put('second', at(200), WANTED);
	const { outputs, left } = await poll(saved);
	expect(outputs).toEqual(['second']);
	// With durable cursors the backup is saved before the execution, which then fails together with the node's own data.
	const unsaved = { own: saved.own, backup: left.backup };
	expect((await poll(unsaved)).outputs).toEqual(['second']);
});
