// Compares the estimated memory of JSON with the memory that V8 really needs. If the estimate were too low, responses could
// fill n8n's memory before a limit ends the run.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';
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
/** How much the used memory changes without any work, in bytes. */
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
	'a short unique name': (index) => ({ [`k${String(index)}`]: 0 }),
	'ten short unique names': (index) => named(10, (n) => `${String(index)}_${String(n)}`),
	'a long unique name': (index) => ({ [`${'k'.repeat(600)}${String(index)}`]: 0 }),
	'a unique name in two bytes': (index) => ({ [`ключ ${String(index)}`]: 0 }),
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
	'fractions and strings': (index) => (index % 2 ? index + 0.5 : 'x'),
	'short strings': (index) => `text ${String(index)}`,
	'strings in two bytes': (index) => `${'€'.repeat(50)}${String(index)}`,
	answers: (index) => ({
		field_id: `q${String(index % 300)}`,
		label: 'Question',
		response: { value: `Answer ${String(index)}` },
		repeat_section_order: 1,
	}),
};

/** Returns the estimate of a value in JSON, and the memory that it really needs, in bytes. */
async function estimateAndReal(json: string): Promise<[estimate: number, real: number]> {
	const before = await usedBytes();
	const value = JSON.parse(json) as object;
	const real = (await usedBytes()) - before;
	return [new MemoryBudget('').add({ value }), real];
}

test.each(Object.entries(KINDS))(
	'the estimate is one to four times the memory: %s',
	async (_, make) => {
		const json = JSON.stringify(Array.from({ length: COUNT }, (__, index) => make(index)));
		const [estimate, real] = await estimateAndReal(json);
		expect(estimate).toBeGreaterThan(real - NOISE);
		expect(estimate).toBeLessThan(4 * real + NOISE);
	},
);

/** A kind of name. Each takes the number of the object and that of the name in the object. */
const anyName = fc
	.record({
		prefix: fc.string({ maxLength: 40, unit: 'grapheme' }),
		isOwn: fc.boolean(),
		step: fc.constantFrom(1, 2, 9, 31, 1_000, 1_000_003),
	})
	.map(({ prefix, isOwn, step }) => (object: number, index: number) => {
		const own = isOwn ? `${String(object)}_` : '';
		return prefix.length % 3 === 0
			? String(index * step + (isOwn ? object : 0))
			: `${prefix}${own}${String(index)}`;
	});

type Make = (object: number) => unknown;
const { tree: anyKind } = fc.letrec<{ tree: Make; leaf: Make; array: Make; object: Make }>(
	(tie) => ({
		leaf: fc.oneof(
			fc.constantFrom<unknown>(null, true, 0, 1.5, -(2 ** 31), '').map((value) => () => value),
			fc.string({ unit: 'grapheme' }).map((text) => (object: number) => `${text}${String(object)}`),
			fc.constant((object: number) => object + 0.5),
		),
		array: fc.record({ member: tie('tree'), length: fc.integer({ min: 0, max: 40 }) }).map(
			({ member, length }) =>
				(object: number) =>
					Array.from({ length }, (_, index) => member(object * 41 + index)),
		),
		object: fc
			.record({
				member: tie('tree'),
				name: anyName,
				size: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.constantFrom(99, 101, 130, 1_100)),
				variants: fc.constantFrom(1, 3, 1_000),
			})
			.map(({ member, name, size, variants }) => (object: number) => {
				const count = Math.max(0, size - (object % variants));
				return Object.fromEntries(
					Array.from({ length: count }, (_, index) => [
						name(object, index),
						size > 40 ? index : member(object * 31 + index),
					]),
				);
			}),
		tree: fc.oneof({ maxDepth: 2 }, tie('leaf'), tie('array'), tie('object')),
	}),
);

/** Repeats a kind until its JSON has about 4 MB, so that the noise matters little. */
function jsonOf(kinds: readonly Make[]): string {
	const parts: string[] = [];
	for (let size = 0, object = 0; size < 4_000_000 && object < COUNT; object++) {
		const part = JSON.stringify(kinds.map((make) => make(object)));
		parts.push(part);
		size += part.length;
	}
	return `[${parts.join()}]`;
}

/** As many examples as fit into this time, in ms. */
const ESTIMATES_MS = Number(process.env.ESTIMATES_MS ?? 60_000);

test('the estimate is at least the memory of any kinds of values', async () => {
	let measuring: Promise<unknown> = Promise.resolve();
	await fc.assert(
		fc.asyncProperty(fc.array(anyKind, { minLength: 1, maxLength: 3 }), async (kinds) => {
			const json = jsonOf(kinds);
			const measured = estimateAndReal(json);
			measuring = measured;
			const [estimate, real] = await measured;
			// A tenth is left for what V8 reserves in addition. The limits of n8n's memory leave more room than that.
			expect(estimate, json.slice(0, 300)).toBeGreaterThan(0.9 * real - NOISE);
		}),
		{ numRuns: 10_000, endOnFailure: true, interruptAfterTimeLimit: ESTIMATES_MS },
	);
	// The time limit doesn't end the measurement that is running. It would add its memory to that of the next test.
	await measuring;
});
