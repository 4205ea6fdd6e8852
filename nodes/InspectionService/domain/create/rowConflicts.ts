import type { Problem } from '../problem';

/** The `kind` of the problem that two rows of one inspection have different values. */
export const CONFLICT = 'conflict';

/** The value that a row has for a field, as messages show it. The row is undefined if an inspection has only one. */
export interface RowValue {
	readonly row: number | undefined;
	readonly shown: string;
}

/**
 * Compares the values that the rows of one inspection have for a field. Returns a problem if a row has a different value
 * than the first row, even if several do. `thing` is what the rows need in common, such as `key`.
 */
export function rowConflicts<Value extends RowValue>(
	subject: string,
	thing: string,
	[first, ...others]: readonly Value[],
	isSame = (one: Value, other: Value) => one.shown === other.shown,
): Problem[] {
	const other = first && others.find((one) => one.row !== first.row && !isSame(first, one));
	if (first === undefined || other === undefined) return [];
	const message = `row ${String(first.row)} has ${first.shown} and row ${String(other.row)} has ${other.shown}. The rows of one inspection need the same ${thing}`;
	return [{ subject, message, kind: CONFLICT }];
}
