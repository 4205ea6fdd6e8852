import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
	decimalCure,
	decimalFromText,
} from '../../nodes/InspectionService/domain/answer/numbers.ts';

const number = fc
	.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 3 }))
	.map(([digits, decimals]) => digits / 10 ** decimals);
const blank = fc.constantFrom(' ', '\u00a0', '\u202f', "'", '\u2019');

describe('a number’s text', () => {
	it('is read as the spreadsheet of either country writes it', () => {
		const locale = fc.constantFrom(['en-US', 'point'] as const, ['de-DE', 'comma'] as const);
		fc.assert(
			fc.property(number, locale, fc.boolean(), (value, [name, separator], useGrouping) => {
				const text = value.toLocaleString(name, { useGrouping, maximumFractionDigits: 3 });
				expect(decimalFromText(` ${text} `, separator)).toBe(value === 0 ? 0 : value);
			}),
			{ numRuns: 300 },
		);
	});

	it('is read with blanks between thousands', () => {
		fc.assert(
			fc.property(number, blank, (value, between) => {
				const text = value
					.toLocaleString('de-DE', { maximumFractionDigits: 3 })
					.replaceAll('.', between);
				expect(decimalFromText(text, 'comma')).toBe(value === 0 ? 0 : value);
			}),
			{ numRuns: 300 },
		);
	});

	it.each([
		['1,5', 'comma', 1.5],
		['1,5', 'point', undefined],
		['1.5', 'comma', undefined],
		['1.234', 'comma', 1234],
		['1.234', 'point', 1.234],
		[',5', 'comma', 0.5],
		['1,5e3', 'comma', 1500],
		['12345 678', 'comma', undefined],
		['1.23.456', 'comma', undefined],
		['1,5,6', 'comma', undefined],
		['0,12345678901234567890', 'comma', '0.12345678901234567890'],
		['', 'comma', undefined],
		['-', 'comma', undefined],
	] as const)('%j with the %s is %j', (text, separator, value) => {
		expect(decimalFromText(text, separator)).toBe(value);
	});
});

describe('the cure for a text that is no number', () => {
	it.each([
		['1,5', undefined, 'set the option Decimal Separator to Comma to read 1.5'],
		[
			'1,234',
			undefined,
			'set the option Decimal Separator to Point to read 1234, or to Comma to read 1.234',
		],
		['1.5', 'comma', 'set the option Decimal Separator to Point to read 1.5'],
		['many', 'comma', 'write digits with a comma for decimals, such as 1234,5'],
		[
			'many',
			undefined,
			'write digits with a point for decimals and no thousands separator, such as 1234.5',
		],
	] as const)('names the option that reads it: %j', (text, separator, cure) => {
		expect(decimalCure(text, separator)).toBe(cure);
	});
});
