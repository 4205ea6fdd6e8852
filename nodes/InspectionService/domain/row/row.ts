import { displayName, nameOrOf } from '../displayName';
import type { JsonRecord, JsonValue } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import type { RowKey } from '../rowKeys';
import { type Form, formOf } from '../template/form';
import type { ColumnNames } from '../template/keys';
import { templateIdOf } from '../template/templateOfInspection';
import { instanceSection } from './instanceSection';
import { shownTime } from './localDate';
import { answerPlacer } from './placedAnswer';
import { rowCells, type RowCells } from './rowCells';
import { OccurringPairs, type RowColumn, rowColumns, type RowLayout } from './rowColumns';

/** What the user has chosen for rows; docs/get-many.md describes the fields. */
export interface RowOptions {
	readonly columnNames: ColumnNames;
	/** Label, path or id of a repeatable section; undefined: one row per inspection. */
	readonly rowPerInstanceOf: string | undefined;
	/** The zone (IANA) in which dates are as people write them there; undefined: as the service sends them. */
	readonly localZone?: string | undefined;
	/** Whether the inspections were read with `files`: then rows have the own key `files_count`. */
	readonly hasFiles: boolean;
	/** Whether rows have the own key `downloaded_files`. It is null here, and filled in once the files are downloaded. */
	readonly hasDownloads: boolean;
	/** Keys that the caller puts behind those of the row: no question's column gets one of them. */
	readonly keysBehind?: readonly string[];
}

/** A template as outputs need it. */
export interface KnownTemplate {
	readonly record: JsonRecord;
	readonly form: Form;
}

/** Templates that could be read (with their controls), by `templateKey`. */
export type KnownTemplates = ReadonlyMap<string, KnownTemplate>;

/** A template that was fetched with its controls. */
export function knownTemplate(record: JsonRecord): KnownTemplate {
	return { record, form: formOf(record) };
}

/** The key of an inspection's template in `KnownTemplates`; '' where the inspection names no template. */
export function templateKey(inspection: JsonRecord): string {
	return templateIdOf(inspection)?.toLowerCase() ?? '';
}

/**
 * Inspections (read with `data`) as rows of a spreadsheet: a list of rows for each inspection, in the same order. A row
 * begins with its own keys (`ROW_KEYS`). Then it has one key per question, null where the question was not answered.
 * Rows of one template all have the same keys in the same order.
 *
 * Create makes the same answers from a row by automatic mapping. It does so from rows per instance, too, when they are
 * grouped by id.
 * @throws InputError where Row per Instance Of names several sections
 */
export function rowsOf(
	inspections: readonly InspectionRecord[],
	templates: KnownTemplates,
	options: RowOptions,
): JsonRecord[][] {
	const tables = new Map<string, RowTable>();
	const collected = inspections.map((inspection) => {
		const key = templateKey(inspection);
		const table = tables.get(key) ?? rowTable(templates.get(key)?.form, options);
		tables.set(key, table);
		const own = ownCells(inspection, templates.get(key)?.record, options.localZone);
		return { own, filesCount: filesCountOf(inspection), table, cells: table.add(inspection) };
	});
	return collected.map(({ table, cells, ...rest }) =>
		cells.map((row) => rowOf(rest, row, table.columns(), options)),
	);
}

/** The rows of one template while they are collected: the columns are known when all inspections are. */
interface RowTable {
	add(inspection: InspectionRecord): RowCells[];
	/** Call this only after all inspections were added. */
	columns(): readonly RowColumn[];
}

function rowTable(form: Form | undefined, options: RowOptions): RowTable {
	const { columnNames, rowPerInstanceOf, keysBehind = [], localZone } = options;
	const section =
		form === undefined || rowPerInstanceOf === undefined
			? undefined
			: instanceSection(form, rowPerInstanceOf);
	const layout: RowLayout = { form, columnNames, section, keysBehind };
	const pairs = new OccurringPairs();
	const placeAnswers = answerPlacer(form, localZone);
	let columns: readonly RowColumn[] | undefined;
	return {
		add: (inspection) => rowCells(placeAnswers(inspection), layout, pairs),
		columns: () => (columns ??= rowColumns(layout, pairs)),
	};
}

function rowOf(
	{ own, filesCount }: { own: Record<RowKey, JsonValue>; filesCount: number | null },
	{ instance, own: cells, shared }: RowCells,
	columns: readonly RowColumn[],
	{ rowPerInstanceOf, hasFiles, hasDownloads }: RowOptions,
): JsonRecord {
	const entries: [string, JsonValue][] = Object.entries(own);
	if (rowPerInstanceOf !== undefined) entries.push(['instance', instance]);
	if (hasFiles) entries.push(['files_count', filesCount]);
	if (hasDownloads) entries.push(['downloaded_files', null]);
	for (const { key, id } of columns) entries.push([key, cells.get(id) ?? shared.get(id) ?? null]);
	// fromEntries defines keys and does not assign them, so that a question named __proto__ gets a key like any other.
	return Object.fromEntries(entries);
}

function ownCells(
	inspection: InspectionRecord,
	template: JsonRecord | undefined,
	localZone: string | undefined,
): Record<RowKey, JsonValue> {
	return {
		id: inspection.id,
		name: inspection.name ?? null,
		status: inspection.status ?? null,
		template: nameOrOf(inspection.template, template),
		template_id: templateIdOf(inspection) ?? null,
		team: nameOrOf(inspection.team, template?.team),
		created_at: shownTime(inspection.created_at, localZone),
		created_by: displayName(inspection.created_by),
		updated_at: shownTime(inspection.updated_at, localZone),
		updated_by: displayName(inspection.updated_by),
	};
}

/** How many files an inspection has; null where it came without a list of them. */
function filesCountOf({ files }: InspectionRecord): number | null {
	return Array.isArray(files) ? files.length : null;
}
