import { cleanLine, listText } from '../formatting';
import { InputError } from '../inputError';
import { nameAndMeant, nearestName } from '../nearestName';
import { foldName, isBlank, withoutByteOrderMark } from '../normalizeText';
import type { Problem } from '../problem';
import { columnNameOf } from './groupColumn';
import { comparedText, SHOWN_VALUE, whyNoIdentity } from './identity';
import { isEmptyRow, looksLikeTotal } from './inspectionRows';
import type { SheetRow } from './sheetRow';
import { hasErrorColumn, headerRow, itemError, sheetFix } from './unusedColumns';

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

/** Maximum columns in a message. */
const SHOWN_COLUMNS = 12;
/**
 * Groups the rows by their values in one column (docs/sheets.md), in order of first appearance.
 * A row without a value in the column is a separate group with a problem. Skips blank rows. `isFilled` is true if Fill
 * Empty Cells From Above was applied to the column.
 */
export function groupRows(rows: readonly SheetRow[], column: string, isFilled = false): RowGroup[] {
	const name = columnNameOf(column);
	const missing = noColumn(name, rows);
	const groups: RowGroup[] = [];
	const byValue = new Map<string, RowGroup>();
	for (const [index, row] of rows.entries()) {
		const cell = cellOf(row, name);
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

function cellOf(row: SheetRow, name: string): unknown {
	const key = keyOf(row, name);
	return key === undefined ? undefined : row[key];
}

/**
 * Returns the row's key for the column: its exact name, else a key that differs only in case or spaces (`foldName`).
 */
function keyOf(row: SheetRow, name: string): string | undefined {
	if (Object.hasOwn(row, name)) return name;
	const folded = foldName(name);
	return Object.keys(row).find((key) => foldName(key) === folded);
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
	return aboutGroups(`no value in the column "${name}"${fix}`);
}

/** Returns the problem that no row has the column. Undefined if any row has it. */
function noColumn(name: string, rows: readonly SheetRow[], subject = GROUPS): Problem | undefined {
	const folded = foldName(name);
	const isName = (text: string) => foldName(text) === folded;
	if (rows.some((row) => Object.keys(row).some(isName))) return undefined;
	const keys = Object.keys(rows[0] ?? {}).map(withoutByteOrderMark);
	const misread = sheetFix(keys, headerRow(rows, isName));
	if (misread !== undefined)
		return { subject, message: `${misread}. There is no column "${name}"` };
	const meant = nearestName(name, keys);
	if (meant !== undefined)
		return { subject, message: `there is no column ${nameAndMeant(name, meant)}` };
	const shown = keys.slice(0, SHOWN_COLUMNS).map((key) => `"${key}"`);
	const fix = `enter the name of a column, such as ${listText(shown, keys.length)}`;
	return { subject, message: `there is no column "${name}"; ${fix}` };
}

function aboutGroups(message: string): Problem {
	return { subject: GROUPS, message };
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
	const missing = noColumn(name, rows, FILL_DOWN);
	if (missing !== undefined) throw InputError.of(missing);
	const hasErrors = !hasErrorColumn(rows);
	let above: { key: string; cell: unknown } | undefined;
	return rows.map((row) => {
		if (isEmptyRow(row) || looksLikeTotal(row)) return row;
		if (hasErrors && itemError(row) !== undefined) {
			above = undefined;
			return row;
		}
		const key = keyOf(row, name) ?? above?.key ?? name;
		if (isBlank(row[key])) return above === undefined ? row : { ...row, [key]: above.cell };
		above = { key, cell: row[key] };
		return row;
	});
}
