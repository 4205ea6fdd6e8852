import { readChoices } from './choiceText';
import { isDate, utcDateOf } from './dateAnswer';
import type { JsonValue } from '../json';
import { canonicalNumber, numberFromText } from './numberText';
import type { Question } from '../template/question';

/** What stands under `response.value` of a data item. */
export type AnswerValue = string | number | string[];

/** What a value given for a question turned out to be. `problem` completes `"<label>": …`. */
export type AnswerReading =
	| { kind: 'none' }
	| { kind: 'answer'; value: AnswerValue }
	| { kind: 'problem'; problem: string };

/** Longest part of a value that a message repeats; a choice is rarely longer. */
const SHOWN_LENGTH = 80;
/** Choices that a message lists; the editor shows them all. */
const SHOWN_CHOICES = 12;

const NONE: AnswerReading = { kind: 'none' };
const answer = (value: AnswerValue): AnswerReading => ({ kind: 'answer', value });
const problem = (text: string): AnswerReading => ({ kind: 'problem', problem: text });

/** True for what means "unanswered" to every type (contract): `0` and `false` are answers. */
export function isEmpty(given: unknown): given is '' | null | undefined {
	return given === '' || given === null || given === undefined;
}

/**
 * The answer that a value of n8n means for a question, in the form that the service takes
 * (interface, "Valid response values by control type"); `timeZone` is the workflow's.
 */
export function readAnswer(question: Question, given: unknown, timeZone: string): AnswerReading {
	if (isEmpty(given)) return NONE;
	switch (question.type) {
		case 'number':
			return readNumber(given);
		case 'date':
			return readDate(question, given, timeZone);
		case 'radio':
		case 'dropdown':
		case 'checkbox':
			return readChoiceAnswer(question, given);
		default:
			return readText(given);
	}
}

function readText(given: unknown): AnswerReading {
	switch (typeof given) {
		case 'string':
			return answer(given);
		case 'bigint':
		case 'boolean':
			return answer(String(given));
		case 'number':
			if (Number.isFinite(given)) return answer(String(given));
			break;
		default: {
			const iso = isoOf(given);
			if (iso !== undefined) return answer(iso);
		}
	}
	return problem(
		`${shownValue(given)} is not text; give one text, such as the parts joined by commas`,
	);
}

/** A date of JavaScript or Luxon as text, in the zone it was given in; undefined for anything else. */
export function isoOf(given: unknown): string | undefined {
	if (isDate(given)) return Number.isNaN(given.getTime()) ? undefined : given.toISOString();
	if (typeof given !== 'object' || given === null || !('toISO' in given)) return undefined;
	const iso: unknown = typeof given.toISO === 'function' ? given.toISO() : undefined;
	return typeof iso === 'string' ? iso : undefined;
}

function readNumber(given: unknown): AnswerReading {
	if (typeof given === 'number' && Number.isFinite(given)) return answer(given === 0 ? 0 : given);
	const text = typeof given === 'bigint' ? String(given) : given;
	const value = typeof text === 'string' ? numberFromText(text) : undefined;
	if (value !== undefined) return answer(value);
	return problem(
		`${shownValue(given)} is not a number; write digits with a point for decimals and no thousands separator, such as 1234.5`,
	);
}

function readDate(question: Question, given: unknown, timeZone: string): AnswerReading {
	const value = utcDateOf(given, { timeZone, showTime: question.showTime });
	if (value !== undefined) return answer(value);
	const example = question.showTime ? '2026-05-31T14:30:00+02:00' : '2026-05-31';
	return problem(`${shownValue(given)} is not a date; write it as ISO 8601, such as ${example}`);
}

