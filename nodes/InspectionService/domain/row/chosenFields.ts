import type { JsonRecord } from '../json';
import { nearestName } from '../nearestName';

/** Only these fields of a record, in this order; those that it does not have are null. */
export function onlyFields(record: JsonRecord, names: readonly string[]): JsonRecord {
	return Object.fromEntries(
		names.map((name) => [name, Object.hasOwn(record, name) ? (record[name] ?? null) : null]),
	);
}

/** One sentence for each name that none of the records has: most often a typing error. */
export function missingFields(records: readonly JsonRecord[], names: readonly string[]): string[] {
	if (records.length === 0) return [];
	const missing = names.filter((name) => !records.some((record) => Object.hasOwn(record, name)));
	if (missing.length === 0) return [];
	const known = [...new Set(records.flatMap((record) => Object.keys(record)))];
	return missing.map((name) => {
		const nearest = nearestName(name, known);
		const end = nearest === undefined ? '.' : `; did you mean "${nearest}"?`;
		return `Fields: no item has a field "${name}"${end}`;
	});
}
