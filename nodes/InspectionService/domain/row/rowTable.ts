import type { StoredResponse } from '../answer/storedResponse';
import { InputError } from '../inputError';
import type { JsonValue } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import { isBlank } from '../plainText';
import { isColumnKey, OWN_KEYS, rowKey } from '../rowKeys';
import type { Form } from '../template/form';
import type { ColumnNames } from '../template/keys';
import {
	type Column,
	isQuestion,
	nameTaker,
	type RepeatableSection,
	standingOnce,
} from '../template/questions';
import { cutToCell } from './cellLimit';
import { answerPlacer, ascending, type PlacedAnswer } from './placedAnswer';

export interface RowOptions {
	readonly columnNames: ColumnNames;
	/** Label, path or id of a repeatable section; undefined: one row per inspection. */
	readonly rowPerInstanceOf?: string | undefined;
	/** The zone (IANA) in which dates are as people write them there. */
	readonly localZone?: string | undefined;
	/** Whether the inspections were read with `files`: then rows have the own key `files_count`. */
	readonly hasFiles?: boolean;
	/** Whether rows have the own key `downloaded_files`. It's empty here, and filled in once the files are downloaded. */
	readonly hasDownloads?: boolean;
	/** Whether the service may have left out answers: then a question without one has null, not an empty cell. */
	readonly isPartOfAnswers?: boolean;
	/** False for rows without the inspection's own keys. */
	readonly hasOwnKeys?: boolean;
	/** Keys that the caller puts behind those of the row: no question's column gets one of them. */
	readonly keysBehind?: readonly string[];
}

/** One column of rows, which shows an instance. Its cells are known by the object itself. */
type RowColumn = Readonly<{ place: number }>;

type Cells = Map<RowColumn, JsonValue>;

interface TableRow {
	/** Unique among all rows: of the inspection and, if its template has the section, of the section's instance. */
	readonly key: string;
	/** Undefined for the row of an inspection without instances of the section. */
	readonly instance: number | undefined;
	readonly own: Cells;
	readonly shared: Cells;
}

type KeyedColumn = readonly [key: string, column: RowColumn];

/** The rows of one template, and their columns, which are known once all of its inspections were read. */
export class RowTable {
	private readonly form: Form | undefined;
	private readonly options: RowOptions;
	/** The section that has a row per instance; the other repeatable sections then have one column each. */
	private readonly rowSection: RepeatableSection | undefined;
	private readonly placeAnswers: ReturnType<typeof answerPlacer>;
	/** The columns by instance, of a question, of a whole section, or of an id that is no question of the template. */
	private readonly columns = new Map<Column | string, Map<number, RowColumn>>();
	/** For each such id: the first answer that has it. */
	private readonly loose = new Map<string, StoredResponse>();
	private keyed: readonly KeyedColumn[] | undefined;

	/** Throws InputError where Row per Instance Of names several sections. */
	constructor(form: Form | undefined, options: RowOptions) {
		const { rowPerInstanceOf, localZone } = options;
		this.form = form;
		this.options = options;
		this.rowSection =
			form && rowPerInstanceOf ? instanceSection(form, rowPerInstanceOf) : undefined;
		this.placeAnswers = answerPlacer(form, localZone);
	}

	/**
	 * Reads the rows of one inspection: one, or one per instance of the section. The answers to other repeatable sections then
	 * stand as a list in the first row only: in every row, Create would make them once for each row. All rows have the cells
	 * in `shared`. The row of an inspection without instances has the key of the first instance: once there is one, an
	 * update writes it over that row.
	 */
	read(inspection: InspectionRecord): TableRow[] {
		const { form, rowSection } = this;
		const shared: Cells = new Map();
		const instances = new Map<number, Cells>();
		const lists = new Map<RepeatableSection, Map<string, JsonValue>[]>();
		for (const answer of this.placeAnswers(inspection)) {
			const { question, section, place, cell } = answer;
			if (question !== undefined && isBlank(cell)) continue;
			if (section !== undefined && section === rowSection) {
				const cells: Cells = instances.get(place) ?? new Map<RowColumn, JsonValue>();
				instances.set(place, cells.set(this.columnFor(answer, 1), cell));
			} else if (!form || !rowSection || !section || !question) {
				shared.set(this.columnFor(answer, place), cell);
			} else {
				const list = lists.get(section) ?? [];
				lists.set(section, list);
				const key = form.keysIn(section).keyOf(question, this.options.columnNames);
				(list[place - 1] ??= new Map()).set(key, cell);
			}
		}
		const keyOf = (instance: number) =>
			rowSection === undefined
				? inspection.id
				: rowKey(inspection.id, rowSection.fieldId, instance);
		const rows = [...instances]
			.sort(([a], [b]) => a - b)
			.map(([instance, own]) => ({ key: keyOf(instance), instance, own, shared }));
		// One Map for a row without instances: 200,000 empty ones would take 40 MB.
		const [first = { key: keyOf(1), instance: undefined, own: shared, shared }, ...others] = rows;
		for (const [section, list] of lists) {
			// As Create reads it: JSON, an array with one object per instance.
			const cell = JSON.stringify(list.map((entries) => Object.fromEntries(entries)));
			first.own.set(this.columnAt(section, 1), cutToCell(cell, list.length));
		}
		return [first, ...others];
	}

