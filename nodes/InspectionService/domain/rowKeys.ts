/**
 * The keys of a row that are the inspection's own, in the order of the contract. A question whose label equals
 * one of them goes by its path, and auto-map never takes one of them for a question.
 */
export const ROW_KEYS = [
	'id',
	'name',
	'status',
	'template',
	'team',
	'created_at',
	'created_by',
	'updated_at',
	'updated_by',
] as const;
export type RowKey = (typeof ROW_KEYS)[number];

const OWN_KEYS: ReadonlySet<string> = new Set(ROW_KEYS);

export function isRowKey(key: string): key is RowKey {
	return OWN_KEYS.has(key);
}
