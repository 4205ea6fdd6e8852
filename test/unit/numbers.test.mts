import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decimalFromText, numberFromText, withoutUnit } from '#connector/domain/answer/numbers.ts';
import { numberProblem } from '#connector/domain/answer/refusedNumber.ts';

const number = fc
	.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 3 }))
	.map(([digits, decimals]) => (digits === 0 ? 0 : digits / 10 ** decimals));
const locale = fc.constantFrom(['en-US', 'point'] as const, ['de-DE', 'comma'] as const);
/** How thousands are separated: not at all, as usual in the country, or by a space or an apostrophe. */
const between = fc.constantFrom('', 'usual', ' ', '\u00a0', '\u202f', "'", '\u2019');
const minus = fc.constantFrom('-', '\u2212');
const unit = fc.constantFrom('', '€', '$', '£', '₹', '%', 'CHF', 'eur', 'USD');
const gap = fc.constantFrom('', ' ', '\u00a0', '\u202f');

describe('a number as text', () => {
	it("is read in either country's notation, with at most one sign on either side", () => {
		const how = fc.tuple(between, unit, gap, fc.boolean(), minus);
		fc.assert(
			fc.property(
				number,
				locale,
				how,
				(value, [name, separator], [thousands, sign, blank, before, dash]) => {
					const usual = value.toLocaleString(name, { maximumFractionDigits: 3 });
					const grouping = separator === 'comma' ? '.' : ',';
					const text = thousands === 'usual' ? usual : usual.replaceAll(grouping, thousands);
					const given = before ? `${sign}${blank}${text}` : `${text}${blank}${sign}`;
					const written = given.replace('-', dash);
					const plain = text.replace(/\s/g, ' ').replaceAll('\u2019', "'");
					expect(withoutUnit(` ${written} `)).toBe(plain);
					expect(decimalFromText(` ${withoutUnit(written)} `, separator)).toBe(value);
				},
			),
			{ numRuns: 600 },
		);
	});

	it('has one thousands separator throughout, which is never the decimal separator', () => {
		const separators = ['.', ',', ' ', "'"] as const;
		const groups = fc.array(
			fc.tuple(fc.constantFrom(...separators), fc.integer({ min: 100, max: 999 })),
			{
				minLength: 1,
				maxLength: 4,
			},
		);
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 999 }),
				groups,
				locale,
				(first, rest, [, separator]) => {
					const text = `${first}${rest.map(([sign, digits]) => `${sign}${digits}`).join('')}`;
					const decimal = separator === 'comma' ? ',' : '.';
					const decimals = rest.at(-1)?.[0] === decimal ? rest.at(-1) : undefined;
					const whole = decimals === undefined ? rest : rest.slice(0, -1);
					const signs = new Set(whole.map(([sign]) => sign));
					const isNumber = signs.size <= 1 && !signs.has(decimal);
					const digits = `${first}${whole.map(([, three]) => three).join('')}`;
					const value = Number(decimals === undefined ? digits : `${digits}.${decimals[1]}`);
					expect(decimalFromText(text, separator)).toBe(isNumber ? value : undefined);
				},
			),
			{ numRuns: 600 },
		);
	});

	it.each([
		['comma', undefined, ["1'234.567", '1 234.567', "1.234'567", '1 234\u00a0567.8', "1'234 567"]],
		['point', 1234.567, ["1'234.567", '1 234.567', '1,234.567']],
		['comma', undefined, ['1.5', '1.23.456', '1,5,6', '12345 678', '0.500', '00.500', '012.500']],
		['comma', undefined, ['', '-']],
		['point', undefined, ['1,5', '-0,250', '0 500']],
		['comma', 0.5, [',5', '0,500']],
		['comma', 1234567.5, ["1'234\u2019567,5", '1 234\u00a0567,5', '1\u202f234 567,5']],
		['comma', 1500, ['1,5e3']],
		['comma', undefined, ['4.006E+12', '1.500e3', '2.150E-10', "1'500E3", '1 500e3', '1.500,5e3']],
		['point', undefined, ['4,006E+12', "1'500E3", '1,500.5e3']],
		['point', 4.006e12, ['4.006E+12']],
		['comma', 4.006e12, ['4,006E+12']],
		['comma', '0.12345678901234567890', ['0,12345678901234567890']],
	] as const)('is read with the %s as %j: each of %j', (separator, value, texts) => {
		const read = texts.map((text) => decimalFromText(text, separator));
		expect(read).toEqual(texts.map(() => value));
	});
});

