import { expect, test } from 'vitest';

import type { StoredData } from '#connector/domain/changes/storedCheckpoint.ts';
import { leftByLastPoll, type NodeMemory } from '#connector/trigger/nodeMemory.ts';
import { runStoredPoll } from '#connector/trigger/storedPoll.ts';
import { PLAIN_WATCH, POLLED, PolledList } from './polledList.mts';
import { at, timeOf } from './times.mts';

const WANTED = { template: 'wanted' };
const NOTHING: StoredData = { own: undefined, backup: undefined };
/** Seconds. */
const MINUTE = 60;
const LONG_AGO = timeOf('2020-01-01T00:00:00Z');

interface PollOptions {
	/** Pages that the poll has time for, and requests until the service refuses them. */
	pages?: number;
	requests?: number;
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
		const { shared: left = { ...kept } } = options;
		const [read, asked] = [{ pages: 0 }, { requests: 0 }];
		list.seconds += MINUTE;
		const outcome = await runStoredPoll({
			storage: {
				read: () => structuredClone(left),
				write: (own, backup) => Object.assign(left, structuredClone({ own, backup })),
			},
			memory,
			isInMemory: false,
			clock: list.clock,
			polled: POLLED,
			watch: {
				...PLAIN_WATCH,
				startAt: LONG_AGO,
				matches: ({ template }) => template === 'wanted',
			},
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
