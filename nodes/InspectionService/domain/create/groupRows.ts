import { cleanLine } from '../formatting';
import { InputError } from '../inputError';
import { isBlank } from '../normalizeText';
import type { Problem } from '../problem';
import { comparedText, SHOWN_VALUE, whyNoIdentity } from './identity';
import { hasErrorColumn, isEmptyRow, itemError, looksLikeTotal } from './inspectionRows';
import { missingColumn } from './sheet';
import { columnNameOf, isOneOf, keyIn, type SheetRow } from './sheetRow';

const GROUPS = 'Group Rows By';

/**
 * The rows of one inspection, and their value in the column of Group Rows By. `rows` contains the index of each row
 * among all input rows.
 */
export interface RowGroup {
	rows: [number, ...number[]];
	/** The value, normalized for comparison (`comparedText`). Undefined for a row without a value. */
	value?: string;
	/**
	 * The value for the output, from the group's first row. A number or boolean of a single column keeps its type, and any
	 * other value is text.
	 */
	cell: string | number | boolean | null;
	/** The name of the group in messages, such as `"Nr." 18`. */
	name?: string;
	/** Why these rows can't create an inspection. */
	problem?: Problem;
}

/**
 * Groups the rows by their values in these columns (docs/sheets.md), in order of first appearance.
 * A row without a value in one of the columns is a separate group with a problem. Skips blank rows. `filled` has the
 * columns of Fill Empty Cells From Above.
 */
export function groupRows(
	rows: readonly SheetRow[],
	columns: readonly string[],
	filled: readonly string[] = [],
): RowGroup[] {
	const [missing] = columns.flatMap((name) => missingColumn(GROUPS, name, rows) ?? []);
	const groups: RowGroup[] = [];
	const byValue = new Map<string, RowGroup>();
	for (const [index, row] of rows.entries()) {
		const cells = columns.map((name) => cellIn(row, name));
		const value = valueOf(cells);
		if (value === undefined && isEmptyRow(row)) continue;
		const [problem] = cells.flatMap((cell) => cellProblem(cell, isOneOf(cell.name, filled)) ?? []);
		if (value === undefined || problem !== undefined) {
			const unnamed = { value, cell: value ?? null, name: undefined };
			groups.push({ rows: [index], ...unnamed, problem: missing ?? problem });
			continue;
		}
		const known = byValue.get(value);
		known?.rows.push(index);
		if (known !== undefined) continue;
		const group = newGroup(index, cells);
		groups.push(group);
		byValue.set(value, group);
	}
	return groups;
}

/** A cell of a column by which rows are grouped. `value` is its text for comparison, or undefined without one. */
interface GroupCell {
	readonly name: string;
	readonly cell: unknown;
	readonly value: string | undefined;
}

function cellIn(row: SheetRow, name: string): GroupCell {
	const key = keyIn(row, name);
	const cell = key === undefined ? undefined : row[key];
	return { name, cell, value: comparedText(cell) };
}

/** Returns the value of a group, as text for comparison. Undefined if a cell has none. */
function valueOf(cells: readonly GroupCell[]): string | undefined {
	const values = cells.flatMap(({ value }) => value ?? []);
	if (values.length < cells.length) return undefined;
	return values.length === 1 ? values[0] : JSON.stringify(values);
}

function newGroup(index: number, cells: readonly GroupCell[]): RowGroup {
	const [first, ...others] = cells;
	const isKept = typeof first?.cell === 'number' || typeof first?.cell === 'boolean';
	const text = cells.map(({ value = '' }) => value).join(', ');
	const names = cells.map(({ name, value = '' }) => `"${name}" ${cleanLine(value, SHOWN_VALUE)}`);
	const cell = isKept && others.length === 0 ? first.cell : text;
	return { rows: [index], value: valueOf(cells), cell, name: names.join(', '), problem: undefined };
}

/** Returns why a cell of the column can't identify a group. Undefined if it can. */
function cellProblem({ name, cell, value }: GroupCell, isFilled: boolean): Problem | undefined {
	if (value !== undefined) {
		const why = whyNoIdentity(cell, name);
		return why && { subject: GROUPS, ...why };
	}
	const fix = isFilled
		? ', and the row above has no value or has a field "error". Fill in a value, remove the row, or rename your column "error"'
		: `. Enter the same value as in the other rows of the inspection, or set the option '${FILL_DOWN}' to "${name}"`;
	return { subject: GROUPS, message: `no value in the column "${name}"${fix}` };
}

export const FILL_DOWN = 'Fill Empty Cells From Above';

/**
 * Fills the empty cells of these columns from the row above, because merged cells have their value only in the first
 * row. Leaves blank rows and rows of totals unchanged. A row with an error isn't filled, and isn't used to fill the
 * rows below. Throws InputError for a column that no row has.
 */
export function fillDown(
	rows: readonly SheetRow[],
	columns: readonly string[],
): readonly SheetRow[] {
	return columns.reduce(fillColumn, rows);
}

function fillColumn(rows: readonly SheetRow[], column: string): readonly SheetRow[] {
	const name = columnNameOf(column);
	const missing = missingColumn(FILL_DOWN, name, rows);
	if (missing !== undefined) throw InputError.of(missing);
	const hasErrors = !hasErrorColumn(rows);
	let above: { key: string; cell: unknown } | undefined;
	return rows.map((row) => {
		if (isEmptyRow(row) || looksLikeTotal(row)) return row;
		if (hasErrors && itemError(row) !== undefined) {
			above = undefined;
			return row;
		}
		const key = keyIn(row, name) ?? above?.key ?? name;
		if (isBlank(row[key])) return above === undefined ? row : { ...row, [key]: above.cell };
		above = { key, cell: row[key] };
		return row;
	});
}

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
