/**
 * The first key of rows per instance and of answers. It's a single value, because n8n's sheet nodes match rows on a
 * single column (2.41: Google Sheets on the first of several, Excel 365 on one).
 */
export const ROW_KEY = 'row_key';

/**
 * Joins the parts that identify a row. Because of the bars, a spreadsheet can't read the result as a number, a date, or
 * a time.
 */
export function rowKey(inspectionId: string, columnId: string, instance: number): string {
	return `${inspectionId}|${columnId}|${String(instance)}`;
}

/** The keys of a row that belong to the inspection, in order. A question with such a name uses its path as the key. */
export const ROW_KEYS = [
	'id',
	'name',
	'status',
	'template',
	'template_id',
	'team',
	'created_at',
	'created_by',
	'updated_at',
	'updated_by',
] as const;

/** Includes the keys that only some rows have: `row_key` before the others, the rest after them (see `RowOptions`). */
export const OWN_KEYS = new Set<string>([
	ROW_KEY,
	...ROW_KEYS,
	'instance',
	'files_count',
	'downloaded_files',
]);

/** True for every key that a row can have other than those of questions. */
export function isRowKey(key: string): boolean {
	return OWN_KEYS.has(key);
}

/** The keys that Create's outputs add after those of rows. */
export const CREATE_KEYS = [
	'task_id',
	'warnings',
	'unstored_responses',
	'already_existed',
	'group',
] as const;
const OWN_KEYS_OF_CREATED: ReadonlySet<string> = new Set([...OWN_KEYS, ...CREATE_KEYS]);

/**
 * Returns an item's reserved keys, which never match a question: those of rows and, in an output of Create, those of
 * Create.
 */
export function ownKeysOf(item: Readonly<Record<string, unknown>>): ReadonlySet<string> {
	const isCreated = ['already_existed', 'unstored_responses'].every((key) =>
		Object.hasOwn(item, key),
	);
	return isCreated ? OWN_KEYS_OF_CREATED : OWN_KEYS;
}

/** True for a field that n8n adds: in a Google sheet, or (2.41) if a node runs as a tool of an AI Agent. */
export function isAddedByN8n(key: string): boolean {
	return key === 'row_number' || key === 'toolCallId';
}

/** An integer as a key, such as `10`. JavaScript puts these keys (up to 4294967294) before all others. */
const INTEGER = /^(?:0|[1-9]\d{0,9})$/;

/** True for a key that a question's column can have: not reserved, and not an integer. */
export function isColumnKey(key: string): boolean {
	return key !== '' && !INTEGER.test(key) && !isRowKey(key);
}

/**
 * An empty cell of a row or of a simplified inspection. Not null: n8n's Append or Update Row (2.41) skips null, so a
 * sheet would keep an answer that was removed. Convert to File leaves out the header of a column that has only null.
 */
export const EMPTY = '';
