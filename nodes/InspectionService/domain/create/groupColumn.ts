import { foldName } from '../normalizeText';

/** Matches the text that n8n inserts when you drag a column into a field that takes a path: `['Order No']`. */
const BRACKETED = /^\[\s*(["'])(.*)\1\s*\]$/s;

/** Returns the column name from what the user dragged or typed: `Order No` from `['Order No']`. */
export function columnNameOf(column: string): string {
	return BRACKETED.exec(column.trim())?.[2] ?? column;
}

/** Whether a row's key is the column that rows are grouped by. */
export function isGroupColumn(key: string, column: string | undefined): boolean {
	return column !== undefined && foldName(key) === foldName(columnNameOf(column));
}
