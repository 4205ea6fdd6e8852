import { CORRECT_FAILED, failedValueIn } from '../failedValue';
import { shownValue } from '../formatting';
import type { ValueProblem } from '../problem';
import type { AnswerableType, Question } from '../template/questions';
import type { AnswerOptions } from './answer';
import { readChoices } from './choices';
import { choiceProblem } from './refusedChoice';
import { dateProblem } from './refusedDate';
import { numberProblem } from './refusedNumber';
import { choiceOfWords } from './yesNo';

/** Why a value isn't an answer, and what helps. Without `value`, the message is about the value as given. */
type Explanation = Omit<ValueProblem, 'value'> & { value?: string };
type Explain = (question: Question, given: unknown, reading: AnswerOptions) => Explanation;

/**
 * Explains why a reader of `answer.ts` refused a value, and how to fix it. Nothing here decides what is stored.
 */
export function whyRefused(
	question: Question,
	given: unknown,
	reading: AnswerOptions,
): ValueProblem {
	const value = shownValue(given);
	const failed = typeof given === 'string' ? failedValueIn(given) : undefined;
	if (failed === undefined)
		return { value, ...EXPLANATIONS[question.type](question, given, reading) };
	// No date format, separator, or choice would fix a failed formula.
	const message = `can't be read: ${failed} was ${CORRECT_FAILED}`;
	return { value, message, kind: 'failed value' };
}

const EXPLANATIONS: Readonly<Record<AnswerableType, Explain>> = {
	text: explainText,
	'checkIn/location': explainText,
	number: ({ label }, given, { decimalSeparator }) => numberProblem(given, decimalSeparator, label),
	date: ({ showTime }, given, { dateFormat }) =>
		dateProblem(given, showTime ? '2026-05-31T14:30:00+02:00' : '2026-05-31', dateFormat),
	radio: explainChoice,
	dropdown: explainChoice,
	checkbox: explainChoice,
};

function explainText(): Explanation {
	return {
		message: "isn't text. Enter plain text, for example the values with commas between them",
	};
}

function explainChoice(question: Question, given: unknown, { words }: AnswerOptions): Explanation {
	const { choices = [], unknown } = readChoices(
		given,
		question.choices,
		choiceOfWords(question, words),
	);
	if (unknown === undefined) {
		return { message: `contains ${String(choices.length)} choices. Enter only one` };
	}
	const isWhole = question.type === 'radio' && typeof given === 'string';
	return choiceProblem(isWhole ? [given] : unknown, question, words);
}
