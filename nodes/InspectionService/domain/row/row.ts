import { displayName, nameOrOf } from '../displayName';
import type { JsonRecord, JsonValue } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import { nearestName } from '../nearestName';
import type { RowKey } from '../rowKeys';
import { type Form, formOf } from '../template/form';
import type { ColumnNames } from '../template/keys';
import { templateIdOf } from '../template/templateOfInspection';
import { instanceSection } from './instanceSection';
import { shownTime } from './localDate';
import { answerPlacer } from './placedAnswer';
import { rowCells, type RowCells } from './rowCells';
import { type KeyedColumn, RowTable } from './rowTable';

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
	return new RowSheet(options).add(inspections, templates)();
}

/** Rows that have one header for each template, however many times inspections are added. */
export class RowSheet {
	private readonly templatesRows = new Map<string, TemplateRows>();
	private readonly options: RowOptions;

	constructor(options: RowOptions) {
		this.options = options;
	}

	/**
	 * Adds inspections. The function that it returns makes their rows, as `rowsOf`: call it once all were added.
	 * @throws InputError where Row per Instance Of names several sections
	 */
	add(inspections: readonly InspectionRecord[], templates: KnownTemplates): () => JsonRecord[][] {
		const { options, templatesRows } = this;
		const collected = inspections.map((inspection) => {
			const key = templateKey(inspection);
			const rows = templatesRows.get(key) ?? templateRows(templates.get(key)?.form, options);
			templatesRows.set(key, rows);
			const own = ownCells(inspection, templates.get(key)?.record, options.localZone);
			return { own, filesCount: filesCountOf(inspection), rows, cells: rows.add(inspection) };
		});
		return () =>
			collected.map(({ rows, cells, ...rest }) =>
				cells.map((row) => rowOf(rest, row, rows.columns(), options)),
			);
	}
}

/** The rows of one template while they are collected: the columns are known when all inspections are. */
interface TemplateRows {
	add(inspection: InspectionRecord): RowCells[];
	/** Call this only after all inspections were added. */
	columns(): readonly KeyedColumn[];
}

function templateRows(form: Form | undefined, options: RowOptions): TemplateRows {
	const { columnNames, rowPerInstanceOf, keysBehind = [], localZone } = options;
	const section =
		form === undefined || rowPerInstanceOf === undefined
			? undefined
			: instanceSection(form, rowPerInstanceOf);
	const table = new RowTable({ form, columnNames, section, keysBehind });
	const placeAnswers = answerPlacer(form, localZone);
	let columns: readonly KeyedColumn[] | undefined;
	return {
		add: (inspection) => rowCells(placeAnswers(inspection), table),
		columns: () => (columns ??= table.keyedColumns()),
	};
}

function rowOf(
	{ own, filesCount }: { own: Record<RowKey, JsonValue>; filesCount: number | null },
	{ instance, own: cells, shared }: RowCells,
	columns: readonly KeyedColumn[],
	{ rowPerInstanceOf, hasFiles, hasDownloads }: RowOptions,
): JsonRecord {
	const entries: [string, JsonValue][] = Object.entries(own);
	if (rowPerInstanceOf !== undefined) entries.push(['instance', instance]);
	if (hasFiles) entries.push(['files_count', filesCount]);
	if (hasDownloads) entries.push(['downloaded_files', null]);
	for (const [key, column] of columns) {
		entries.push([key, cells.get(column) ?? shared.get(column) ?? null]);
	}
	// fromEntries defines keys and does not assign them, so that a question named __proto__ gets a key like any other.
	return Object.fromEntries(entries);
}

function ownCells(
	inspection: JsonRecord,
	template: JsonRecord | undefined,
	localZone: string | undefined,
): Record<RowKey, JsonValue> {
	return {
		id: inspection.id ?? null,
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

/** Only these fields of a record, in this order; those that it does not have are null. */
export function onlyFields(record: JsonRecord, names: readonly string[]): JsonRecord {
	return Object.fromEntries(
		names.map((name) => [name, Object.hasOwn(record, name) ? (record[name] ?? null) : null]),
	);
}

/** One sentence for each name that is no key of any record: most often a typing error. */
export function missingFields(keys: ReadonlySet<string>, names: readonly string[]): string[] {
	if (keys.size === 0) return [];
	const known = [...keys];
	const missing = names.filter((name) => !keys.has(name));
	return missing.map((name) => {
		const nearest = nearestName(name, known);
		const end = nearest === undefined ? '.' : `; did you mean "${nearest}"?`;
		return `Fields: no item has a field "${name}"${end}`;
	});
}

/**
 * An inspection as a few flat fields, the same for every inspection, null where it has no such value: those that a row
 * begins with, without `template_id`. With `localZone` (IANA) times are as people write them there.
 */
export function simplified(inspection: JsonRecord, localZone?: string): JsonRecord {
	const own = Object.entries(ownCells(inspection, undefined, localZone));
	return Object.fromEntries(own.filter(([key]) => key !== 'template_id'));
}
