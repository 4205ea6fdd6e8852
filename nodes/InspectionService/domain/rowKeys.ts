/**
 * The key of the column that identifies a row, in outputs with one row for each instance or each answer. Its value is a
 * single text, because n8n's sheet nodes match rows by one column. If a user chooses several columns, Google Sheets
 * (2.41) uses only the first. Excel 365 allows only one.
 */
export const ROW_KEY = 'row_key';

/**
 * Builds the value of `row_key`. Because of the vertical bars, a spreadsheet can't read it as a number, a date, or a
 * time.
 */
export function rowKey(inspectionId: string, columnId: string, instance: number): string {
	return `${inspectionId}|${columnId}|${String(instance)}`;
}

/**
 * The keys of a row that belong to the inspection, in order. A question with the same name uses its path as the key
 * instead.
 */
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

/**
 * All keys that rows can have for the inspection. Some rows have `row_key` first, and some have the last three (see
 * `RowOptions`).
 */
export const OWN_KEYS = new Set<string>([
	ROW_KEY,
	...ROW_KEYS,
	'instance',
	'files_count',
	'downloaded_files',
]);

/** Whether a key belongs to the row itself and not to a question. */
export function isRowKey(key: string): boolean {
	return OWN_KEYS.has(key);
}

/** The keys that the outputs of Create add after the keys of a row. */
export const CREATE_KEYS = [
	'task_id',
	'warnings',
	'unstored_responses',
	'changed_responses',
	'unused_columns',
	'already_existed',
	'group',
] as const;
const OWN_KEYS_OF_CREATED: ReadonlySet<string> = new Set([...OWN_KEYS, ...CREATE_KEYS]);

/**
 * Returns the reserved keys of rows, which never match a question. These are the keys that Get Many adds to rows. If
 * Create returned any of the rows, they include the keys that Create adds.
 */
export function ownKeysOf(rows: readonly Readonly<Record<string, unknown>>[]): ReadonlySet<string> {
	const isCreated = rows.some((row) =>
		['already_existed', 'unstored_responses'].every((key) => Object.hasOwn(row, key)),
	);
	return isCreated ? OWN_KEYS_OF_CREATED : OWN_KEYS;
}

/** Whether n8n added this field: in a Google sheet, or for a node that an AI Agent runs as a tool (2.41). */
export function isAddedByN8n(key: string): boolean {
	return key === 'row_number' || key === 'toolCallId';
}

/**
 * Matches an integer, such as `10`. JavaScript moves such keys (up to 4294967294) before all other keys of an object.
 */
const INTEGER = /^(?:0|[1-9]\d{0,9})$/;

/** The key that n8n (2.41) reads as the error of an item: Retry On Fail then runs the node again. */
const ERROR_KEY = 'error';

/** Whether the column of a question can have this key: it must not be reserved, and not be an integer. */
export function isColumnKey(key: string): boolean {
	return key !== '' && key !== ERROR_KEY && !INTEGER.test(key) && !isRowKey(key);
}

/**
 * The value of an empty cell of a row or of a simplified inspection. Not null, because n8n's Append or Update Row
 * (2.41) skips null, so a sheet would keep an answer that was removed. Convert to File also leaves out a column that
 * has only null.
 */
export const EMPTY = '';
