import type { StoredResponse } from '../answer/storedResponse';
import { cleanLine } from '../formatting';
import { groupBy } from '../groupBy';
import { type JsonRecord, type JsonValue, textOf } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import { isBlank } from '../normalizeText';
import { EMPTY, isColumnKey, OWN_KEYS, ROW_KEY, rowKey } from '../rowKeys';
import type { Form } from '../template/form';
import { instanceKey } from '../template/keys';
import {
	type Column,
	isQuestion,
	occurringOnce,
	type Question,
	type RepeatableSection,
	UniqueNames,
} from '../template/questions';
import { choiceJoiner, cutToCell, isLongCell, longCells } from './cell';
import { answerId, answerPlacer, type PlacedAnswer } from './placedAnswer';
import { rowMaker } from './rowMaker';
import { type RowOptions, sectionsNamed } from './rowOptions';
import { ownCells } from './simplified';

/**
 * The column for one instance of a question. Maps of cells use this object as the key. `isInTemplate` is false if the
 * template doesn't contain the question. A missing cell then means nothing, and isn't empty text.
 */
type RowColumn = Readonly<{ instance: number; isInTemplate: boolean }>;

type Cells = Map<RowColumn, JsonValue>;

export interface TableRow {
	/** The number of the instance. Undefined if the inspection has no instances of the section. */
	readonly instance: number | undefined;
	/** The cells that all rows of the inspection share, and the row's own cells. A later map replaces values. */
	readonly cells: readonly Cells[];
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
	private readonly placeAnswers: (inspection: JsonRecord) => PlacedAnswer[];
	/**
	 * Outer keys: a question, a whole section, or the ID of a response that matches no question. Inner keys: the
	 * instance number.
	 */
	private readonly columns = new Map<Column | string, Map<number, RowColumn>>();
	/** The first response for each ID that matches no question of the template. */
	private readonly unmatched = new Map<string, StoredResponse>();
	/** The IDs of all controls in the template. */
	private readonly controlIds: ReadonlySet<string>;
	/** The keys of a row that don't belong to questions. */
	private readonly ownKeys: ReadonlySet<string>;
	private named: Readonly<Record<'all' | 'chosen', readonly KeyedColumn[]>> | undefined;
	private readonly rowMakers = new Map<JsonValue, ReturnType<typeof rowMaker<RowColumn>>>();
	/** Sentences about cells that don't contain exactly one answer, or are too long. */
	readonly problems = new Set<string>();

	/** If Row per Instance Of matches several sections (`ambiguousSection`), an inspection has one row. */
	constructor(form: Form | undefined, options: RowOptions) {
		this.form = form;
		this.options = options;
		const { rowPerInstanceOf, fields = [] } = options;
		const [section, another] = form ? sectionsNamed(form, rowPerInstanceOf) : [];
		this.rowSection = another === undefined ? section : undefined;
		this.placeAnswers = answerPlacer(form, options.localZone);
		this.controlIds = new Set(form?.controls.flatMap(({ fieldId, id }) => [fieldId, id]));
		this.ownKeys = options.hasOwnKeys === false ? new Set() : OWN_KEYS;
		if (this.rowSection !== undefined) return;
		for (const name of fields) {
			const { question, instance } = this.questionNamed(name);
			if (question?.section && instance > 1) this.columnAt(question, instance);
		}
	}