function readChoiceAnswer(question: Question, given: unknown): AnswerReading {
	const takesOne = question.type === 'radio';
	if (takesOne && typeof given === 'string' && question.choices.length === 0) return answer(given);
	const { choices, unknown } = readChoices(given, question.choices);
	if (unknown !== undefined) {
		const wrong = takesOne && typeof given === 'string' ? [given] : unknown;
		return problem(notAChoice(wrong, question.choices));
	}
	const [first] = choices;
	if (first === undefined) return NONE;
	if (question.type === 'checkbox') return answer(choices);
	if (choices.length === 1) return answer(first);
	if (question.type === 'dropdown') return answer(choices);
	return problem(`${shownValue(given)} names ${String(choices.length)} choices; give one`);
}

function notAChoice(unknown: readonly string[], choices: readonly string[]): string {
	const values = unknown.map(shownValue).join(', ');
	const more = choices.length - SHOWN_CHOICES;
	const listed = choices.slice(0, SHOWN_CHOICES).map((choice) => cut(choice));
	const list = `${listed.join(' | ')}${more > 0 ? ` | … ${String(more)} more` : ''}`;
	const verb = unknown.length === 1 ? 'is' : 'are';
	return `${values} ${verb} not among its choices; possible: ${list}`;
}

/** A value as a message repeats it: texts in quotes, the rest as JSON, long ones cut. */
export function shownValue(given: unknown): string {
	if (typeof given === 'string') return `"${cut(given)}"`;
	if (typeof given === 'bigint' || typeof given === 'number') return String(given);
	if (given === null) return 'null';
	try {
		const json = String(JSON.stringify(given));
		// What JSON makes of an invalid date, JavaScript's and Luxon's.
		return typeof given === 'object' && json === 'null' ? 'an invalid date' : cut(json);
	} catch {
		return 'a value that is no JSON';
	}
}

function cut(text: string): string {
	return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

/** Whether a stored value is the answer that was sent: numbers and dates by value, choices as sets. */
export function isSameAnswer(question: Question, sent: JsonValue, stored: JsonValue): boolean {
	if (JSON.stringify(sent) === JSON.stringify(stored)) return true;
	switch (question.type) {
		case 'number':
			return isSameNumber(sent, stored);
		case 'date':
			return isSameDate(question, sent, stored);
		case 'radio':
		case 'dropdown':
		case 'checkbox':
			return isSameSet(sent, stored);
		default:
			return typeof stored !== 'object' && String(sent) === String(stored);
	}
}

/** Whether two values that were given for a question are one answer; what cannot be read is compared as it is. */
export function meansSame(question: Question, a: unknown, b: unknown, timeZone: string): boolean {
	const [first, second] = [readAnswer(question, a, timeZone), readAnswer(question, b, timeZone)];
	if (first.kind !== 'answer' || second.kind !== 'answer') return shownValue(a) === shownValue(b);
	return isSameAnswer(question, first.value, second.value);
}

function isSameNumber(sent: JsonValue, stored: JsonValue): boolean {
	const canonical = canonicalNumber(String(stored));
	return canonical !== undefined && canonical === canonicalNumber(String(sent));
}

/** To the millisecond, because services are seen to cut or pad the fraction; a day alone where no time is asked for. */
function isSameDate(question: Question, sent: JsonValue, stored: JsonValue): boolean {
	if (typeof sent !== 'string') return false;
	const context = { timeZone: 'UTC', showTime: true };
	const [a, b] = [utcDateOf(sent, context), utcDateOf(stored, context)];
	if (a === undefined || b === undefined) return false;
	if (Date.parse(a) === Date.parse(b)) return true;
	return !question.showTime && a.slice(0, 10) === b.slice(0, 10);
}

function isSameSet(sent: JsonValue, stored: JsonValue): boolean {
	const wanted = choiceSet(sent);
	const found = choiceSet(stored);
	return wanted.size === found.size && [...wanted].every((value) => found.has(value));
}

/** As text, because a service may keep the choice "1" as a number. */
function choiceSet(value: JsonValue): ReadonlySet<string> {
	return new Set((Array.isArray(value) ? value : [value]).map(String));
}
