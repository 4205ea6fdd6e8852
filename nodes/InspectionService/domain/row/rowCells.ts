import { isEmpty } from '../answer/answer';
import type { JsonValue } from '../json';
import type { RepeatableSection } from '../template/question';
import type { PlacedAnswer } from './placedAnswer';
import { cellId, type OccurringPairs, ownerOf, type RowLayout, sectionOwner } from './rowColumns';

/** The cells of one row by `cellId`. */
export interface RowCells {
	/** The instance that the row shows; null where it shows none. */
	readonly instance: number | null;
	readonly own: ReadonlyMap<string, JsonValue>;
	/** The same in all rows of one inspection. */
	readonly shared: ReadonlyMap<string, JsonValue>;
}

/**
 * The rows of one inspection: one, or one per instance of `layout.section`. Each question and instance that occurs is
 * added to `pairs`.
 *
 * With a row per instance, the answers to other repeatable sections stand as a list in the first row only. In every
 * row, Create would make them once for each row.
 */
export function rowCells(
	answers: readonly PlacedAnswer[],
	layout: RowLayout,
	pairs: OccurringPairs,
): RowCells[] {
	const shared = new Map<string, JsonValue>();
	const instances = new Map<number, Map<string, JsonValue>>();
	const lists: Lists = new Map();
	for (const answer of answers) {
		const { question, section, place, cell } = answer;
		if (question !== undefined && isEmpty(cell)) continue;
		if (layout.section === undefined || section === undefined) {
			pairs.add(answer, place);
			shared.set(cellId(ownerOf(answer), place), cell);
		} else if (section === layout.section) {
			pairs.add(answer, 1);
			const cells = instances.get(place) ?? new Map<string, JsonValue>();
			instances.set(place, cells.set(cellId(ownerOf(answer), 1), cell));
		} else if (question === undefined) {
			pairs.add(answer, place);
			shared.set(cellId(ownerOf(answer), place), cell);
		} else {
			addToList(answer, section, layout, lists);
		}
	}
	return withLists(instances, shared, lists);
}

/** The answers to a section by instance, each with its key. */
type Lists = Map<RepeatableSection, [key: string, value: JsonValue][][]>;

function addToList(
	{ question, place, cell }: PlacedAnswer,
	section: RepeatableSection,
	{ form, columnNames }: RowLayout,
	lists: Lists,
): void {
	if (form === undefined || question === undefined) return;
	const list = lists.get(section) ?? [];
	lists.set(section, list);
	const key = form.keysIn(section).keyOf(question, columnNames);
	(list[place - 1] ??= []).push([key, cell]);
}

/** A list stands as Create reads it: as JSON, an array with one object per instance. */
function withLists(
	instances: ReadonlyMap<number, Map<string, JsonValue>>,
	shared: ReadonlyMap<string, JsonValue>,
	lists: Lists,
): RowCells[] {
	const inOrder = [...instances].sort(([a], [b]) => a - b);
	const rows = inOrder.map(([instance, own]) => ({ instance, own, shared }));
	const [first = { instance: null, own: new Map<string, JsonValue>(), shared }, ...others] = rows;
	for (const [section, list] of lists) {
		first.own.set(
			cellId(sectionOwner(section), 1),
			JSON.stringify(list.map((entries) => Object.fromEntries(entries))),
		);
	}
	return [first, ...others];
}
