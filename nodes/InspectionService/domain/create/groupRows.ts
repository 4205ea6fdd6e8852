import { cleanLine } from '../formatting';
import { InputError } from '../inputError';
import { isBlank } from '../normalizeText';
import type { Problem } from '../problem';
import { comparedText, SHOWN_VALUE, whyNoIdentity } from './identity';
import { hasErrorColumn, isEmptyRow, itemError, looksLikeTotal } from './inspectionRows';
import { missingColumn } from './sheet';
import { isOneOf, keyIn, type SheetRow } from './sheetRow';

const GROUPS = 'Group Rows By';

/**
 * The rows of one inspection, and their value in the column of Group Rows By. `rows` contains the index of each row
 * among all input rows.
 */
export interface RowGroup {
	rows: [number, ...number[]];
	/**
	 * The value for the output, from the group's first row. A number or boolean of a single column keeps its type, and any
	 * other value is text. Null for a row without a value.
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
		if (isEmptyRow(row)) continue;
		const [problem] = cells.flatMap((cell) => cellProblem(cell, isOneOf(cell.name, filled)) ?? []);
		const value = JSON.stringify(cells.map(({ text }) => text));
		const known = problem === undefined ? byValue.get(value) : undefined;
		known?.rows.push(index);
		if (known !== undefined) continue;
		const group = newGroup(index, cells, problem && (missing ?? problem));
		groups.push(group);
		if (problem === undefined) byValue.set(value, group);
	}
	return groups;
}

/** A cell of a column by which rows are grouped. `text` is for comparison. Undefined without a value. */
interface GroupCell {
	readonly name: string;
	readonly cell: unknown;
	readonly text: string | undefined;
}

function cellIn(row: SheetRow, name: string): GroupCell {
	const key = keyIn(row, name);
	const cell = key === undefined ? undefined : row[key];
	return { name, cell, text: comparedText(cell) };
}

function newGroup(
	index: number,
	cells: readonly GroupCell[],
	problem: Problem | undefined,
): RowGroup {
	const [first, another] = cells;
	const isKept = typeof first?.cell === 'number' || typeof first?.cell === 'boolean';
	const texts = cells.flatMap(({ text }) => text ?? []);
	const whole = texts.length < cells.length ? null : texts.join(', ');
	const cell = isKept && another === undefined ? first.cell : whole;
	const names = cells.map(({ name, text = '' }) => `"${name}" ${cleanLine(text, SHOWN_VALUE)}`);
	return {
		rows: [index],
		cell,
		name: problem === undefined ? names.join(', ') : undefined,
		problem,
	};
}

/** Returns why a cell of the column can't identify a group. Undefined if it can. */
function cellProblem({ name, cell, text }: GroupCell, isFilled: boolean): Problem | undefined {
	if (text !== undefined) {
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

function fillColumn(rows: readonly SheetRow[], name: string): readonly SheetRow[] {
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
