import { isoOf } from '../answer/answer';
import { shownValue } from '../answer/shownValue';
import { isObject, jsonText } from '../json';
import { headerRow, sheetCure } from '../misreadSheet';
import { nameAndMeant, nearestName } from '../nearestName';
import { foldName, isBlank, plainText, saysNothing, withoutByteOrderMark } from '../plainText';
import type { Problem } from '../problem';
import { isAddedByN8n } from '../rowKeys';
import type { RowNumbers } from '../rowNumbers';
import { cleanLine, listText } from '../shownText';
import { itemError } from './unusedColumns';

/** A row of a sheet: one item's JSON. */
export type SheetRow = Readonly<Record<string, unknown>>;

/** The rows that make one inspection. */
export interface RowGroup {
	/** Places of the rows among all rows, from 0, rising. */
	rows: readonly [number, ...number[]];
	/** The value of these rows in the column; undefined for a row without one. */
	value: string | undefined;
	/**
	 * Why no inspection can be made of the rows, for example because one has no value in the column; undefined where there
	 * is no problem.
	 */
	problem: Problem | undefined;
}

/** What an empty cell in the column says of its row. */
interface EmptyCells {
	/** It is an error, or the row belongs to the one above: merged cells have their value in the first row only. */
	emptyCells: 'error' | 'rowAbove';
	/** The number of a row, given by its place. */
	numberOf(place: number): number;
}

