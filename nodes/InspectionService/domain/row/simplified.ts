import type { JsonRecord } from '../json';
import { ROW_KEYS } from '../rowKeys';
import { ownCells } from './ownCells';

/**
 * Returns an inspection's own fields, such as `id` and `name`, but not `template_id`. Times are local to `localZone` if
 * that is set. If the inspection contains only the IDs of its template and team, uses their names from `template`.
 */
export function simplified(
	inspection: JsonRecord,
	localZone?: string,
	template?: JsonRecord,
): JsonRecord {
	const own = Object.entries(ownCells(inspection, template, localZone));
	return Object.fromEntries(own.filter(([key]) => key !== 'template_id'));
}

/** Returns only the members that `simplified` reads, because an inspection can be much larger. */
export function simplifiedMembers(inspection: JsonRecord): JsonRecord {
	return Object.fromEntries(ROW_KEYS.map((key) => [key, inspection[key]]));
}
