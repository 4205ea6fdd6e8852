import { DateTime } from 'luxon';

import { hasSeparator, readChoices } from '../answer/choices';
import { type DateContext, dayOfInstant, namesDay, utcDateOf } from '../answer/dateAnswer';
import { canonicalNumber, numberFromText } from '../answer/numbers';
import { cleanLine } from '../formatting';
import { isRecord, type JsonRecord, type JsonValue, parseJson } from '../json';
import { timestampOf } from '../timestamp';

/** Converts a stored value to the value of a cell. `zone` is the time zone of the value's inspection. */
export type CellMaker = (value: JsonValue | undefined, zone?: string) => JsonValue;

/**
 * Returns a function that converts a stored answer to the value of a cell. From this cell, Create reads the same answer
 * by automatic mapping. Several choices become text, and nested values become JSON. A number that is stored as text
 * becomes a number, unless a sheet would change its digits. With `localZone` (IANA), dates are local.
 * `type` can also be empty, or a type that Create can't fill. `showTime` is undefined for a question that isn't in any
 * template.
 */
export function cellMaker(
	{ type, choices, showTime }: { type: string; choices: readonly string[]; showTime?: boolean },
	localZone?: string,
): CellMaker {
	const join = choiceJoiner(choices);
	const textCell = (text: string, inspectionZone?: string): JsonValue => {
		switch (type) {
			case 'date':
				if (showTime === undefined) return text;
				if (localZone === undefined) return utcDate(text, showTime);
				return localDate(text, { timeZone: localZone, showTime, inspectionZone });
			case 'number':
				return isChangedBySheets(text) ? text : (numberFromText(text) ?? text);
			case 'checkbox':
			case 'dropdown':
				return join(storedChoices(text, choices));
			case 'radio':
				// Create reads the whole text as one choice if a radio question has no choices in the template.
				return choices.length === 0 ? text : join([text]);
			default:
				return text;
		}
	};
	return (value, zone) => {
		if (value === undefined || value === null) return null;
		if (typeof value === 'string') return textCell(value, zone);
		if (isRecord(value)) return JSON.stringify(value);
		if (typeof value === 'number') {
			const text = String(value);
			// Keep fractions as numbers: a sheet drops only digits from JavaScript's rounding, as in 0.30000000000000004.
			return Number.isInteger(value) && isChangedBySheets(text) ? text : value;
		}
		if (!Array.isArray(value)) return value;
		const isAnswer = (element: JsonValue) =>
			element !== null && (element !== '' || choices.includes(element));
		const given = value.filter(isAnswer);
		if (given.length === 0) return null;
		const isNested = given.some((element) => typeof element === 'object');
		return isNested ? JSON.stringify(value) : join(given.map(String));
	};
}

/**
 * Returns the choices in stored text. A service can store several choices as one text, such as `A, B` (`StoredItem` in
 * docs/service.openapi.yaml).
 */
function storedChoices(text: string, choices: readonly string[]): readonly string[] {
	if (choices.length === 0 || choices.includes(text)) return [text];
	// `readChoices` ignores empty elements, but a template can have an empty choice.
	const parts = text.split(', ');
	if (parts.includes('') && parts.every((part) => choices.includes(part))) return parts;
	const { choices: found = [] } = readChoices(text, choices);
	const isList = found.length > 1 || (found.length === 1 && Array.isArray(parseJson(text)));
	return isList ? found : [text];
}

/**
 * How many digits of a number Excel and Google Sheets keep ("Excel specifications and limits": 15 digits of precision).
 */
const SHEET_DIGITS = 15;
const LEADING_ZERO = /^[+-]?0\d/;

/** Whether a sheet would change the digits of a number. In an order number or a serial number, every digit matters. */
function isChangedBySheets(text: string): boolean {
	const given = text.trim();
	if (LEADING_ZERO.test(given)) return true;
	const whole = /^[+-]?(\d*)/.exec(given)?.[1] ?? '';
	const [significant = ''] = (canonicalNumber(given) ?? '').replace('-', '').split('e', 1);
	return Math.max(whole.length, significant.length) > SHEET_DIGITS;
}

