import { displayName, nameOrOf } from '../displayName';
import type { JsonRecord, JsonValue } from '../json';
import { EMPTY, type ROW_KEYS } from '../rowKeys';
import { templateIdOf } from '../template/templateOfInspection';
import { localTime } from './cell';

/** Returns an inspection's own fields, such as `id` and `name`. A row begins with them. */
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
