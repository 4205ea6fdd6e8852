import type { StoredResponse } from '../answer/storedResponse';
import { cleanLine } from '../formatting';
import { groupBy } from '../groupBy';
import { type JsonValue, textOf } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import { isBlank } from '../normalizeText';
import { isColumnKey, OWN_KEYS, rowKey } from '../rowKeys';
import type { Form } from '../template/form';
import type { ColumnNames } from '../template/keys';
import {
	type Column,
	isQuestion,
	occurringOnce,
	type RepeatableSection,
	UniqueNames,
} from '../template/questions';
import { choiceJoiner, cutToCell } from './cell';
import { AnswerPlacer, ascending, type PlacedAnswer } from './placedAnswer';

export interface RowOptions {
	readonly columnNames: ColumnNames;
	/** The label, path, or ID of a repeatable section, for one row per instance. Undefined for one row per inspection. */
	readonly rowPerInstanceOf?: string | undefined;
	/** The time zone (IANA) for local dates. Undefined for dates with an explicit zone. */
	readonly localZone?: string | undefined;
	/** Whether the inspections were fetched with `files`. Rows then have the key `files_count`. */
	readonly hasFiles?: boolean;
	/**
	 * Whether rows have the key `downloaded_files`. Its value is empty at first, and set after the files were downloaded.
	 */
	readonly hasDownloads?: boolean;
	/**
	 * Whether the service might have left out answers. Then a question without an answer is null instead of empty text.
	 */
	readonly isPartOfAnswers?: boolean;
	/**
	 * Names of columns that the user chose. A later instance among them, such as `Severity:3`, is always a column. Except
	 * for the first row of each template, rows have no other columns. Empty for all columns.
	 */
	readonly fields?: readonly string[];
	/** Whether rows begin with the keys of the inspection, such as `id`. The default is true. */
	readonly hasOwnKeys?: boolean;
	/** Whether the rows are those of a poll, which must not fail. */
	readonly isPoll?: boolean;
}

/**
 * The column for one instance of a question. Maps of cells use this object as the key. `isInTemplate` is false if the
 * template doesn't contain the question. A missing cell then means nothing, and isn't empty text.
 */
export type RowColumn = Readonly<{ instance: number; isInTemplate: boolean }>;

type Cells = Map<RowColumn, JsonValue>;

export interface TableRow {
	/** Identifies the row: the ID of the inspection. With a row per instance, also the section and the instance. */
	readonly key: string;
	/** The number of the instance. Undefined if the inspection has no instances of the section. */
	readonly instance: number | undefined;
	readonly own: Cells;
	readonly shared: Cells;
}

type KeyedColumn = readonly [key: string, column: RowColumn];

/**
 * Builds the rows of the inspections of one template, and their columns. The columns are known only after all
 * inspections were read.
 */
export class RowTable {
	private readonly form: Form | undefined;
	private readonly options: RowOptions;
	/** The section whose instances each have a row. Each other repeatable section then has one column. */
	private readonly rowSection: RepeatableSection | undefined;
	private readonly placer: AnswerPlacer;
	/**
	 * Outer keys: a question, a whole section, or the ID of a response that matches no question. Inner keys: the
	 * instance number.
	 */
	private readonly columns = new Map<Column | string, Map<number, RowColumn>>();
	/** The first response for each ID that matches no question of the template. */
	private readonly unmatched = new Map<string, StoredResponse>();
	private keyed: readonly KeyedColumn[] | undefined;
	/** The IDs of all controls in the template, once they're needed. */
	private controlIds: ReadonlySet<string> | undefined;
	/** Sentences about cells that don't contain exactly one answer. */
	readonly problems = new Set<string>();

	/** If Row per Instance Of matches several sections (`ambiguousSection`), an inspection has one row. */
	constructor(form: Form | undefined, options: RowOptions) {
		const { rowPerInstanceOf, localZone } = options;
		this.form = form;
		this.options = options;
		this.rowSection =
			form && rowPerInstanceOf ? onlySection(sectionsNamed(form, rowPerInstanceOf)) : undefined;
		this.placer = new AnswerPlacer(form, localZone);
	}

