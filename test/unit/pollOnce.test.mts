import { describe, expect, test } from 'vitest';

import type { Change } from '#connector/domain/changes/watch.ts';
import type { InspectionRecord } from '#connector/domain/list/inspectionPage.ts';
import { CheckpointStore, type StaticData } from '#connector/trigger/checkpointStore.ts';
import { createNodeMemory } from '#connector/trigger/nodeMemory.ts';
import { pollOnce, type PollReport, StateLostError } from '#connector/trigger/pollOnce.ts';
import { PLAIN_WATCH } from '#harness/plainWatch.mts';
import { at, timeOf } from '#harness/times.mts';
import { PolledList, SOURCE } from './polledList.mts';

const WANTED = { template: 'wanted' };
const nothing = (): StaticData => ({ node: {}, global: {} });
/** One minute, in seconds. */
const MINUTE = 60;
const LONG_AGO = timeOf('2020-01-01T00:00:00Z');
/** How long n8n's scheduler waits before it abandons a poll, in ms. */
const LEASE_MS = 45_000;

interface PollOptions {
	/** How many pages the poll has time to read. */
	pages?: number;
	/** How many requests succeed before the service fails. */
	requests?: number;
	/** How many changes are rendered before rendering fails. */
	renders?: number;
	once?: boolean;
	/** Whether the report throws, as n8n's log can. */
	reportThrows?: boolean;
	/** The static data that the poll changes. Default: a copy of the data that n8n saved. */
	shared?: StaticData;
	/** Called before each request. Tests use it to run a concurrent poll. */
	beforeRequest?(): Promise<void>;
}

/**
 * Simulates an n8n process that polls a list. Each poll returns its static data, and the test decides which data n8n
 * saves.
 */
function processWith(list: PolledList) {
	const memory = createNodeMemory(list.clock);
	const poll = async (
		kept: StaticData,
		{ pages = Infinity, requests = Infinity, renders = Infinity, ...options }: PollOptions = {},
	) => {
		const { shared: left = structuredClone(kept) } = options;
		const [read, asked] = [{ pages: 0 }, { requests: 0 }];
		list.seconds += MINUTE;
		const watch = {
			...PLAIN_WATCH,
			startAt: LONG_AGO,
			oncePerInspection: options.once === true,
			matches: ({ template }: InspectionRecord) => template === 'wanted',
		};
		const source = {
			clock: list.clock,
			list: async (query: Parameters<PolledList['respond']>[0]) => {
				await options.beforeRequest?.();
				if (++asked.requests > requests) throw new Error('503');
				return { inspections: list.respond(query) };
			},
			hasTimeLeft: () => ++read.pages < pages,
		};
		const render = async (changes: readonly Change[]) => {
			const items = changes.slice(0, renders).map(({ inspection: { id } }) => [id]);
			const failure = changes.length > renders ? new Error('rendering failed') : undefined;
			return await Promise.resolve({ items, failure });
		};
		const store = new CheckpointStore(left, memory, SOURCE);
		const reports: PollReport<string>[] = [];
		const report = (one: PollReport<string>) => {
			if (options.reportThrows === true) throw new Error('the log is full');
			reports.push(one);
		};
		const onStateLost = () => {
			throw new StateLostError();
		};
		const steps = { render, report, onStateLost };
		const items = await pollOnce(store, watch, source, steps, LEASE_MS);
		return { outputs: [...(items ?? [])], failure: reports[0]?.failure, left };
	};
	return { memory, poll };
}

/** Returns a list with 1,500 inspections of a different template, followed by a matching one. */
function backlog(): PolledList {
	const list = new PolledList().fill('other', 1_500, (index) => at(index * 10));
	list.put('wanted', at(20_000), WANTED);
	return list;
}

// A failure after some progress doesn't fail the poll, but a failure without progress does (pollOnce.ts). Without it,
// n8n discards the progress, or doesn't show that the service fails.
test("a poll doesn't go back if a failure follows the filtered part of a backlog", async () => {
	const { poll } = processWith(backlog());
	let kept = nothing();
	const emitted: string[] = [];
	for (let polls = 0; polls < 8; polls++) {
		const polled = await poll(kept, { requests: 4 });
		emitted.push(...polled.outputs);
		kept = polled.left;
	}
	expect(emitted).toEqual(['wanted']);
});

test('a poll prefers what a different process saved to its own memory, after any number of idle polls', async () => {
	const list = backlog();
	const [one, other] = [processWith(list), processWith(list)];
	for (let polls = 0; polls < 3; polls++) await one.poll(nothing(), { pages: 3 });
	const first = await other.poll(nothing());
	expect(first.outputs).toEqual(['wanted']);
	expect((await one.poll(first.left)).outputs).toEqual([]);
});

