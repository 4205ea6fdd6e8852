import { delimiterFix, encodingFix } from '../encoding';
import { cleanLine, listText, shownValue } from '../formatting';
import { isObject } from '../json';
import { nameAndMeant } from '../nearestName';
import { isBlank, withoutByteOrderMark } from '../normalizeText';
import type { Problem } from '../problem';
import { isAddedByN8n, isRowKey, ownKeysOf } from '../rowKeys';
import { type Form } from '../template/form';
import { type Column, isQuestion } from '../template/questions';
import { type Row, type SheetRow } from './sheetRow';

/** Maximum columns in a message: a few lines of n8n's panel. */
export const SHOWN_COLUMNS = 12;
/** Maximum questions to list as examples in the advice to rename columns. */
const SHOWN_QUESTIONS = 2;
/** The maximum number of header cells to show in a message. Two are enough to recognize the header. */
const HEADER_NAMES = 2;
/** Maximum rows to search for the header. A title, its subtitle, and an empty line take three. */
const HEADER_ROWS = 20;

/** Number of rows to collect column names from. One isn't enough: Excel files omit a row's empty cells. */
const ROWS_WITH_COLUMNS = 100;

/**
 * Matches the names that n8n's Extract from File (2.41) uses for the second and later columns of the same name:
 * `Remark_1`, `Remark_2`.
 */
const REPEATED = /^(?!__EMPTY)(.+)_[1-9]\d?$/;
/** Matches the names that Extract from File uses for columns without a header. */
const WITHOUT_HEADER = /^__EMPTY(?:_\d+)?$/;

/** Returns the columns of the first rows, without those that n8n adds. */
export function columnsOf(rows: readonly SheetRow[]): string[] {
	const keys = new Set(rows.slice(0, ROWS_WITH_COLUMNS).flatMap((row) => Object.keys(row)));
	return [...keys].filter((key) => !isAddedByN8n(key));
}

/** Describes the row that seems to be the header: the first row that has a column name in a cell. */
export function headerRow(
	rows: readonly SheetRow[],
	isName: (cell: string) => boolean,
): string | undefined {
	for (const [index, row] of rows.slice(0, HEADER_ROWS).entries()) {
		const cells = Object.values(row).filter((cell) => typeof cell === 'string');
		if (!cells.some(isName)) continue;
		const shown = cells.slice(0, HEADER_NAMES).map((name) => `"${cleanLine(name, 40)}"`);
		return `The header seems to be in row ${String(index + 1)} of the data (${listText(shown, cells.length)})`;
	}
	return undefined;
}

/**
 * Explains how to fix columns with a missing or garbled header, as a sentence without its period. Undefined if all
 * headers are fine.
 */
export function headerFix(names: readonly string[], header?: string): string | undefined {
	return titleFix(names, header) ?? encodingFix(names);
}

/** Explains how to remove a title above the header. Undefined if all columns have a name. */
export function titleFix(names: readonly string[], header?: string): string | undefined {
	if (!names.some((name) => WITHOUT_HEADER.test(name))) return undefined;
	const fix =
		"The header must be in the first line that is read: delete the lines above it, or set the option 'Range' of the node that reads the Excel file to the number of these lines";
	return header === undefined ? fix : `${fix}. ${header}`;
}

/**
 * Like `headerFix`, but `names` contains all columns of the sheet. Also detects a CSV file that was read with the wrong
 * delimiter: its whole header is one column.
 */
export function sheetFix(names: readonly string[], header?: string): string | undefined {
	return delimiterFix(names) ?? headerFix(names, header);
}

/**
 * Returns each column in quotes, with the nearest question name: `"Wether" (did you mean "Weather"?)`. `all` contains the
 * other columns that match no question.
 */
export function namedColumns(
	form: Form,
	keys: readonly string[],
	all: ReadonlySet<string> = new Set(keys),
): string[] {
	return keys.map((key) => {
		const first = repeatedName(form, key, all);
		if (first !== undefined) {
			return `"${key}" (n8n's name for a second column "${first}": give it a unique header)`;
		}
		return nameAndMeant(key, form.nearest(key));
	});
}

