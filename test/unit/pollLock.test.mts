import { expect, test } from 'vitest';

import { memoryOf } from '#connector/trigger/nodeMemory.ts';
import { takeLock } from '#connector/trigger/pollLock.ts';

let nodes = 0;

/** A node that n8n polls with a budget. `lock` takes its lock at a time (ms), for a poll that got data of a revision. */
function nodeWith(budgetMs: number | undefined) {
	const memory = memoryOf('w', `node ${String(nodes++)}`);
	return {
		memory,
		lock: (now: number, revision = 1) => takeLock(memory, { budgetMs, revision }, () => now),
	};
}

/** n8n's scheduler: every poll has a copy of the static data of its own. */
const scheduled = () => nodeWith(36_000);
const leftAt = (at: number) => ({
	...{ mark: '', record: { revision: 2 }, isEmitting: true, isInMemory: false, at },
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