	/**
	 * Reads the rows of one inspection: one row, or one for each instance of the section. The cells in `shared` belong to
	 * all of its rows.
	 * With a row per instance, only the first row contains the answers to other repeatable sections. If every row did,
	 * Create would create these answers once per row. If the inspection has no instances, its row has the key of the
	 * first instance. So after an instance is added, an update of the sheet overwrites this row.
	 */
	read(inspection: InspectionRecord): TableRow[] {
		const { form, rowSection } = this;
		const shared: Cells = new Map();
		const instances = new Map<number, Cells>();
		const lists = new Map<RepeatableSection, Map<string, JsonValue>[]>();
		const answers = this.placer.place(inspection);
		for (const answer of this.oneForEachCell(answers, inspection)) {
			const { question, section, instance, cell } = answer;
			if (question !== undefined && isBlank(cell)) continue;
			if (section !== undefined && section === rowSection) {
				const cells: Cells = instances.get(instance) ?? new Map<RowColumn, JsonValue>();
				instances.set(instance, cells.set(this.columnFor(answer, 1), cell));
			} else if (!form || !rowSection || !section || !question) {
				shared.set(this.columnFor(answer, instance), cell);
			} else {
				const list = lists.get(section) ?? [];
				lists.set(section, list);
				const key = form.keysIn(section).keyOf(question, this.options.columnNames);
				(list[instance - 1] ??= new Map()).set(key, cell);
			}
		}
		for (const answer of answers) this.addRemoved(answer, shared);
		const keyOf = (instance: number) =>
			rowSection === undefined
				? inspection.id
				: rowKey(inspection.id, rowSection.fieldId, instance);
		const rows = [...instances]
			.sort(([a], [b]) => a - b)
			.map(([instance, own]) => ({ key: keyOf(instance), instance, own, shared }));
		// Use the same Map twice for a row without instances, because 200,000 empty Maps would take 40 MB.
		const [first = { key: keyOf(1), instance: undefined, own: shared, shared }, ...others] = rows;
		for (const [section, list] of lists) {
			// Create reads this format: a JSON array with one object per instance.
			const cell = JSON.stringify(list.map((entries) => Object.fromEntries(entries)));
			first.own.set(this.columnAt(section, 1), cutToCell(cell, list.length));
		}
		return [first, ...others];
	}

	/**
	 * Combines the answers to one question in one instance, such as an item that the service lists twice. Different
	 * values stay in the cell, as several choices do.
	 */
	private oneForEachCell(
		answers: readonly PlacedAnswer[],
		inspection: InspectionRecord,
	): PlacedAnswer[] {
		const byCell = groupBy(answers, ({ question, response, instance }) =>
			JSON.stringify([question?.fieldId, question ? '' : idOf(response), instance]),
		);
		return [...byCell.values()].flatMap((ofCell) => {
			const cells = ofCell.flatMap(({ cell }) => (isBlank(cell) ? [] : [cell]));
			const texts = new Set(cells.map((cell) => textOf(cell) ?? JSON.stringify(cell)));
			const [first] = ofCell;
			const [cell] = cells;
			if (first === undefined || ofCell.length === 1) return ofCell;
			if (cell === undefined || texts.size === 1) return [{ ...first, cell: cell ?? first.cell }];
			const { label, path } = first.question ?? first.response;
			const inspected = cleanLine(textOf(inspection.name) ?? inspection.id, 100);
			this.problems.add(
				`Inspection ${inspected} has ${String(texts.size)} answers to "${cleanLine(label || path, 100)}" in one instance. The cell contains all of them.`,
			);
			return [{ ...first, cell: joinChoices([...texts]) }];
		});
	}

