import { INSTANCE_NUMBER } from '../answer/storedResponse';
import { cleanLine, listText } from '../formatting';
import { type JsonRecord, type JsonValue, textOf } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import { nearestName } from '../nearestName';
import { EMPTY, isRowKey, ROW_KEY } from '../rowKeys';
import type { Form } from '../template/form';
import { templateKey } from '../template/templateOfInspection';
import { isLongCell, longCells } from './cell';
import { ownCells } from './ownCells';
import { RowBuilder, tooManyCells } from './rowCells';
import {
	type RowColumn,
	type RowOptions,
	RowTable,
	sectionsNamed,
	type TableRow,
} from './rowTable';

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
 * Throws InputError if Row per Instance Of matches several sections, or if the rows have too many cells. In a poll, such
 * rows lack their empty cells instead, because a poll must not fail.
 */
export function rowsOf(
	inspections: readonly InspectionRecord[],
	forms: ReadonlyMap<string, Form>,
	options: RowOptions,
	report: (problem: string) => void = () => undefined,
): JsonRecord[][] {
	// Read the inspections of all templates before building rows, because all rows of a template share their columns.
	const tables = new Map<string, RowTable>();
	const collected = inspections.map((inspection) => {
		const key = templateKey(inspection);
		const form = forms.get(key);
		const table = tables.get(key) ?? new RowTable(form, options);
		tables.set(key, table);
		const own = ownCells(inspection, form?.template, options.localZone);
		const { files } = inspection;
		const filesCount = Array.isArray(files) ? files.length : EMPTY;
		// Use null for an answer that the service might have left out, because null doesn't overwrite a value in a sheet.
		const isKnown = options.isPartOfAnswers !== true && inspection.data !== undefined;
		const empty = isKnown ? EMPTY : null;
		return { own, filesCount, table, rows: table.read(inspection), empty };
	});
	for (const { problems } of tables.values()) problems.forEach(report);
	const fields = options.fields?.length ? new Set(options.fields) : undefined;
	const chosen = new Map(
		[...tables.values()].map((table) => {
			return [table, table.keyedColumns().filter(([key]) => fields?.has(key) ?? true)] as const;
		}),
	);
	const refusal = tooManyCells(
		collected.map(({ own, rows, table }) => ({
			name: String(own.name),
			rows: rows.length,
			answers: rows.flatMap(cellsOf).reduce((sum, { size }) => sum + size, 0),
			columns: chosen.get(table)?.length ?? 0,
		})),
	);
	if (refusal !== undefined && options.isPoll !== true) throw refusal;
	const isSparse = refusal !== undefined;
	const builders = new Map<RowTable, Map<JsonValue, RowBuilder<RowColumn>>>();
	return collected.map(({ own, filesCount, table, rows, empty }) => {
		const known = builders.get(table);
		const ofTable = known ?? new Map<JsonValue, RowBuilder<RowColumn>>();
		builders.set(table, ofTable);
		const emptyOf = ({ isInTemplate }: RowColumn) => (isInTemplate ? empty : null);
		return rows.map((row, index) => {
			const leading = leadingCells(own, row, filesCount, options);
			const cells = cellsOf(row);
			// The first row has all columns, because the warnings about the option Fields need their names.
			const isFirst = fields !== undefined && known === undefined && index === 0;
			const columns = (isFirst ? table.keyedColumns() : chosen.get(table)) ?? [];
			const kind = isFirst ? 'first' : empty;
			const builder = ofTable.get(kind) ?? new RowBuilder(leading, columns, { emptyOf, isSparse });
			ofTable.set(kind, builder);
			const built = builder.build(leading, cells);
			tooLongCells(built, leading, cells, fields).forEach(report);
			return built;
		});
	});
}

/** Returns warnings about the long cells of a row. Looks at values first: a run can have millions of empty cells. */
function tooLongCells(
	row: JsonRecord,
	leading: JsonRecord,
	cells: readonly TableRow['own'][],
	fields: ReadonlySet<string> | undefined,
): string[] {
	const values = [Object.values(leading), ...cells.map((some) => [...some.values()])];
	if (!values.flat().some(isLongCell)) return [];
	const shown = fields === undefined ? row : onlyFields(row, [...fields]);
	return longCells(
		shown,
		`inspection ${cleanLine(textOf(leading.name) ?? String(leading.id), 100)}`,
	);
}

