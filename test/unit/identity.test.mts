import fc from 'fast-check';
import { expect, it } from 'vitest';

import { lookalikes, lookOf } from '#connector/domain/create/identity.ts';

it.each([
	['V-103', 'V–103', 'V\u2011103', 'v-103', 'V - 103', 'Ｖ－１０３', 'V\u2212103'],
	["O'Brien", 'O’Brien', 'O`Brien', "o' brien"],
	['"Roof"', '„Roof“', '«Roof»'],
	['123', '00123', '\u00a0123', '１２３'],
	['A-17', 'A-0017', 'a-017'],
])('%j looks like each of its variants', (...variants) => {
	expect(new Set(variants.map(lookOf)).size).toBe(1);
	const values = variants.map((value, index) => ({ value, where: `row ${String(index + 1)}` }));
	expect(lookalikes([...values, ...values])).toContain(
		`"${String(variants[0])}" (row 1) and "${String(variants[1])}" (row 2)`,
	);
});

it.each([
	['1.05', '1.5'],
	['A-17', 'A-170'],
	['V-103', 'V-104'],
	['0', '00a'],
	['A1', 'A-1'],
])('%j does not look like %j', (one, other) => {
	expect(lookOf(one)).not.toBe(lookOf(other));
});

it("a value that looks like itself isn't a finding", () => {
	fc.assert(
		fc.property(fc.string(), fc.nat(5), (value, count) => {
			const same = Array.from({ length: count }, () => ({ value, where: 'row 1' }));
			expect(lookalikes(same)).toEqual([]);
		}),
	);
});

it('a value is compared with the first one that looks like it', () => {
	const values = ['A', 'a', 'Ａ', 'A'].map((value, index) => ({ value, where: String(index) }));
	expect(lookalikes(values)).toEqual(['"A" (0) and "a" (1)', '"A" (0) and "Ａ" (2)']);
});