	/**
	 * Marks the cell of a question whose name is also the name of an answered question that the template doesn't contain.
	 * For example, a question was deleted and made again. If only the removed question has an answer, the cell is null,
	 * because empty text would overwrite this answer in a sheet.
	 */
	private addRemoved({ question, response, cell, instance }: PlacedAnswer, shared: Cells): void {
		const { form } = this;
		if (form === undefined || question !== undefined || isBlank(cell)) return;
		if (this.isInTemplate(idOf(response))) return;
		for (const name of [response.label, response.path]) {
			const [column, another] = form.keys.find(name).columns;
			if (column === undefined || another !== undefined || !isQuestion(column)) continue;
			const ofRow = this.columnAt(column, column.section === this.rowSection ? 1 : instance);
			if (shared.has(ofRow)) continue;
			shared.set(ofRow, null);
			this.problems.add(
				`A removed question and a question of the template are both named "${cleanLine(name, 100)}". If an inspection has an answer only to the removed question, the cell of the other one is null.`,
			);
		}
	}

	/** Adds columns for this many instances to each question of a repeatable section. */
	addInstances(instances: number): void {
		for (const question of this.form?.questions ?? []) {
			const last = question.section === null ? 1 : instances;
			for (let instance = 1; instance <= last; instance++) this.columnAt(question, instance);
		}
	}

	/**
	 * Returns the columns with their keys. Call it after all inspections were read. First come all questions of the
	 * template, then their second instances, and so on. Last come responses without a question in the template.
	 * Automatic mapping reads the key of a question as the same question and instance. It matches no question to the
	 * other keys.
	 */
	keyedColumns(): readonly KeyedColumn[] {
		if (this.keyed === undefined) {
			this.addChosenInstances();
			const keys = new UniqueNames(this.otherKeys(), isColumnKey, withoutCase);
			this.keyed = [...this.formColumns(keys), ...this.unmatchedColumns(keys)];
		}
		return this.keyed;
	}

	private addChosenInstances(): void {
		const { form, rowSection } = this;
		if (form === undefined || rowSection !== undefined) return;
		for (const name of this.options.fields ?? []) {
			const { columns, instance = 1 } = form.keys.find(name);
			const [column, another] = columns;
			if (column === undefined || another !== undefined || !isQuestion(column)) continue;
			if (column.section !== null && instance > 1) this.columnAt(column, instance);
		}
	}

	private formColumns(used: UniqueNames): KeyedColumn[] {
		const { form, rowSection } = this;
		if (form === undefined) return [];
		// A section that isn't split into its questions has one column, at the position of its first question.
		const shown = form.questions.map((question) => {
			const { section } = question;
			const isSplit = rowSection === undefined || section === null || section === rowSection;
			return isSplit ? question : section;
		});
		const distinct = [...new Set(shown)];
		const namesOf = this.columnNamer(form, distinct);
		const columns = distinct.flatMap((column) => {
			const names = namesOf(column);
			const instances = new Set([1, ...(this.columns.get(column)?.keys() ?? [])]);
			return ascending(instances).map((instance): KeyedColumn => {
				const key = used.add(names.map((name) => numberedKey(name, instance)));
				return [key, this.columnAt(column, instance)];
			});
		});
		// Put later instances after all first instances. An additional instance then doesn't move other columns of a sheet.
		return columns.toSorted(([, a], [, b]) => a.instance - b.instance);
	}

	/** Returns the keys of a row that don't belong to questions. */
	private otherKeys(): Iterable<string> {
		return this.options.hasOwnKeys === false ? [] : OWN_KEYS;
	}

