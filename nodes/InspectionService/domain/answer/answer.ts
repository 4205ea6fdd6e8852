import { CORRECT_FAILED, failedValueIn } from '../failedValue';
import { shownValue } from '../formatting';
import type { JsonValue } from '../json';
import { isBlank } from '../normalizeText';
import type { Problem, ValueProblem } from '../problem';
import type { Question } from '../template/questions';
import { notAChoice, readChoices } from './choices';
import { type DateContext, isDate, utcDateOf } from './dateAnswer';
import { dateProblem } from './dateFormat';
import { type DecimalSeparator, numberOf, numberProblem } from './numbers';
import { choiceOfWord, yesNoOf, type YesNoWords } from './yesNo';

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

/**
 * The result of reading a value: `value` is what to send as `response.value`, and `problem` is why the value isn't an
 * answer. Both are missing for a blank value.
 */
interface AnswerReading {
	value?: string | number | string[];
	problem?: ValueProblem;
}

/** How to read values that can be written in several ways, such as `01.02.2026` or `1.200`. */
export interface ReadingOptions extends Omit<DateContext, 'showTime'> {
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
	reading: ReadingOptions,
): AnswerReading {
	if (isBlank(given)) return {};
	const answer = readValue(question, given, reading);
	const failed = typeof given === 'string' ? failedValueIn(given) : undefined;
	if (answer.problem === undefined || failed === undefined) return answer;
	// Replace the usual advice: no date format, separator, or choice would fix a failed formula.
	const value = shownValue(given);
	const message = `can't be read: ${failed} was ${CORRECT_FAILED}`;
	return { problem: { value, message, kind: 'failed value' } };
}

function readValue(question: Question, given: unknown, reading: ReadingOptions): AnswerReading {
	switch (question.type) {
		case 'number': {
			const value = numberOf(given, reading.decimalSeparator);
			if (value !== undefined) return { value };
			return refused(given, numberProblem(given, reading.decimalSeparator));
		}
		case 'date':
			return dateAnswer(question, given, reading);
		case 'radio':
		case 'dropdown':
		case 'checkbox':
			return choiceAnswer(question, given, reading.words);
		default:
			return textAnswer(given);
	}
}

function refused(given: unknown, why: Omit<ValueProblem, 'value'>): AnswerReading {
	return { problem: { value: shownValue(given), ...why } };
}

function textAnswer(given: unknown): AnswerReading {
	const isScalar = ['string', 'bigint', 'boolean'].includes(typeof given) || Number.isFinite(given);
	const value = isScalar ? String(given) : isoOf(given);
	if (value !== undefined) return { value };
	return refused(given, {
		message: "isn't text; enter plain text, for example the values with commas between them",
	});
}

/** Returns a date as ISO 8601: a JavaScript date in UTC, a Luxon date in its zone. Undefined for anything else. */
export function isoOf(given: unknown): string | undefined {
	if (isDate(given)) return Number.isNaN(given.getTime()) ? undefined : given.toISOString();
	if (typeof given !== 'object' || given === null || !('toISO' in given)) return undefined;
	const iso: unknown = typeof given.toISO === 'function' ? given.toISO() : undefined;
	return typeof iso === 'string' ? iso : undefined;
}

function dateAnswer(question: Question, given: unknown, reading: ReadingOptions): AnswerReading {
	const value = utcDateOf(given, { ...reading, showTime: question.showTime });
	if (value !== undefined) return { value };
	const example = question.showTime ? '2026-05-31T14:30:00+02:00' : '2026-05-31';
	return refused(given, dateProblem(given, example, reading.dateFormat));
}

function choiceAnswer(
	question: Question,
	given: unknown,
	words: YesNoWords | undefined,
): AnswerReading {
	const { type } = question;
	if (type === 'radio' && typeof given === 'string' && question.choices.length === 0) {
		return { value: given };
	}
	const yesNo = words && yesNoOf(question);
	const { choices, unknown } = readChoices(
		given,
		question.choices,
		yesNo && ((word) => choiceOfWord(word, yesNo, words)),
	);
	if (unknown !== undefined) {
		const message = type === 'radio' && typeof given === 'string' ? [given] : unknown;
		return { problem: notAChoice(message, question, words) };
	}
	const [first, ...others] = choices;
	if (first === undefined) return {};
	if (type === 'checkbox') return { value: choices };
	if (others.length === 0) return { value: first };
	if (type === 'dropdown') return { value: choices };
	return refused(given, { message: `contains ${String(choices.length)} choices; enter only one` });
}
