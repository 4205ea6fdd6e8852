import { encodingFix } from '../encoding';
import { cleanLine, listText, shownValue } from '../formatting';
import { nameAndMeant } from '../nearestName';
import { isBlank, withoutByteOrderMark } from '../normalizeText';
import type { Problem } from '../problem';
import { isAddedByN8n, isRowKey } from '../rowKeys';
import type { Form } from '../template/form';
import { reservedColumnsFix } from './reservedColumns';
import { type Row, type SheetRow } from './sheetRow';

/** Maximum columns in a message: a few lines of n8n's panel. */
export const SHOWN_COLUMNS = 12;
/** Maximum header names in a message, enough to find the row. */
const HEADER_NAMES = 2;
/** Maximum rows to search for the header. A title, its subtitle, and an empty line take three. */
const HEADER_ROWS = 20;

/** How n8n's Extract from File (2.41) names the second and later columns of the same name: `Remark_1`, `Remark_2`. */
const REPEATED = /^(?!__EMPTY)(.+)_[1-9]\d?$/;
/** How it names columns without a header. */
const WITHOUT_HEADER = /^__EMPTY(?:_\d+)?$/;
/**
 * Separators that it reads as part of the cell, because it expects a comma. Excel writes semicolons in much of Europe.
 */
const DELIMITERS = { ';': '";"', '\t': 'a tab ("\\t")' };

/** Describes the row that seems to be the header: the first row with a cell that is the name of a column. */
export function headerRow(
	rows: readonly SheetRow[],
	isName: (cell: string) => boolean,
): string | undefined {
	for (const [place, row] of rows.slice(0, HEADER_ROWS).entries()) {
		const cells = Object.values(row).filter((cell) => typeof cell === 'string');
		if (!cells.some(isName)) continue;
		const shown = cells.slice(0, HEADER_NAMES).map((name) => `"${cleanLine(name, 40)}"`);
		return `The header seems to stand in row ${String(place + 1)} of the data (${listText(shown, cells.length)})`;
	}
	return undefined;
}

/**
 * Explains how to fix columns with a missing or garbled header, without the final period. Undefined if there are none.
 */
export function headerFix(names: readonly string[], header?: string): string | undefined {
	if (names.some((name) => WITHOUT_HEADER.test(name))) {
		const fix =
			'The header must stand in the first line that is read: remove the lines above it, or set the option Range of the node that reads an Excel file to their number';
		return header === undefined ? fix : `${fix}. ${header}`;
	}
	return encodingFix(names);
}

/**
 * Like `headerFix`, for all columns of a sheet. If the lines of a CSV file weren't split, the whole header is one
 * column.
 */
export function sheetFix(names: readonly string[], header?: string): string | undefined {
	const [first = ''] = names;
	const [, delimiter] = Object.entries(DELIMITERS).find(([sign]) => first.includes(sign)) ?? [];
	if (names.length !== 1 || delimiter === undefined) return headerFix(names, header);
	return `All of the line is one column: set the option Delimiter of the node that reads the file to ${delimiter}`;
}

/** Returns each column in quotes, with the nearest question name: `"Wether" (did you mean "Weather"?)`. */
export function namedColumns(form: Form, keys: readonly string[]): string[] {
	const given = new Set(keys);
	return keys.map((key) => {
		const [, first] = REPEATED.exec(key) ?? [];
		if (first !== undefined && (given.has(first) || isColumnOf(form, first))) {
			return `"${key}" (n8n’s name for a second column "${first}": give it a header of its own)`;
		}
		return nameAndMeant(key, form.nearest(key));
	});
}

/**
 * Formats columns that match no question, for messages. Those similar to a question come first. Leaves out columns
 * without a header.
 */
