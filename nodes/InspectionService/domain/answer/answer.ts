import type { JsonValue } from '../json';
import { isBlank } from '../plainText';
import type { Problem, ValueProblem } from '../problem';
import type { Question } from '../template/questions';
import { notAChoice } from './choiceProblem';
import { readChoices } from './choices';
import { isDate, utcDateOf } from './dateAnswer';
import { dateProblem } from './dateFormat';
import {
	decimalCure,
	decimalFromText,
	type DecimalSeparator,
	hasThousandsOrDecimals,
	numberFromText,
	withoutUnit,
} from './numbers';
import { shownValue } from './shownValue';
import { choiceOfWord, yesNoOf, type YesNoWords } from './yesNo';

/** The value of an answer as the create request has it: `response.value` of a data item. */
export type AnswerValue = string | number | string[];

/** One answer of an inspection. */
export interface Answer {
	question: Question;
	/** Instance of the question's section, 1 for the first; 1 outside of any. */
	order: number;
	/** What is sent. */
	value: JsonValue;
	/** What the row gave, for messages. */
	given: unknown;
	/** The key or column that gave it, for messages. */
	key: string;
	/** Where it stands, for messages: the number of its instance or of its array's element, from 1. */
	element: number;
	/** The number of its row; undefined where one row makes the inspection. */
	row: number | undefined;
	/** True for an answer from a section's array. */
	inArray: boolean;
	/** Why the value breaks a rule; undefined where it breaks none. */
	problem: ValueProblem | undefined;
}

/** An answer as it is sent, and later compared with what was stored. */
export type SentAnswer = Readonly<Pick<Answer, 'question' | 'order' | 'value'>>;

/** What a problem with an answer is about: the question, and the row or the instance that is meant. */
export function subjectOf({
	question,
	row,
	element,
	inArray,
}: Pick<Answer, 'question' | 'row' | 'element' | 'inArray'>): Pick<
	Problem,
	'subject' | 'instance' | 'rows'
> {
	const isNumbered = question.section !== null && (element > 1 || inArray);
	return {
		subject: `"${question.name}"`,
		...(row === undefined ? {} : { rows: [row] }),
		...(row === undefined && isNumbered ? { instance: element } : {}),
	};
}

/** What reading a value has given: no answer, an answer, or a problem. */
export type AnswerReading =
	| { kind: 'none' }
	| { kind: 'answer'; value: AnswerValue }
	| { kind: 'problem'; problem: ValueProblem };

/** How to read values that can be written in several ways, such as `01.02.2026` or `1.200`. */
export interface ReadingOptions {
	/** IANA zone of the workflow: dates without a zone are read in it. */
	timeZone: string;
	/** The format of dates in text, in Luxon's tokens, such as `dd.MM.yyyy`. ISO 8601 is read as well. */
	dateFormat?: string | undefined;
	/** The character before the decimals of a number in text. Without it, `1.200` is a problem: it may be two numbers. */
	decimalSeparator?: DecimalSeparator | undefined;
	/** Words for yes and no, read for questions with two choices. */
	words?: YesNoWords | undefined;
}

const NONE: AnswerReading = { kind: 'none' };
const answer = (value: AnswerValue): AnswerReading => ({ kind: 'answer', value });
const problem = (why: ValueProblem): AnswerReading => ({ kind: 'problem', problem: why });

/**
 * Reads a value that n8n hands over as the answer to a question. The answer has the form that the service takes
 * (Response of docs/service.openapi.yaml).
 */
export function readAnswer(
	question: Question,
	given: unknown,
	reading: ReadingOptions,
): AnswerReading {
	if (isBlank(given)) return NONE;
	switch (question.type) {
		case 'number':
			return readNumber(given, reading);
		case 'date':
			return readDate(question, given, reading);
		case 'radio':
		case 'dropdown':
		case 'checkbox':
			return readChoiceAnswer(question, given, reading.words);
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
	const wrong = 'is not text; give one text, such as the parts joined by commas';
	return problem({ value: shownValue(given), wrong });
}

/** A date as ISO 8601 text: a JavaScript date in UTC, a Luxon date in its own zone. Undefined for anything else. */
export function isoOf(given: unknown): string | undefined {
	if (isDate(given)) return Number.isNaN(given.getTime()) ? undefined : given.toISOString();
	if (typeof given !== 'object' || given === null || !('toISO' in given)) return undefined;
	const iso: unknown = typeof given.toISO === 'function' ? given.toISO() : undefined;
	return typeof iso === 'string' ? iso : undefined;
}

function readNumber(given: unknown, { decimalSeparator }: ReadingOptions): AnswerReading {
	if (typeof given === 'number' && Number.isFinite(given)) return answer(given === 0 ? 0 : given);
	const text = numberTextOf(given);
	const isTwoNumbers =
		decimalSeparator === undefined && text !== undefined && hasThousandsOrDecimals(text);
	const value = text === undefined || isTwoNumbers ? undefined : numberOf(text, decimalSeparator);
	if (value !== undefined) return answer(value);
	const wrong = isTwoNumbers ? 'can be read as two numbers' : 'is not a number';
	const { cure, option } = decimalCure(given, decimalSeparator);
	const isRead = option !== undefined && { option, kind: wrong };
	return problem({ value: shownValue(given), wrong: `${wrong}; ${cure}`, ...isRead });
}

/** The text in which a number is looked for; undefined for a value that is no text. */
function numberTextOf(given: unknown): string | undefined {
	if (typeof given === 'bigint') return String(given);
	return typeof given === 'string' ? withoutUnit(given) : undefined;
}

function numberOf(text: string, separator: DecimalSeparator | undefined) {
	return separator === undefined ? numberFromText(text) : decimalFromText(text, separator);
}

function readDate(question: Question, given: unknown, reading: ReadingOptions): AnswerReading {
	const value = utcDateOf(given, { ...reading, showTime: question.showTime });
	if (value !== undefined) return answer(value);
	const example = question.showTime ? '2026-05-31T14:30:00+02:00' : '2026-05-31';
	return problem({ value: shownValue(given), ...dateProblem(given, example, reading.dateFormat) });
}

function readChoiceAnswer(
	question: Question,
	given: unknown,
	words: YesNoWords | undefined,
): AnswerReading {
	const takesOne = question.type === 'radio';
	if (takesOne && typeof given === 'string' && question.choices.length === 0) return answer(given);
	const yesNo = words && yesNoOf(question);
	const { choices, unknown } = readChoices(
		given,
		question.choices,
		words && yesNo && ((word) => choiceOfWord(word, yesNo, words)),
	);
	if (unknown !== undefined) {
		const wrong = takesOne && typeof given === 'string' ? [given] : unknown;
		return problem(notAChoice(wrong, question, words));
	}
	const [first] = choices;
	if (first === undefined) return NONE;
	if (question.type === 'checkbox') return answer(choices);
	if (choices.length === 1) return answer(first);
	if (question.type === 'dropdown') return answer(choices);
	const wrong = `names ${String(choices.length)} choices; give one`;
	return problem({ value: shownValue(given), wrong });
}
