import { expect, test } from 'vitest';

import { shapeOf } from '#connector/domain/unexpectedResponse.ts';

const keys = (count: number) =>
	Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${String(n + 1)}`, 'secret']));

test.each([
	[{ data: { a: 1, b: 2 }, total: 3 }, 'an object with the keys data {a, b}, total'],
	[{}, 'an object with no keys'],
	[keys(12), /k12$/],
	[keys(13), /^an object with the keys k1, .*, k12 and 1 more$/],
	[{ data: keys(13) }, /^an object with the keys data {k1, .*, k12}$/],
	[[], 'an array'],
	[null, 'null'],
	['', 'an empty response'],
	[7, 'a number'],
])("the shape of %j doesn't reveal its values", (value, shape) => {
	const found = shapeOf(value);
	expect(found).toEqual(typeof shape === 'string' ? shape : expect.stringMatching(shape));
	expect(found).not.toContain('secret');
});
