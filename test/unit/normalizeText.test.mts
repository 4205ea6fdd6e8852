import { expect, test } from 'vitest';

import {
	composedText,
	foldPath,
	hasNoValue,
	isBlank,
	isSameText,
	withPlainDigits,
} from '#connector/domain/normalizeText.ts';

test('paths are equal regardless of case or spaces', () => {
	const paths = ['Page/Site', 'page/ SITE', 'Page /Site', ' Page  /\u00a0site '];
	expect(new Set(paths.map(foldPath))).toEqual(new Set(['page/site']));
});

test('only texts are equal, regardless of spaces or Unicode forms', () => {
	expect(isSameText(' Gr\u00f6\u00dfe\u200b 1', 'Gro\u0308\u00dfe\u00a01')).toBe(true);
	expect(isSameText('V\u2800-1\u00ad03\u200e', 'V -103')).toBe(true);
	const others = [isSameText('a', 'A'), isSameText(7, '7'), isSameText('7', 7)];
	expect(others).toEqual([false, false, false]);
});

test('only a value of nothing but spaces is blank', () => {
	const blanks = [undefined, null, '', ' \u00a0'];
	expect([...blanks, 0, false, 'x', {}].filter(isBlank)).toEqual(blanks);
	const nested = [{}, { a: ' ' }, [{ Name: '' }], [], { a: 0 }, ['x', '']];
	expect(nested.filter((one) => hasNoValue(one))).toEqual(nested.slice(0, 3));
});

test('accents are composed, unless there are more of them than in any language', () => {
	expect(composedText('o\u0308')).toBe('\u00f6');
	expect(composedText('abcdefghijklmnopqrstuvwxyzabcdefo\u0308')).toMatch(/\u00f6$/);
	const many = `o${'\u0308'.repeat(31)}`;
	expect(composedText(many)).toBe(many);
});

test('digits of any script become ASCII digits', () => {
	const digits = [
		'０１２３４５６７８９',
		'٠١٢٣٤٥٦٧٨٩',
		'۰۱۲۳۴۵۶۷۸۹',
		'०१२३४५६७८९',
		'𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗',
		'𝟶𝟷𝟸𝟹𝟺𝟻𝟼𝟽𝟾𝟿',
	];
	expect(digits.map(withPlainDigits)).toEqual(digits.map(() => '0123456789'));
	expect(withPlainDigits('１２，５')).toBe('12,5');
	expect(withPlainDigits('5² ½ Ⅷ ①')).toBe('5² ½ Ⅷ ①');
});
