import type { ValueProblem } from '../problem';
import {
	DECIMAL_SEPARATORS,
	decimalFromText,
	type DecimalSeparator,
	hasThousandsOrDecimals,
	numberParts,
	unitsIn,
	withoutUnit,
} from './numbers';

/** Maximum characters of text that's checked for an unusual minus sign. */
const MAX_SIGNED_LENGTH = 60;
/**
 * Unusual ways to write a negative number, with the message for each. They're rejected, because `5–` and `(5)` may mean
 * something else.
 */
const SIGNS: readonly (readonly [form: RegExp, message: (sign: string) => string])[] = [
	[/^([\u2010-\u2015\ufe63\uff0d]|- )\s*([\d.,].*)$/, (sign) => `has "${sign}" as its minus sign`],
	[/^([\d.,][^-]*)[-\u2010-\u2015\ufe63\uff0d]$/, () => 'has its minus sign at the end'],
	[/^\(([\d.,][^()]*)\)$/, () => 'is in parentheses, which could mean a negative number'],
];

/** Explains the unusual minus sign in text such as `5-` or `(5)`. Undefined for other text. */
function signProblem(text: string): string | undefined {
	if (text.length > MAX_SIGNED_LENGTH) return undefined;
	for (const [form, message] of SIGNS) {
		const [, ...parts] = form.exec(text) ?? [];
		const digits = withoutUnit(parts.at(-1) ?? '');
		if (DECIMAL_SEPARATORS.every((name) => decimalFromText(digits, name) === undefined)) continue;
		if (digits !== '') return `${message(parts[0] ?? '')}. Write -${digits}`;
	}
	return undefined;
}

/** Matches a number with an exponent that a language with a different decimal sign wrote: `4.006E+12` or `4,006E+12`. */
const EXPONENT_AND_SEPARATOR = /^[+-]?\d{1,20}[.,' ]\d{1,20}e[+-]?\d{1,6}$/i;

export const DECIMAL_OPTION = 'Decimal Separator';
/** The names of the option's values. */
const TITLES: Readonly<Record<DecimalSeparator, string>> = { point: 'Point', comma: 'Comma' };

/** Matches a unit after a number, such as `kg` or `m2`. */
const UNIT = /^[^\d()]+(?:(?<=\p{L})\d)?$/u;

/**
 * Explains which unit follows a number: `12 m`. A unit of the question's label is part of the message. Undefined for
 * other text.
 */
function unitProblem(given: string, label: string): string | undefined {
	const { before = '', number = '', after = '' } = numberParts(given) ?? {};
	const isNumber = DECIMAL_SEPARATORS.some((name) => decimalFromText(number, name) !== undefined);
	if (before !== '' || !isNumber || !UNIT.test(after)) return undefined;
	const [wanted] = /[([]/.test(label) ? unitsIn(label) : [];
	const [but, unit] =
		wanted === undefined
			? ['', '']
			: [`, but the question asks for "${wanted}"`, `, in "${wanted}"`];
	return `has the unit "${after}"${but}. Write only the number${unit}`;
}

/**
 * Returns why a value isn't a number, and how to fix the value. `separator` is the option Decimal Separator, if set.
 * `label` is the question's label.
 */
export function numberProblem(
	given: unknown,
	separator: DecimalSeparator | undefined,
	label = '',
): Omit<ValueProblem, 'value'> {
	const text = typeof given === 'string' ? withoutUnit(given, label) : '';
	const readings = DECIMAL_SEPARATORS.flatMap((name) => {
		const value = decimalFromText(text, name);
		return value === undefined ? [] : [{ title: TITLES[name], value }];
	});
	const sign = signProblem(text);
	if (sign !== undefined) return { message: sign, kind: 'sign' };
	if (EXPONENT_AND_SEPARATOR.test(text) && (separator !== undefined || readings.length === 0)) {
		const message =
			'has an exponent, because Excel shortens long numbers. Format the column as Number in Excel, and save the file again';
		return { message, kind: 'exponent' };
	}
	const isTwoNumbers = separator === undefined && hasThousandsOrDecimals(text);
	if (readings.length > 0) {
		const what = isTwoNumbers ? 'can be read as two numbers' : 'is not recognized as a number';
		const fixes = readings.map(
			({ title, value }) => `to '${title}' to read it as ${String(value)}`,
		);
		const message = `${what}. Set the option '${DECIMAL_OPTION}' ${fixes.join(', or ')}`;
		// The separators are part of `kind`, so that values that need different separators are reported in separate
		// lines.
		const kind = [what, ...readings.map(({ title }) => title)].join();
		return { message, kind, option: DECIMAL_OPTION };
	}
	if (typeof given === 'string' && !/\p{N}/u.test(given)) {
		return { message: 'is not a number. Write digits, or leave the cell empty' };
	}
	const unit = typeof given === 'string' ? unitProblem(given, label) : undefined;
	if (unit !== undefined) return { message: unit, kind: 'unit' };
	const fix =
		separator === 'comma'
			? 'a comma for decimals, such as 1234,5'
			: 'a point for decimals and no thousands separator, such as 1234.5';
	return { message: `is not a number. Write digits with ${fix}` };
}
