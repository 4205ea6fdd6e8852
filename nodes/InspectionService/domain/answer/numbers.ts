import { trimmedEnd, withPlainDigits } from '../normalizeText';

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,6}))?$/i;

/**
 * Returns one canonical text for all spellings of a decimal number, such as `15e-1` for `1.50`. Undefined for text with
 * thousands separators, commas, or hexadecimal digits.
 */
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
 * Reads a value as a number. Returns a JavaScript number, or text if a JavaScript number would lose digits (Response of
 * docs/service.openapi.yaml). Undefined for any other value, and for text that could be two different numbers, such as
 * `1.200`.
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

/** Reads text as a number with an optional decimal point. Returns a number or text, like `numberOf`. */
export function numberFromText(text: string): number | string | undefined {
	const canonical = canonicalNumber(text);
	if (canonical === undefined) return undefined;
	const value = Number(text);
	if (value === 0) return canonical === '0' ? 0 : text.trim();
	return canonicalNumber(String(value)) === canonical ? value : text.trim();
}

/**
 * Builds the pattern of numbers with one decimal sign. A number can use one thousands separator: the other decimal
 * sign, a space, or an apostrophe. With thousands separators, it can't start with 0: `0.500` doesn't mean 500, even if
 * the decimal sign is a comma. It also can't have an exponent: `4.006E+12` is 4.006 trillion in any language.
 */
const numberForm = (thousands: string, decimal: string) => ({
	whole: new RegExp(
		`^[+-]?(?:\\d*(?:[${decimal}]\\d*)?(?:e[+-]?\\d{1,6})?|[1-9]\\d{0,2}([${thousands} '])\\d{3}(?:\\1\\d{3})*(?:[${decimal}]\\d*)?)$`,
		'i',
	),
	thousands: new RegExp(`[${thousands} ']`, 'g'),
	decimal,
});
/** Match non-breaking and narrow spaces, and typographic apostrophes, which look like plain spaces and apostrophes. */
const [BLANKS, APOSTROPHES] = [/[\u00a0\u2009\u202f]/g, /\u2019/g];
/** How to read numbers, by the value of the option Decimal Separator. */
const FORMS = {
	point: numberForm(',', '.'),
	comma: numberForm('.', ','),
};
export type DecimalSeparator = keyof typeof FORMS;
export const DECIMAL_SEPARATORS = ['point', 'comma'] as const;

/** Reads a number with this decimal separator, such as 1234.5 from `1.234,5`. See `numberForm`. */
export function decimalFromText(
	given: string,
	separator: DecimalSeparator,
): number | string | undefined {
	const { whole, thousands, decimal } = FORMS[separator];
	const text = given.trim().replace(BLANKS, ' ').replace(APOSTROPHES, "'");
	if (!whole.test(text)) return undefined;
	return numberFromText(text.replace(thousands, '').replace(decimal, '.'));
}

/** Matches text such as `1.200`, which can mean 1200 or 1.2, depending on the locale. `0.125` isn't ambiguous. */
const THOUSANDS_OR_DECIMALS = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;

export function hasThousandsOrDecimals(given: string): boolean {
	return THOUSANDS_OR_DECIMALS.test(given.trim());
}

/**
 * Currencies of the largest markets. The list leaves out other codes such as TOP and ALL, because "TOP 10" and "ALL 3"
 * aren't amounts of money.
 */
const CODES = 'AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HUF|INR|JPY|MXN|NOK|NZD|PLN|SEK|SGD|USD|ZAR';
/** Matches a currency or percent sign before a number. A minus can be before or after that sign: `-$5` and `$ -5`. */
const UNIT_BEFORE = new RegExp(`^([+-]?)(?:[\\p{Sc}%]|${CODES})`, 'iu');
const UNIT_AFTER = new RegExp(`(?:[\\p{Sc}%]|${CODES})$`, 'iu');

/**
 * Removes the currency or percent sign before or after a number: `1.250,00` from `1.250,00 €`, `12` from `12 %`. A
 * typographic minus (U+2212) becomes a plain one.
 */
export function withoutUnit(given: string): string {
	const text = withPlainDigits(given).trim().replaceAll('\u2212', '-');
	const [before, sign = ''] = UNIT_BEFORE.exec(text) ?? [];
	if (before === undefined) return text.replace(UNIT_AFTER, '').trimEnd();
	return `${sign}${text.slice(before.length).trimStart()}`;
}

/** Returns the decimal separator with which text is a number: `comma` for `1,5`. Undefined if both or neither fit. */
export function onlySeparatorOf(given: unknown): DecimalSeparator | undefined {
	if (typeof given !== 'string') return undefined;
	const text = withoutUnit(given);
	const reads = (name: DecimalSeparator) => decimalFromText(text, name) !== undefined;
	const [separator, other] = DECIMAL_SEPARATORS.filter(reads);
	return other === undefined ? separator : undefined;
}

/** Matches a long number as Excel writes it into a CSV file: `4.00638E+12`, or `4,00638E+12` in some languages. */
const SCIENTIFIC = /(?<![\p{L}\p{N}.,])\d(?:[.,]\d{1,14})?E[+-]\d{2,3}(?![\p{L}\p{N}])/u;

/**
 * Returns the first number in text that Excel shortened, such as `4.00638E+12`. Undefined if there's no such number.
 */
export function shortenedNumberIn(text: string): string | undefined {
	return SCIENTIFIC.exec(text)?.[0];
}

/**
 * Whether an integer is so large that its last digits may be lost. JavaScript keeps 15 digits safely, as Excel does.
 */
export function hasLostDigits(given: unknown): boolean {
	return typeof given === 'number' && Number.isInteger(given) && !Number.isSafeInteger(given);
}
