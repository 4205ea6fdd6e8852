import { DateTime } from 'luxon';

import { hasSeparator, readChoices } from '../answer/choices';
import { type DateContext, dayOfInstant, namesDay, utcDateOf } from '../answer/dateAnswer';
import { canonicalNumber, numberFromText } from '../answer/numbers';
import { cleanLine } from '../formatting';
import { isRecord, type JsonRecord, type JsonValue } from '../json';
import { timestampOf } from '../timestamp';

/** Returns the cell of a stored value. */
export type CellMaker = (value: JsonValue | undefined) => JsonValue;

/**
 * Creates the cells of one question. Automatic mapping reads the same answer from each cell. Several choices become
 * text, nested values become JSON, and a number stored as text becomes a number unless a sheet would change its digits.
 * With `localZone` (IANA), dates are local. `type` can also be '' or one that Create can't fill. `showTime` is
 * undefined for a question that isn't in any template.
 */
export function cellMaker(
	{ type, choices, showTime }: { type: string; choices: readonly string[]; showTime?: boolean },
	localZone?: string,
): CellMaker {
	const join = choiceJoiner(choices);
	const textCell = (text: string): JsonValue => {
		switch (type) {
			case 'date':
				if (showTime === undefined) return text;
				if (localZone === undefined) return zonedDate(text, showTime);
				return localDate(text, { timeZone: localZone, showTime });
			case 'number':
				return isChangedBySheets(text) ? text : (numberFromText(text) ?? text);
			case 'checkbox':
			case 'dropdown':
				return join([text]);
			case 'radio':
				// Create reads a radio's text as a whole if the template shows no choices.
				return choices.length === 0 ? text : join([text]);
			default:
				return text;
		}
	};
	return (value: JsonValue | undefined): JsonValue => {
		if (value === undefined || value === null) return null;
		if (typeof value === 'string') return textCell(value);
		if (isRecord(value)) return JSON.stringify(value);
		if (typeof value === 'number') {
			const text = String(value);
			// Sheets may drop the last digits of a fraction, because they're only JavaScript's rounding.
			return Number.isInteger(value) && isChangedBySheets(text) ? text : value;
		}
		if (!Array.isArray(value)) return value;
		const given = value.filter((element) => element !== null && element !== '');
		if (given.length === 0) return null;
		const isNested = given.some((element) => typeof element === 'object');
		return isNested ? JSON.stringify(value) : join(given.map(String));
	};
}

/** Digits of a number that Excel and Google Sheets keep ("Excel specifications and limits": 15 digits of precision). */
const SHEET_DIGITS = 15;
const LEADING_ZERO = /^[+-]?0\d/;

/** Whether a sheet would change the digits of a number. In an order or serial number, every digit counts. */
function isChangedBySheets(text: string): boolean {
	const given = text.trim();
	if (LEADING_ZERO.test(given)) return true;
	const whole = /^[+-]?(\d*)/.exec(given)?.[1] ?? '';
	const [significant = ''] = (canonicalNumber(given) ?? '').replace('-', '').split('e', 1);
	return Math.max(whole.length, significant.length) > SHEET_DIGITS;
}