	/**
	 * Reads the rows of one inspection: one row, or one for each instance of the section.
	 * With a row per instance, only the first row contains the answers to other repeatable sections. If every row did,
	 * Create would create these answers once per row.
	 */
	read(inspection: InspectionRecord): TableRow[] {
		const { form, rowSection } = this;
		const shared: Cells = new Map();
		const instances = new Map<number, Cells>();
		const lists = new Map<RepeatableSection, Map<string, JsonValue>[]>();
		const answers = this.placeAnswers(inspection);
		for (const answer of this.oneForEachCell(answers, inspection)) {
			const { question, section, instance, cell } = answer;
			if (section !== undefined && section === rowSection) {
				const own: Cells = instances.get(instance) ?? new Map<RowColumn, JsonValue>();
				instances.set(instance, own.set(this.columnFor(answer, 1), cell));
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
		const rows = [...instances]
			.sort(([a], [b]) => a - b)
			.map(([instance, own]): TableRow => ({ instance, cells: [shared, own] }));
		const [first = { instance: undefined, cells: [shared] }, ...others] = rows;
		const [, ofFirst = shared] = first.cells;
		for (const [section, list] of lists) {
			// Create reads this format: a JSON array with one object per instance.
			const cell = JSON.stringify(list.map((entries) => Object.fromEntries(entries)));
			ofFirst.set(this.columnAt(section, 1), cutToCell(cell, list.length));
		}
		return [first, ...others];
	}

	/** Builds the rows of an inspection. Call it after all inspections were read. */
	build(inspection: InspectionRecord, rows: readonly TableRow[], isSparse: boolean): JsonRecord[] {
		const { form, options, rowSection } = this;
		const { id, name, files, data } = inspection;
		const own = ownCells(inspection, form?.template, options.localZone);
		const isPerInstance = options.rowPerInstanceOf !== undefined;
		// If the inspection has no instances, its row has the key of the first one. So after an instance is added, an update
		// of the sheet overwrites this row.
		const keyOf = (instance = 1) => (rowSection ? rowKey(id, rowSection.fieldId, instance) : id);
		// Use null for an answer that the service might have left out, because null doesn't overwrite a value in a sheet.
		const empty = options.isPartOfAnswers !== true && data !== undefined ? EMPTY : null;
		return rows.map(({ instance, cells }) => {
			const leading: JsonRecord = {
				...(isPerInstance && { [ROW_KEY]: keyOf(instance) }),
				...own,
				...(isPerInstance && { instance: instance ?? EMPTY }),
				...(options.hasFiles && { files_count: Array.isArray(files) ? files.length : EMPTY }),
				...(options.hasDownloads && { downloaded_files: EMPTY }),
			};
			const row = this.rowMakerFor(leading, empty, isSparse)(leading, cells);
			// Look at the values first, because a run can have millions of empty cells.
			const values = [Object.values(leading), ...cells.map((some) => [...some.values()])].flat();
			if (values.some(isLongCell)) {
				const inspected = `inspection ${cleanLine(textOf(name) ?? id, 100)}`;
				for (const problem of longCells(row, inspected, options.fields)) this.problems.add(problem);
			}
			return row;
		});
	}

	private rowMakerFor(leading: JsonRecord, empty: JsonValue, isSparse: boolean) {
		// The first row has all columns, because the warnings about the option Fields need their names.
		const isFirst = this.rowMakers.size === 0;
		const kind = isFirst ? 'first' : empty;
		const emptyOf = ({ isInTemplate }: RowColumn) => (isInTemplate ? empty : null);
		const { all, chosen } = this.keyedColumns();
		const columns = isFirst ? all : chosen;
		const known = this.rowMakers.get(kind);
		const makeRow = known ?? rowMaker(leading, columns, isSparse ? undefined : emptyOf);
		this.rowMakers.set(kind, makeRow);
		return makeRow;
	}

	/**
	 * Leaves out empty answers to questions. Combines the answers to one question in one instance, such as an item that
	 * the service lists twice. Different values stay in the cell, as several choices do.
	 */
	private oneForEachCell(
		answers: readonly PlacedAnswer[],
		inspection: InspectionRecord,
	): PlacedAnswer[] {
		const given = answers.filter(({ question, cell }) => question === undefined || !isBlank(cell));
		const byCell = groupBy(given, ({ question, response, instance }) =>
			JSON.stringify([question?.fieldId, question ? '' : answerId(response), instance]),
		);
		return [...byCell.values()].flatMap((ofCell) => {
			const [first] = ofCell;
			if (first === undefined || ofCell.length === 1) return ofCell;
			const cells = ofCell.flatMap(({ cell }) => (isBlank(cell) ? [] : [cell]));
			const texts = new Set(cells.map((cell) => textOf(cell) ?? JSON.stringify(cell)));
			if (texts.size <= 1) return [{ ...first, cell: cells[0] ?? first.cell }];
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
		if (question !== undefined || isBlank(cell) || this.isInTemplate(answerId(response))) return;
		for (const name of [response.label, response.path]) {
			const { question: another } = this.questionNamed(name);
			if (another === undefined) continue;
			const column = this.columnAt(another, another.section === this.rowSection ? 1 : instance);
			if (shared.has(column)) continue;
			shared.set(column, null);
			this.problems.add(
				`A removed question and a question of the template are both named "${cleanLine(name, 100)}". If an inspection has an answer only to the removed question, the cell of the other one is null.`,
			);
		}
	}

	/** Returns the only question that this name fits, and the number at the end of the name. */
	private questionNamed(name: string): { question?: Question; instance: number } {
		const { columns = [], instance = 1 } = this.form?.keys.find(name) ?? {};
		const [column, another] = columns;
		const isOne = column !== undefined && another === undefined && isQuestion(column);
		return isOne ? { question: column, instance } : { instance };
	}

	/**
	 * Returns the columns with their keys: all of them, and those that the option Fields chooses. Call it after all
	 * inspections were read. First come all questions of the template, then their second instances, and so on. Last come
	 * responses without a question in the template.
	 * Automatic mapping reads the key of a question as the same question and instance. It matches no question to the
	 * other keys.
	 */
	keyedColumns() {
		if (this.named !== undefined) return this.named;
		const names = new UniqueNames(this.ownKeys, isColumnKey, withoutCase);
		const all = [...this.formColumns(names), ...this.unmatchedColumns(names)];
		const fields = new Set(this.options.fields);
		const chosen = fields.size === 0 ? all : all.filter(([key]) => fields.has(key));
		this.named = { all, chosen };
		return this.named;
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
			this.columnAt(column, 1);
			return this.instancesOf(column, namesOf(column), (keys) => used.add(keys));
		});
		// Put later instances after all first instances. An additional instance then doesn't move other columns of a sheet.
		return columns.toSorted(([, a], [, b]) => a.instance - b.instance);
	}

	/**
	 * Returns a function that lists the possible keys of a column, preferred first. A key comes last if it can be
	 * confused with another column's key, such as `name` with `Name`. SQLite treats these two as one column.
	 */
	private columnNamer(form: Form, columns: readonly Column[]): (column: Column) => string[] {
		const others = new Set(Array.from(this.ownKeys, withoutCase));
		const kinds = ([this.options.columnNames, 'path', 'fieldId'] as const).map((kind) => {
			const keys = new Map(columns.map((column) => [column, form.keys.keyOf(column, kind)]));
			return { keys, unique: occurringOnce([...keys.values()].map(comparedKey)) };
		});
		return (column) => {
			const keys = kinds.map(({ keys, unique }) => {
				const key = keys.get(column) ?? column.fieldId;
				return { key, isClear: unique.has(comparedKey(key)) && !others.has(withoutCase(key)) };
			});
			const clear = keys.filter(({ isClear }) => isClear);
			return [...[...clear, ...keys].map(({ key }) => key), column.fieldId];
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
			return this.instancesOf(id, bases, (keys) => used.add(keys.filter(isNoQuestion)));
		});
	}

	/** Returns the columns of all instances with their keys. `choose` chooses one of the possible keys of an instance. */
	private instancesOf(
		shown: Column | string,
		bases: readonly string[],
		choose: (keys: string[]) => string,
	): KeyedColumn[] {
		const columns = [...(this.columns.get(shown)?.values() ?? [])];
		return columns
			.sort((a, b) => a.instance - b.instance)
			.map((column) => {
				const keys = bases.map((base) => instanceKey(base, column.instance));
				return [choose(keys), column];
			});
	}

	private columnFor({ question, response }: PlacedAnswer, instance: number): RowColumn {
		if (question !== undefined) return this.columnAt(question, instance);
		const id = answerId(response);
		if (!this.unmatched.has(id)) this.unmatched.set(id, response);
		return this.columnAt(id, instance);
	}

	/** Returns the column of an instance, and adds it if it's new. */
	columnAt(shown: Column | string, instance: number): RowColumn {
		const columns = this.columns.get(shown) ?? new Map<number, RowColumn>();
		this.columns.set(shown, columns);
		const column = columns.get(instance) ?? { instance, isInTemplate: this.isInTemplate(shown) };
		columns.set(instance, column);
		return column;
	}

	private isInTemplate(shown: Column | string): boolean {
		return typeof shown !== 'string' || this.controlIds.has(shown);
	}
}

/** Joins values that aren't choices of a template. */
const joinChoices = choiceJoiner([]);

/**
 * Returns a key in lowercase and without an instance number, to find keys that can be confused: `a:2` looks like the
 * second instance of `A`.
 */
function comparedKey(key: string): string {
	return withoutCase(key).replace(/:\d{1,4}$/, '');
}

function withoutCase(key: string): string {
	return key.toLowerCase();
}

/**
 * Returns an empty row with the columns that Create accepts. Its values are empty text and not null, because n8n's
 * sheet nodes leave out null values and their headers.
 */
export function emptyRow(form: Form, instances: number): Record<string, string> {
	const table = new RowTable(form, { columnNames: 'label', hasOwnKeys: false });
	for (const question of form.questions) {
		const last = question.section === null ? 1 : instances;
		for (let instance = 1; instance <= last; instance++) table.columnAt(question, instance);
	}
	return Object.fromEntries(table.keyedColumns().all.map(([key]) => [key, '']));
}
