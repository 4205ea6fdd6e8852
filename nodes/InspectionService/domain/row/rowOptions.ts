import { INSTANCE_NUMBER } from '../answer/storedResponse';
import { quotedList } from '../formatting';
import type { JsonRecord } from '../json';
import { nearestName } from '../nearestName';
import { isRowKey } from '../rowKeys';
import type { Form } from '../template/form';
import type { ColumnNames } from '../template/keys';
import { type Column, isQuestion, type RepeatableSection } from '../template/questions';

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
	readonly isPartOfAnswers?: boolean | undefined;
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

/** Finds the repeatable sections with this label, path, or ID, for Row per Instance Of. */
export function sectionsNamed(form: Form, name: string | undefined): RepeatableSection[] {
	if (name === undefined) return [];
	const { columns, instance } = form.sectionKeys.find(name);
	if (instance !== undefined) return [];
	return columns.flatMap((column) => (isQuestion(column) ? [] : [column]));
}

/** Returns an error message if several sections of a template have the name in Row per Instance Of. */
export function ambiguousSection(form: Form, name: string | undefined): string | undefined {
	const named = sectionsNamed(form, name);
	if (name === undefined || named.length < 2) return undefined;
	return `Row per Instance Of: ${severalNamed(form, name, named)}`;
}

/**
 * Returns an error message if a name in the option Fields fits several questions of a template, so that no column has
 * this name.
 */
export function ambiguousField(form: Form, name: string): string | undefined {
	const { columns } = form.keys.find(name);
	if (isRowKey(name) || columns.length < 2) return undefined;
	return `Field Names or IDs: ${severalNamed(form, name, columns)}`;
}

function severalNamed({ keys }: Form, name: string, columns: readonly Column[]): string {
	const kind = columns.every(isQuestion) ? 'questions' : 'sections';
	const paths = quotedList(columns.map((column) => keys.keyOf(column, 'path')));
	return `${String(columns.length)} ${kind} are named "${name}". Choose from these instead: ${paths}.`;
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
			: `Repeatable sections: ${quotedList([...names])}`;
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
	return [
		...unknown,
		`The option 'Field Names or IDs' leaves out answers to later instances of a section: ${quotedList(later)}. Choose these fields too, or use the option 'Row per Instance Of'.`,
	];
}
