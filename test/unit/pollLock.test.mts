import { expect, test } from 'vitest';

import { PolledNodes, remember } from '#connector/trigger/nodeMemory.ts';
import { takeLock } from '#connector/trigger/pollLock.ts';

/** A node that n8n polls with a budget. `lock` takes its lock at a time (ms), for a poll that got data of a revision. */
function nodeWith(budgetMs: number | undefined) {
	const memory = new PolledNodes().memoryOf('w', 'n', 0);
	return {
		memory,
		lock: (now: number, revision = 1) => takeLock(memory, { budgetMs, revision }, () => now),
	};
}

/** n8n's scheduler: every poll has a copy of the static data of its own. */
const scheduled = () => nodeWith(36_000);
const leftAt = (at: number) => ({
	...{ mark: '', revision: 2, text: undefined, isEmitting: true, isInMemory: false, at },
});

test.each([300_000, undefined])(
	'in memory (budget %s), a second poll waits for its turn',
	(budgetMs) => {
		const { lock } = nodeWith(budgetMs);
		const first = lock(0);
		expect(lock(200_000)).toBeUndefined();
		// n8n started again: what ran before is gone.
		expect(nodeWith(budgetMs).lock(200_000)).toBeDefined();
		first?.release();
		expect(lock(0)).toBeDefined();
	},
);

test('a poll in memory that does not end stops the trigger for six minutes, not for ever', () => {
	const { lock } = nodeWith(300_000);
	expect([0, 359_999, 360_000].map((now) => lock(now) !== undefined)).toEqual([true, false, true]);
});

test('under the scheduler, one of the polls that are due at once runs, and an abandoned one is not waited for', () => {
	const { lock } = scheduled();
	expect([0, 44_000, 45_000].map((now) => lock(now) !== undefined)).toEqual([true, false, true]);
});

test('a poll that gets older data than the last poll has stored does not run, until that counts as lost', () => {
	const { memory, lock } = scheduled();
	lock(100_000)?.release();
	memory.left = leftAt(100_000);
	expect(lock(104_999)).toBeUndefined();
	expect(lock(104_999, 2)).toBeDefined();
});

test('an emission that was not stored is made again', () => {
	const { memory, lock } = scheduled();
	lock(1_000)?.release();
	memory.left = leftAt(1_000);
	expect(lock(6_000)).toBeDefined();
});

test('a poll need not wait after one that stored nothing', () => {
	const { lock } = scheduled();
	lock(1_000)?.release();
	expect(lock(1_001)).toBeDefined();
});

test('what a process remembers of its triggers is bounded, and goes when a trigger is gone', () => {
	const nodes = new PolledNodes();
	const [hour, size] = [3_600_000, 1_000_000];
	const pollAt = (name: string, now: number) => {
		const memory = nodes.memoryOf('w', name, now);
		takeLock(memory, { budgetMs: 36_000, revision: 1 }, () => now)?.release();
		const left = { mark: '', revision: 2, isEmitting: false, isInMemory: false, at: now };
		remember(memory, { text: 'x'.repeat(size) }, left);
		return memory;
	};
	const memories = Array.from({ length: 50 }, (_, index) => pollAt(`node ${index}`, index));
	const kept = memories.filter(({ left }) => left?.text !== undefined);
	expect(kept.length).toBeLessThanOrEqual(21);
	expect(kept.at(-1)).toBe(memories.at(-1));
	// One that polls once a day is not gone; one that has not for longer is.
	expect(nodes.memoryOf('w', 'node 49', 24 * hour)).toBe(memories[49]);
	nodes.memoryOf('w', 'another', 26 * hour);
	expect(nodes.memoryOf('w', 'node 0', 26 * hour)).not.toBe(memories[0]);
});
