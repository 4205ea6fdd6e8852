import { cleanLine } from '../formatting';
import { InputError } from '../inputError';
import { type JsonRecord, textOf } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import type { Form } from '../template/form';
import { templateKey } from '../template/templateOfInspection';
import type { RowOptions } from './rowOptions';
import { RowTable, type TableRow } from './rowTable';

/**
 * Maximum cells of all rows together, including empty ones. Measured with Node 24: 10 million cells take 0.5 to 2
 * seconds and 80 to 480 MB. n8n takes 2 seconds and 300 MB to save them (`test/long/rowCells.test.mts`).
 */
const MAX_CELLS = 10_000_000;

/** An inspection that was read. Its rows are built after all inspections were read. */
interface ReadInspection {
	readonly inspection: InspectionRecord;
	readonly table: RowTable;
	readonly rows: readonly TableRow[];
}

/**
 * Converts inspections to rows of a spreadsheet. The inspections must have been fetched with `data`. The result has a
 * list of rows for each inspection, in the same order. `forms` contains the templates that could be read, by
 * `templateKey`.
 * A row begins with the keys in `ROW_KEYS`. With a row per instance, `row_key` precedes them. Then the row has a key
 * for each question. A question of the template without an answer has empty text. Its value is null if the service
 * might have left the answer out, or if the template doesn't contain the question. `report` receives sentences about
 * cells that don't contain exactly one answer, or are too long.
 * Create reads the same answers from a row by automatic mapping. With a row per instance, Create needs Group Rows By
 * with the column `id`.
 * Throws InputError if the rows have too many cells. In a poll, such rows lack their empty cells instead, because a poll
 * must not fail.
 */
export function rowsOf(
	inspections: readonly InspectionRecord[],
	forms: ReadonlyMap<string, Form>,
	options: RowOptions,
	report: (problem: string) => void = () => undefined,
): JsonRecord[][] {
	// Read the inspections of all templates before building rows, because all rows of a template share their columns.
	const tables = new Map<string, RowTable>();
	const read = inspections.map((inspection): ReadInspection => {
		const key = templateKey(inspection);
		const table = tables.get(key) ?? new RowTable(forms.get(key), options);
		tables.set(key, table);
		return { inspection, table, rows: table.read(inspection) };
	});
	const refusal = tooManyCells(read);
	if (refusal !== undefined && options.isPoll !== true) throw refusal;
	const isSparse = refusal !== undefined;
	const built = read.map(({ inspection, table, rows }) => table.build(inspection, rows, isSparse));
	for (const { problems } of tables.values()) problems.forEach(report);
	return built;
}

function tooManyCells(read: readonly ReadInspection[]): InputError | undefined {
	let cells = 0;
	let widest = { name: '', answers: -1 };
	for (const { inspection, table, rows } of read) {
		cells += rows.length * table.keyedColumns().chosen.length;
		const answers = rows.flatMap((row) => row.cells).reduce((sum, { size }) => sum + size, 0);
		const name = textOf(inspection.name) ?? '';
		if (answers > widest.answers) widest = { name, answers };
	}
	if (cells <= MAX_CELLS) return undefined;
	const shown = (count: number) => count.toLocaleString('en');
	return new InputError(
		`The rows would have ${shown(cells)} cells, but the limit is ${shown(MAX_CELLS)}. The inspection "${cleanLine(widest.name)}" alone has ${shown(widest.answers)} answers, and each row has a cell for each of them. Choose columns with the option 'Field Names or IDs', enter the section with the most instances in 'Row per Instance Of', or set 'Output' to 'Answers'.`,
	);
}