/** Matches the characters with a special meaning for `readChoices`, and the outer spaces that `readChoices` ignores. */
const SPECIAL = /[,;\r\n"[]|^\s|\s$/;

/**
 * Returns a function that joins choices into text such as `A, B`, from which `readChoices` reads the same choices. If
 * `readChoices` would read that text differently, the choices are in double quotes, or the text is JSON. Keeps choices
 * that were removed from the template.
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

/** Matches the time that Create sends for a day. */
const DAY_IN_UTC = /^(\d{4}-\d{2}-\d{2})T00:00(?::00(?:\.0{1,7})?)?Z$/;

/** Returns a stored date in UTC. For a question without a time, returns only the day, if that's what Create sent. */
function utcDate(stored: string, showTime: boolean): string {
	const text = zonedDate(stored, showTime);
	return showTime ? text : text.replace(DAY_IN_UTC, '$1');
}

/**
 * Converts a stored date without a zone to text with the zone UTC. Without a zone, the date is in UTC (Timestamp of
 * docs/service.openapi.yaml). But Create, filters, and expressions would read it in the workflow's zone.
 */
function zonedDate(stored: string, showTime: boolean): string {
	if (stored.endsWith('Z') || (!showTime && namesDay(stored))) return stored;
	const [utc, elsewhere] = ['utc', 'UTC+14'].map((timeZone) =>
		utcDateOf(stored, { timeZone, showTime: true }),
	);
	return utc === elsewhere ? stored : (utc ?? stored);
}

/** Matches dates with an offset other than zero. The offset shows on which day the date was written. */
const HAS_OFFSET = /[+-](?!00:?00)\d{2}:?\d{2}$/;

/**
 * Formats a stored date in `timeZone` (IANA), such as `2026-05-24 08:30`. For a question without a time, returns only
 * the day (`2026-05-24`) if the date represents a day (`dayOfInstant`), in the inspection's own zone or else in
 * `timeZone`.
 * Create reads the same answer from this text, if its workflow has the same time zone. When clocks go back, a local time occurs twice, so the
 * later one ends with its offset. If Create would read the local time differently, returns ISO 8601, in UTC or with the
 * stored offset.
 */
export function localDate(
	stored: string,
	{
		timeZone,
		showTime,
		inspectionZone = timeZone,
	}: { timeZone: string; showTime: boolean; inspectionZone?: string | undefined },
): string {
	const utc = utcDateOf(stored, { timeZone: 'utc', showTime });
	if (utc === undefined) return stored;
	if (showTime) return localMoment(utc, { timeZone, showTime });
	const hasOffset = HAS_OFFSET.test(stored.trim()) && !utc.endsWith('T00:00:00.000Z');
	const context = { timeZone, showTime };
	if (hasOffset) return localMoment(utc, context, stored);
	const days = [inspectionZone, timeZone].map((zone) => dayOfInstant(Date.parse(utc), zone));
	return days.find((day) => day !== undefined) ?? localMoment(utc, context);
}

/**
 * Formats a time from the service for an output. With `localZone`, the time is local and has no seconds. Otherwise, it
 * has an explicit zone.
 */
export function localTime(stored: JsonValue | undefined, localZone: string | undefined): JsonValue {
	if (typeof stored !== 'string') return stored ?? null;
	if (localZone === undefined) return zonedDate(stored, true);
	const moment = timestampOf(stored);
	if (moment === undefined) return stored;
	const minute = `${moment.slice(0, 'yyyy-mm-ddThh:mm'.length)}:00.000Z`;
	return localMoment(minute, { timeZone: localZone, showTime: true });
}

const FRACTION = /\.(\d*[1-9])0*Z$/;

/** Formats a date in local time. Returns `fallback` if Create would read the result as a different time. */
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
 * on longer text, and its error doesn't name the cell.
 */
const MAX_CELL = 32_767;

/** Matches the mark that ends shortened text. If the list of a section's instances was shortened, Create rejects it. */
const CUT_MARK = /… \[cut, \d+ in all\]$/;

/**
 * Shortens text that doesn't fit into an Excel cell. Shortened text ends with a mark: `… [cut, 250 in all]`. `total` is
 * the number in the mark.
 */
export function cutToCell(text: string, total: number): string {
	if (text.length <= MAX_CELL) return text;
	const end = `… [cut, ${String(total)} in all]`;
	const kept = text.slice(0, MAX_CELL - end.length);
	// Remove half of a surrogate pair, because it would make a workbook invalid.
	return `${kept.replace(/[\ud800-\udbff]$/, '')}${end}`;
}

/** Maximum failed files in a cell. Each takes at most 650 characters, because JSON doubles quotes and backslashes. */
const MAX_FAILED_FILES = 50;

/**
 * Returns the downloaded files as text for a cell: a list in JSON. If the list is too long, returns only the number of
 * files, and the files that failed.
 */
export function downloadedFilesCell(files: readonly JsonRecord[]): string {
	const whole = JSON.stringify(files);
	if (whole.length <= MAX_CELL) return whole;
	const failed = files.filter(({ error }) => error !== undefined);
	return JSON.stringify({
		downloaded: files.length - failed.length,
		failed: failed.length,
		failed_files: failed.slice(0, MAX_FAILED_FILES).map(({ id, error }) => ({
			id: cleanLine(String(id), 100),
			error: cleanLine(String(error), 200),
		})),
	});
}

/** Whether a cell is possibly too long for Excel, or was shortened. */
export function isLongCell(value: JsonValue | undefined): value is string {
	return typeof value === 'string' && value.length > MAX_CELL - 2;
}

/**
 * Returns a warning for each cell that is too long for Excel or was shortened. `inspection` is the text that identifies
 * the inspection of the row. If `fields` isn't empty, the output has only these columns.
 */
export function longCells(
	row: JsonRecord,
	inspection: string,
	fields: readonly string[] = [],
): string[] {
	return Object.entries(row).flatMap(([column, value]) => {
		if (!isLongCell(value) || (fields.length > 0 && !fields.includes(column))) return [];
		const named = `"${cleanLine(column, 100)}" of ${inspection}`;
		if (value.length > MAX_CELL) {
			return [
				`${named} has ${value.length.toLocaleString('en')} characters, but a cell of a spreadsheet can contain only 32,767. A Convert to File node can't write this row as XLSX. Leave the column out with the option 'Field Names or IDs', or write a CSV file.`,
			];
		}
		if (!CUT_MARK.test(value)) return [];
		return [
			`${named} has more instances than fit into a cell of a spreadsheet (32,767 characters). The rest was left out, and Create rejects the shortened text. Enter this section in 'Row per Instance Of', or set 'Output' to 'Answers'.`,
		];
	});
}
