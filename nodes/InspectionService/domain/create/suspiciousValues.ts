import type { Answer } from '../answer/answer';
import { spreadsheetMoment } from '../answer/spreadsheetDate';
import { encodingFix } from '../encoding';
import { CORRECT_FAILED, failedValueIn } from '../failedValue';
import { shownValue } from '../formatting';
import { jsonText, type JsonValue } from '../json';
import type { ValueProblem } from '../problem';
import type { Draft } from './draft';

/** A value that breaks no rule, but is most likely wrong. It's sent, and a hint names it. */
export interface SuspiciousValue extends ValueProblem {
	readonly kind: 'failedValue' | 'encoding' | 'spreadsheetNumber';
	readonly subject: string;
	readonly rows: readonly [row: number];
}

/**
 * Returns the suspicious values of all rows, from their answers and from details such as the name. `first` is the number
 * of the first row.
 */
export function findSuspiciousValues(
	{ answers, details }: Draft,
	first: number,
): SuspiciousValue[] {
	const ofAnswers = answers.flatMap((answer): SuspiciousValue[] => {
		const found = answer.problem === undefined ? checkAnswer(answer) : undefined;
		return found === undefined
			? []
			: [{ subject: `"${answer.question.name}"`, rows: [answer.row ?? first], ...found }];
	});
	const ofDetails = details.flatMap(({ label, value, row }): SuspiciousValue[] => {
		const found = checkText(value);
		return found === undefined ? [] : [{ subject: label, rows: [row], ...found }];
	});
	return [...ofAnswers, ...ofDetails];
}

type Found = Omit<SuspiciousValue, 'subject' | 'rows'>;

function checkAnswer({ question, value, given }: Answer): Found | undefined {
	const { type, choices } = question;
	// Skip numbers, dates, and choices: `value` was already read as one of these.
	if (type === 'number' || type === 'date' || choices.length > 0) return undefined;
	return (typeof given === 'number' ? checkNumber(given) : undefined) ?? checkText(value);
}

function checkText(value: JsonValue): Found | undefined {
	const text = typeof value === 'string' ? value : (jsonText(value) ?? '');
	const shown = shownValue(value);
	const failed = failedValueIn(text);
	if (failed !== undefined) {
		return { kind: 'failedValue', value: shown, message: `contains ${failed}, ${CORRECT_FAILED}` };
	}
	const fix = encodingFix([text]);
	if (fix === undefined) return undefined;
	const message = `was read in the wrong encoding. ${fix}`;
	return { kind: 'encoding', value: shown, message };
}

function checkNumber(given: number): Found | undefined {
	const moment = spreadsheetMoment(given);
	if (moment === undefined) return undefined;
	const message = `might be ${moment}, as spreadsheets store it`;
	return { kind: 'spreadsheetNumber', value: String(given), message };
}
