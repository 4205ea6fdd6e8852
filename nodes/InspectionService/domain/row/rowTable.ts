import type { StoredResponse } from '../answer/storedResponse';
import type { JsonRecord, JsonValue } from '../json';
import { isBlank } from '../plainText';
import { isColumnKey } from '../rowKeys';
import type { Form } from '../template/form';
import type { ColumnNames } from '../template/keys';
import type { Column, RepeatableSection } from '../template/questions';
import { answerPlacer, ascending, type PlaceAnswers, type PlacedAnswer } from './placedAnswer';

interface RowLayout {
	readonly form: Form | undefined;
	readonly columnNames: ColumnNames;
	/** The section that has a row per instance; the other repeatable sections then have one column each. */
	readonly section?: RepeatableSection | undefined;
	readonly keysBehind?: readonly string[] | undefined;
	readonly localZone?: string | undefined;
}

/** One column of rows, which shows an instance. Its cells are known by the object itself. */
type RowColumn = Readonly<{ place: number }>;

type Cells = Map<RowColumn, JsonValue>;

interface RowCells {
	readonly instance: number | null;
	readonly own: Cells;
	/** The same in all rows of one inspection. */
	readonly shared: Cells;
}

type TakeKey = (candidates: readonly string[]) => string;

/** The rows of one template, and their columns, which are known once all of its inspections were read. */
export class RowTable {
	private readonly layout: RowLayout;
	private readonly placeAnswers: PlaceAnswers;
	/** The columns by instance, of a question, of a whole section, or of an id that is no question of the template. */
	private readonly columns = new Map<Column | string, Map<number, RowColumn>>();
	/** For each such id: the first answer that has it. */
	private readonly loose = new Map<string, StoredResponse>();
	private keyed: readonly KeyedColumn[] | undefined;

	constructor(layout: RowLayout) {
		this.layout = layout;
		this.placeAnswers = answerPlacer(layout.form, layout.localZone);
	}

	/**
	 * Reads the rows of one inspection: one, or one per instance of the layout's section. The answers to other repeatable
	 * sections then stand as a list in the first row only: in every row, Create would make them once for each row.
	 */
	read(inspection: JsonRecord): RowCells[] {
		const { section: rowSection } = this.layout;
		const shared: Cells = new Map();
		const instances = new Map<number, Cells>();
		const lists = new Map<RepeatableSection, InstanceEntries[]>();
		for (const answer of this.placeAnswers(inspection)) {
			const { question, section, place, cell } = answer;
			if (question !== undefined && isBlank(cell)) continue;
			if (section !== undefined && section === rowSection) {
				const cells: Cells = instances.get(place) ?? new Map();
				instances.set(place, cells.set(this.columnFor(answer, 1), cell));
			} else if (!rowSection || !section || !question) {
				shared.set(this.columnFor(answer, place), cell);
			} else {
				const list = lists.get(section) ?? [];
				lists.set(section, list);
				const { form, columnNames } = this.layout;
				const key = form?.keysIn(section).keyOf(question, columnNames) ?? question.fieldId;
				(list[place - 1] ??= []).push([key, cell]);
			}
		}
		const rows: RowCells[] = ascending(instances.keys()).map((instance) => {
			return { instance, own: instances.get(instance) ?? new Map(), shared };
		});
		const [first = { instance: null, own: new Map(), shared }, ...others] = rows;
		for (const [section, list] of lists) first.own.set(this.columnAt(section, 1), listCell(list));
		return [first, ...others];
	}

	/** Gives the questions of a repeatable section columns for so many instances. */
	addInstances(instances: number): void {
		for (const question of this.layout.form?.questions ?? []) {
			const last = question.section === null ? 1 : instances;
			for (let place = 1; place <= last; place++) this.columnAt(question, place);
		}
	}

	/**
	 * The columns with their keys, once all inspections were read: every question of the template, then second instances,
	 * and so on, then answers whose question is not in the template (any more). Automatic mapping takes a question's key
	 * for the same question and instance, and the other keys for no question.
	 */
	keyedColumns(): readonly KeyedColumn[] {
		if (this.keyed === undefined) {
			const take = keyTaker(this.layout.keysBehind ?? []);
			this.keyed = [...this.formColumns(take), ...this.looseColumns(take)];
		}
		return this.keyed;
	}

