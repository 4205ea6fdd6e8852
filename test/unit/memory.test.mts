// What answers may hold of n8n's memory: the sum of an execution, the templates that are kept, the responses under way.
import { afterEach, describe, expect, test, vi } from 'vitest';

import type { JsonRecord } from '#connector/domain/json.ts';
import { MemoryBudget } from '#connector/domain/memoryBudget.ts';
import { keepTemplate, keptTemplate } from '#connector/transport/keptTemplates.ts';
import { withinBudget } from '#connector/transport/readingBudget.ts';
import { preparedList } from '#connector/transport/templateFilter.ts';

const FIRST_PAGE = { sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 1 } as const;
const MEGABYTE = 1024 * 1024;
const pad = (make: (index: number) => unknown): JsonRecord => {
	const json: JsonRecord = JSON.parse(
		JSON.stringify({ pad: Array.from({ length: 1_000 }, (_, index) => make(index)) }),
	);
	return json;
};

describe('the memory that values take', () => {
	// Measured on Node 24, for each of the thousand.
	test.each<[string, (index: number) => unknown, number]>([
		['empty objects', () => ({}), 72],
		['a key of its own each', (index) => ({ [`k${index}`]: 0 }), 200],
		['the same key', () => ({ key: 0 }), 90],
		['texts', (index) => `text ${index}`, 40],
		['numbers', (index) => index, 10],
	])('is counted within a factor of two and a half: %s', (_, make, each) => {
		const bytes = new MemoryBudget('').add(pad(make));
		expect(bytes / 1_000).toBeGreaterThan(each / 2.5);
		expect(bytes / 1_000).toBeLessThan(each * 2.5);
	});

	test('is summed up, and more than there is for it is an error that says what to do', () => {
		const value = pad(() => ({}));
		const size = new MemoryBudget('').add(value);
		const budget = new MemoryBudget('Read less', 2 * size);
		expect([budget.add(value), budget.add(value)]).toEqual([size, expect.any(Number)]);
		expect(() => budget.add(value)).toThrow('Read less');
	});

	test('is counted however deep it lies', () => {
		const deep: JsonRecord = JSON.parse(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
		expect(new MemoryBudget('').add(deep)).toBeGreaterThan(100_000 * 50);
	});

	test('is counted for every inspection of a list that keeps all', async () => {
		const inspections = [{ ...pad(() => ({})), id: '1' }];
		const list = async () => await Promise.resolve({ inspections, isLast: true });
		const budget = new MemoryBudget(
			'Set a Limit',
			3 * new MemoryBudget('').add(inspections[0] ?? {}),
		);
		const read = async () => await preparedList({ list }, undefined, budget).list(FIRST_PAGE);
		for (let page = 1; page <= 3; page++) await read();
		await expect(read()).rejects.toThrow('Set a Limit');
	});
});

describe('a template is kept', () => {
	afterEach(() => {
		vi.restoreAllMocks();
	});

	test('while all of them take at most 32 MB, those that were used last, and the last one of any size', () => {
		for (const name of ['a', 'b', 'c']) keepTemplate(name, { name }, 10 * MEGABYTE);
		expect(keptTemplate('a')).toEqual({ name: 'a' });
		keepTemplate('d', { name: 'd' }, 10 * MEGABYTE);
		expect(['a', 'b', 'c', 'd'].map((name) => keptTemplate(name)?.name)).toEqual([
			'a',
			undefined,
			'c',
			'd',
		]);
		keepTemplate('e', { name: 'e' }, 100 * MEGABYTE);
		expect(['a', 'c', 'd', 'e'].map((name) => keptTemplate(name)?.name)).toEqual([
			undefined,
			undefined,
			undefined,
			'e',
		]);
	});

	test('for a minute at most, though nobody asks for it', () => {
		const { signal, abort } = timer();
		keepTemplate('old', { name: 'old' }, 1);
		const second = timer();
		keepTemplate('new', { name: 'new' }, 1);
		keepTemplate('old', { name: 'newer' }, 1);
		abort();
		expect(keptTemplate('old')).toEqual({ name: 'newer' });
		second.abort();
		expect(keptTemplate('new')).toBeUndefined();
		expect(signal.aborted).toBe(true);
	});

	function timer() {
		const controller = new AbortController();
		vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(controller.signal);
		return { signal: controller.signal, abort: () => controller.abort() };
	}
});

describe('responses that are read at the same time', () => {
	test('wait for each other where they are too large together; the oldest goes on, also after an error', async () => {
		const order: string[] = [];
		const reading = async (name: string, bytes: number[], fail = false) =>
			await withinBudget(async (take) => {
				for (const some of bytes) {
					await take(some);
					order.push(name);
				}
				if (fail) throw new Error(name);
			}, 10);
		const failing = reading('first', [6, 6, 6], true);
		await Promise.all([
			expect(failing).rejects.toThrow('first'),
			reading('second', [6, 6]),
			reading('third', [1]),
		]);
		expect(order).toEqual(['first', 'first', 'first', 'second', 'third', 'second']);
	});
});