	/**
	 * Returns a function that lists the possible keys of a column, preferred first. A key comes last if it can be
	 * confused with another column's key, such as `name` with `Name`. SQLite treats these two as one column.
	 */
	private columnNamer(form: Form, columns: readonly Column[]): (column: Column) => string[] {
		const others = new Set(Array.from(this.otherKeys(), withoutCase));
		const kinds = [this.options.columnNames, 'path', 'fieldId'] as const;
		const keysOfKind = kinds.map((kind) => {
			const keys = new Map(columns.map((column) => [column, form.keys.keyOf(column, kind)]));
			return { keys, unique: occurringOnce([...keys.values()].map(comparedKey)) };
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

	private unmatchedColumns(used: UniqueNames): KeyedColumn[] {
		const { form, options } = this;
		const isNoQuestion = (key: string) =>
			isColumnKey(key) && (form === undefined || form.keys.find(key).columns.length === 0);
		const labels = occurringOnce([...this.unmatched.values()].map(({ label }) => label));
		return [...this.unmatched].flatMap(([id, { path, label }]) => {
			const name = path || label || id;
			// A removed question keeps its label. A photo's label might not be unique in its template.
			const isByLabel = labels.has(label) && !this.isInTemplate(id);
			const named = [...(isByLabel ? [label] : []), name, `${name} (${id})`];
			const bases = options.columnNames === 'fieldId' ? [id, ...named] : [...named, id];
			return ascending(this.columns.get(id)?.keys() ?? []).map((instance): KeyedColumn => {
				const keys = bases.map((base) => numberedKey(base, instance));
				return [used.add(keys.filter(isNoQuestion)), this.columnAt(id, instance)];
			});
		});
	}

	private columnFor({ question, response }: PlacedAnswer, instance: number): RowColumn {
		if (question !== undefined) return this.columnAt(question, instance);
		const id = idOf(response);
		if (!this.unmatched.has(id)) this.unmatched.set(id, response);
		return this.columnAt(id, instance);
	}

	private columnAt(shown: Column | string, instance: number): RowColumn {
		const columns = this.columns.get(shown) ?? new Map<number, RowColumn>();
		this.columns.set(shown, columns);
		const column = columns.get(instance) ?? { instance, isInTemplate: this.isInTemplate(shown) };
		columns.set(instance, column);
		return column;
	}

	private isInTemplate(shown: Column | string): boolean {
		if (typeof shown !== 'string') return true;
		const { form } = this;
		if (form === undefined) return false;
		this.controlIds ??= new Set(form.controls.flatMap(({ fieldId, id }) => [fieldId, id]));
		return this.controlIds.has(shown);
	}
}

/** Joins values that aren't choices of a template. */
const joinChoices = choiceJoiner([]);

/** Returns the ID of a response that matches no question. */
function idOf({ fieldId, controlId, path, label }: StoredResponse): string {
	return fieldId || controlId || path || label || 'answer';
}

/**
 * Returns a key in lowercase and without an instance number, to find keys that can be confused: `a:2` looks like the
 * second instance of `A`.
 */
function comparedKey(key: string): string {
	return withoutCase(key).replace(/:\d{1,4}$/, '');
}

/** Finds the repeatable sections with this label, path, or ID, for Row per Instance Of. */
export function sectionsNamed(form: Form, name: string): RepeatableSection[] {
	const { columns, instance } = form.sectionKeys.find(name);
	if (instance !== undefined) return [];
	return columns.flatMap((column) => (isQuestion(column) ? [] : [column]));
}

function onlySection(sections: readonly RepeatableSection[]): RepeatableSection | undefined {
	return sections.length === 1 ? sections[0] : undefined;
}

/** Returns an error message if several sections of a template have the name in Row per Instance Of. */
export function ambiguousSection(form: Form, name: string | undefined): string | undefined {
	const found = name === undefined ? [] : sectionsNamed(form, name);
	if (name === undefined || found.length < 2) return undefined;
	const paths = new Set(found.map(({ path }) => path));
	const [kind, known] =
		paths.size === found.length
			? ['path', [...paths]]
			: ['ID', found.map(({ fieldId }) => fieldId)];
	return `Row per Instance Of: ${String(found.length)} sections are named "${name}". Enter the ${kind} of one: ${known.map((one) => `"${one}"`).join(' or ')}.`;
}

function withoutCase(key: string): string {
	return key.toLowerCase();
}

function numberedKey(base: string, instance: number): string {
	return instance === 1 ? base : `${base}:${String(instance)}`;
}

/**
 * Returns an empty row with the columns that Create accepts. Its values are empty text and not null, because n8n's
 * sheet nodes leave out null values and their headers.
 */
export function emptyRow(form: Form, instances: number): Record<string, string> {
	const table = new RowTable(form, { columnNames: 'label', hasOwnKeys: false });
	table.addInstances(instances);
	return Object.fromEntries(table.keyedColumns().map(([key]) => [key, '']));
}