/** Returns the cells of a row that don't belong to questions. */
function leadingCells(
	own: JsonRecord,
	{ key, instance }: TableRow,
	filesCount: JsonValue,
	options: RowOptions,
): JsonRecord {
	const isPerInstance = options.rowPerInstanceOf !== undefined;
	return {
		...(isPerInstance && { [ROW_KEY]: key }),
		...own,
		...(isPerInstance && { instance: instance ?? EMPTY }),
		...(options.hasFiles && { files_count: filesCount }),
		...(options.hasDownloads && { downloaded_files: EMPTY }),
	};
}

/** Returns the cells of a row. Its own cells are in the last map, and replace shared ones. */
function cellsOf({ own, shared }: TableRow): TableRow['own'][] {
	return own === shared ? [own] : [shared, own];
}

/**
 * Returns a warning if none of the templates has a repeatable section with this name. Undefined if a template has it.
 */
export function missingSection(forms: readonly Form[], name: string): string | undefined {
	if (forms.some((form) => sectionsNamed(form, name).length > 0)) return undefined;
	const names = new Set(forms.flatMap(({ sections }) => sections.map((section) => section.name)));
	const known =
		names.size === 0
			? 'The templates of these inspections have no repeatable sections'
			: `Repeatable sections: ${[...names].map((one) => `"${one}"`).join(', ')}`;
	return `Row per Instance Of: "${name}" isn't a repeatable section. ${known}. Therefore, each inspection has only one row.`;
}

/**
 * Returns the fields of a record with these names, in the order of the names. Missing fields are null, because n8n's
 * sheet nodes (2.41) skip null and keep the cell. Empty text would overwrite it.
 */
export function onlyFields(record: JsonRecord, names: readonly string[]): JsonRecord {
	const valueOf = (name: string) => (Object.hasOwn(record, name) ? record[name] : undefined);
	return Object.fromEntries(names.map((name) => [name, valueOf(name) ?? null]));
}

/** Maximum columns in a warning. */
const SHOWN_INSTANCES = 3;

/**
 * Returns a sentence if a name in the option Fields fits several questions of a template, so that no column has this
 * name. Otherwise undefined.
 */
export function ambiguousField(form: Form, name: string): string | undefined {
	if (isRowKey(name)) return undefined;
	const { columns } = form.keys.find(name);
	if (columns.length < 2) return undefined;
	const keys = columns.map((column) => `"${cleanLine(form.keys.keyOf(column), 100)}"`);
	const shown = listText(keys.slice(0, SHOWN_INSTANCES), keys.length);
	return `Field Names or IDs: ${String(keys.length)} questions are named "${name}". Choose their columns instead: ${shown}.`;
}

/**
 * Returns warnings about names in the option Fields: names of fields that don't exist, names that fit several questions
 * of a template, and chosen questions whose later instances are left out. `forms` are the templates of rows.
 */
export function missingFields(
	keys: ReadonlySet<string>,
	names: readonly string[],
	forms: readonly Form[] = [],
): string[] {
	if (keys.size === 0) return [];
	const unknown = names.flatMap((name) => {
		const ambiguous = forms.flatMap((form) => ambiguousField(form, name) ?? []);
		if (keys.has(name) || ambiguous.length > 0) return ambiguous;
		const byName = forms.flatMap(({ keys: ofForm }) =>
			ofForm.find(name).columns.map((column) => ofForm.keyOf(column)),
		);
		const nearest = byName.find((key) => keys.has(key)) ?? nearestName(name, keys);
		const end = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
		return [`Field Names or IDs: no item has a field "${name}", so its value is null.${end}`];
	});
	const chosen = new Set(names);
	const later = [...keys].filter((key) => {
		const first = key.replace(INSTANCE_NUMBER, '');
		return first !== key && !chosen.has(key) && chosen.has(first);
	});
	if (later.length === 0) return unknown;
	const shown = later.slice(0, SHOWN_INSTANCES).map((key) => `"${key}"`);
	const list = listText(shown, later.length);
	return [
		...unknown,
		`The option 'Field Names or IDs' leaves out answers to later instances of a section: ${list}. Choose these fields too, or use the option 'Row per Instance Of'.`,
	];
}
