import { expect, test } from 'vitest';

import { rowNumbers, rowsText } from '#connector/domain/rowNumbers.ts';

const numberedOf = (items: readonly object[]) => {
	const { of, counted } = rowNumbers(items);
	return [items.map((_, item) => of(item)), counted];
};

test('rows have their Google Sheets numbers if each has a unique one', () => {
	const lines = [2, 5, 9];
	const items = lines.map((row_number) => ({ row_number }));
	expect(numberedOf(items)).toEqual([lines, 'The rows are numbered as in the sheet.']);
});

test.each([
	['no row', []],
	['none', [{}, {}]],
	['a row without', [{ row_number: 7 }, {}]],
	['two sheets', [{ row_number: 7 }, { row_number: 7 }]],
	['a text', [{ row_number: '7' }, { row_number: 8 }]],
	['a part', [{ row_number: 7.5 }, { row_number: 8 }]],
	['zero', [{ row_number: 0 }, { row_number: 1 }]],
])('rows count from 1, with a note, if a number is missing or different: %s', (_, items) => {
	const counted = expect.stringMatching(/^Row 1 is the first row that reached this node/);
	expect(numberedOf(items)).toEqual([items.map((_item, at) => at + 1), counted]);
});

const ODD = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19];

test.each([
	[[7], 'row 7', 'row 7'],
	[[40, 7], 'rows 7 and 40', 'rows 7 and 40'],
	[[1, 2, 3, 4, 15, 40], 'rows 1 to 4, 15 and 40', 'rows 1 to 4, 15 and 40'],
	[[3, 5, 7, 9, 9], 'rows 3, 5, 7 and 9', 'rows 3, 5, 7 and 1 more'],
	[[3, 4, 7, 9, 11], 'rows 3, 4, 7, 9 and 11', 'rows 3, 4, 7, 9 and 1 more'],
	[[1, 3, 5, 7, 8, 9], 'rows 1, 3, 5 and 7 to 9', 'rows 1, 3, 5 and 3 more'],
	[[...ODD, 21, 22, 24], `rows ${ODD.join(', ')} and 3 more`, 'rows 1, 3, 5 and 10 more'],
])('the rows %j are called %s, in short %s', (numbers, text, short) => {
	expect(rowsText(numbers)).toBe(text);
	expect(rowsText(numbers, 3)).toBe(short);
});
