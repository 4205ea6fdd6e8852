import type { AnswerOptions } from '../answer/answer';
import { readChoices } from '../answer/choices';
import { foldName } from '../normalizeText';
import { isAddedByN8n } from '../rowKeys';

/** The cells of a row, by column. */
export type SheetRow = Readonly<Record<string, unknown>>;

/** The data that n8n provides for one input item. */
export interface Row {
	/** The row number in messages (`rowNumbers`). */
	readonly number: number;
	/** With automatic mapping, the item's fields. Otherwise, the values of the mapper's columns, by column ID. */
	readonly values: SheetRow;
	/** The cells of the row in the sheet. */
	readonly cells: SheetRow;
	/** The names of the mapper's columns, by ID. Undefined with automatic mapping. */
	readonly labels: ReadonlyMap<string, string> | undefined;
	readonly additionalFields: SheetRow;
	readonly task: SheetRow | undefined;
	/** The columns and questions whose text had C1 control characters, which `withReadableText` replaced. */
	readonly misencoded?: readonly string[];
}

/** How to read the rows of an inspection. */
export interface SheetRowOptions extends AnswerOptions {
	/** The columns of Group Rows By. Empty if each row is a separate inspection. */
	groupColumns: readonly string[];
	/** Whether required questions can stay unanswered. */
	allowMissing?: boolean;
	/** How to fix a mapping that belongs to another template. Undefined for the default advice. */
	otherTemplateFix?: string | undefined;
}

/** Returns the columns of all rows, in order of first appearance, without those that n8n adds. */
export function columnsOf(rows: readonly SheetRow[]): string[] {
	const columns = new Set<string>();
	// Don't collect the keys of all rows in one array, because a sheet can have millions of cells.
	for (const row of rows) for (const key of Object.keys(row)) columns.add(key);
	return [...columns].filter((column) => !isAddedByN8n(column));
}

/**
 * Returns the row's key for the column: its exact name, else a key that differs only in case or spaces (`foldName`).
 */
export function keyIn(row: SheetRow, name: string): string | undefined {
	if (Object.hasOwn(row, name)) return name;
	const folded = foldName(name);
	return Object.keys(row).find((key) => foldName(key) === folded);
}

/** Whether any row has the column. */
export function hasColumn(rows: readonly SheetRow[], name: string): boolean {
	return rows.some((row) => keyIn(row, name) !== undefined);
}

/** Whether a row's key is one of these columns, such as those of Group Rows By. */
export function isOneOf(key: string, columns: readonly string[]): boolean {
	return columns.some((column) => foldName(key) === foldName(column));
}

/** Matches the text that n8n inserts when you drag a column into a field that takes a path: `['Order No']`. */
const BRACKETED = /^\[\s*(["'])(.*)\1\s*\]$/s;

/** Returns the column name from what the user dragged or typed: `Order No` from `['Order No']`. */
function columnNameOf(column: string): string {
	return BRACKETED.exec(column.trim())?.[2] ?? column;
}

/**
 * Returns the columns in a list with commas, such as `Site, Date`. If the whole text is the name of a column, it's one
 * column.
 */
export function columnsIn(list: string, rows: readonly SheetRow[]): readonly string[] {
	const whole = columnNameOf(list);
	if (hasColumn(rows, whole)) return [whole];
	return (readChoices(list, []).choices ?? [list]).map(columnNameOf);
}

/** Matches the names that Extract from File (2.41) uses for columns without a name. */
const WITHOUT_HEADER = /^__EMPTY(?:_\d+)?$/;

export function isWithoutHeader(key: string): boolean {
	return WITHOUT_HEADER.test(key);
}