/** Column names that a message lists: about two lines. */
const SHOWN_COLUMNS = 12;
/** Characters of a group's value in its name. A number or a short name of it is enough. */
const SHOWN_VALUE = 40;
/** What n8n writes when a column with blanks in its name is dragged into a field that takes a path: `['Order No']`. */
const BRACKETED = /^\[\s*(["'])(.*)\1\s*\]$/s;

/**
 * The rows, grouped by their values in one column (docs/create.md, Group Rows By). Groups stand in the order in which
 * their values first appear, and the rows of each group in their own order. Values are compared as
 * `comparedText`, so that the number 7 and the text "7 " are the same. Letters keep their case.
 *
 * A row without a value in the column is a group of its own, with a problem, or belongs to the row above. A row without
 * any value is left out (`isEmptyRow`). Linear in the number of cells.
 *
 * @param column the column's name, also as n8n writes it when the column is dragged into the field
 */
export function groupRows(
	rows: readonly SheetRow[],
	column: string,
	{ emptyCells, numberOf }: EmptyCells = { emptyCells: 'error', numberOf: (place) => place + 1 },
): RowGroup[] {
	const name = columnNameOf(column);
	const missing = rows.some((row) => keyOf(row, name) !== undefined)
		? undefined
		: noColumn(name, rows);
	const byValue = new Map<string, [number, ...number[]]>();
	const groups: RowGroup[] = [];
	/** The group of the row above, and the row in it that carries an error. */
	let above: { places: number[]; faulty: number | undefined } | undefined;
	rows.forEach((row, place) => {
		const value = comparedText(cellOf(row, name));
		const isFaulty = itemError(row) !== undefined;
		if (value === undefined) {
			if (isEmptyRow(row)) return;
			if (emptyCells === 'rowAbove' && above !== undefined && above.faulty === undefined) {
				above.places.push(place);
				if (isFaulty) above.faulty = place;
				return;
			}
			const faulty = above?.faulty === undefined ? undefined : numberOf(above.faulty);
			const problem = missing ?? noValue(name, emptyCells, faulty);
			groups.push({ rows: [place], value, problem });
			return;
		}
		const known = byValue.get(value);
		const places: [number, ...number[]] = known ?? [place];
		if (known === undefined) groups.push({ rows: places, value, problem: undefined });
		else known.push(place);
		byValue.set(value, places);
		above = { places, faulty: isFaulty ? place : undefined };
	});
	return groups;
}

/**
 * Whether no cell of a row says anything. Sheets have such rows between others, and below their last line. What n8n adds
 * is no cell, nor is the column by which rows are grouped: it says which inspection a row belongs to, and nothing of it.
 */
export function isEmptyRow(row: SheetRow, groupColumn?: string): boolean {
	return !Object.entries(row).some(
		([key, cell]) =>
			isFilled(key, cell) && (groupColumn === undefined || !isGroupColumn(key, groupColumn)),
	);
}

/** Whether a row's key is the column by which rows are grouped. */
export function isGroupColumn(key: string, column: string): boolean {
	return foldName(key) === foldName(columnNameOf(column));
}

/**
 * What the rows of a group have in the column: text as it is compared, a number or boolean as it is. `row` is the first
 * of them.
 */
export function groupValue(row: SheetRow, column: string): string | number | boolean | null {
	const cell = cellOf(row, columnNameOf(column));
	if (typeof cell === 'number' || typeof cell === 'boolean') return cell;
	return comparedText(cell) ?? null;
}

/** What people know a group by: `"Nr." 18`. */
export function groupName(value: string, column: string): string {
	return `"${columnNameOf(column)}" ${cleanLine(value, SHOWN_VALUE)}`;
}

function isFilled(key: string, cell: unknown): boolean {
	return !isAddedByN8n(key) && !saysNothing(cell);
}

/** What people know a row by: the first cell with a value, `"V-103"`; undefined where no cell has one. */
export function rowName(row: SheetRow): string | undefined {
	const filled = Object.entries(row).find(([key, cell]) => isFilled(key, cell));
	return (
		filled &&
		shownValue(isObject(filled[1]) ? filled[1] : cleanLine(String(filled[1]), SHOWN_VALUE))
	);
}

function columnNameOf(column: string): string {
	return BRACKETED.exec(column.trim())?.[2] ?? column;
}

function cellOf(row: SheetRow, name: string): unknown {
	const key = keyOf(row, name);
	return key === undefined ? undefined : row[key];
}

/** The row's own key for a column: the name itself, else a key that reads the same. */
function keyOf(row: SheetRow, name: string): string | undefined {
	if (Object.hasOwn(row, name)) return name;
	const folded = foldName(name);
	return Object.keys(row).find((key) => foldName(key) === folded);
}

const SUBJECT = 'Group Rows By';

function noValue(
	name: string,
	emptyCells: EmptyCells['emptyCells'],
	faulty: number | undefined,
): Problem {
	const none = `no value in the column "${name}"`;
	if (emptyCells === 'error') {
		const wrong = `${none}; give the row the value of those that it belongs to, or set the option Empty Group Cells to "Belong to the Row Above"`;
		return { subject: SUBJECT, wrong };
	}
	const wrong =
		faulty === undefined
			? `${none}, and no row above has one; give it one`
			: `${none}, and row ${String(faulty)} above carries an error; take such rows out, or give this one a value`;
	return { subject: SUBJECT, wrong };
}

function noColumn(name: string, rows: readonly SheetRow[]): Problem {
	const keys = Object.keys(rows[0] ?? {}).map(withoutByteOrderMark);
	const cure = sheetCure(
		keys,
		headerRow(rows, (cell) => foldName(cell) === foldName(name)),
	);
	const meant = nearestName(name, keys);
	if (meant !== undefined && cure === '') {
		return { subject: SUBJECT, wrong: `there is no column ${nameAndMeant(name, meant)}` };
	}
	if (cure !== '') return { subject: SUBJECT, wrong: `${cure}. There is no column "${name}"` };
	const shown = keys.slice(0, SHOWN_COLUMNS).map((key) => `"${key}"`);
	const list = listText(shown, keys.length);
	const wrong = `there is no column "${name}"; give the name of a column, such as one of ${list}`;
	return { subject: SUBJECT, wrong };
}

/** Pairs that a message names. One shows the mistake; a sheet may have hundreds. */
const SHOWN_PAIRS = 5;

/**
 * A sentence about groups whose values differ only in upper and lower case, such as "Gate 4" and "gate 4". They make
 * two inspections, although most likely one was meant. Undefined where there are no such groups.
 */
export function similarGroups(
	groups: readonly RowGroup[],
	numbers: RowNumbers,
): string | undefined {
	const firsts = new Map<string, RowGroup>();
	const pairs: string[] = [];
	for (const group of groups) {
		if (group.value === undefined) continue;
		const name = foldName(group.value);
		const first = firsts.get(name);
		if (first === undefined) firsts.set(name, group);
		else pairs.push(`${shownGroup(first, numbers)} / ${shownGroup(group, numbers)}`);
	}
	if (pairs.length === 0) return undefined;
	const list = listText(pairs.slice(0, SHOWN_PAIRS), pairs.length);
	return `Group Rows By: ${list} are different inspections, because upper and lower case differ. Write the value alike in all rows of one inspection.`;
}

function shownGroup({ value, rows: [first] }: RowGroup, numbers: RowNumbers): string {
	return `${shownValue(value)} (row ${String(numbers.of(first))})`;
}

/** A date of Luxon as text. n8n (2.41) makes it of each date in a collection, such as Options, in the workflow's zone. */
const LUXON_TEXT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * The text by which a unique key or a value of Group Rows By is compared (docs/create.md): without outer blanks, every
 * run of blanks as one blank, accents in one Unicode form. Letters keep their case, and the number 7 is the text "7". A
 * date is its UTC text, whatever its zone. Undefined for a value that says nothing, and for one without JSON.
 */
export function comparedText(value: unknown): string | undefined {
	if (isBlank(value)) return undefined;
	if (typeof value === 'object') return utcText(value) ?? jsonText(value);
	const text = plainText(String(value));
	return LUXON_TEXT.test(text) ? (utcOf(text) ?? text) : text;
}

/** A date of JavaScript or Luxon as ISO 8601 text in UTC; undefined for anything else. */
export function utcText(value: unknown): string | undefined {
	const iso = isoOf(value);
	return iso === undefined ? undefined : utcOf(iso);
}

function utcOf(iso: string): string | undefined {
	const ms = Date.parse(iso);
	return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
