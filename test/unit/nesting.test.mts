import { describe, expect, it } from 'vitest';

import type { JsonRecord, JsonValue } from '#connector/domain/json.ts';
import { isShallow, MAX_LEVELS, shallowCopy } from '#connector/domain/nesting.ts';

function nested(levels: number): JsonRecord {
	let record: JsonRecord = { end: true };
	for (let level = 0; level < levels; level++) {
		const inner: JsonValue = level % 2 === 0 ? [record] : { inner: record };
		record = { inner, beside: 1 };
	}
	return record;
}

describe('what is nested too deep', () => {
	it('is cut to a copy that n8n can store, and the rest stays', () => {
		for (const levels of [300, 10_000, 100_000]) {
			const record = nested(levels);
			expect(isShallow(record)).toBe(false);
			const copy = shallowCopy(record);
			expect(isShallow(copy)).toBe(true);
			expect(structuredClone(copy)).toMatchObject({ beside: 1, inner: { inner: { beside: 1 } } });
		}
	});

	it('begins behind the last level that may be', () => {
		const chain = (levels: number): JsonRecord =>
			levels === 0 ? {} : { inner: chain(levels - 1) };
		const deep = chain(MAX_LEVELS);
		expect([isShallow(deep), isShallow(chain(MAX_LEVELS + 1))]).toEqual([true, false]);
		expect(shallowCopy(deep)).toEqual(deep);
	});

	it('does not begin at the depth that an inspection has', () => {
		expect(isShallow(nested(MAX_LEVELS / 2 - 2))).toBe(true);
		expect(shallowCopy({ a: [1, { b: null }], c: undefined })).toEqual({
			a: [1, { b: null }],
			c: null,
		});
	});
});
