import { expect, test } from 'vitest';

import {
	memorySize,
	type NodeMemory,
	polledNodes,
	takeTurn,
} from '#connector/trigger/nodeMemory.ts';
import { PolledList } from './polledList.mts';

const { clock } = new PolledList();

/** A node that n8n polls by its in-memory engine, or by its scheduler. Times are in ms. */
function nodeOf(isInMemory: boolean) {
	const memory: NodeMemory = { clock };
	/** A poll that got data of a revision begins. */
	const turn = (now: number, ownRevision = 1) =>
		takeTurn(memory, { mark: '', ownRevision, revision: ownRevision, isInMemory }, now);
	/** Whether a poll runs, which ends at once. */
	const polls = (now: number, revision?: number) => {
		const begun = turn(now, revision);
		if (begun !== undefined) begun.endedAt = now;
		return begun !== undefined;
	};
	return { memory, turn, polls };
}

const leftAt = (at: number) => ({
	state: { mark: '', ownRevision: 1, revision: 1, isInMemory: false },
	revision: 2,
	text: '',
	isEmitting: true,
	at,
});

test.each([
	['in memory for six minutes', true, 360_000],
	['under the scheduler for as long as n8n waits for it', false, 45_000],
])('a poll waits for one that has not ended, %s', (_, isInMemory, ms) => {
	const { turn } = nodeOf(isInMemory);
	expect([0, ms - 1, ms].map((now) => turn(now) !== undefined)).toEqual([true, false, true]);
});

test('under the scheduler a poll that got older data than the last one has stored waits, until that counts as lost', () => {
	const { memory, polls } = nodeOf(false);
	expect([polls(100_000), polls(100_001)]).toEqual([true, true]);
	memory.left = leftAt(100_001);
	expect([polls(105_000), polls(105_000, 2), polls(105_001)]).toEqual([false, true, true]);
});

test('what a process remembers of its triggers is bounded: those that it polled last', () => {
	const nodes = polledNodes();
	const keyOf = (index: number) => `workflow ${index}`;
	for (let index = 0; index < 50; index++) {
		const memory = nodes.getOrMake(keyOf(index), () => ({ clock }));
		memory.left = { ...leftAt(0), text: 'x'.repeat(1_000_000) };
		nodes.keep(keyOf(index), memory, memorySize(memory));
	}
	const kept = Array.from({ length: 50 }, (_, index) => nodes.get(keyOf(index)) !== undefined);
	expect(kept.indexOf(true)).toBe(31);
	expect(kept.lastIndexOf(false)).toBe(30);
	expect(memorySize({ clock })).toBe(1_000);
});
