import type { Answer } from '../answer/answer';
import { spreadsheetMoment } from '../answer/spreadsheetDate';
import { encodingFix } from '../encoding';
import { CORRECT_FAILED, failedValueIn } from '../failedValue';
import { shownValue } from '../formatting';
import { jsonText, type JsonValue } from '../json';
import type { Problem, ValueProblem } from '../problem';
import { filledCells, looksLikeTotal } from './groupRows';
import type { Draft, Row } from './sheetRow';

/** A value that breaks no rule, but is most likely wrong. It's sent, and a hint names it. */
export interface SuspiciousValue extends ValueProblem {
	readonly kind: 'failed value' | 'encoding' | 'spreadsheet number' | 'total';
	readonly subject: string;
	readonly rows: readonly [row: number];
	/** How to fix a wrong encoding, as a sentence without its period. */
	readonly fix?: string;
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

/**
 * Finds automatically mapped rows that look like totals, and returns their first values. Such rows aren't left out, so
 * a hint names them.
 */
export function findTotals(rows: readonly Row[]): SuspiciousValue[] {
	return rows
		.filter(({ values }) => looksLikeTotal(values))
		.map(({ number, values }) => {
			const value = shownValue(filledCells(values)[0]?.[1]);
			const found = { value, message: 'looks like a total', rows: [number] as const };
			return { kind: 'total', subject: 'First value', ...found };
		});
}

const LOOKS_LIKE_TOTAL = 'looks like a total: remove it with a Filter node before this one';
const LOOK_LIKE_TOTALS = 'look like totals: remove them with a Filter node before this one';

/**
 * Converts totals to problems that are shown as causes of other problems. `rowCount` is the number of rows that were
 * searched.
 */
export function totalCauses(totals: readonly SuspiciousValue[], rowCount: number): Problem[] {
	return totals.map(({ kind, value, rows }) => {
		const about = { value, rows: rowCount === 1 ? undefined : rows, kind, isCause: true };
		return { ...about, message: LOOKS_LIKE_TOTAL, ofRows: LOOK_LIKE_TOTALS };
	});
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
