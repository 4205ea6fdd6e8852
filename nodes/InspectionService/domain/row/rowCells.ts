import { cleanLine } from '../formatting';
import { InputError } from '../inputError';
import type { JsonRecord, JsonValue } from '../json';

/**
 * Maximum cells of all rows together, including empty ones. Measured with Node 24: 10 million cells take 3 to 9 seconds,
 * and 120 to 500 MB, because V8 needs 12 to 50 bytes for each (`test/long/rowCells.test.mts`).
 */
const MAX_CELLS = 10_000_000;

/** What an inspection adds to the number of cells. */
export interface CountedInspection {
	readonly name: string;
	readonly rows: number;
	/** The number of answers, which is at most the number of columns that the inspection adds. */
	readonly answers: number;
	/** The number of columns of each of its rows. */
	readonly columns: number;
}

/** Returns the error if these inspections have too many cells. Call it before the rows are built. */
export function tooManyCells(inspections: readonly CountedInspection[]): InputError | undefined {
	let cells = 0;
	for (const { rows, columns } of inspections) cells += rows * columns;
	const [first] = inspections;
	if (first === undefined || cells <= MAX_CELLS) return undefined;
	const widest = inspections.reduce((a, b) => (b.answers > a.answers ? b : a), first);
	const shown = (count: number) => count.toLocaleString('en');
	return new InputError(
		`The rows would have ${shown(cells)} cells, but the limit is ${shown(MAX_CELLS)}. The inspection "${cleanLine(widest.name)}" alone has ${shown(widest.answers)} answers, and each row has a cell for each of them. Choose columns with the option 'Field Names or IDs', enter the section with the most instances in 'Row per Instance Of', or set 'Output' to 'Answers'.`,
	);
}

/** Builds rows of the same columns. Only cells with a value take time of their own. */
export class RowBuilder<Column> {
	private readonly keys: ReadonlyMap<Column, string>;
	private readonly emptyRow: JsonRecord;

	/**
	 * `leading` has the keys before the columns, and `emptyOf` returns the value of an empty cell. If `isSparse`, rows
	 * only have the columns that have a value.
	 */
	constructor(
		leading: JsonRecord,
		columns: readonly (readonly [key: string, column: Column])[],
		{ emptyOf, isSparse }: { emptyOf: (column: Column) => JsonValue; isSparse: boolean },
	) {
		this.keys = new Map(columns.map(([key, column]) => [column, key]));
		const cells = isSparse ? [] : columns.map(([key, column]) => [key, emptyOf(column)] as const);
		// Use `fromEntries`, because assigning the key `__proto__` wouldn't add it. A question can have this name.
		this.emptyRow = Object.fromEntries([...Object.entries(leading), ...cells]);
	}

	/** Copies the empty row, because V8 does that faster than adding each key, and then sets the values. */
	build(leading: JsonRecord, cells: readonly ReadonlyMap<Column, JsonValue>[]): JsonRecord {
		const row = Object.assign({ ...this.emptyRow }, leading);
		for (const [index, some] of cells.entries()) {
			for (const [column, value] of some) {
				const key = this.keys.get(column);
				// Only a value replaces a cell of an earlier map.
				if (key !== undefined && (index === 0 || value !== null)) row[key] = value;
			}
		}
		return row;
	}
}
