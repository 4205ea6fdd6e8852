import type { ValueProblem } from '../problem';
import { type DecimalSeparator, numberParts, readingsOf, withoutUnit } from './numbers';

/**
 * Matches unusual ways to write a negative number: `– 5`, `5-`, `(5)`. They're rejected, because they may mean something
 * else.
 */
const UNUSUAL_MINUS =
	/^(?:[\u2010-\u2015\ufe63\uff0d]|- )\s*([\d.,].*)$|^([\d.,][^-]*)[-\u2010-\u2015\ufe63\uff0d]$|^\(([\d.,][^()]*)\)$/;
/** Matches a number with an exponent that a language with a different decimal sign wrote: `4.006E+12` or `4,006E+12`. */
const EXPONENT_AND_SEPARATOR = /^[+-]?\d{1,20}[.,' ]\d{1,20}e[+-]?\d{1,6}$/i;
/** Matches a unit after a number, such as `kg` or `m2`. */
const UNIT = /^[^\d()]+(?:(?<=\p{L})\d)?$/u;

export const DECIMAL_OPTION = 'Decimal Separator';
/** The names of the option's values. */
const TITLES: Readonly<Record<DecimalSeparator, string>> = { point: 'Point', comma: 'Comma' };

/**
 * Returns why a value isn't a number, and how to fix the value. `separator` is the option Decimal Separator, if set.
 * `label` is the question's label.
 */
export function numberProblem(
	given: unknown,
	separator: DecimalSeparator | undefined,
	label = '',
): Omit<ValueProblem, 'value'> {
	if (typeof given !== 'string') return { message: notNumber(separator) };
	const text = withoutUnit(given, label);
	const digits = digitsAfterMinus(text);
	if (digits !== undefined) {
		return { message: `could mean a negative number. Write -${digits}`, kind: 'sign' };
	}
	if (
		EXPONENT_AND_SEPARATOR.test(text) &&
		(separator !== undefined || readingsOf(text).size === 0)
	) {
		return {
			message:
				'has an exponent, because Excel shortens long numbers. Format the column as Number in Excel, and save the file again',
		};
	}
	const separatorProblem = withOtherSeparator(text);
	if (separatorProblem !== undefined) return separatorProblem;
	// Without a digit, the text most likely stands for a missing number: `-`, `n.d.`, `TBD`.
	if (!/\p{N}/u.test(text)) {
		return { message: 'is not a number. Write digits, or leave the cell empty' };
	}
	const { before, number = '', after = '' } = numberParts(given) ?? {};
	if (before === '' && UNIT.test(after) && readingsOf(number).size > 0) {
		const message = `has the unit "${after}". Write only the number, in the unit of the question`;
		return { message, kind: 'unit' };
	}
	return { message: notNumber(separator) };
}

/** Returns the digits of a number with an unusual minus sign: 5 for `(5)`. Undefined for other text. */
function digitsAfterMinus(text: string): string | undefined {
	const [, ...parts] = UNUSUAL_MINUS.exec(text) ?? [];
	const digits = withoutUnit(parts.find((part) => part !== undefined) ?? '');
	return digits !== '' && readingsOf(digits).size > 0 ? digits : undefined;
}

/** Returns the problem of a number that can be read with the option Decimal Separator. Undefined for other text. */
function withOtherSeparator(text: string): Omit<ValueProblem, 'value'> | undefined {
	const readings = readingsOf(text);
	if (readings.size === 0) return undefined;
	const isOne = new Set(readings.values()).size === 1;
	const what = isOne ? 'is not recognized as a number' : 'can be read as two numbers';
	const fixes = [...readings].map(
		([name, value]) => `to '${TITLES[name]}' to read it as ${String(value)}`,
	);
	const message = `${what}. Set the option '${DECIMAL_OPTION}' ${fixes.join(', or ')}`;
	// The separators are part of `kind`, so that values that need different separators are reported in separate lines.
	const kind = [what, ...readings.keys()].join();
	return { message, kind, option: DECIMAL_OPTION };
}

function notNumber(separator: DecimalSeparator | undefined): string {
	const fix =
		separator === 'comma'
			? 'a comma for decimals, such as 1234,5'
			: 'a point for decimals and no thousands separator, such as 1234.5';
	return `is not a number. Write digits with ${fix}`;
}
