import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { itemsForModel } from '#connector/domain/itemsForModel.ts';

/** Returns an object with `count` fields whose names begin with `begin`. */
const withFields = (count: number, begin: string) =>
	Object.fromEntries(Array.from({ length: count }, (_, n) => [`${begin}${String(n)}`, 0]));
const item = (characters: number, name = 'text') => ({ id: 'a', [name]: 'x'.repeat(characters) });

describe('a tool’s items for a model', () => {
	it('are the first ones with a sentence about the rest', () => {
		const given = itemsForModel(Array(50).fill(item(900)));
		expect(given).toMatchObject({ count: 20, withoutFields: new Set() });
		expect(given.leftOut).toMatch(
			/^30 of 50 items were left out, .* request less at once: use a filter/,
		);
	});

	it("are the first one in short if it's too large alone", () => {
		const [name, field] = ['N'.repeat(60), 'F'.repeat(61)];
		const large = { [name]: 'x'.repeat(450_000), status: 'new', [field]: 'y'.repeat(30_000) };
		const { count, withoutFields, leftOut } = itemsForModel([{ id: 'a', ...large }, item(10)]);
		expect([count, ...withoutFields]).toEqual([1, name, field]);
		expect(leftOut).toContain(
			`too large for a model: ${name}, ${'F'.repeat(59)}…. 1 of 2 items were left out`,
		);
	});

	it('are all items that fit to the last character, with every field of the first', () => {
		const length = 1_000 - 1 - JSON.stringify(item(0)).length;
		const items = Array(19).fill(item(length));
		expect(itemsForModel(items)).toMatchObject({ count: 19, leftOut: undefined });
		expect(itemsForModel([...items, item(length)])).toMatchObject({ count: 20 });
		expect(itemsForModel([...items, item(length + 1)])).toMatchObject({ count: 19 });
		expect(itemsForModel([])).toMatchObject({ count: 0, leftOut: undefined });
		const wide = withFields(2_000, '1');
		expect(JSON.stringify(wide).length).toBeGreaterThan(18_000);
		const given = itemsForModel([wide, item(2_000)]);
		expect(given).toMatchObject({ count: 1, withoutFields: new Set() });
	});

	it('include at most ten of many fields', () => {
		const { withoutFields, leftOut = '' } = itemsForModel([withFields(1_000, 'Q'.repeat(100))]);
		expect(withoutFields.size).toBeGreaterThan(500);
		expect(leftOut).toContain(` and ${String(withoutFields.size - 10)} more.`);
		expect(leftOut.length).toBeLessThan(1_000);
	});

	it('use all the available characters, but never more', () => {
		const anyItem = fc.dictionary(fc.string({ maxLength: 90 }), fc.jsonValue({ maxDepth: 2 }));
		const limits = fc.integer({ min: 1_100, max: 4_000 });
		fc.assert(
			fc.property(fc.array(anyItem, { maxLength: 30 }), limits, (items, maxCharacters) => {
				const { count, withoutFields, leftOut } = itemsForModel(items, maxCharacters);
				const [first = {}, ...others] = items.slice(0, count);
				const kept = Object.entries(first).filter(([name]) => !withoutFields.has(name));
				const told = leftOut === undefined ? [] : [{ left_out: leftOut }];
				const answer = items.length === 0 ? [] : [Object.fromEntries(kept), ...others, ...told];
				expect(JSON.stringify(answer).length).toBeLessThanOrEqual(maxCharacters + 2);
				if (leftOut === undefined) expect([count, withoutFields.size]).toEqual([items.length, 0]);
				else expect(JSON.stringify(items).length).toBeGreaterThan(maxCharacters - 10);
			}),
		);
	});
});
