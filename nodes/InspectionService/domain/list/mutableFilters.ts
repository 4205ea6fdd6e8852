import { textOf } from '../json';
import { floorToDigitsOf, isLater, timestampOf } from '../timestamp';
import type { InspectionRecord } from './inspectionPage';
import { type InspectionFilter, isDataFiltered } from './inspectionQuery';

/**
 * Returns the filter without the status and the update time. An update can change whether an inspection matches these
 * two filters.
 */
export function withoutMutableFilters(filter: InspectionFilter): InspectionFilter {
	return { ...filter, status: undefined, updatedAfter: undefined, updatedBefore: undefined };
}

export function hasMutableFilters(filter: InspectionFilter): boolean {
	const { status = [], updatedAfter, updatedBefore } = filter;
	return status.length > 0 || updatedAfter !== undefined || updatedBefore !== undefined;
}

/**
 * Whether the filter contains a team, flagged items, or questions. An update can change whether an inspection matches
 * these filters, and only the service can check this.
 */
export function hasServiceFilters(filter: InspectionFilter): boolean {
	return filter.teamId !== undefined || isDataFiltered(filter);
}

/** Whether an inspection matches the filters that `withoutMutableFilters` removes, by the same rules as the service. */
export function passesMutableFilters(
	{ status, updated_at }: InspectionRecord,
	{ status: statuses = [], updatedAfter, updatedBefore }: InspectionFilter,
): boolean {
	const name = textOf(status)?.toLowerCase();
	if (statuses.length > 0 && !statuses.some((wanted) => wanted === name)) return false;
	const after = timestampOf(updatedAfter);
	const before = timestampOf(updatedBefore);
	if (after === undefined && before === undefined) return true;
	const updated = timestampOf(updated_at);
	if (updated === undefined) return false;
	// A service can store more digits than it sends, and compares the stored time.
	const isTooEarly = after && isLater(floorToDigitsOf(String(updated_at), after), updated);
	return isTooEarly !== true && !isLater(updated, before ?? updated);
}
