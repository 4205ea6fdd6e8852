import type { StoredResponse } from '../answer/storedResponse';
import { isColumnKey } from '../rowKeys';
import type { Form } from '../template/form';
import type { ColumnNames } from '../template/keys';
import type { Column, Question, RepeatableSection } from '../template/questions';
import { ascending, type PlacedAnswer } from './placedAnswer';

/** How the rows of one template are laid out. */
export interface RowLayout {
	/** Undefined where the template may not be read. */
	readonly form: Form | undefined;
	readonly columnNames: ColumnNames;
	/** The section that has a row per instance; the other repeatable sections then have one column each. */
	readonly section: RepeatableSection | undefined;
	/** Keys that no column may have (see `RowOptions`). */
	readonly keysBehind: readonly string[];
}

/** One column of rows. Its cells are known by the object itself. */
export interface RowColumn {
	/** The instance that it shows, 1 for the first and outside of sections. */
	readonly place: number;
}

type ColumnsByPlace = Map<number, RowColumn>;

/** The columns of the rows of one template, each there once, collected while its inspections are read. */
export class RowTable {
	readonly layout: RowLayout;
	private readonly columns = new Map<Column, ColumnsByPlace>();
	/** For each id that is no question of the template: the first answer that has it, and the columns. */
	private readonly loose = new Map<string, { first: StoredResponse; columns: ColumnsByPlace }>();

	constructor(layout: RowLayout) {
		this.layout = layout;
	}

	/** The column of an answer. */
	columnFor({ question, response }: PlacedAnswer, place: number): RowColumn {
		if (question !== undefined) return this.columnOf(question, place);
		const id = looseId(response);
		const loose = this.loose.get(id) ?? { first: response, columns: new Map() };
		this.loose.set(id, loose);
		return columnAt(loose.columns, place);
	}

	/** The column of a question, or of a whole section. */
	columnOf(shown: Column, place: number): RowColumn {
		const columns = this.columns.get(shown) ?? new Map<number, RowColumn>();
		this.columns.set(shown, columns);
		return columnAt(columns, place);
	}

	/** The key of a question inside of the list that stands for its section. */
	keyInSection(question: Question, section: RepeatableSection): string {
		const { form, columnNames } = this.layout;
		return form?.keysIn(section).keyOf(question, columnNames) ?? question.fieldId;
	}

	/**
	 * The columns with their keys, once all inspections were read: every question of the template in its order, then those
	 * of a section's second instance, where one is answered anywhere, and so on. After them come the answers whose question is not in the
	 * template (any more), in the order in which they were met.
	 *
	 * Automatic mapping takes a question's key for the same question and instance, and the other keys for no question. No
	 * two keys are the same, and none is an own key of rows.
	 */
	keyedColumns(): KeyedColumn[] {
		const keys = new ColumnKeys(this.layout);
		return [...this.formColumns(keys), ...this.looseColumns(keys)];
	}

	private formColumns(keys: ColumnKeys): KeyedColumn[] {
		const { form, columnNames, section: rowSection } = this.layout;
		if (form === undefined) return [];
		// A section with one column has it where its first question would stand.
		const shown = new Set<Column>(
			form.questions.map((question) => {
				const { section } = question;
				const isSplit = rowSection === undefined || section === null || section === rowSection;
				return isSplit ? question : section;
			}),
		);
		const columns = [...shown].flatMap((column) => {
			const names = [form.keys.keyOf(column, columnNames), column.fieldId];
			const places = new Set([1, ...(this.columns.get(column)?.keys() ?? [])]);
			return ascending(places).map((place): KeyedColumn => {
				return [keys.ofPlace(names, place), this.columnOf(column, place)];
			});
		});
		// Later instances stand behind all first ones: one more of them moves no column of a sheet.
		return columns.toSorted(([, a], [, b]) => a.place - b.place);
	}

	private looseColumns(keys: ColumnKeys): KeyedColumn[] {
		return [...this.loose.values()].flatMap(({ first, columns }) =>
			ascending(columns.keys()).map((place): KeyedColumn => {
				return [keys.ofLoose(first, place), columnAt(columns, place)];
			}),
		);
	}
}

/** A column, and the key that its cells have in every row. */
export type KeyedColumn = readonly [key: string, column: RowColumn];

function columnAt(columns: ColumnsByPlace, place: number): RowColumn {
	const column = columns.get(place) ?? { place };
	columns.set(place, column);
	return column;
}

function looseId({ fieldId, controlId, path, label }: StoredResponse): string {
	return [fieldId, controlId, path, label].find((id) => id !== '') ?? 'answer';
}

/** Hands out keys, each once. */
class ColumnKeys {
	private readonly form: Form | undefined;
	private readonly names: ColumnNames;
	private readonly taken: Set<string>;
	/** For each key that was numbered: the number to go on with. */
	private readonly nextNumbers = new Map<string, number>();

	constructor({ form, columnNames, keysBehind }: RowLayout) {
		this.taken = new Set(keysBehind);
		this.form = form;
		this.names = columnNames;
	}

	/** The key of an instance, from the first of the names that gives a free key. */
	ofPlace(names: readonly string[], place: number): string {
		return this.take(names.map((name) => instanceKey(name, place)));
	}

	ofLoose(response: StoredResponse, place: number): string {
		const id = looseId(response);
		const name = [response.path, response.label].find((text) => text !== '') ?? id;
		const named = [name, `${name} (${id})`];
		const bases = this.names === 'fieldId' ? [id, ...named] : [...named, id];
		return this.take(bases.map((base) => instanceKey(base, place)).filter(this.isNoQuestion));
	}

	private readonly isNoQuestion = (key: string) =>
		isColumnKey(key) && (this.form === undefined || this.form.keys.find(key).columns.length === 0);

	private take(candidates: readonly string[]): string {
		const free = (key: string) => isColumnKey(key) && !this.taken.has(key);
		const [last = 'answer'] = candidates.slice(-1);
		let key = candidates.find(free);
		// Only labels that look like ids get here. A number in brackets is no instance to automatic mapping.
		for (let number = this.nextNumbers.get(last) ?? 2; key === undefined; number++) {
			const numbered = `${last} (${String(number)})`;
			if (free(numbered)) key = numbered;
			this.nextNumbers.set(last, number + 1);
		}
		this.taken.add(key);
		return key;
	}
}

/**
 * A key in the service's own notation: later instances have a colon and their number
 * (StoredItem of docs/service.openapi.yaml).
 */
function instanceKey(base: string, place: number): string {
	return place === 1 ? base : `${base}:${String(place)}`;
}

/**
 * The columns that Create takes for a template, all empty: `{ Site: '', Severity: '', 'Severity:2': '' }`. A question of
 * a repeatable section has a column for each of as many instances. Automatic mapping takes each key for the question and
 * instance that it was made for. An empty text and not null, because a sheet's writer leaves null out, and with it the
 * header.
 */
export function emptyRow(form: Form, instances: number): Record<string, string> {
	const table = new RowTable({ form, columnNames: 'label', section: undefined, keysBehind: [] });
	for (const question of form.questions) {
		const places = question.section === null ? 1 : instances;
		for (let place = 1; place <= places; place++) table.columnOf(question, place);
	}
	return Object.fromEntries(table.keyedColumns().map(([key]) => [key, '']));
}
