import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
	problemLines,
	refusedHeadline,
	rowsText,
} from '../../nodes/InspectionService/domain/rowProblems.ts';

describe('rows', () => {
	test.each([
		[[6], 'row 7'],
		[[6, 39], 'rows 7 and 40'],
		[[0, 1, 2, 3, 14, 39], 'rows 1 to 4, 15 and 40'],
	])('%j are %s', (items, text) => {
		expect(rowsText(items)).toBe(text);
	});

	test('all of many are counted, and the text stays short', () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.nat(100_000), { minLength: 1 }), (numbers) => {
				const text = rowsText(numbers);
				const counts = [...text.matchAll(/(\d+) to (\d+)|(\d+) more|(\d+)/g)].map(
					([, first, last, more]) =>
						more === undefined
							? Number(last ?? first ?? 0) - Number(first ?? last ?? 0) + 1
							: Number(more),
				);
				expect(counts.reduce((sum, count) => sum + count, 0)).toBe(numbers.length);
				expect(text.length).toBeLessThan(250);
			}),
		);
	});
});

test('a problem of several rows is told once', () => {
	const same = { text: '"Area" is required.' };
	expect(
		problemLines([
			{ items: [2], ...same },
			{ items: [4], text: 'Other.' },
			{ items: [6, 7], ...same },
		]),
	).toEqual(['Rows 3, 7 and 8: "Area" is required.', 'Row 5: Other.']);
});

test('a long problem is cut, and ends in an ellipsis', () => {
	const told = (length: number) => problemLines([{ items: [0], text: 'x'.repeat(length) }]);
	expect(told(600)).toEqual([`Row 1: ${'x'.repeat(600)}`]);
	expect(told(601)).toEqual([`Row 1: ${'x'.repeat(600)}…`]);
});

test('many problems are counted, and a few are spelled out', () => {
	const problems = Array.from({ length: 5000 }, (_, item) => ({
		items: [item * 2],
		text: `Wrong cell ${String(item)} ${'x'.repeat(10_000)}`,
	}));
	const headline = refusedHeadline(problems, { rowCount: 10_000, nothing: 'Nothing was sent' });
	expect(headline).toMatch(/^Nothing was sent\. 5000 of 10000 rows have problems: rows 1, 3, 5,/);
	const lines = problemLines(problems);
	expect(lines.at(-1)).toBe('… and 4990 more problems.');
	expect(problemLines(problems.slice(0, 10)).at(-1)).toMatch(/^Row 19: /);
	expect(lines.join('').length).toBeLessThan(8000);
});
