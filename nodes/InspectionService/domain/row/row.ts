import { INSTANCE_NUMBER } from '../answer/storedResponse';
import { listText } from '../formatting';
import type { JsonRecord, JsonValue } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import { nearestName } from '../nearestName';
import { EMPTY, ROW_KEY } from '../rowKeys';
import type { Form } from '../template/form';
import { templateKey } from '../template/templateOfInspection';
import { instanceSection, type RowOptions, RowTable } from './rowTable';
import { ownCells } from './simplified';

/**
 * Converts inspections (read with `data`) to rows of a spreadsheet: a list of rows for each inspection, in the same
 * order. A row begins with the inspection's keys (`ROW_KEYS`). If there's a row per instance, `row_key` comes before
 * them. Then it has one key per question: empty text if the question wasn't answered, and null if the service may have
 * left the answer out. Create reads the same answers from a row by automatic mapping, and from rows per instance
 * grouped by ID. `forms` has the templates that could be read, by `templateKey`. Throws InputError if Row per Instance
 * Of names several sections.
 */
export function rowsOf(
	inspections: readonly InspectionRecord[],
	forms: ReadonlyMap<string, Form>,
	options: RowOptions,
): JsonRecord[][] {
	// Read all rows of a template before building any, because they share one header.
	const tables = new Map<string, RowTable>();
	const collected = inspections.map((inspection) => {
		const key = templateKey(inspection);
		const form = forms.get(key);
		const table = tables.get(key) ?? new RowTable(form, options);
		tables.set(key, table);
		const own = ownCells(inspection, form?.template, options.localZone);
		const { files } = inspection;
		const filesCount = Array.isArray(files) ? files.length : EMPTY;
		// Null keeps a sheet's value, because these answers may exist.
		const isKnown = options.isPartOfAnswers !== true && inspection.data !== undefined;
		const empty = isKnown ? EMPTY : null;
		return { own, filesCount, table, rows: table.read(inspection), empty };
	});
	return collected.map(({ own, filesCount, table, rows, empty }) =>
		rows.map(({ key: rowKey, instance, own: cells, shared }) => {
			const entries: [string, JsonValue][] = Object.entries(own);
			if (options.rowPerInstanceOf !== undefined) {
				entries.unshift([ROW_KEY, rowKey]);
				entries.push(['instance', instance ?? EMPTY]);
			}
			if (options.hasFiles) entries.push(['files_count', filesCount]);
			if (options.hasDownloads) entries.push(['downloaded_files', EMPTY]);
			for (const [key, column] of table.keyedColumns()) {
				entries.push([key, cells.get(column) ?? shared.get(column) ?? empty]);
			}
			// fromEntries defines keys instead of assigning them. A question can be named __proto__.
			return Object.fromEntries(entries);
		}),
	);
}

/** Warns the user if none of the templates has the section. Undefined if one has it. */
export function missingSection(forms: readonly Form[], name: string): string | undefined {
	if (forms.some((form) => instanceSection(form, name) !== undefined)) return undefined;
	const names = new Set(forms.flatMap(({ sections }) => sections.map((section) => section.name)));
	const known =
		names.size === 0
			? 'the templates of these inspections have none'
			: `possible: ${[...names].map((one) => `"${one}"`).join(', ')}`;
	return `Row per Instance Of: "${name}" isn't a repeatable section; ${known}. Each inspection has one row.`;
}

/** Returns the record's fields with these names, in this order. Missing fields get the value `empty`. */
export function onlyFields(
	record: JsonRecord,
	names: readonly string[],
	empty: JsonValue,
): JsonRecord {
	const valueOf = (name: string) => (Object.hasOwn(record, name) ? record[name] : undefined);
	return Object.fromEntries(names.map((name) => [name, valueOf(name) ?? empty]));
}

/** Maximum columns in a sentence. */
const SHOWN_INSTANCES = 3;

/** Warns about fields that don't exist, and about later instances that were left out of chosen fields. */
export function missingFields(keys: ReadonlySet<string>, names: readonly string[]): string[] {
	if (keys.size === 0) return [];
	const unknown = names.flatMap((name) => {
		if (keys.has(name)) return [];
		const nearest = nearestName(name, keys);
		const end = nearest === undefined ? '.' : `; did you mean "${nearest}"?`;
		return [`Fields: no item has a field "${name}"${end}`];
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
		`Fields leaves out answers to later instances of a section: ${list}. Choose these too, or use Row per Instance Of.`,
	];
}
