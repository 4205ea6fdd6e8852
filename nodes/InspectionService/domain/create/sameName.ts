import { type JsonRecord, textOf } from '../json';
import type { InspectionRecord } from '../list/inspectionPage';
import { isOfTemplate } from '../template/templateOfInspection';
import { addSeconds, compareTimestamps, type Timestamp, timestampOf } from '../timestamp';

/**
 * Seconds before the newest inspection was created. What was created earlier cannot come from the request in doubt.
 * Chosen: an hour, far longer than one create takes.
 */
const JUST_NOW_SECONDS = 3_600;

/**
 * The inspections that a create request in doubt may have made. `newestFirst` are the newest inspections of the list,
 * in falling order of creation. Those with the request's name count. Where the request has no name, those of its
 * template count, because the service then makes a name up.
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
