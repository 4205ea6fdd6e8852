import type { Answer } from '../answer/answer';
import { farDate } from '../answer/farDate';
import { spreadsheetMoment } from '../answer/spreadsheetDate';
import { encodingFix } from '../encoding';
import { CORRECT_FAILED, failedValueIn } from '../failedValue';
import { shownValue } from '../formatting';
import { jsonText, type JsonValue } from '../json';
import type { ValueProblem } from '../problem';
import type { Detail } from './details';
import type { Draft } from './draft';
import type { Row, SheetRow } from './sheetRow';

/** A value that breaks no rule, but is most likely wrong. It's sent, and a hint names it. */
export interface SuspiciousValue extends ValueProblem {
	readonly kind: 'failedValue' | 'encoding' | 'spreadsheetNumber' | 'longNumber' | 'farDate';
	readonly subject: string;
	readonly rows: readonly [row: number];
}

/** Returns the suspicious values of all rows, from their answers and from details such as the name. */
export function findSuspiciousValues(
	{ answers, details }: Draft,
	rows: readonly [Row, ...Row[]],
): SuspiciousValue[] {
	const [{ number: first }] = rows;
	const cellsOf = new Map(rows.map(({ number, cells }) => [number, cells]));
	const ofAnswers = answers.map((answer) => ({
		subject: `"${answer.question.name}"`,
		row: answer.row ?? first,
		found: answer.problem === undefined ? checkAnswer(answer) : undefined,
	}));
	const ofDetails = details.map((detail) => ({
		subject: detail.label,
		row: detail.row,
		found: checkText(detail.value) ?? checkDetail(detail, cellsOf.get(detail.row) ?? {}),
	}));
	return [...ofAnswers, ...ofDetails].flatMap(({ subject, row, found }): SuspiciousValue[] => {
		return found === undefined ? [] : [{ subject, rows: [row], ...found }];
	});
}

/** Formats a suspicious value for the notice of its kind. The notice already explains most kinds. */
export function suspiciousText({ kind, subject, rows, value, message }: SuspiciousValue): string {
	const isExplained = kind !== 'spreadsheetNumber' && kind !== 'farDate';
	return `${subject} in row ${String(rows[0])}: ${value}${isExplained ? '' : ` (${message})`}`;
}

/** Excel and n8n keep 15 digits of a number. */
const LONG_NUMBER = 1e15;

type Found = Omit<SuspiciousValue, 'subject' | 'rows'>;

function checkAnswer({ question, value, given }: Answer): Found | undefined {
	const { type, choices } = question;
	if (type === 'date') return checkDate(value, given);
	// Skip numbers and choices: `value` was already read as one of these.
	if (type === 'number' || choices.length > 0) return undefined;
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

/** Checks the date of a task, and a name for the number of a spreadsheet's day: `Walk 46173`. */
function checkDetail({ part, name, value }: Detail, cells: SheetRow): Found | undefined {
	if (part === 'task' && name === 'due_date_time') return checkDate(value, value);
	if (part !== 'body' || name !== 'name' || typeof value !== 'string') return undefined;
	const words = new Set(value.split(/[^\d.]+/));
	for (const cell of Object.values(cells)) {
		if (typeof cell !== 'number' || !words.has(String(cell))) continue;
		const moment = spreadsheetMoment(cell);
		if (moment === undefined || cell < 1) continue;
		const message = `contains ${String(cell)}, which might be ${moment}, as spreadsheets store it`;
		return { kind: 'spreadsheetNumber', value: shownValue(value), message };
	}
	return undefined;
}

function checkDate(value: JsonValue, given: unknown): Found | undefined {
	const message = farDate(String(value));
	return message === undefined ? undefined : { kind: 'farDate', value: shownValue(given), message };
}

function checkNumber(given: number): Found | undefined {
	if (Math.abs(given) >= LONG_NUMBER) {
		const message =
			'is a number with more than 15 digits, so its last digits are most likely wrong. Format the column as text in Excel, and save the file again';
		return { kind: 'longNumber', value: String(given), message };
	}
	const moment = spreadsheetMoment(given);
	if (moment === undefined) return undefined;
	const message = `might be ${moment}, as spreadsheets store it`;
	return { kind: 'spreadsheetNumber', value: String(given), message };
}
