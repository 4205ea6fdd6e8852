import type { Answer } from '../answer/answer';
import { spreadsheetMoment } from '../answer/spreadsheetDate';
import { encodingFix } from '../encoding';
import { CORRECT_FAILED, failedValueIn } from '../failedValue';
import { shownValue } from '../formatting';
import { jsonText, type JsonValue } from '../json';
import type { ValueProblem } from '../problem';
import type { Draft } from './sheetRow';

/** A value that breaks no rule, but is most likely wrong. It's sent, and a hint names it. */
export interface SuspiciousValue extends ValueProblem {
	readonly kind: 'failed value' | 'encoding' | 'spreadsheet number';
	readonly subject: string;
	readonly rows: readonly [row: number];
	/** How to fix a wrong encoding, without the final period. */
	readonly fix?: string;
}

/** Returns the doubtful values of one row, from its answers and from details such as the name. */
export function findSuspiciousValues({ row, answers, details }: Draft): SuspiciousValue[] {
	const rows = [row] as const;
	const ofAnswers = answers.flatMap((answer) => {
		const found = answer.problem === undefined ? checkAnswer(answer) : undefined;
		return found === undefined ? [] : [{ subject: `"${answer.question.name}"`, rows, ...found }];
	});
	const ofDetails = details.flatMap(({ label, value }) => {
		const found = checkText(value);
		return found === undefined ? [] : [{ subject: label, rows, ...found }];
	});
	return [...ofAnswers, ...ofDetails];
}

type Found = Omit<SuspiciousValue, 'subject' | 'rows'>;

function checkAnswer({ question, value, given }: Answer): Found | undefined {
	const { type, choices } = question;
	// Answers of other types are numbers, dates, or choices in the template's spelling.
	if (type === 'number' || type === 'date' || choices.length > 0) return undefined;
	return (typeof given === 'number' ? checkNumber(given) : undefined) ?? checkText(value);
}

function checkText(value: JsonValue): Found | undefined {
	const text = typeof value === 'string' ? value : (jsonText(value) ?? '');
	const shown = shownValue(value);
	const failed = failedValueIn(text);
	if (failed !== undefined) {
		return { kind: 'failed value', value: shown, message: `contains ${failed}, ${CORRECT_FAILED}` };
	}
	const fix = encodingFix([text]);
	if (fix === undefined) return undefined;
	const message = `was read in the wrong encoding. ${fix}`;
	return { kind: 'encoding', value: shown, message, fix };
}

function checkNumber(given: number): Found | undefined {
	const moment = spreadsheetMoment(given);
	if (moment === undefined) return undefined;
	const message = `might be ${moment}, as spreadsheets store it`;
	return { kind: 'spreadsheet number', value: String(given), message };
}
