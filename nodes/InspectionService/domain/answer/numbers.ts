import { trimmedEnd } from '../plainText';
import type { ValueProblem } from '../problem';

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,6}))?$/i;

/** One text for all texts of a decimal number, `15e-1` for `1.50`; undefined for thousands, commas, hexadecimal digits. */
export function canonicalNumber(text: string): string | undefined {
	const parts = DECIMAL.exec(text.trim());
	if (parts === null) return undefined;
	const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
	if (whole === '' && fraction === '') return undefined;
	const digits = `${whole}${fraction}`.replace(/^0+/, '');
	const significant = trimmedEnd(digits, '0');
	if (significant === '') return '0';
	const power = Number(exponent) - fraction.length + digits.length - significant.length;
	return `${sign === '-' ? '-' : ''}${significant}e${String(power)}`;
}

/**
 * The number that a value is: a JavaScript number where that loses no digits, else its text
 * (Response of docs/service.openapi.yaml). Undefined also for a text that may be two numbers.
 */
export function numberOf(
	given: unknown,
	separator: DecimalSeparator | undefined,
): number | string | undefined {
	// -0 becomes 0.
	if (typeof given === 'number') return Number.isFinite(given) ? given + 0 : undefined;
	if (typeof given === 'bigint') return numberFromText(String(given));
	if (typeof given !== 'string') return undefined;
	const text = withoutUnit(given);
	if (separator !== undefined) return decimalFromText(text, separator);
	return hasThousandsOrDecimals(text) ? undefined : numberFromText(text);
}

/** Reads a number from a text with a point for decimals, if any; see `numberOf`. */
export function numberFromText(text: string): number | string | undefined {
	const canonical = canonicalNumber(text);
	if (canonical === undefined) return undefined;
	const value = Number(text);
	if (value === 0) return canonical === '0' ? 0 : text.trim();
	return canonicalNumber(String(value)) === canonical ? value : text.trim();
}

/**
 * A number has one thousands separator throughout: the other decimal sign, a blank, or an apostrophe. Thousands never begin
 * with a zero: `0.500` with a comma for decimals isn't 500, but half in the other locale.
 */
const numberForm = (thousands: string, decimal: string) => ({
	whole: new RegExp(
		`^[+-]?(?:\\d*|[1-9]\\d{0,2}([${thousands} '])\\d{3}(?:\\1\\d{3})*)(?:[${decimal}]\\d*)?(?:e[+-]?\\d{1,6})?$`,
		'i',
	),
	thousands: new RegExp(`[${thousands} ']`, 'g'),
	decimal,
});
/** Non-breaking and narrow blanks, and typographic apostrophes, which look like plain ones. */
const [BLANKS, APOSTROPHES] = [/[\u00a0\u2009\u202f]/g, /\u2019/g];
/** By the values of the option Decimal Separator. */
const FORMS = {
	point: { title: 'Point', ...numberForm(',', '.') },
	comma: { title: 'Comma', ...numberForm('.', ',') },
};
export type DecimalSeparator = keyof typeof FORMS;
export const DECIMAL_SEPARATORS = ['point', 'comma'] as const;

/** Reads a number with this decimal separator, 1234.5 from `1.234,5`; see `numberForm`. */
export function decimalFromText(
	given: string,
	separator: DecimalSeparator,
): number | string | undefined {
	const { whole, thousands, decimal } = FORMS[separator];
	const text = given.trim().replace(BLANKS, ' ').replace(APOSTROPHES, "'");
	if (!whole.test(text)) return undefined;
	return numberFromText(text.replace(thousands, '').replace(decimal, '.'));
}

/** A text such as `1.200`, which one office reads as 1200 and another as 1.2. `0.125` has one reading only. */
const THOUSANDS_OR_DECIMALS = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

export function hasThousandsOrDecimals(given: string): boolean {
	return THOUSANDS_OR_DECIMALS.test(given.trim());
}

/** Currencies of the largest markets. A list of all codes would make a number of "TOP 10" and "ALL 3". */
const CODES = 'AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HUF|INR|JPY|MXN|NOK|NZD|PLN|SEK|SGD|USD|ZAR';
/** A currency or percent sign before a number, which may have its own sign on either side of it: `-$5` and `$ -5`. */
const UNIT_BEFORE = new RegExp(`^([+-]?)(?:[\\p{Sc}%]|${CODES})`, 'iu');
const UNIT_BEHIND = new RegExp(`(?:[\\p{Sc}%]|${CODES})$`, 'iu');