/** Returns the columns that are similar to a question, or that n8n renamed. */
export function similarColumns(
	form: Form,
	keys: readonly string[],
	all: ReadonlySet<string>,
): string[] {
	return keys.filter(
		(key) => form.nearest(key) !== undefined || repeatedName(form, key, all) !== undefined,
	);
}

export function isWithoutHeader(key: string): boolean {
	return WITHOUT_HEADER.test(key);
}

/**
 * Formats columns that match no question, for messages. Columns that are similar to a question come first. Leaves out
 * columns without a header.
 */
function shownColumns(form: Form, given: readonly string[]): { shown: string[]; total: number } {
	const keys = given.filter((key) => !isWithoutHeader(key));
	const all = new Set(keys);
	const similar = new Set(similarColumns(form, keys, all));
	const nearestFirst = [...similar, ...keys.filter((key) => !similar.has(key))];
	return { shown: namedColumns(form, nearestFirst.slice(0, SHOWN_COLUMNS)), total: keys.length };
}

/**
 * Returns the original header of a column that n8n renamed, because an earlier column has the same header: `Remark` for
 * `Remark_1`. Undefined for other columns.
 */
function repeatedName(form: Form, key: string, keys: ReadonlySet<string>): string | undefined {
	const [, first] = REPEATED.exec(key) ?? [];
	return first !== undefined && (keys.has(first) || isColumnOf(form, first)) ? first : undefined;
}

/** Explains how to handle an item with an error from a previous node. Undefined for other items. */
export function itemError({ error }: SheetRow): string | undefined {
	if (isBlank(error) || error === false) return undefined;
	return `The row has an error from a previous node: ${shownValue(error)}. Remove such rows before this node, for example with an If node. If "error" is a column of your sheet, rename it`;
}

/**
 * Whether `error` is a column of the sheet, and not the field that n8n adds to a failed item: all of several rows have
 * it, with plain cells.
 */
export function hasErrorColumn(rows: readonly SheetRow[]): boolean {
	return (
		rows.length > 1 && rows.every((row) => Object.hasOwn(row, 'error') && !isObject(row.error))
	);
}

/** Returns the problem that a row of the inspection has an error from a previous node. */
export function carriedError(rows: readonly Pick<Row, 'number' | 'values'>[]): Problem | undefined {
	for (const { number, values } of rows) {
		const message = itemError(values);
		if (message !== undefined) return { message, rows: rows.length === 1 ? undefined : [number] };
	}
	return undefined;
}

/**
 * Returns why automatically mapped rows can't create an inspection: a row has an error, or no row has a column that
 * matches a question. Such a column counts even if it's empty. `isKnown` is true for a column with another use, such as
 * Group Rows By. `isMapped` is true if any row of the whole sheet has such a column. The given rows may lack the
 * column, because Excel files omit a row's empty cells.
 */
export function unmappedRows(
	form: Form,
	rows: readonly Row[],
	isKnown: (key: string) => boolean,
	{ header, isMapped = false }: { header?: string | undefined; isMapped?: boolean | undefined },
): Problem | undefined {
	const carried = isColumnOf(form, 'error') ? undefined : carriedError(rows);
	if (carried !== undefined) return carried;
	const given = new Set(rows.flatMap(({ values }) => cellsOf(values).map(([key]) => key)));
	const hasColumn = isMapped || [...given].some((key) => isColumnOf(form, key));
	if (rows.length === 0 || form.questions.length === 0 || hasColumn) return undefined;
	const keys = [...given].filter((key) => !isAddedByN8n(key));
	const notUsed = keys.filter((key) => !isKnown(key));
	const reserved = notUsed.filter((key) => isRowKey(key) && form.keys.find(key).columns.length > 0);
	const unknown = notUsed.filter((key) => !reserved.includes(key));
	const { shown, total } = shownColumns(form, unknown);
	const verb = total === 1 ? 'matches' : 'match';
	const found = total === 0 ? undefined : `${listText(shown, total)} ${verb} no question`;
	const kind = 'no question';
	const misread = sheetFix(keys, header);
	if (misread !== undefined) {
		return { message: [misread, found].filter(Boolean).join('. '), kind, isOfAll: true };
	}
	if (reserved.length > 0) {
		return {
			message: [reservedColumnsFix(form, reserved), found].filter(Boolean).join('. '),
			kind,
		};
	}
	if (keys.length === 0) return { message: EMPTY_ITEM, kind };
	const names = form.questions.slice(0, SHOWN_QUESTIONS).map(({ name }) => cleanLine(name, 40));
	const more = form.questions.length > names.length ? ', …' : '';
	const message = `${found ?? 'No column matches a question'}. Give the columns the names of the questions (${names.join(', ')}${more}), or choose 'Map Each Column Manually' and drag each column onto its question`;
	return { message, kind };
}

