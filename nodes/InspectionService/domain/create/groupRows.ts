import { isoOf } from '../answer/answer';
import { isObject, jsonText } from '../json';
import { nameAndMeant, nearestName } from '../nearestName';
import { foldName, isBlank, plainText, saysNothing, withoutByteOrderMark } from '../plainText';
import type { Problem } from '../problem';
import { isAddedByN8n } from '../rowKeys';
import { type RowNumbers, SHEETS_NUMBER } from '../rowNumbers';
import { cleanLine, listText, shownValue } from '../shownText';
import { whyNoIdentity } from './identity';
import type { SheetRow } from './sheetRow';
import { headerRow, sheetCure } from './unusedColumns';

const GROUPS = 'Group Rows By';

/** The rows that make one inspection, by their places among all rows, and their value in the column. */
export interface RowGroup {
	rows: [number, ...number[]];
	/** As it is compared; undefined for a row without one. */
	value?: string;
	/** The same as the first row has it: a number or boolean as it is. */
	cell: string | number | boolean | null;
	/** `"Nr." 18` */
	name?: string;
	/** Why no inspection can be made of them. */
	problem?: Problem;
}

/** Columns and pairs of groups that a message names, and characters of a value in a name. */
const [SHOWN_COLUMNS, SHOWN_PAIRS, SHOWN_VALUE] = [12, 5, 40];
/** What n8n writes when a column is dragged into a field that takes a path: `['Order No']`. */
const BRACKETED = /^\[\s*(["'])(.*)\1\s*\]$/s;

/**
 * The rows, grouped by their values in one column (docs/create/groups-and-merged-cells.md), in the order in which
 * these first appear. A row without a value in the column is a separate group, with a problem. A row without any value is
 * left out. `isFilled` is true if the column was filled from above.
 */
export function groupRows(rows: readonly SheetRow[], column: string, isFilled = false): RowGroup[] {
	const name = columnNameOf(column);
	const missing = noColumn(name, rows);
	const groups: RowGroup[] = [];
	const byValue = new Map<string, RowGroup>();
	for (const [place, row] of rows.entries()) {
		const cell = cellOf(row, name);
		const value = comparedText(cell);
		if (value === undefined && isEmptyRow(row)) continue;
		const problem = cellProblem({ cell, value }, name, isFilled);
		if (value === undefined || problem !== undefined) {
			const unnamed = { value, cell: value ?? null, name: undefined };
			groups.push({ rows: [place], ...unnamed, problem: missing ?? problem });
			continue;
		}
		const known = byValue.get(value);
		known?.rows.push(place);
		if (known !== undefined) continue;
		const group = newGroup(place, cell, name);
		groups.push(group);
		byValue.set(value, group);
	}
	return groups;
}

function newGroup(place: number, cell: unknown, column: string): RowGroup {
	const value = comparedText(cell);
	const isKept = typeof cell === 'number' || typeof cell === 'boolean';
	const name = `"${column}" ${cleanLine(value ?? '', SHOWN_VALUE)}`;
	return { rows: [place], value, cell: isKept ? cell : (value ?? null), name, problem: undefined };
}

/** Whether no cell of a row says anything (docs/create/mapping.md). */
export function isEmptyRow(row: SheetRow, groupColumn?: string): boolean {
	return filledCells(row).every(([key]) => isGroupColumn(key, groupColumn));
}

/** The cells of a row that have a value, without those that n8n or Google Sheets add. */
export function filledCells(row: SheetRow): [key: string, cell: unknown][] {
	// The boxes of a Google sheet are `false` also in all the rows that nobody has filled in yet.
	const isUnticked = (cell: unknown) => cell === false && Object.hasOwn(row, SHEETS_NUMBER);
	return Object.entries(row).filter(([key, cell]) => {
		return !isAddedByN8n(key) && !saysNothing(cell) && !isUnticked(cell);
	});
}

/** Whether a row's key is the column by which rows are grouped. */
export function isGroupColumn(key: string, column: string | undefined): boolean {
	return column !== undefined && foldName(key) === foldName(columnNameOf(column));
}

/** What people know a row by: the first cell with a value, `"V-103"`; undefined where no cell has one. */
export function rowName(row: SheetRow): string | undefined {
	const [filled] = filledCells(row);
	if (filled === undefined) return undefined;
	const [, cell] = filled;
	return shownValue(isObject(cell) ? cell : cleanLine(String(cell), SHOWN_VALUE));
}

/** The name in what the user dragged or typed. */
export function columnNameOf(column: string): string {
	return BRACKETED.exec(column.trim())?.[2] ?? column;
}

/** What a row has in a column: under the name itself, else under a key that reads the same. */
function cellOf(row: SheetRow, name: string): unknown {
	const key = keyOf(row, name);
	return key === undefined ? undefined : row[key];
}

/** The key of a row that is the column's name, or else reads the same. */
export function keyOf(row: SheetRow, name: string): string | undefined {
	if (Object.hasOwn(row, name)) return name;
	const folded = foldName(name);
	return Object.keys(row).find((key) => foldName(key) === folded);
}

/** Why a cell of the column names no group. */
function cellProblem(
	{ cell, value }: { cell: unknown; value: string | undefined },
	name: string,
	isFilled: boolean,
): Problem | undefined {
	if (value !== undefined) {
		const why = whyNoIdentity(cell, value);
		if (why === undefined) return undefined;
		const wrong = `in the column "${name}" ${why}`;
		return { ...aboutGroups(wrong), value: shownValue(cell), kind: 'no identity' };
	}
	const cure = isFilled
		? ', and the row above has none or carries an error; give this row a value, or remove it'
		: `; give the row the value of those that it belongs to, or set the option Fill Empty Cells From Above to "${name}"`;
	return aboutGroups(`no value in the column "${name}"${cure}`);
}

/** Undefined where any row has the column. */
export function noColumn(
	name: string,
	rows: readonly SheetRow[],
	subject = GROUPS,
): Problem | undefined {
	const folded = foldName(name);
	const isName = (text: string) => foldName(text) === folded;
	if (rows.some((row) => Object.keys(row).some(isName))) return undefined;
	const keys = Object.keys(rows[0] ?? {}).map(withoutByteOrderMark);
	const misread = sheetCure(keys, headerRow(rows, isName));
	if (misread !== undefined) return { subject, wrong: `${misread}. There is no column "${name}"` };
	const meant = nearestName(name, keys);
	if (meant !== undefined)
		return { subject, wrong: `there is no column ${nameAndMeant(name, meant)}` };
	const shown = keys.slice(0, SHOWN_COLUMNS).map((key) => `"${key}"`);
	const cure = `give the name of a column, such as one of ${listText(shown, keys.length)}`;
	return { subject, wrong: `there is no column "${name}"; ${cure}` };
}

function aboutGroups(wrong: string): Problem {
	return { subject: GROUPS, wrong };
}

/** A sentence about groups whose values differ in case alone, so that most likely one inspection was meant. */
export function similarGroups(
	groups: readonly RowGroup[],
	numbers: RowNumbers,
): string | undefined {
	const pairs: string[] = [];
	const firsts = new Map<string, string>();
	for (const { value, rows } of groups) {
		if (value === undefined) continue;
		const shown = `${shownValue(value)} (row ${String(numbers.of(rows[0]))})`;
		const first = firsts.get(value.toLowerCase());
		if (first === undefined) firsts.set(value.toLowerCase(), shown);
		else pairs.push(`${first} / ${shown}`);
	}
	if (pairs.length === 0) return undefined;
	const list = listText(pairs.slice(0, SHOWN_PAIRS), pairs.length);
	return `Group Rows By: ${list} are different inspections, because upper and lower case differ. Write the value alike in all rows of one inspection.`;
}

/** A date of Luxon as text. n8n (2.41) makes it of each date in a collection, such as Options, in the workflow's zone. */
const LUXON_TEXT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * The text by which a unique key or a value of Group Rows By is compared (docs/exactly-once.md): letters keep their case,
 * and a date is its UTC text. Undefined for a value that says nothing, and for one without JSON.
 */
export function comparedText(value: unknown): string | undefined {
	if (isBlank(value)) return undefined;
	const json = () => (typeof value === 'object' ? jsonText(value) : plainText(String(value)));
	const text = isoOf(value) ?? json();
	const ms = text !== undefined && LUXON_TEXT.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(ms) ? text : new Date(ms).toISOString();
}
