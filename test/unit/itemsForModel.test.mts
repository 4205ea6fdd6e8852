import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { itemsForModel } from '#connector/domain/itemsForModel.ts';

const item = (characters: number, name = 'text') => ({ id: 'a', [name]: 'x'.repeat(characters) });

describe('what a model gets of a tool’s items', () => {
	it('is the first ones, and a sentence that counts the others and says how to ask', () => {
		const items = Array.from({ length: 50 }, () => item(900));
		const { count, withoutFields, leftOut } = itemsForModel(items);
		expect(count).toBe(20);
		expect(withoutFields.size).toBe(0);
		expect(leftOut).toMatch(/^30 of 50 items were left out, .* ask for less at once: a filter/);
	});

	it('is the first one without its large fields where it alone is too much, with their names cut', () => {
		const [name, field] = ['N'.repeat(60), 'F'.repeat(61)];
		const one = {
			id: 'a',
			[name]: 'x'.repeat(450_000),
			status: 'new',
			[field]: 'y'.repeat(30_000),
		};
		const { count, withoutFields, leftOut } = itemsForModel([one, item(10)]);
		expect(count).toBe(1);
		expect([...withoutFields]).toEqual([name, field]);
		expect(leftOut).toContain(
			`too much for a model: ${name}, ${'F'.repeat(59)}…. 1 of 2 items were left out`,
		);
	});

	it('is every item that fits to the last character, and every field of the first', () => {
		const length = 1_000 - 1 - JSON.stringify(item(0)).length;
		const items = [...Array.from({ length: 19 }, () => item(length)), item(length + 1)];
		expect(itemsForModel(items.slice(0, 19))).toMatchObject({ count: 19, leftOut: undefined });
		expect(itemsForModel([...items.slice(0, 19), item(length)])).toMatchObject({ count: 20 });
		expect(itemsForModel(items)).toMatchObject({ count: 19 });
		expect(itemsForModel([])).toMatchObject({ count: 0, leftOut: undefined });
		const wide = Object.fromEntries(
			Array.from({ length: 2_000 }, (_, n) => [String(n + 1_000), 0]),
		);
		expect(JSON.stringify(wide).length).toBeGreaterThan(18_000);
		expect(itemsForModel([wide, item(2_000)])).toMatchObject({
			count: 1,
			withoutFields: new Set(),
		});
	});

	it('names ten of many fields', () => {
		const row = Object.fromEntries(
			Array.from({ length: 1_000 }, (_, index) => [`${'Q'.repeat(100)}${String(index)}`, 'answer']),
		);
		const { withoutFields, leftOut = '' } = itemsForModel([row]);
		expect(withoutFields.size).toBeGreaterThan(500);
		expect(leftOut).toContain(` and ${String(withoutFields.size - 10)} more.`);
		expect(leftOut.length).toBeLessThan(1_000);
	});

	it('never has more characters than there is room for, and never less than could be', () => {
		fc.assert(
			fc.property(
				fc.array(fc.dictionary(fc.string({ maxLength: 90 }), fc.jsonValue({ maxDepth: 2 })), {
					maxLength: 30,
				}),
				fc.integer({ min: 1_100, max: 4_000 }),
				(items, most) => {
					const { count, withoutFields, leftOut } = itemsForModel(items, most);
					const [first = {}, ...others] = items.slice(0, count);
					const kept = Object.entries(first).filter(([name]) => !withoutFields.has(name));
					const told = leftOut === undefined ? [] : [{ left_out: leftOut }];
					const answer = items.length === 0 ? [] : [Object.fromEntries(kept), ...others, ...told];
					expect(JSON.stringify(answer).length).toBeLessThanOrEqual(most + 2);
					if (leftOut === undefined) expect([count, withoutFields.size]).toEqual([items.length, 0]);
					else expect(JSON.stringify(items).length).toBeGreaterThan(most - 10);
				},
			),
		);
	});
});
