import { readChoices } from '../answer/choices';
import { foldName } from '../normalizeText';
import type { SheetRow } from './sheetRow';

/** Matches the text that n8n inserts when you drag a column into a field that takes a path: `['Order No']`. */
const BRACKETED = /^\[\s*(["'])(.*)\1\s*\]$/s;
/** Matches the names that Extract from File (2.41) uses for columns without a header. */
const WITHOUT_HEADER = /^__EMPTY(?:_\d+)?$/;

/** Returns the column name from what the user dragged or typed: `Order No` from `['Order No']`. */
export function columnNameOf(column: string): string {
	return BRACKETED.exec(column.trim())?.[2] ?? column;
}

/** Whether a row's key is one of these columns, such as those of Group Rows By. */
export function isOneOf(key: string, columns: readonly string[]): boolean {
	return columns.some((column) => foldName(key) === foldName(column));
}

/**
 * Returns the columns in a list with commas, such as `Site, Date`. If the whole text is the name of a column, it's one
 * column.
 */
export function columnsIn(list: string, rows: readonly SheetRow[]): readonly string[] {
	const whole = columnNameOf(list);
	if (rows.some((row) => keyIn(row, whole) !== undefined)) return [whole];
	return (readChoices(list, []).choices ?? [list]).map(columnNameOf);
}

/** Returns the columns of all rows, in order of first appearance. */
export function allColumns(rows: readonly SheetRow[]): string[] {
	const columns = new Set<string>();
	// Don't collect the keys of all rows in one array, because a sheet can have millions of cells.
	for (const row of rows) for (const key of Object.keys(row)) columns.add(key);
	return [...columns];
}

export function isWithoutHeader(key: string): boolean {
	return WITHOUT_HEADER.test(key);
}

/**
 * Returns the row's key for the column: its exact name, else a key that differs only in case or spaces (`foldName`).
 */
export function keyIn(row: SheetRow, name: string): string | undefined {
	if (Object.hasOwn(row, name)) return name;
	const folded = foldName(name);
	return Object.keys(row).find((key) => foldName(key) === folded);
}
