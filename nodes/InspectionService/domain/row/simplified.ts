import { displayName } from '../displayName';
import type { JsonRecord } from '../json';

/**
 * An inspection as a few flat fields, the same for every inspection, null where it has no such value. A row begins with
 * these fields, too, and has `template_id` beside them (see `ROW_KEYS`).
 */
export function simplified(inspection: JsonRecord): JsonRecord {
	return {
		id: inspection.id ?? null,
		name: inspection.name ?? null,
		status: inspection.status ?? null,
		template: displayName(inspection.template),
		team: displayName(inspection.team),
		created_at: inspection.created_at ?? null,
		created_by: displayName(inspection.created_by),
		updated_at: inspection.updated_at ?? null,
		updated_by: displayName(inspection.updated_by),
	};
}
