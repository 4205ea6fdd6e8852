import { namesDay, utcDateOf, utcEndOf } from '../domain/answer/dateAnswer';
import { shownValue } from '../domain/answer/shownValue';
import { InputError } from '../domain/inputError';
import { isRecord, type JsonRecord } from '../domain/json';
import { isBlank } from '../domain/plainText';
import { timestampOf } from '../domain/timestamp';

// Reads the values of a node's parameters, which come from the editor or from an expression.

/** A time zone at the end of an ISO 8601 text. With one, the text means the same moment in every workflow. */
const ZONE = /(?:z|[+-]\d\d(?::?\d\d)?)$/i;

/** A collection's members; an empty record for anything else. */
export function membersOf(given: unknown): JsonRecord {
	return isRecord(given) ? given : {};
}

/** The value in a resource locator; what is no locator, such as the text of an expression, is the value itself. */
export function locatorValue(given: unknown): unknown {
	return isRecord(given) ? given.value : given;
}

/** The expression in a parameter, without the `=` that marks it; undefined where there is none. */
export function expressionOf(raw: unknown): string | undefined {
	return typeof raw === 'string' && raw.startsWith('=') ? raw.slice(1).trim() : undefined;
}

/** All expressions in a parameter, also in the lists and collections inside. */
export function expressionsIn(raw: unknown): string[] {
	const expression = expressionOf(raw);
	if (expression !== undefined) return [expression];
	return typeof raw === 'object' && raw !== null ? Object.values(raw).flatMap(expressionsIn) : [];
}

/**
 * A name as text without outer blanks. A number counts as its text, because an expression gives the 7 of a sheet's cell
 * as a number. Undefined where nothing is given.
 * @throws InputError where the value is no name
 */
export function nameOf(label: string, given: unknown): string | undefined {
	if (isBlank(given)) return undefined;
	if (typeof given === 'object' || typeof given === 'boolean') {
		throw new InputError(`${label}: ${shownValue(given)} is no name. Give a text or a number.`);
	}
	return String(given).trim() || undefined;
}

/**
 * A date as ISO 8601 in UTC, from text, from a Luxon or JavaScript date, or from n8n's date picker. Text without a
 * zone, such as the picker's, is in the workflow's zone. Undefined where nothing is given.
 * @throws InputError where the value is no date
 */
export function dateOf(label: string, given: unknown, timeZone: string): string | undefined {
	if (isBlank(given)) return undefined;
	// A Date keeps three fractional digits, the service's timestamps may have seven.
	const exact =
		typeof given === 'string' && ZONE.test(given.trim()) ? timestampOf(given) : undefined;
	if (exact !== undefined) return exact;
	return utcDateOf(given, { timeZone, showTime: true }) ?? noDate(label, given);
}

/**
 * Like `dateOf`, for an upper bound: a day without a time counts to its end.
 * @throws InputError where the value is no date
 */
export function endOf(label: string, given: unknown, timeZone: string): string | undefined {
	if (isBlank(given)) return undefined;
	if (namesDay(given)) return utcEndOf(given, { timeZone }) ?? noDate(label, given);
	return dateOf(label, given, timeZone);
}

function noDate(label: string, given: unknown): never {
	throw new InputError(
		`${label}: ${shownValue(given)} is not a date. Pick one, or give a text such as 2026-01-31T09:00:00Z.`,
	);
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
	['true', true],
	['yes', true],
	['1', true],
	['false', false],
	['no', false],
	['0', false],
]);

/**
 * A boolean as an expression may give it: `true` and `false`, also as text in any case, `yes` and `no`, `1` and `0`.
 * `fallback` where nothing is given, such as by an empty cell.
 * @throws InputError for anything else: "TRUE" of a sheet must not count as false in silence
 */
export function booleanOf(label: string, given: unknown, fallback: boolean): boolean {
	if (isBlank(given)) return fallback;
	const text = typeof given === 'object' ? '' : String(given).trim().toLowerCase();
	const value = text === '' ? undefined : BOOLEANS.get(text);
	if (value !== undefined) return value;
	throw new InputError(
		`${label}: ${shownValue(given)} is neither true nor false. Give true or false.`,
	);
}

/**
 * A whole number in a range, given as a number or as text.
 * @throws InputError where the value is no such number
 */
export function wholeNumberOf(
	label: string,
	given: unknown,
	{ min, max = Infinity }: { min: number; max?: number },
): number {
	const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
	if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) {
		return number;
	}
	const range = max === Infinity ? `of ${min} or more` : `from ${min} to ${max}`;
	throw new InputError(`${label}: ${shownValue(given)} is not a whole number ${range}.`);
}

/** The first of `choicesOf`, undefined where nothing is given. */
export function choiceOf<Choice extends string>(
	label: string,
	given: unknown,
	choices: readonly Choice[],
): Choice | undefined {
	return choicesOf(label, given, choices)[0];
}

/**
 * The chosen values, from an array or from text with commas, as an expression may give it. The case of letters does not
 * matter.
 * @throws InputError where a value is none of the choices
 */
export function choicesOf<Choice extends string>(
	label: string,
	given: unknown,
	choices: readonly Choice[],
): Choice[] {
	return textsOf(given).map((text) => {
		const wanted = text.toLowerCase();
		const choice = choices.find((candidate) => candidate.toLowerCase() === wanted);
		if (choice !== undefined) return choice;
		throw new InputError(`${label}: ${shownValue(text)} is none of ${choices.join(', ')}.`);
	});
}

/** The elements of an array, or the parts of a text between commas, without outer blanks and without empty parts. */
export function textsOf(given: unknown): string[] {
	if (given === undefined || given === null) return [];
	const parts: unknown[] = Array.isArray(given) ? given : textOfPart(given).split(',');
	return parts.map((part) => textOfPart(part).trim()).filter((part) => part !== '');
}

/** A part as text. An object becomes JSON, so that the error about it shows what it is. */
function textOfPart(part: unknown): string {
	return typeof part === 'object' ? shownValue(part) : String(part);
}