const EMPTY_ITEM =
	"The row is empty. Remove empty rows before this node, for example with a Filter node. For an inspection without answers, choose 'Map Each Column Manually' and leave the questions empty";

/** Whether a row's key matches a question or a repeatable section. */
export function isColumnOf(form: Form, key: string): boolean {
	return !isRowKey(key) && form.keys.find(key).columns.length > 0;
}

/**
 * Whether any row has a cell, even an empty one, in a column that matches a question. Reserved columns such as `id`
 * don't count.
 */
export function hasQuestionColumn(form: Form, rows: readonly SheetRow[]): boolean {
	return rows.some((row) => cellsOf(row).some(([key]) => isColumnOf(form, key)));
}

function cellsOf(item: SheetRow): [key: string, cell: unknown][] {
	return Object.entries(item).map(([key, cell]) => [withoutByteOrderMark(key), cell]);
}

/**
 * Returns the filled columns that have both a reserved name, such as `team`, and the name of a question or section.
 * Leaves out a column if another column answers that question, as in the rows of Get Many.
 */
export function reservedColumns(form: Form, item: SheetRow): string[] {
	const ownKeys = ownKeysOf(item);
	const cells = Object.entries(item).map(([key, cell]) => ({
		key: withoutByteOrderMark(key),
		isFilled: !isBlank(cell),
	}));
	const reserved = cells.filter(({ key, isFilled }) => isFilled && ownKeys.has(key));
	if (reserved.length === 0) return [];
	const answering = cells.filter(({ key }) => !ownKeys.has(key));
	const answered = new Set(
		answering.flatMap(({ key }) => form.keys.find(key).columns.flatMap(withSection)),
	);
	const isMissed = (column: Column) => !answered.has(column);
	return reserved.flatMap(({ key }) => (form.keys.find(key).columns.some(isMissed) ? [key] : []));
}

/** Returns the keys in `ownKeys` that have the name of this question or its section. */
export function reservedFor(form: Form, column: Column, ownKeys: readonly string[]): string[] {
	const wanted = withSection(column);
	return ownKeys.filter((key) => form.keys.find(key).columns.some((one) => wanted.includes(one)));
}

/** Explains how to rename reserved columns that have the names of questions, as a sentence without its period. */
export function reservedColumnsFix(form: Form, keys: readonly string[]): string {
	const names = keys.map((key) => `"${key}"`).join(', ');
	const freeNames = (key: string) =>
		form.keys
			.find(key)
			.columns.map((column) => `"${form.keys.keyOf(column)}"`)
			.join(' or ');
	const [first = ''] = keys;
	const fix =
		keys.length === 1
			? `The column ${names} is reserved for the inspection itself. To answer the question with this name, rename the column to ${freeNames(first)}`
			: `The columns ${names} are reserved for the inspection itself. To answer the questions with these names, rename the columns: ${keys.map((key) => `"${key}" to ${freeNames(key)}`).join(', ')}`;
	return `${fix}, or choose 'Map Each Column Manually'`;
}

function withSection(column: Column): Column[] {
	return isQuestion(column) && column.section !== null ? [column, column.section] : [column];
}
