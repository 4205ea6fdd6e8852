// Compares the estimated memory of JSON with the memory that V8 really needs. If the estimate were too low, responses could
// fill n8n's memory before a limit ends the run.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, test } from 'vitest';

import { MemoryBudget } from '#connector/domain/memoryBudget.ts';
import { randomOf } from '#harness/random.mts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the memory that n8n's process uses, in bytes, after everything unused was freed. */
async function usedBytes(): Promise<number> {
	for (let round = 0; round < 3; round++) {
		collectGarbage();
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	return process.memoryUsage().heapUsed;
}

const COUNT = 30_000;
/** The part of the used memory that changes by itself, in bytes. */
const NOISE = 300_000;

const named = (count: number, name: (index: number) => string): Record<string, number> =>
	Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 0]));
const random = randomOf(7);
const shuffled = (names: string) =>
	[...names].map((name) => [random(), name] as const).sort(([a], [b]) => a - b);

const KINDS: Readonly<Record<string, (index: number) => unknown>> = {
	'empty objects': () => ({}),
	'empty arrays': () => [],
	'arrays of 17 numbers': () => Array(17).fill(0),
	'the same name': () => ({ key: 0 }),
	'the same eight names': () => named(8, (n) => `name ${String(n)}`),
	'a short name of its own': (index) => ({ [`k${String(index)}`]: 0 }),
	'ten short names of its own': (index) => named(10, (n) => `${String(index)}_${String(n)}`),
	'a long name of its own': (index) => ({ [`${'k'.repeat(600)}${String(index)}`]: 0 }),
	'a name of its own in two bytes': (index) => ({ [`ключ ${String(index)}`]: 0 }),
	'ten names in another order': () =>
		Object.fromEntries(shuffled('abcdefghij').map(([, name]) => [name, 0])),
	'a choice of twenty names': () =>
		Object.fromEntries(
			[...'abcdefghijklmnopqrst'].filter(() => random() < 0.5).map((name) => [name, 0]),
		),
	'the number 20 as a name': () => ({ 20: 0 }),
	'the number 30 as a name': () => ({ 30: 0 }),
	'a large number as a name': (index) => ({ [1_000_000 + index]: 0 }),
	'numbers as names, ten apart': () => named(10, (n) => String(n * 10)),
	'a hundred numbers as names, nine apart': (index) =>
		index % 50 === 0 ? named(100, (n) => String(n * 9)) : 0,
	'130 names': (index) => (index % 50 === 0 ? named(130, (n) => `k${String(n)}`) : 0),
	'1,500 names': (index) => (index % 500 === 0 ? named(1_500, (n) => `k${String(n)}`) : 0),
	fractions: (index) => index + 0.5,
	'fractions in objects': (index) => ({ v: index + 0.5 }),
	'fractions and texts': (index) => (index % 2 ? index + 0.5 : 'x'),
	'short texts': (index) => `text ${String(index)}`,
	'texts in two bytes': (index) => `${'€'.repeat(50)}${String(index)}`,
	answers: (index) => ({
		field_id: `q${String(index % 300)}`,
		label: 'Question',
		response: { value: `Answer ${String(index)}` },
		repeat_section_order: 1,
	}),
};

test.each(Object.entries(KINDS))(
	'the estimate is one to four times the memory: %s',
	async (_, make) => {
		const json = JSON.stringify(Array.from({ length: COUNT }, (__, index) => make(index)));
		const before = await usedBytes();
		const value = JSON.parse(json) as object;
		const real = (await usedBytes()) - before;
		const estimate = new MemoryBudget('').add({ value });
		expect(estimate).toBeGreaterThan(real - NOISE);
		expect(estimate).toBeLessThan(4 * real + NOISE);
	},
);
