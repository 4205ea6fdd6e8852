import { CORRECT_FAILED, failedValueIn } from '../failedValue';
import type { ValueProblem } from '../problem';
import type { Question } from '../template/questions';
import type { AnswerOptions } from './answer';
import { plainDate } from './dateAnswer';
import { choiceProblem } from './refusedChoice';
import { dateProblem } from './refusedDate';
import { numberProblem } from './refusedNumber';

/**
 * Explains why `readAnswer` refused a value, and how to fix it. Nothing here decides what is stored. Without `value`, the
 * message is about the value as given.
 */
export function whyRefused(
	question: Question,
	given: unknown,
	{ decimalSeparator, dateFormat, words }: AnswerOptions,
): Omit<ValueProblem, 'value'> & { value?: string } {
	const failed = typeof given === 'string' ? failedValueIn(given) : undefined;
	if (failed !== undefined) {
		// No date format, separator, or choice would fix a failed formula.
		const message = `can't be read: ${failed} was ${CORRECT_FAILED}`;
		return { message, kind: 'failed value' };
	}
	switch (question.type) {
		case 'text':
		case 'checkIn/location':
			return {
				message: "isn't text. Enter plain text, for example the values with commas between them",
			};
		case 'number':
			return numberProblem(given, decimalSeparator, question.label);
		case 'date': {
			const { showTime } = question;
			const example = showTime ? '2026-05-31T14:30:00+02:00' : '2026-05-31';
			const date = typeof given === 'string' ? plainDate(given, showTime) : given;
			return dateProblem(date, example, dateFormat);
		}
		default:
			return choiceProblem(question, given, words);
	}
}
