import { expect, test } from 'vitest';

import {
	createNodeMemory,
	memorySize,
	newWarnings,
	nodeMemories,
} from '#connector/trigger/nodeMemory.ts';
import { PolledList } from './polledList.mts';

const { clock } = new PolledList();
const SAVE = { revision: 2, savedRevision: 1, isEmitting: true, at: 0 };

test('a process remembers a limited number of triggers: the most recently polled ones', () => {
	const memories = nodeMemories();
	const keyOf = (index: number) => `workflow ${index}`;
	for (let index = 0; index < 50; index++) {
		const memory = memories.getOrMake(keyOf(index), () => createNodeMemory(clock));
		memory.lastSave = { ...SAVE, text: 'x'.repeat(1_000_000) };
		memories.keep(keyOf(index), memory, memorySize(memory));
	}
	const kept = Array.from({ length: 50 }, (_, index) => memories.get(keyOf(index)) !== undefined);
	expect(kept.indexOf(true)).toBe(31);
	expect(kept.lastIndexOf(false)).toBe(30);
	expect(memorySize(createNodeMemory(clock))).toBe(1_000);
});

test('a problem is logged once until a poll emits items without it', () => {
	const memory = createNodeMemory(clock);
	expect(newWarnings(memory, ['a', 'a', 'b'], false)).toEqual(['a', 'b']);
	expect(newWarnings(memory, ['a'], true)).toEqual([]);
	expect(newWarnings(memory, ['b'], false)).toEqual(['b']);
	expect(newWarnings(memory, ['a', 'b'], true)).toEqual([]);
	expect(newWarnings(memory, [], true)).toEqual([]);
	expect(newWarnings(memory, ['a'], false)).toEqual(['a']);
});

test('a process remembers only the last 20 of any number of different warnings', () => {
	const memory = createNodeMemory(clock);
	for (let index = 0; index < 21; index++) newWarnings(memory, [`w${index}`], false);
	expect(newWarnings(memory, ['w1', 'w0'], false)).toEqual(['w0']);
});
