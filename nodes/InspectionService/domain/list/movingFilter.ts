import { textOf } from '../json';
import { compareTimestamps, timestampOf } from '../timestamp';
import type { InspectionRecord } from './inspectionPage';
import type { InspectionFilter } from './inspectionQuery';

/** The filter without status and time of update: an update of an inspection can change whether it passes these. */
export function withoutMovingFilters(filter: InspectionFilter): InspectionFilter {
	return { ...filter, status: undefined, updatedAfter: undefined, updatedBefore: undefined };
}

/** Whether a filter has parts that `withoutMovingFilters` takes off. */
export function hasMovingFilters({
	status,
	updatedAfter,
	updatedBefore,
}: InspectionFilter): boolean {
	const hasStatuses = status !== undefined && status.length > 0;
	return hasStatuses || updatedAfter !== undefined || updatedBefore !== undefined;
}

/** Whether a filter has parts that others may change and that only the service can judge. */
export function hasServiceFilters(filter: InspectionFilter): boolean {
	const { teamId, flaggedItemsOnly, templateControlIds = [] } = filter;
	return teamId !== undefined || flaggedItemsOnly === true || templateControlIds.length > 0;
}

/** Applies the filters that `withoutMovingFilters` takes off, as listInspections of docs/service.openapi.yaml would. */
export function passesMovingFilters(
	inspection: InspectionRecord,
	filter: InspectionFilter,
): boolean {
	return hasStatus(inspection, filter) && isUpdatedWithin(inspection, filter);
}

function hasStatus({ status }: InspectionRecord, filter: InspectionFilter): boolean {
	if (filter.status === undefined || filter.status.length === 0) return true;
	const name = textOf(status)?.toLowerCase();
	return filter.status.some((wanted) => wanted === name);
}

function isUpdatedWithin(
	{ updated_at }: InspectionRecord,
	{ updatedAfter, updatedBefore }: InspectionFilter,
): boolean {
	const after = timestampOf(updatedAfter);
	const before = timestampOf(updatedBefore);
	if (after === undefined && before === undefined) return true;
	const updated = timestampOf(updated_at);
	if (updated === undefined) return false;
	if (after !== undefined && compareTimestamps(updated, after) < 0) return false;
	return before === undefined || compareTimestamps(updated, before) <= 0;
}