test('a poll emits an inspection once, even if it finds two versions', async () => {
	const list = new PolledList().fill('other', 99, (index) => at(index));
	list.put('walk', at(100), WANTED);
	list.respond = (query) => {
		// The inspection changes while the poll reads.
		if (query.page === 1 && query.updatedAfter === at(100)) list.put('walk', at(200), WANTED);
		return list.page(query);
	};
	const { poll } = processWith(list);
	const first = await poll(nothing(), { once: true });
	expect([first.outputs, (await poll(first.left, { once: true })).outputs]).toEqual([['walk'], []]);
});

test("a poll fails only if it can't render any item", async () => {
	const list = new PolledList();
	for (let index = 0; index < 5; index++) list.put(`c${index}`, at(index * 100), WANTED);
	const { poll } = processWith(list);
	const shared = nothing();
	await expect(poll(shared, { shared, renders: 0 })).rejects.toThrow('rendering failed');
	expect(shared).toEqual(nothing());
	const first = await poll(nothing(), { renders: 2 });
	expect([first.outputs, first.failure]).toEqual([['c0', 'c1'], expect.any(Error)]);
	expect((await poll(first.left)).outputs).toEqual(['c2', 'c3', 'c4']);
});

test("a poll drops its results if a different poll saved meanwhile, as after a laptop's sleep", async () => {
	const list = new PolledList();
	list.put('one', at(0), WANTED);
	const { poll } = processWith(list);
	const shared = nothing();
	const others: string[][] = [];
	let begins = 0;
	const beforeRequest = async () => {
		if (begins++ > 0) return;
		// A poll that takes this long counts as abandoned.
		list.seconds += 6 * MINUTE;
		others.push((await poll(shared, { shared })).outputs);
	};
	expect((await poll(shared, { shared, beforeRequest })).outputs).toEqual([]);
	expect(others).toEqual([['one']]);
});

test('a poll outputs items in time order, even if reading one second of time again finds an earlier inspection', async () => {
	const list = new PolledList();
	for (let index = 101; index <= 250; index++) list.put(`c${index}`, at(30 + index / 1000), WANTED);
	list.respond = (query) => {
		// This inspection becomes visible after page 1 of its second was read.
		if (query.page === 2) list.put('c100', at(30.1), WANTED);
		return list.page(query);
	};
	const { outputs } = await processWith(list).poll(nothing());
	expect(outputs).toEqual(Array.from({ length: 151 }, (_, index) => `c${100 + index}`));
});

describe('a saved state without a readable watermark', () => {
	const lost = (): StaticData => ({ node: { checkpoint: { revision: 9 } }, global: {} });

	test('fails one poll, without losing later changes', async () => {
		const list = new PolledList();
		list.put('before', at(0), WANTED);
		const { poll } = processWith(list);
		await expect(poll(lost())).rejects.toThrow(/starts over from now/);
		list.put('meanwhile', at(30), WANTED);
		const { outputs, left } = await poll(lost());
		expect(outputs).toEqual(['meanwhile']);
		list.put('later', at(60), WANTED);
		expect((await poll(left)).outputs).toEqual(['later']);
	});

	test('fails the first poll of each process, until the state is saved', async () => {
		const list = new PolledList();
		for (let process = 0; process < 2; process++)
			await expect(processWith(list).poll(lost())).rejects.toThrow(/starts over/);
	});
});

describe('an error after the items are rendered', () => {
	test.each([
		['in the report', {}, { reportThrows: true }],
		['while the node’s own data is written', { throwsIn: 'node' }, {}],
		['while the workflow’s data is written', { throwsIn: 'global' }, {}],
	])(
		'%s neither loses nor repeats anything',
		async (_, { throwsIn }: { throwsIn?: string }, options) => {
			const list = new PolledList();
			list.put('old', at(0), WANTED);
			const { poll } = processWith(list);
			const shared = nothing();
			expect((await poll(shared, { shared })).outputs).toEqual(['old']);
			list.put('new', at(90), WANTED);
			const throwing = (name: 'node' | 'global') =>
				name === throwsIn
					? new Proxy(shared[name], {
							set: () => {
								throw new Error('not writable');
							},
						})
					: shared[name];
			// The in-memory engine keeps what a failed poll has written.
			const failing = { node: throwing('node'), global: throwing('global') };
			await expect(poll(shared, { shared: failing, ...options })).rejects.toThrow();
			expect((await poll(shared, { shared })).outputs).toEqual(['new']);
			expect((await poll(shared, { shared })).outputs).toEqual([]);
		},
	);
});
