import { displayName } from '../displayName';
import type { JsonRecord } from '../json';
import { shownTime } from './localDate';

/**
 * An inspection as a few flat fields, the same for every inspection, null where it has no such value. A row begins with
 * these fields, too, and has `template_id` beside them (see `ROW_KEYS`). With `localZone` (IANA) times are as people
 * write them there.
 */
export function simplified(inspection: JsonRecord, localZone?: string): JsonRecord {
	return {
		id: inspection.id ?? null,
		name: inspection.name ?? null,
		status: inspection.status ?? null,
		template: displayName(inspection.template),
		team: displayName(inspection.team),
		created_at: shownTime(inspection.created_at, localZone),
		created_by: displayName(inspection.created_by),
		updated_at: shownTime(inspection.updated_at, localZone),
		updated_by: displayName(inspection.updated_by),
	};
}
