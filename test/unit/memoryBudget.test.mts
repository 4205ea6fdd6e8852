// Tests how much of the service's data n8n keeps in memory: for one execution, for cached templates, and for responses that
// are being read.
import { describe, expect, test, vi } from 'vitest';

import { neededPage } from '#connector/actions/inspection/getAll.ts';
import type { JsonRecord } from '#connector/domain/json.ts';
import { MemoryBudget } from '#connector/domain/memoryBudget.ts';
import { valuesOf } from '#connector/fields/field.ts';
import { OUTPUT, OUTPUT_OPTIONS } from '#connector/fields/output.ts';
import { ResponseBudget } from '#connector/transport/responseBody.ts';

const pad = (make: (index: number) => unknown): JsonRecord =>
	JSON.parse(JSON.stringify({ pad: Array.from({ length: 1_000 }, (_, index) => make(index)) }));

describe('the memory of values', () => {
	// The third element is the memory per element in bytes, as measured on Node 24.
	test.each<[string, (index: number) => unknown, number]>([
		['empty objects', () => ({}), 72],
		['a unique key each', (index) => ({ [`k${index}`]: 0 }), 200],
		['a unique long key each', (index) => ({ [`${'k'.repeat(600)}${index}`]: 0 }), 800],
		['the same key', () => ({ key: 0 }), 90],
		['texts', (index) => `text ${index}`, 40],
		['numbers', (index) => index, 10],
	])('is estimated within a factor of 2.5: %s', (_, make, each) => {
		const bytes = new MemoryBudget('').add(pad(make));
		expect(bytes / 1_000).toBeGreaterThan(each / 2.5);
		expect(bytes / 1_000).toBeLessThan(each * 2.5);
	});

	test('has a limit in total, with an error that has a fix', () => {
		const value = pad(() => ({}));
		const size = new MemoryBudget('').add(value);
		const budget = new MemoryBudget('Read less', 2 * size);
		expect([budget.add(value), budget.add(value)]).toEqual([size, expect.any(Number)]);
		expect(() => budget.add(value)).toThrow('Read less');
	});

	test("isn't counted for a value that doesn't fit or is no longer used", () => {
		const value = pad(() => ({}));
		const size = new MemoryBudget('').add(value);
		const budget = new MemoryBudget('Read less', 2 * size);
		// The second value needs a little less, because V8 stores its names only once.
		const sizes = [1, 2, 3].map(() => budget.tryAdd(value));
		expect(sizes).toEqual([size, expect.closeTo(size, -3), undefined]);
		budget.free(size);
		expect(budget.tryAdd(value)).toBe(sizes[1]);
		expect(() => budget.add(value)).toThrow('Read less');
	});

	describe('the memory of a list', () => {
		const inspection = { ...pad(() => ({})), id: '1' };
		const choice = valuesOf({ output: OUTPUT, ...OUTPUT_OPTIONS }, (_, preset) => preset, 'UTC');
		const page = { inspections: [inspection], isLast: true };
		const roomForThree = () =>
			new MemoryBudget('Set a Limit', 3 * new MemoryBudget('').add(inspection));

		test('is counted for every inspection that is kept', async () => {
			const budget = roomForThree();
			const read = async () => await neededPage(page, { ...choice, output: 'raw' }, budget);
			for (let count = 1; count <= 3; count++) expect(await read()).toEqual(page);
			await expect(read()).rejects.toThrow('Set a Limit');
		});

		test("isn't counted for inspections of other templates", async () => {
			const template = { prepare: vi.fn(), matches: () => false };
			const budget = roomForThree();
			for (let count = 1; count <= 5; count++) {
				await neededPage(page, { ...choice, output: 'raw' }, budget, template);
			}
			expect(template.prepare).toHaveBeenCalledWith([inspection]);
		});

		test("counts only the output if it's simplified without files", async () => {
			const budget = roomForThree();
			for (let count = 1; count <= 5; count++) {
				expect((await neededPage(page, choice, budget)).inspections).toEqual([{ id: '1' }]);
			}
			const withFiles = await neededPage(page, { ...choice, downloadFiles: true }, roomForThree());
			expect(withFiles.inspections).toEqual([inspection]);
		});
	});
});

describe('responses read at the same time', () => {
	const limit = 10;
	const never = new AbortController().signal;

	test('wait for the oldest one if they are too large together, even if that ends with an error', async () => {
		const order: string[] = [];
		const budget = new ResponseBudget(limit);
		const reading = async (name: string, bytes: number[], fail = false) =>
			await budget.read(async (take) => {
				for (const some of bytes) {
					await take(some);
					order.push(name);
				}
				if (fail) throw new Error(name);
			}, never);
		const failing = reading('first', [6, 6, 6], true);
		await Promise.all([
			expect(failing).rejects.toThrow('first'),
			reading('second', [6, 6]),
			reading('third', [1]),
		]);
		expect(order).toEqual(['first', 'first', 'first', 'second', 'third', 'second']);
	});

	/** Simulates a service that sends a lot of data, and then nothing until `end` is called. */
	function silentService(budget: ResponseBudget) {
		let end: () => void = () => undefined;
		const silence = new Promise<void>((resolve) => void (end = resolve));
		const read = async (take: (bytes: number) => Promise<void>) => {
			await take(1_000);
			await silence;
		};
		return { ended: budget.read(read, never), end };
	}

	test('wait only as long as their execution lasts', async () => {
		const budget = new ResponseBudget(limit);
		const { ended, end } = silentService(budget);
		const execution = new AbortController();
		const read = async (take: (bytes: number) => Promise<void>) => {
			await take(5);
			return 'ended';
		};
		const waiting = budget.read(read, execution.signal);
		execution.abort();
		expect(await waiting).toBe('ended');
		end();
		await ended;
	});

	test("don't wait for another connection, however much its service sent before it went silent", async () => {
		const { ended, end } = silentService(new ResponseBudget(limit));
		const other = new ResponseBudget(limit);
		const read = async (take: (bytes: number) => Promise<void>) => {
			await take(1_000);
			return 'read';
		};
		expect(await other.read(read, never)).toBe('read');
		end();
		await ended;
	});
});