/** Characters with a special meaning for `readChoices`, and spaces at the ends, which it ignores. */
const SPECIAL = /[,;\r\n"[]|^\s|\s$/;

/**
 * Joins an answer's choices into text from which `readChoices` reads the same choices. A choice that was removed from
 * the template stays unknown. If `A, B` would be read differently, the parts are in double quotes, or the text is JSON.
 */
export function choiceJoiner(choices: readonly string[]): (values: readonly string[]) => string {
	const known = new Set(choices);
	const canBeSplit = !choices.some(hasSeparator);
	const isPlain = (value: string) =>
		value !== '' && !SPECIAL.test(value) && (known.size === 0 || known.has(value));
	return (values) => {
		const plain = values.join(', ');
		if (canBeSplit && values.every(isPlain)) return plain;
		const meant = JSON.stringify(readChoices([...values], choices));
		const isRead = (text: string) => JSON.stringify(readChoices(text, choices)) === meant;
		if (isRead(plain)) return plain;
		const quoted = values.map((value) => `"${value.replaceAll('"', '""')}"`).join(', ');
		return isRead(quoted) ? quoted : JSON.stringify(values);
	};
}

/**
 * Returns a stored date with an explicit zone. Without one, it's UTC (Timestamp of docs/service.openapi.yaml), but
 * Create, a filter, or an expression would read it in the workflow's zone, as a different moment.
 */
function zonedDate(stored: string, showTime: boolean): string {
	if (stored.endsWith('Z') || (!showTime && namesDay(stored))) return stored;
	const [utc, elsewhere] = ['utc', 'UTC+14'].map((timeZone) =>
		utcDateOf(stored, { timeZone, showTime: true }),
	);
	return utc === elsewhere ? stored : (utc ?? stored);
}

/** Text with a nonzero offset, which shows on which day it was written. */
const HAS_OFFSET = /[+-](?!00:?00)\d{2}:?\d{2}$/;

/**
 * Formats a stored date in `timeZone` (IANA): `2026-05-24 08:30`, or `2026-05-24` for a question that shows only the
 * day, if the instant represents a day (`dayOfInstant`). Create reads the same answer from it in the same zone. When
 * clocks go back, the second of two equal times has its offset after it. Text that can't be read back is ISO 8601 in
 * UTC.
 */
export function localDate(
	stored: string,
	{ timeZone, showTime }: { timeZone: string; showTime: boolean },
): string {
	const utc = utcDateOf(stored, { timeZone: 'utc', showTime });
	if (utc === undefined) return stored;
	if (showTime) return localMoment(utc, { timeZone, showTime });
	const hasOffset = HAS_OFFSET.test(stored.trim()) && !utc.endsWith('T00:00:00.000Z');
	const context = { timeZone, showTime };
	if (hasOffset) return localMoment(utc, context, stored);
	return dayOfInstant(Date.parse(utc), timeZone) ?? localMoment(utc, context);
}

/** Formats a time from the service for an output: local to the minute with `localZone`, else with its zone. */
export function localTime(stored: JsonValue | undefined, localZone: string | undefined): JsonValue {
	if (typeof stored !== 'string') return stored ?? null;
	if (localZone === undefined) return zonedDate(stored, true);
	const moment = timestampOf(stored);
	if (moment === undefined) return stored;
	const minute = `${moment.slice(0, 'yyyy-mm-ddThh:mm'.length)}:00.000Z`;
	return localMoment(minute, { timeZone: localZone, showTime: true });
}

const FRACTION = /\.(\d*[1-9])0*Z$/;

/** Returns `fallback` if Create would read the local text differently. */
function localMoment(utc: string, context: DateContext, fallback = utc): string {
	const local = DateTime.fromISO(utc, { zone: context.timeZone });
	const fraction = FRACTION.exec(utc)?.[1];
	const seconds = fraction === undefined ? '' : `.${fraction}`;
	const format = fraction === undefined && local.second === 0 ? 'HH:mm' : 'HH:mm:ss';
	const text = `${local.toISODate() ?? ''} ${local.toFormat(format)}${seconds}`;
	const texts = [text, `${text} ${local.toFormat('ZZ')}`];
	const meant = timestampOf(utc);
	return texts.find((one) => timestampOf(utcDateOf(one, context)) === meant) ?? fallback;
}

/**
 * Maximum characters of an Excel cell ("Excel specifications and limits"). n8n's Convert to File (2.41, SheetJS) fails
 * on longer text, without naming the cell.
 */
const MAX_CELL = 32_767;

/** Begins the suffix of cut text. Create can't read such text as the instances of a section. */
const CUT_MARK = '… [cut, ';
/** Maximum characters of that suffix. */
const MAX_CUT_END = 60;

/** Returns the text if it fits, else its beginning with a mark: `… [cut, 250 in all]`. */
export function cutToCell(text: string, total: number): string {
	if (text.length <= MAX_CELL) return text;
	const end = `${CUT_MARK}${String(total)} in all]`;
	const kept = text.slice(0, MAX_CELL - end.length);
	// Half of a surrogate pair makes a workbook invalid.
	return `${kept.replace(/[\ud800-\udbff]$/, '')}${end}`;
}

/** Returns the downloaded files as text for a cell: a list, or if that's too long, only counts and the failed files. */
export function downloadedFilesCell(files: readonly JsonRecord[]): string {
	const whole = JSON.stringify(files);
	if (whole.length <= MAX_CELL) return whole;
	const failed = files.filter(({ error }) => error !== undefined);
	const counts = { downloaded: files.length - failed.length, failed: failed.length };
	const short = failed.map(({ id, error }) => ({ id, error: cleanLine(String(error), 200) }));
	let fitting = short.length;
	const cell = () => JSON.stringify({ ...counts, failed_files: short.slice(0, fitting) });
	while (cell().length > MAX_CELL) fitting = Math.floor(fitting / 2);
	return cell();
}

/**
 * Returns a sentence for each cell that's too long for Excel, and for each that was cut to fit. `inspection` names the
 * row's inspection.
 */
export function longCells(row: JsonRecord, inspection: string): string[] {
	return Object.entries(row).flatMap(([column, value]) => {
		const named = `"${cleanLine(column, 100)}" of ${inspection}`;
		if (isCut(value)) {
			return [
				`${named} has more instances than a cell of a spreadsheet holds (32,767 characters): the rest was left out, and Create rejects it. Choose this section in Row per Instance Of, or the output Answers.`,
			];
		}
		if (typeof value !== 'string' || value.length <= MAX_CELL) return [];
		return [
			`${named} has ${value.length.toLocaleString('en')} characters, and a cell of a spreadsheet holds 32,767: n8n's Convert to File can't write it as XLSX. Leave the column out with Fields, or write a CSV file.`,
		];
	});
}

function isCut(value: JsonValue | undefined): boolean {
	if (typeof value !== 'string' || value.length <= MAX_CELL - 2) return false;
	return value.length <= MAX_CELL && value.includes(CUT_MARK, value.length - MAX_CUT_END);
}