	private formColumns(take: TakeKey): KeyedColumn[] {
		const { form, columnNames, section: rowSection } = this.layout;
		if (form === undefined) return [];
		// A section with one column has it where its first question would stand.
		const shown = form.questions.map((question) => {
			const { section } = question;
			const isSplit = rowSection === undefined || section === null || section === rowSection;
			return isSplit ? question : section;
		});
		const columns = [...new Set(shown)].flatMap((column) => {
			const names = [form.keys.keyOf(column, columnNames), column.fieldId];
			const places = new Set([1, ...(this.columns.get(column)?.keys() ?? [])]);
			return ascending(places).map((place): KeyedColumn => {
				const key = take(names.map((name) => instanceKey(name, place)));
				return [key, this.columnAt(column, place)];
			});
		});
		// Later instances stand behind all first ones: one more of them moves no column of a sheet.
		return columns.toSorted(([, a], [, b]) => a.place - b.place);
	}

	private looseColumns(take: TakeKey): KeyedColumn[] {
		const { form, columnNames } = this.layout;
		const isNoQuestion = (key: string) =>
			isColumnKey(key) && (form === undefined || form.keys.find(key).columns.length === 0);
		return [...this.loose].flatMap(([id, { path, label }]) => {
			const name = path || label || id;
			const named = [name, `${name} (${id})`];
			const bases = columnNames === 'fieldId' ? [id, ...named] : [...named, id];
			return ascending(this.columns.get(id)?.keys() ?? []).map((place): KeyedColumn => {
				const keys = bases.map((base) => instanceKey(base, place));
				return [take(keys.filter(isNoQuestion)), this.columnAt(id, place)];
			});
		});
	}

	private columnFor({ question, response }: PlacedAnswer, place: number): RowColumn {
		if (question !== undefined) return this.columnAt(question, place);
		const { fieldId, controlId, path, label } = response;
		const id = fieldId || controlId || path || label || 'answer';
		if (!this.loose.has(id)) this.loose.set(id, response);
		return this.columnAt(id, place);
	}

	private columnAt(shown: Column | string, place: number): RowColumn {
		const columns = this.columns.get(shown) ?? new Map<number, RowColumn>();
		this.columns.set(shown, columns);
		const column = columns.get(place) ?? { place };
		columns.set(place, column);
		return column;
	}
}

type KeyedColumn = readonly [key: string, column: RowColumn];

type InstanceEntries = [key: string, value: JsonValue][];

/** As Create reads it: JSON, an array with one object per instance. */
function listCell(list: readonly InstanceEntries[]): string {
	return JSON.stringify(list.map((entries) => Object.fromEntries(entries)));
}

function keyTaker(keysBehind: readonly string[]): TakeKey {
	const taken = new Set(keysBehind);
	/** For each key that was numbered: the number to go on with. */
	const nextNumbers = new Map<string, number>();
	const isFree = (key: string) => isColumnKey(key) && !taken.has(key);
	return (candidates) => {
		const last = candidates.at(-1) ?? 'answer';
		let key = candidates.find(isFree);
		// Only labels that look like ids get here. A number in brackets is no instance to automatic mapping.
		for (let number = nextNumbers.get(last) ?? 2; key === undefined; number++) {
			const numbered = `${last} (${String(number)})`;
			if (isFree(numbered)) key = numbered;
			nextNumbers.set(last, number + 1);
		}
		taken.add(key);
		return key;
	};
}

function instanceKey(base: string, place: number): string {
	return place === 1 ? base : `${base}:${String(place)}`;
}

/** The columns that Create takes, all empty. Not null: a sheet's writer leaves null out, and with it the header. */
export function emptyRow(form: Form, instances: number): Record<string, string> {
	const table = new RowTable({ form, columnNames: 'label' });
	table.addInstances(instances);
	return Object.fromEntries(table.keyedColumns().map(([key]) => [key, '']));
}
