import { expect, test } from 'vitest';

import { composedText, foldPath, isBlank, isSameText } from '#connector/domain/plainText.ts';

test.each(['Page/Site', 'page/ SITE', 'Page /Site', ' Page  /\u00a0site '])(
	'%j is the path of the same question',
	(path) => {
		expect(foldPath(path)).toBe('page/site');
	},
);

test('texts are the same without regard to blanks and Unicode forms; other values are none', () => {
	expect(isSameText(' Gr\u00f6\u00dfe\u200b 1', 'Gro\u0308\u00dfe\u00a01')).toBe(true);
	expect(isSameText('V\u2800-1\u00ad03\u200e', 'V -103')).toBe(true);
	expect(isSameText('a', 'A')).toBe(false);
	expect(isSameText(7, '7')).toBe(false);
	expect(isSameText('7', 7)).toBe(false);
});

test.each([undefined, null, '', ' \u00a0'])('%j says nothing', (cell) => {
	expect(isBlank(cell)).toBe(true);
});

test.each([0, false, 'x', {}])('%j says something', (cell) => {
	expect(isBlank(cell)).toBe(false);
});

test('accents are put together, unless there are more of them than any language has', () => {
	expect(composedText('o\u0308')).toBe('\u00f6');
	expect(composedText('abcdefghijklmnopqrstuvwxyzabcdefo\u0308')).toMatch(/\u00f6$/);
	const many = `o${'\u0308'.repeat(31)}`;
	expect(composedText(many)).toBe(many);
});
