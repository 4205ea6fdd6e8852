import type { JsonValue } from '../json';
import { isBlank } from '../plainText';
import type { RepeatableSection } from '../template/questions';
import type { PlacedAnswer } from './placedAnswer';
import type { RowColumn, RowTable } from './rowTable';

/** The cells of one row by their columns. */
export interface RowCells {
	/** The instance that the row shows; null where it shows none. */
	readonly instance: number | null;
	readonly own: Cells;
	/** The same in all rows of one inspection. */
	readonly shared: Cells;
}

type Cells = ReadonlyMap<RowColumn, JsonValue>;

/**
 * The rows of one inspection: one, or one per instance of the layout's section. The table gets a column for each
 * question and instance that occurs.
 *
 * With a row per instance, the answers to other repeatable sections stand as a list in the first row only. In every
 * row, Create would make them once for each row.
 */
export function rowCells(answers: readonly PlacedAnswer[], table: RowTable): RowCells[] {
	const { section: rowSection } = table.layout;
	const shared = new Map<RowColumn, JsonValue>();
	const instances = new Map<number, Map<RowColumn, JsonValue>>();
	const lists: Lists = new Map();
	for (const answer of answers) {
		const { question, section, place, cell } = answer;
		if (question !== undefined && isBlank(cell)) continue;
		if (rowSection === undefined || section === undefined) {
			shared.set(table.columnFor(answer, place), cell);
		} else if (section === rowSection) {
			const cells = instances.get(place) ?? new Map<RowColumn, JsonValue>();
			instances.set(place, cells.set(table.columnFor(answer, 1), cell));
		} else if (question === undefined) {
			shared.set(table.columnFor(answer, place), cell);
		} else {
			const list = lists.get(section) ?? [];
			lists.set(section, list);
			(list[place - 1] ??= []).push([table.keyInSection(question, section), cell]);
		}
	}
	const inOrder = [...instances].sort(([a], [b]) => a - b);
	const rows = inOrder.map(([instance, own]) => ({ instance, own, shared }));
	const [first = { instance: null, own: new Map<RowColumn, JsonValue>(), shared }, ...others] =
		rows;
	for (const [section, list] of lists) first.own.set(table.columnOf(section, 1), listCell(list));
	return [first, ...others];
}

/** The answers of one instance, each with its key. */
type InstanceEntries = [key: string, value: JsonValue][];
type Lists = Map<RepeatableSection, InstanceEntries[]>;

/** A list stands as Create reads it: as JSON, an array with one object per instance. */
function listCell(list: InstanceEntries[]): string {
	return JSON.stringify(list.map((entries) => Object.fromEntries(entries)));
}
