import { cleanLine } from '../formatting';
import { InputError } from '../inputError';
import { isBlank } from '../normalizeText';
import type { Problem } from '../problem';
import { columnNameOf, keyIn } from './column';
import { comparedText, SHOWN_VALUE, whyNoIdentity } from './identity';
import { hasErrorColumn, isEmptyRow, itemError, looksLikeTotal } from './inspectionRows';
import { missingColumn } from './sheet';
import type { SheetRow } from './sheetRow';

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
	 * The value for the output, from the group's first row. A number or boolean keeps its type, and any other value is
	 * text.
	 */
	cell: string | number | boolean | null;
	/** The name of the group in messages, such as `"Nr." 18`. */
	name?: string;
	/** Why these rows can't create an inspection. */
	problem?: Problem;
}

/**
 * Groups the rows by their values in one column (docs/sheets.md), in order of first appearance.
 * A row without a value in the column is a separate group with a problem. Skips blank rows. `isFilled` is true if Fill
 * Empty Cells From Above was applied to the column.
 */
export function groupRows(rows: readonly SheetRow[], column: string, isFilled = false): RowGroup[] {
	const name = columnNameOf(column);
	const missing = missingColumn(GROUPS, name, rows);
	const groups: RowGroup[] = [];
	const byValue = new Map<string, RowGroup>();
	for (const [index, row] of rows.entries()) {
		const key = keyIn(row, name);
		const cell = key === undefined ? undefined : row[key];
		const value = comparedText(cell);
		if (value === undefined && isEmptyRow(row)) continue;
		const problem = cellProblem({ cell, value }, name, isFilled);
		if (value === undefined || problem !== undefined) {
			const unnamed = { value, cell: value ?? null, name: undefined };
			groups.push({ rows: [index], ...unnamed, problem: missing ?? problem });
			continue;
		}
		const known = byValue.get(value);
		known?.rows.push(index);
		if (known !== undefined) continue;
		const group = newGroup(index, cell, name);
		groups.push(group);
		byValue.set(value, group);
	}
	return groups;
}

function newGroup(index: number, cell: unknown, column: string): RowGroup {
	const value = comparedText(cell);
	const isKept = typeof cell === 'number' || typeof cell === 'boolean';
	const name = `"${column}" ${cleanLine(value ?? '', SHOWN_VALUE)}`;
	return { rows: [index], value, cell: isKept ? cell : (value ?? null), name, problem: undefined };
}

/** Returns why a cell of the column can't identify a group. Undefined if it can. */
function cellProblem(
	{ cell, value }: { cell: unknown; value: string | undefined },
	name: string,
	isFilled: boolean,
): Problem | undefined {
	if (value !== undefined) {
		const why = whyNoIdentity(cell, name);
		return why && { subject: GROUPS, ...why };
	}
	const fix = isFilled
		? ', and the row above has no value or has a field "error"; fill in a value, remove the row, or rename your column "error"'
		: `; enter the same value as in the other rows of the inspection, or set the option '${FILL_DOWN}' to "${name}"`;
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