/**
 * The text of a number without the one currency or percent sign around it: `1.250,00` of `1.250,00 €`, `12` of `12 %`. A
 * typographic minus (U+2212) becomes a plain one.
 */
export function withoutUnit(given: string): string {
	const text = given.trim().replaceAll('\u2212', '-');
	const [before, sign = ''] = UNIT_BEFORE.exec(text) ?? [];
	if (before === undefined) return text.replace(UNIT_BEHIND, '').trimEnd();
	return `${sign}${text.slice(before.length).trimStart()}`;
}

/** Characters of a number whose sign is explained. With its unit and separators nobody writes a longer one. */
const MAX_SIGNED_LENGTH = 60;
/** Other ways to write a negative number. `5–` and `(5)` may mean something else, so they aren't read. */
const SIGNS: readonly (readonly [form: RegExp, wrong: (sign: string) => string])[] = [
	[/^([\u2010-\u2015\ufe63\uff0d]|- )\s*([\d.,].*)$/, (sign) => `has "${sign}" for its minus sign`],
	[/^([\d.,][^-]*)[-\u2010-\u2015\ufe63\uff0d]$/, () => 'has its minus sign at the end'],
	[/^\(([\d.,][^()]*)\)$/, () => 'is in parentheses, which may mean a negative number'],
];

/** What is wrong with the sign of a text that is a number but for it; undefined for other texts. */
function signProblem(text: string): string | undefined {
	if (text.length > MAX_SIGNED_LENGTH) return undefined;
	for (const [form, wrong] of SIGNS) {
		const [, ...parts] = form.exec(text) ?? [];
		const digits = withoutUnit(parts.at(-1) ?? '');
		if (DECIMAL_SEPARATORS.every((name) => decimalFromText(digits, name) === undefined)) continue;
		if (digits !== '') return `${wrong(parts[0] ?? '')}; write -${digits}`;
	}
	return undefined;
}

export const DECIMAL_OPTION = 'Decimal Separator';

/** Why a value is no number and what a person can do about it. `separator` is that of the option, if any. */
export function numberProblem(
	given: unknown,
	separator: DecimalSeparator | undefined,
): Omit<ValueProblem, 'value'> {
	const text = typeof given === 'string' ? withoutUnit(given) : '';
	const readings = DECIMAL_SEPARATORS.flatMap((name) => {
		const value = decimalFromText(text, name);
		return value === undefined ? [] : [{ title: FORMS[name].title, value }];
	});
	const sign = signProblem(text);
	if (sign !== undefined) return { wrong: sign, kind: 'sign' };
	const isTwoNumbers = separator === undefined && hasThousandsOrDecimals(text);
	const what = isTwoNumbers ? 'can be read as two numbers' : 'is not a number';
	if (readings.length > 0) {
		const cures = readings.map(({ title, value }) => `to ${title} to read ${String(value)}`);
		const wrong = `${what}; set the option ${DECIMAL_OPTION} ${cures.join(', or ')}`;
		// Values that need different separators are told apart.
		const kind = [what, ...readings.map(({ title }) => title)].join();
		return { wrong, kind, option: DECIMAL_OPTION };
	}
	const cure =
		separator === 'comma'
			? 'a comma for decimals, such as 1234,5'
			: 'a point for decimals and no thousands separator, such as 1234.5';
	return { wrong: `${what}; write digits with ${cure}` };
}

/** The separator with which alone a text is a number. */
export function onlySeparatorOf(given: unknown): DecimalSeparator | undefined {
	if (typeof given !== 'string') return undefined;
	const text = withoutUnit(given);
	const reads = (name: DecimalSeparator) => decimalFromText(text, name) !== undefined;
	const [separator, other] = DECIMAL_SEPARATORS.filter(reads);
	return other === undefined ? separator : undefined;
}

/** How Excel writes a long number into a CSV file: `4.00638E+12`, in its own language `4,00638E+12`. */
const SCIENTIFIC = /(?<![\p{L}\p{N}.,])\d(?:[.,]\d{1,14})?E[+-]\d{2,3}(?![\p{L}\p{N}])/u;

/** The first number in a text whose last digits Excel has left out; undefined if there is none. */
export function shortenedNumberIn(text: string): string | undefined {
	return SCIENTIFIC.exec(text)?.[0];
}

/** True for a whole number that JavaScript can't tell from its neighbors. Excel keeps 15 digits, too. */
export function hasLostDigits(given: unknown): boolean {
	return typeof given === 'number' && Number.isInteger(given) && !Number.isSafeInteger(given);
}
