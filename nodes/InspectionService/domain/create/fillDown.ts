import { InputError } from '../inputError';
import { isBlank } from '../normalizeText';
import { columnNameOf, isEmptyRow, keyOf, noColumn } from './groupRows';
import type { SheetRow } from './sheetRow';
import { looksLikeTotal } from './totalRow';
import { itemError } from './unusedColumns';

export const FILL_DOWN = 'Fill Empty Cells From Above';

/**
 * Fills the empty cells of these columns from the row above, because merged cells have their value only in the first
 * row. Leaves blank rows and rows of totals unchanged. Doesn't fill from a row with an error, or across it. Throws
 * InputError for a column that no row has.
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
	let above: { key: string; cell: unknown } | undefined;
	return rows.map((row) => {
		if (isEmptyRow(row) || looksLikeTotal(row)) return row;
		if (itemError(row) !== undefined) {
			above = undefined;
			return row;
		}
		const key = keyOf(row, name) ?? above?.key ?? name;
		if (isBlank(row[key])) return above === undefined ? row : { ...row, [key]: above.cell };
		above = { key, cell: row[key] };
		return row;
	});
}
