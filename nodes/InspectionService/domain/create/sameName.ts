import { type JsonRecord, textOf } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import { isOfTemplate } from '../template/templateOfInspection';
import { addSeconds, compareTimestamps, type Timestamp, timestampOf } from '../timestamp';

/** What was created more than this before the newest inspection was not created just now, in s. */
const JUST_NOW_SECONDS = 3_600;

/**
 * The inspections that a create request in doubt may have made, of the newest ones in falling order of creation: those of
 * its name, or of its template where it has none, because the service makes the name up then.
 */
export function sameNameAmong(
	newestFirst: readonly InspectionRecord[],
	body: JsonRecord,
): InspectionRecord[] {
	const newest = timestampOf(newestFirst[0]?.created_at);
	const since = newest && addSeconds(newest, -JUST_NOW_SECONDS);
	const name = textOf(body.name);
	return newestFirst.filter((inspection) => {
		if (!isSince(inspection, since)) return false;
		if (name !== undefined) return inspection.name === name;
		return isOfTemplate(inspection, textOf(body.template_id) ?? '');
	});
}

function isSince({ created_at }: InspectionRecord, since: Timestamp | undefined): boolean {
	const created = timestampOf(created_at);
	return created === undefined || since === undefined || compareTimestamps(created, since) >= 0;
}