describe('a currency or percent sign around a number', () => {
	it.each(
		'AUD BRL CAD CHF CNY CZK DKK EUR GBP HUF INR JPY MXN NOK NZD PLN SEK SGD USD ZAR'.split(' '),
	)('can be %s', (code) => {
		expect([`${code} 12.50`, `12.50 ${code}`].map((text) => withoutUnit(text))).toEqual([
			'12.50',
			'12.50',
		]);
	});

	it.each([
		...['12.5 zł', '12.5 Kč', '12.5 kr', '12.5 kr.', '12.5 Ft', 'R$ 12.5', 'R$12.5', 'US$ 12.5'],
		...[
			'A$ 12.5',
			'S$12.5',
			'Fr. 12.5',
			'Rs. 12.5',
			'Rs.12.5',
			'රු.12.5',
			'12.5 lei',
			'12.5 лв.',
			'12.5 din.',
		],
		...['S/ 12.5', 'RM 12.5', '12.5 FCFA', '12.5 RON', 'KES 12.5', '12.5 Kr', '12.5 ₽', '12.5 TRY'],
	])('is one that Excel writes: %j', (given) => {
		expect(withoutUnit(given)).toBe('12.5');
	});

	it.each([
		['-$5', '-5'],
		['$ -5', '-5'],
		['-kr 5', '-5'],
		['€.5', '.5'],
		['5. €', '5.'],
	])('keeps the signs or decimals of the number: %j', (given, number) => {
		expect(withoutUnit(given)).toBe(number);
	});

	it.each([
		'€ 12 %',
		'12 % %',
		'$12 USD',
		'-€-5',
		'%',
		'€',
		'12 m',
		'12 ‰',
		'TOP 10',
		'10 ALL',
		'12 ft',
		'12 km',
		'85 dB',
		'5 kN',
		'5 K',
		'2 cup',
		'EUR.50',
		'1 € 50',
		'5 € each',
		'(5 €)',
		'5,00- €',
		'5 k€',
		'12 m€',
		'12 €%',
		'€%12',
	])("doesn't make %j a number", (given) => {
		expect(numberFromText(withoutUnit(given))).toBeUndefined();
		expect(decimalFromText(withoutUnit(given), 'comma')).toBeUndefined();
		expect(decimalFromText(withoutUnit(given), 'point')).toBeUndefined();
	});
});

describe("the fix for text that isn't a number", () => {
	const EXPONENT =
		'has an exponent, because Excel shortens long numbers. Format the column as Number in Excel, and save the file again';
	const set = (separator: string, number: string) =>
		`is not recognized as a number. Set the option 'Decimal Separator' to '${separator}' to read it as ${number}`;

	it.each([
		['1,5', undefined, set('Comma', '1.5')],
		[
			'1,234',
			undefined,
			"can be read as two numbers. Set the option 'Decimal Separator' to 'Point' to read it as 1234, or to 'Comma' to read it as 1.234",
		],
		['1 000', undefined, `${set('Point', '1000')}, or to 'Comma' to read it as 1000`],
		['1.5', 'comma', set('Point', '1.5')],
		['0.500', 'comma', set('Point', '0.5')],
		['-0,250', undefined, set('Comma', '-0.25')],
		['0,500', 'point', set('Comma', '0.5')],
		['1.250,00 €', undefined, set('Comma', '1250')],
		['$ 1,250.00', 'comma', set('Point', '1250')],
		['4.006E+12', 'comma', EXPONENT],
		['4,006E+12', 'point', EXPONENT],
		["1'500E3", undefined, EXPONENT],
		['4,006E+12', undefined, set('Comma', '4006000000000')],
		...['many', '-', 'n.d.', 'N.A.'].map(
			(word) => [word, 'comma', 'is not a number. Write digits, or leave the cell empty'] as const,
		),
		['3 or 4', 'comma', 'is not a number. Write digits with a comma for decimals, such as 1234,5'],
		['12 m', undefined, 'has the unit "m". Write only the number, in the unit of the question'],
		['12,5 °C', undefined, 'has the unit "°C". Write only the number, in the unit of the question'],
		[
			'TOP 10',
			undefined,
			'is not a number. Write digits with a point for decimals and no thousands separator, such as 1234.5',
		],
	] as const)('suggests the option that reads it: %j', (text, separator, fix) => {
		expect(numberProblem(text, separator).message).toBe(fix);
	});
});

describe('an ambiguous number', () => {
	const problemWith = (given: string, separator?: 'comma' | 'point') =>
		numberProblem(given, separator).message;

	it.each(["1'234.567", '1 234.567'])(
		'such as %j with Comma has an error that suggests Point',
		(given) => {
			expect(problemWith(given, 'comma')).toBe(
				"is not recognized as a number. Set the option 'Decimal Separator' to 'Point' to read it as 1234.567",
			);
		},
	);

	it.each([
		['(5)', 'could mean a negative number. Write -5'],
		['(1.250,00 €)', 'could mean a negative number. Write -1.250,00'],
		['5-', 'could mean a negative number. Write -5'],
		['5,00- €', 'could mean a negative number. Write -5,00'],
		['5 \u2212', 'could mean a negative number. Write -5'],
		['–5', 'could mean a negative number. Write -5'],
		['— 5,5', 'could mean a negative number. Write -5,5'],
		['- 5', 'could mean a negative number. Write -5'],
	])('such as %j has an error that shows the sign', (given, wrong) => {
		expect([problemWith(given), problemWith(given, 'comma')]).toEqual([wrong, wrong]);
	});

	it.each(['(five)', '–', '5-3', '()', '--5', '-€-5', '(5', '1-'.repeat(50_000)])(
		'such as %j has no other sign',
		(given) => {
			expect(problemWith(given)).toMatch(/^is not a number. Write digits/);
		},
	);
});
