import { foldName, trimmedEnd, withPlainDigits } from '../normalizeText';

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
 * `1.200`. `label` is the question's label, which can contain a unit.
 */
export function numberOf(
	given: unknown,
	separator: DecimalSeparator | undefined,
	label?: string,
): number | string | undefined {
	// -0 becomes 0.
	if (typeof given === 'number') return Number.isFinite(given) ? given + 0 : undefined;
	if (typeof given !== 'string' && typeof given !== 'bigint') return undefined;
	const text = withoutUnit(String(given), label);
	if (separator !== undefined) return decimalFromText(text, separator);
	const [value, withComma] = [numberFromText(text), decimalFromText(text, 'comma')];
	return withComma === undefined || withComma === value ? value : undefined;
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
/** How to read numbers, by the value of the option Decimal Separator. */
const FORMS = {
	point: numberForm(',', '.'),
	comma: numberForm('.', ','),
};
export type DecimalSeparator = keyof typeof FORMS;
const DECIMAL_SEPARATORS = ['point', 'comma'] as const;

/** Reads a number with this decimal separator, such as 1234.5 from `1.234,5`. See `numberForm`. */
export function decimalFromText(
	given: string,
	separator: DecimalSeparator,
): number | string | undefined {
	const { whole, thousands, decimal } = FORMS[separator];
	const text = plainNumber(given);
	if (!whole.test(text)) return undefined;
	return numberFromText(text.replace(thousands, '').replace(decimal, '.'));
}

/** Reads a number with each decimal separator. Leaves out a separator with which the text isn't a number. */
export function readingsOf(text: string): Map<DecimalSeparator, number | string> {
	const values = DECIMAL_SEPARATORS.map((name) => [name, decimalFromText(text, name)] as const);
	return new Map(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/**
 * Signs of currencies in CLDR 47, and others that Excel writes, as `foldedSign` returns them. Single characters such as `€`
 * aren't listed. Neither are signs that more often mean something else: `km`, or `k` for a thousand.
 */
const SIGNS =
	`a$ afl au$ b/. br bs bs.s c$ ca$ cfpf cg cn¥ din e£ ec$ fbu fcfa fdj fg fr gh₵ hk$ jp¥ kč kr ksh kz l£ le lei lekë
	mk mop$ mtn mx$ nfk nt$ nu nz$ r$ rd$ rf rm rp rs s$ s/ s£ sfr soʻm sr t$ tsh us$ ush zk zł лв р сом ден नेरू रू රු ብር ریال
	أ.م د.أ د.إ د.ب د.ت د.ج د.ع د.ك د.ل د.م ج.س ج.م ر.س ر.ع ر.ق ر.ي ل.س ل.ل`.split(/\s+/);
/** Codes of small currencies that more often mean something else: "TOP 10" isn't money. */
const NOT_MONEY = ['all', 'cup', 'mop', 'pen', 'sos', 'top'];
const CODES = Intl.supportedValuesOf('currency').map((code) => code.toLowerCase());
const CURRENCIES = new Set([...SIGNS, ...CODES.filter((code) => !NOT_MONEY.includes(code))]);

/** Returns a currency's sign without case, spaces, and the period of an abbreviation: `rs` for `Rs.`. */
function foldedSign(sign: string): string {
	return foldName(sign)
		.replace(/\s/g, '')
		.replace(/(?<=[\p{L}\p{M}])\.$/u, '');
}

function isCurrencyOrPercent(sign: string): boolean {
	// `Ft` is the sign of the Hungarian forint. In other letters, it means feet.
	return /^(?:%|Ft|\p{Sc})$/u.test(sign) || CURRENCIES.has(foldedSign(sign));
}

/** A number as text, and the text before and after it: `12.5` and `°C`. */
interface NumberParts {
	readonly before: string;
	readonly number: string;
	readonly after: string;
}

/** Returns text with plain digits and spaces, and with ASCII signs for a typographic minus and apostrophe. */
function plainNumber(given: string): string {
	if (/^[!-~]*$/.test(given)) return given;
	return withPlainDigits(given).replaceAll('\u2212', '-').replaceAll('\u2019', "'");
}

/**
 * Matches a number with text of at most 20 characters before and after it. The groups are: a sign, the text before, a
 * second sign or a decimal separator, the digits, a decimal separator or minus, and the text after. A minus can be before
 * or after a currency: `-$5` and `$ -5`. A period that ends an abbreviation such as `Rs.` belongs to the text before.
 */
const NUMBER_WITH_TEXT =
	/^([+-]?)(?:([^\d\s+-][^\d+-]{0,19}?)\s?)?([+-]?(?:(?<![\p{L}\p{M}])[.,])?)(\d(?:[\d.,' ]*\d)?(?:e[+-]?\d{1,6})?)([.,]?\s?[-\u2010-\u2015]?)\s?(\D.{0,19})?$/iu;

/** Splits text into a number, and the text before and after it. Undefined if the text has no number. */
export function numberParts(given: string): NumberParts | undefined {
	const [whole, sign = '', before = '', inner = '', digits = '', outer = '', after = ''] =
		NUMBER_WITH_TEXT.exec(plainNumber(given)) ?? [];
	if (whole === undefined) return undefined;
	return { before, number: `${sign}${inner}${digits}${outer.trimEnd()}`, after };
}

/**
 * Removes the currency or percent sign before or after a number: `1.250,00` from `1.250,00 €`, `12` from `12 %`. Also
 * removes a unit of the question's label: `12.5` from `12.5 °C`, for "Temperature (°C)".
 */
export function withoutUnit(given: string, label = ''): string {
	const { before = '', number = '', after = '' } = numberParts(given) ?? {};
	const isUnit =
		before === ''
			? after === '' || isCurrencyOrPercent(after) || isUnitIn(label, after)
			: // In `EUR.50`, the period can be part of the number.
				after === '' && !/^[a-z]{3}\.$/i.test(before) && isCurrencyOrPercent(before);
	return isUnit && number !== '' ? number : plainNumber(given);
}

/** Matches what is in brackets in a label, and its last word: `°C` in `Temperature (°C)`, `mm` in `Width in mm`. */
const UNITS_OF_LABEL = /[([]([^()[\]]{1,20})[)\]]|(\S{1,20})$/g;

/** Compares with case, because `mW` and `MW` are different units. */
function isUnitIn(label: string, unit: string): boolean {
	const units = [...label.trim().matchAll(UNITS_OF_LABEL)].flatMap(([, inBrackets, last = '']) =>
		(inBrackets ?? last).split(/[\s,;]+/).map(comparedUnit),
	);
	return units.includes(comparedUnit(unit));
}

/** Returns the same text for `m²` and `m2`, and for the signs that people write for degrees. */
function comparedUnit(unit: string): string {
	return unit.replaceAll('º', '°').normalize('NFKC').replace(/\s/g, '');
}

/** Returns the decimal separator with which text is a number: `comma` for `1,5`. Undefined if both or neither fit. */
export function onlySeparatorOf(given: unknown): DecimalSeparator | undefined {
	if (typeof given !== 'string') return undefined;
	const [separator, other] = readingsOf(numberParts(given)?.number ?? '').keys();
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