	/** Gives the questions of a repeatable section columns for so many instances. */
	addInstances(instances: number): void {
		for (const question of this.form?.questions ?? []) {
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
			const take = nameTaker(this.otherKeys(), isColumnKey, withoutCase);
			this.keyed = [...this.formColumns(take), ...this.looseColumns(take)];
		}
		return this.keyed;
	}

	private formColumns(take: ReturnType<typeof nameTaker>): KeyedColumn[] {
		const { form, rowSection } = this;
		if (form === undefined) return [];
		// A section with one column has it where its first question would stand.
		const shown = form.questions.map((question) => {
			const { section } = question;
			const isSplit = rowSection === undefined || section === null || section === rowSection;
			return isSplit ? question : section;
		});
		const distinct = [...new Set(shown)];
		const namesOf = this.columnNamer(form, distinct);
		const columns = distinct.flatMap((column) => {
			const names = namesOf(column);
			const places = new Set([1, ...(this.columns.get(column)?.keys() ?? [])]);
			return ascending(places).map((place): KeyedColumn => {
				const key = take(names.map((name) => instanceKey(name, place)));
				return [key, this.columnAt(column, place)];
			});
		});
		// Later instances stand behind all first ones: one more of them moves no column of a sheet.
		return columns.toSorted(([, a], [, b]) => a.place - b.place);
	}

	/** The keys of a row that are no columns of questions. */
	private otherKeys(): string[] {
		const { hasOwnKeys = true, keysBehind = [] } = this.options;
		return [...(hasOwnKeys ? OWN_KEYS : []), ...keysBehind];
	}

	/**
	 * The keys of a column, the preferred first. A key that differs from another column's only in case comes last: SQLite takes
	 * `Name` and `name` for one column, and people mix them up.
	 */
	private columnNamer(form: Form, columns: readonly Column[]): (column: Column) => string[] {
		const others = new Set(this.otherKeys().map(withoutCase));
		const kinds: readonly ColumnNames[] = [this.options.columnNames, 'path', 'fieldId'];
		const keysOfKind = kinds.map((kind) => {
			const keys = new Map(columns.map((column) => [column, form.keys.keyOf(column, kind)]));
			return { keys, unique: standingOnce([...keys.values()].map(comparedKey)) };
		});
		return (column) => {
			const keys = keysOfKind.map(({ keys, unique }) => {
				const key = keys.get(column) ?? column.fieldId;
				const isClear = unique.has(comparedKey(key)) && !others.has(withoutCase(key));
				return { key, isClear };
			});
			const ordered = [
				...keys.filter(({ isClear }) => isClear),
				...keys.filter(({ isClear }) => !isClear),
			];
			return [...ordered.map(({ key }) => key), column.fieldId];
		};
	}

	private looseColumns(take: ReturnType<typeof nameTaker>): KeyedColumn[] {
		const { form, options } = this;
		const isNoQuestion = (key: string) =>
			isColumnKey(key) && (form === undefined || form.keys.find(key).columns.length === 0);
		return [...this.loose].flatMap(([id, { path, label }]) => {
			const name = path || label || id;
			const named = [name, `${name} (${id})`];
			const bases = options.columnNames === 'fieldId' ? [id, ...named] : [...named, id];
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

/** Keys without case and instance: `a:2` may be a question beside `A`, or the second instance of `A`. */
function comparedKey(key: string): string {
	return withoutCase(key).replace(/:\d{1,4}$/, '');
}

/** The repeatable section that Row per Instance Of names, by any of its keys. Throws InputError where several are. */
export function instanceSection(form: Form, name: string): RepeatableSection | undefined {
	const { columns, instance } = form.sectionKeys.find(name);
	if (instance !== undefined) return undefined;
	const found = columns.flatMap((column) => (isQuestion(column) ? [] : [column]));
	if (found.length < 2) return found[0];
	const paths = new Set(found.map(({ path }) => path));
	const [kind, known] =
		paths.size === found.length
			? ['path', [...paths]]
			: ['ID', found.map(({ fieldId }) => fieldId)];
	throw new InputError(
		`Row per Instance Of: ${String(found.length)} sections are called "${name}". Give the ${kind} of one: ${known.map((one) => `"${one}"`).join(' or ')}.`,
	);
}

function withoutCase(key: string): string {
	return key.toLowerCase();
}

function instanceKey(base: string, place: number): string {
	return place === 1 ? base : `${base}:${String(place)}`;
}

/** The columns that Create takes, all empty. Not null: a sheet's writer leaves null out, and with it the header. */
export function emptyRow(form: Form, instances: number): Record<string, string> {
	const table = new RowTable(form, { columnNames: 'label', hasOwnKeys: false });
	table.addInstances(instances);
	return Object.fromEntries(table.keyedColumns().map(([key]) => [key, '']));
}
