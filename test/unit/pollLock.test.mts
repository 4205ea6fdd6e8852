import { expect, test } from 'vitest';

import { memoryOf, type NodeMemory } from '#connector/trigger/nodeMemory.ts';
import { takeLock } from '#connector/trigger/pollLock.ts';

let node = 0;

const newNode = (): NodeMemory => memoryOf('w', `node ${String(node++)}`);
/** A node that n8n's scheduler polls: every poll has a copy of the static data of its own. */
const scheduled = (revision: number) => ({ budgetMs: 36_000, revision });

/** What a poll left at a time: the checkpoint of revision 2. */
const leftAt = (at: number) => ({
	...{ mark: '', record: { revision: 2 }, isEmitting: true, isInMemory: false, at },
});

test.each([300_000, undefined])(
	'in memory (budget %s), a second poll waits for its turn',
	(budgetMs) => {
		const memory = newNode();
		const waiting = { budgetMs, revision: 1 };
		const first = takeLock(memory, waiting, () => 0);
		expect(takeLock(memory, waiting, () => 200_000)).toBeUndefined();
		// n8n started again: what ran before is gone.
		expect(takeLock(newNode(), waiting, () => 0)).toBeDefined();
		first?.release();
		expect(takeLock(memory, waiting, () => 0)).toBeDefined();
	},
);

test('a poll in memory that does not end stops the trigger for six minutes, not for ever', () => {
	const memory = newNode();
	const waiting = { budgetMs: 300_000, revision: 1 };
	takeLock(memory, waiting, () => 0);
	expect(takeLock(memory, waiting, () => 359_999)).toBeUndefined();
	expect(takeLock(memory, waiting, () => 360_000)).toBeDefined();
});

test('under the scheduler, one of the polls that are due at once runs, and an abandoned one is not waited for', () => {
	const memory = newNode();
	expect(takeLock(memory, scheduled(1), () => 0)).toBeDefined();
	expect(takeLock(memory, scheduled(1), () => 44_000)).toBeUndefined();
	expect(takeLock(newNode(), scheduled(1), () => 44_000)).toBeDefined();
	expect(takeLock(memory, scheduled(1), () => 45_000)).toBeDefined();
});

test('a poll that gets older data than the last poll has stored does not run', () => {
	const memory = newNode();
	takeLock(memory, scheduled(1), () => 100_000)?.release();
	memory.left = leftAt(100_000);
	expect(takeLock(memory, scheduled(1), () => 104_999)).toBeUndefined();
	expect(takeLock(memory, scheduled(2), () => 104_999)).toBeDefined();
});

test('an emission that was not stored is made again', () => {
	const memory = newNode();
	takeLock(memory, scheduled(1), () => 1_000)?.release();
	memory.left = leftAt(1_000);
	expect(takeLock(memory, scheduled(1), () => 6_000)).toBeDefined();
});

test('a poll need not wait after one that stored nothing', () => {
	const memory = newNode();
	takeLock(memory, scheduled(1), () => 1_000)?.release();
	expect(takeLock(memory, scheduled(1), () => 1_001)).toBeDefined();
});
