import { displayName, nameOrOf } from '../displayName';
import type { JsonRecord, JsonValue } from '../json';
import { EMPTY, ROW_KEYS } from '../rowKeys';
import { templateIdOf } from '../template/templateOfInspection';
import { localTime } from './cell';

/**
 * Returns an inspection's own fields, such as `id` and `name`. A row begins with them. Times are local to `localZone` if
 * that is set. If the inspection contains only the IDs of its template and team, uses their names from `template`.
 */
export function ownCells(
	inspection: JsonRecord,
	template: JsonRecord | undefined,
	localZone: string | undefined,
): Record<(typeof ROW_KEYS)[number], JsonValue> {
	return {
		id: inspection.id ?? EMPTY,
		name: inspection.name ?? EMPTY,
		status: inspection.status ?? EMPTY,
		template: nameOrOf(inspection.template, template) ?? EMPTY,
		template_id: templateIdOf(inspection) ?? EMPTY,
		team: nameOrOf(inspection.team, template?.team) ?? EMPTY,
		created_at: localTime(inspection.created_at, localZone) ?? EMPTY,
		created_by: displayName(inspection.created_by) ?? EMPTY,
		updated_at: localTime(inspection.updated_at, localZone) ?? EMPTY,
		updated_by: displayName(inspection.updated_by) ?? EMPTY,
	};
}

/** Returns the fields of `ownCells`, but not `template_id`. */
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
