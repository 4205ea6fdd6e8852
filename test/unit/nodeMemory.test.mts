import { expect, test } from 'vitest';

import {
	memorySize,
	type NodeMemory,
	polledNodes,
	takeTurn,
} from '#connector/trigger/nodeMemory.ts';
import { PolledList } from './polledList.mts';

const { clock } = new PolledList();

/** Takes a node's turn at a time (ms), for a poll that got data of a revision. */
function turnOf(memory: NodeMemory, isInMemory: boolean, now: number, revision = 1) {
	return takeTurn(memory, { mark: '', ownRevision: revision, revision, isInMemory }, now);
}

/** A node that n8n polls by its in-memory engine, or by its scheduler: then every poll has its own copy of the data. */
function nodeOf(isInMemory: boolean) {
	const memory: NodeMemory = { clock };
	return {
		memory,
		turn: (now: number, revision?: number) => turnOf(memory, isInMemory, now, revision),
	};
}

function end(turn: NodeMemory['turn']) {
	if (turn !== undefined) turn.endedAt = turn.startedAt;
}

const scheduled = () => nodeOf(false);
const leftAt = (at: number) => ({
	...{ state: { mark: '', ownRevision: 1, revision: 1, isInMemory: false }, revision: 2 },
	...{ text: '', isEmitting: true, at },
});

test('in memory, a second poll waits for its turn', () => {
	const { turn } = nodeOf(true);
	const first = turn(0);
	expect(turn(200_000)).toBeUndefined();
	// n8n started again: what ran before is gone.
	expect(nodeOf(true).turn(200_000)).toBeDefined();
	end(first);
	expect(turn(0)).toBeDefined();
});

test.each([
	['a poll in memory that does not end is waited for for six minutes', true, 360_000],
	['under the scheduler one of the polls that are due at once runs', false, 45_000],
])('%s, not for ever', (_, isInMemory, ms) => {
	const { turn } = nodeOf(isInMemory);
	expect([0, ms - 1, ms].map((now) => turn(now) !== undefined)).toEqual([true, false, true]);
});

test('a poll that gets older data than the last poll has stored does not run, until that counts as lost', () => {
	const { memory, turn } = scheduled();
	end(turn(100_000));
	memory.left = leftAt(100_000);
	expect(turn(104_999)).toBeUndefined();
	expect(turn(104_999, 2)).toBeDefined();
});

test('an emission that was not stored is made again', () => {
	const { memory, turn } = scheduled();
	end(turn(1_000));
	memory.left = leftAt(1_000);
	expect(turn(6_000)).toBeDefined();
});

test('a poll need not wait after one that stored nothing', () => {
	const { turn } = scheduled();
	end(turn(1_000));
	expect(turn(1_001)).toBeDefined();
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
	const small = polledNodes();
	for (let index = 0; index < 30_000; index++)
		small.keep(keyOf(index), { clock }, memorySize({ clock }));
	expect(small.get(keyOf(0))).toBeUndefined();
});
