/** The keys of a row that are the inspection's own, in their order. A question that is called so has its path as its key. */
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

/** With the own keys that only some rows have, after the others (see `RowOptions`). */
export const OWN_KEYS = new Set<string>([
	...ROW_KEYS,
	'instance',
	'files_count',
	'downloaded_files',
]);

/** True for every key that a row may have besides those of questions. */
export function isRowKey(key: string): boolean {
	return OWN_KEYS.has(key);
}

/** The keys that outputs of Create have behind those of rows. */
export const CREATE_KEYS = [
	'task_id',
	'warnings',
	'unstored_responses',
	'already_existed',
	'group',
] as const;
const OF_CREATE = new Set<string>(CREATE_KEYS);

/** Tells an item's own keys, which are never taken for a question: those of rows, and in an output of Create its own. */
export function ownKeysOf(item: Readonly<Record<string, unknown>>): (key: string) => boolean {
	const isCreated = ['already_existed', 'unstored_responses'].every((key) =>
		Object.hasOwn(item, key),
	);
	return (key) => isRowKey(key) || (isCreated && OF_CREATE.has(key));
}

/** True for a field that n8n adds by itself: in a Google sheet, or (2.41) where a node runs as a tool of an AI Agent. */
export function isAddedByN8n(key: string): boolean {
	return key === 'row_number' || key === 'toolCallId';
}

/** An integer as a key, such as `10`. JavaScript puts such keys (up to 4294967294) before all others. */
const INTEGER = /^(?:0|[1-9]\d{0,9})$/;

/** True for a key that a question's column can have: no own key of rows, and no integer. */
export function isColumnKey(key: string): boolean {
	return key !== '' && !INTEGER.test(key) && !isRowKey(key);
}
