import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { nearestName } from '#connector/domain/nearestName.ts';

/**
 * Counts typing errors by the textbook definition (edit distance). `i` and `j` are the lengths of the compared
 * beginnings.
 */
function typingErrors(a: string, b: string): number {
	const table = [Array.from({ length: b.length + 1 }, (_, j) => j)];
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		for (let j = 1; j <= b.length; j++) {
			const at = (up: number, left: number) => table[i - up]?.[j - left] ?? Infinity;
			const same = a[i - 1] === b[j - 1] ? 0 : 1;
			const isExchange = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
			row[j] = Math.min(at(1, 0) + 1, (row[j - 1] ?? 0) + 1, at(1, 1) + same);
			if (i > 1 && j > 1 && isExchange) row[j] = Math.min(row[j] ?? 0, at(2, 2) + 1);
		}
		table.push(row);
	}
	return table[a.length]?.[b.length] ?? 0;
}

describe('the nearest name', () => {
	it("is the one with the fewest typing errors, if it's unique", () => {
		const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 9 });
		fc.assert(
			fc.property(word, fc.uniqueArray(word, { minLength: 1, maxLength: 5 }), (given, names) => {
				const allowed = Math.min(3, Math.floor(given.length / 3));
				const errors = names.map((name) => typingErrors(given, name));
				const fewest = Math.min(...errors);
				const nearest = names.filter((_, index) => errors[index] === fewest);
				const expected = fewest <= allowed && nearest.length === 1 ? nearest[0] : undefined;
				expect(nearestName(given, names)).toBe(expected);
			}),
			{ numRuns: 500 },
		);
	});

	it.each([
		['Wether', 'Weather'],
		['wehater ', 'Weather'],
		['Site\u00a0Vist', 'Site visit'],
		['Floor', 'Flóör'],
		['Door', undefined],
		['', undefined],
		['W', undefined],
	])('is for %j %j', (given, expected) => {
		const names = ['Weather', 'Weather', 'Site visit', 'Inspector', 'Roof', 'Flóör'];
		expect(nearestName(given, names)).toBe(expected);
	});

	it('uses the first 64 characters, so that long names take no longer', () => {
		const same = 'x'.repeat(64);
		const other = `${same} and quite another`;
		expect(nearestName(`${same} one text`, [other])).toBe(other);
	});
});
