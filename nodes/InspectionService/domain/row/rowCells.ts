import { cleanLine } from '../formatting';
import { InputError } from '../inputError';
import type { JsonRecord, JsonValue } from '../json';

/**
 * Maximum cells of all rows together, including empty ones. Measured with Node 24: 10 million cells take 0.5 to 2
 * seconds and 80 to 480 MB. n8n takes 2 seconds and 300 MB to save them (`test/long/rowCells.test.mts`).
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

/**
 * Above this number of keys, V8 (Node 24) stores each object as its own hash table, of about 48 bytes for each key. Below
 * it, objects with the same keys share them, and an empty cell takes 8 bytes.
 */
const MAX_SHARED_KEYS = 1_020;

/**
 * Builds rows of the same columns. An empty cell takes 10 to 250 ns, a cell with a value 1.6 µs, and n8n takes 140 to 220
 * ns to save either (Node 24). Rows can't share their empty cells, because n8n saves and copies only an item's own keys.
 * They can't lack them either, because n8n's Remove Duplicates (2.41) fails if one item lacks a field.
 */
export class RowBuilder<Column> {
	private readonly keys: ReadonlyMap<Column, string>;
	private readonly emptyCells: readonly (readonly [key: string, value: JsonValue])[];
	private readonly emptyRow: JsonRecord;
	private readonly isWide: boolean;

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
		this.emptyCells = cells;
		// Use `fromEntries`, because assigning the key `__proto__` wouldn't add it. A question can have this name.
		this.emptyRow = Object.fromEntries([...Object.entries(leading), ...cells]);
		this.isWide = cells.length > MAX_SHARED_KEYS && !Object.hasOwn(this.emptyRow, '__proto__');
	}

	build(leading: JsonRecord, cells: readonly ReadonlyMap<Column, JsonValue>[]): JsonRecord {
		const row = this.rowWith(leading);
		for (const [index, some] of cells.entries()) {
			for (const [column, value] of some) {
				const key = this.keys.get(column);
				// Only a value replaces a cell of an earlier map.
				if (key !== undefined && (index === 0 || value !== null)) row[key] = value;
			}
		}
		return row;
	}

	/**
	 * Returns a row without values. V8 copies a row with shared keys faster than it adds each key. For other rows, the copy
	 * takes three times as long.
	 */
	private rowWith(leading: JsonRecord): JsonRecord {
		if (!this.isWide) return Object.assign({ ...this.emptyRow }, leading);
		const row = { ...leading };
		for (const [key, value] of this.emptyCells) row[key] = value;
		return row;
	}
}
