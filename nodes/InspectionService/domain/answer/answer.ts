import { shownValue } from '../formatting';
import type { JsonValue } from '../json';
import { isBlank } from '../normalizeText';
import type { Problem, ValueProblem } from '../problem';
import type { Question } from '../template/questions';
import { readChoices } from './choices';
import { type DateContext, isDate, utcDateOf } from './dateAnswer';
import { type DecimalSeparator, numberOf } from './numbers';
import { whyRefused } from './refusal';
import { shownDate } from './spreadsheetDate';
import { choiceOfWords, isChecked, type YesNoWords } from './yesNo';

export interface Answer {
	question: Question;
	/** The number of the section's instance that contains the answer. 1 if the section isn't repeatable. */
	order: number;
	value: JsonValue;
	/** The value as given in the row. */
	given: unknown;
	/** The key of the column that contains the value. For a value in an array, the path within the array element. */
	key: string;
	/** The instance number before renumbering: from the column's key (`Kind:2`), or the position in an array, from 1. */
	element: number;
	/**
	 * The number of the answer's row. Undefined without Group Rows By, because each row is then a separate inspection.
	 */
	row: number | undefined;
	inArray: boolean;
	/** Which rule the value breaks. Undefined if it doesn't break any. */
	problem: ValueProblem | undefined;
}

/** The parts of an answer that are sent, and later compared with the stored answer. */
export type SentAnswer = Readonly<Pick<Answer, 'question' | 'order' | 'value'>>;

export function subjectOf(
	answer: Pick<Answer, 'question' | 'row' | 'element' | 'inArray'>,
): Pick<Problem, 'subject' | 'instance' | 'rows'> {
	const { question, row, element, inArray } = answer;
	const subject = `"${question.name}"`;
	if (row !== undefined) return { subject, rows: [row] };
	const isNumbered = question.section !== null && (element > 1 || inArray);
	return isNumbered ? { subject, instance: element } : { subject };
}

/** Formats an answer as given. A date of a spreadsheet also has its day. */
export function shownAnswer({ question, given }: Pick<Answer, 'question' | 'given'>): string {
	return question.type === 'date' ? shownDate(given) : shownValue(given);
}

/**
 * The result of reading a value: `value` is what to send as `response.value`, and `problem` is why the value isn't an
 * answer. Both are missing for a blank value.
 */
interface AnswerResult {
	value?: AnswerValue;
	problem?: ValueProblem;
}

type AnswerValue = string | number | string[];

/** How to read values that can be written in several ways, such as `01.02.2026` or `1.200`. */
export interface AnswerOptions extends Omit<DateContext, 'showTime'> {
	/** If undefined, a value such as `1.200` is a problem, because it could be two different numbers. */
	decimalSeparator?: DecimalSeparator | undefined;
	words?: YesNoWords | undefined;
}

/**
 * Reads a value as the answer to a question, and converts the value to the form that the service accepts (Response of
 * docs/service.openapi.yaml).
 */
export function readAnswer(
	question: Question,
	given: unknown,
	reading: AnswerOptions,
): AnswerResult {
	if (isBlank(given)) return {};
	const value = readValue(question, given, reading);
	if (value === undefined) {
		const shown = shownAnswer({ question, given });
		return { problem: { value: shown, ...whyRefused(question, given, reading) } };
	}
	// A list can have only empty elements.
	return Array.isArray(value) && value.length === 0 ? {} : { value };
}

/** Returns undefined if the value isn't an answer. */
function readValue(
	question: Question,
	given: unknown,
	reading: AnswerOptions,
): AnswerValue | undefined {
	const { type, label, showTime } = question;
	switch (type) {
		case 'text':
		case 'checkIn/location':
			return readText(given);
		case 'number':
			return numberOf(given, reading.decimalSeparator, label);
		case 'date':
			return utcDateOf(given, { ...reading, showTime });
		default:
			return readChoice(question, given, reading.words);
	}
}

function readText(given: unknown): string | undefined {
	const isScalar = ['string', 'bigint', 'boolean'].includes(typeof given) || Number.isFinite(given);
	return isScalar ? String(given) : isoOf(given);
}

/** Returns a date as ISO 8601: a JavaScript date in UTC, a Luxon date in its zone. Undefined for anything else. */
export function isoOf(given: unknown): string | undefined {
	if (isDate(given)) return Number.isNaN(given.getTime()) ? undefined : given.toISOString();
	if (typeof given !== 'object' || given === null || !('toISO' in given)) return undefined;
	const iso: unknown = typeof given.toISO === 'function' ? given.toISO() : undefined;
	return typeof iso === 'string' ? iso : undefined;
}

/** Returns an empty list for a list without choices. */
function readChoice(
	question: Question,
	given: unknown,
	words: YesNoWords | undefined,
): string | string[] | undefined {
	const { type, choices: all } = question;
	if (type === 'radio' && typeof given === 'string' && all.length === 0) return given;
	const choices =
		readChoices(given, all, choiceOfWords(question, words)).choices ??
		tickedChoice(question, given, words);
	const [first, ...others] = choices ?? [];
	if (first === undefined || type === 'checkbox') return choices;
	if (others.length === 0) return first;
	return type === 'dropdown' ? choices : undefined;
}

/**
 * Reads a mark such as `TRUE` or `x` for a checkbox with a single choice, such as "I confirm". Empty if the box isn't
 * ticked. Undefined for another question or value, and if the choice itself means no.
 */
function tickedChoice(
	{ type, choices: [only, another] }: Question,
	given: unknown,
	words: YesNoWords | undefined,
): string[] | undefined {
	if (type !== 'checkbox' || only === undefined || another !== undefined) return undefined;
	const isTicked = isChecked(only, words) === false ? undefined : isChecked(given, words);
	if (isTicked === undefined) return undefined;
	return isTicked ? [only] : [];
}