function shownColumns(form: Form, given: readonly string[]): { shown: string[]; total: number } {
	const keys = given.filter((key) => !WITHOUT_HEADER.test(key));
	const isNear = (key: string) => form.nearest(key) !== undefined;
	const nearestFirst = [...keys.filter(isNear), ...keys.filter((key) => !isNear(key))];
	return {
		shown: namedColumns(form, nearestFirst.slice(0, SHOWN_COLUMNS)),
		total: keys.length,
	};
}

/** Returns possible causes of a row's other problems: its headers, and columns that match no question. */
export function causesIn(form: Form, unmatched: readonly string[], header?: string): Problem[] {
	const { shown, total } = shownColumns(form, unmatched);
	const fix = headerFix(unmatched, header);
	const causes: Problem[] = fix === undefined ? [] : [{ message: fix, isCause: true }];
	const kind = { kind: 'unmatched columns', isCause: true };
	for (const value of shown) {
		causes.push({ ...kind, value, message: 'is a column that matches no question' });
	}
	const more = total - shown.length;
	if (more > 0) {
		causes.push({ ...kind, value: `${String(more)} more columns`, message: 'match no question' });
	}
	return causes;
}

/** Explains how to handle an item with an error from a previous node. Undefined for other items. */
export function itemError({ error }: SheetRow): string | undefined {
	if (isBlank(error) || error === false) return undefined;
	return `The item carries an error: ${shownValue(error)}. Take such items out before this node, for example with an If node, or remove their field "error"`;
}

/** The problem that a row of the inspection has such an error. */
export function carriedError(rows: readonly Pick<Row, 'number' | 'values'>[]): Problem | undefined {
	for (const { number, values } of rows) {
		const message = itemError(values);
		if (message !== undefined) return { message, rows: rows.length === 1 ? undefined : [number] };
	}
	return undefined;
}

/**
 * Why automatically mapped rows can't create an inspection: one has an error, or no row has a column that matches a
 * question, even an empty one. `isKnown` is true for a column with another use, such as Group Rows By.
 */
export function unmappedRows(
	form: Form,
	rows: readonly Row[],
	isKnown: (key: string) => boolean,
	header?: string,
): Problem | undefined {
	const carried = isColumnOf(form, 'error') ? undefined : carriedError(rows);
	if (carried !== undefined) return carried;
	const given = new Set(rows.flatMap(({ values }) => cellsOf(values).map(([key]) => key)));
	const isMapped = [...given].some((key) => isColumnOf(form, key));
	if (rows.length === 0 || form.questions.length === 0 || isMapped) return undefined;
	const keys = [...given].filter((key) => !isAddedByN8n(key));
	const notUsed = keys.filter((key) => !isKnown(key));
	const reserved = notUsed.filter((key) => isRowKey(key) && form.keys.find(key).columns.length > 0);
	const unknown = notUsed.filter((key) => !reserved.includes(key));
	const { shown, total } = shownColumns(form, unknown);
	const verb = total === 1 ? 'matches' : 'match';
	const found = total === 0 ? undefined : `${listText(shown, total)} ${verb} no question`;
	const kind = 'no question';
	const misread = sheetFix(keys, header);
	if (misread !== undefined) return { message: [misread, found].filter(Boolean).join('. '), kind };
	if (reserved.length > 0) {
		return {
			message: [reservedColumnsFix(form, reserved), found].filter(Boolean).join('. '),
			kind,
		};
	}
	const why =
		keys.length === 0
			? 'The item is empty. Take empty rows out before this node, for example with a Filter node'
			: `${found ?? 'No column is a question'}. Give the columns the names of the questions`;
	const message = `${why}; for an inspection without answers choose "Map Each Column Manually" and leave the questions empty`;
	return { message, kind };
}

/** Whether a row's key matches a question or a repeatable section. */
export function isColumnOf(form: Form, key: string): boolean {
	return !isRowKey(key) && form.keys.find(key).columns.length > 0;
}

function cellsOf(item: SheetRow): [key: string, cell: unknown][] {
	return Object.entries(item).map(([key, cell]) => [withoutByteOrderMark(key), cell]);
}
