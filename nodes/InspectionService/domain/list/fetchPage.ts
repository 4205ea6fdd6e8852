import { textOf } from '../json';
import { shapeOf, UnexpectedResponseError } from '../responseShape';
import { cleanLine } from '../shownText';
import {
	addSeconds,
	compareTimestamps,
	floorToMs,
	isLater,
	type Timestamp,
	timestampOf,
} from '../timestamp';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import type { Include, InspectionFilter, InspectionPageQuery, SortBy } from './inspectionQuery';
import { type ListOrder, type TimeRange, withRange } from './timeRange';

export interface ListSource {
	/** GET /v1/inspections: one page, the envelope already taken off. */
	readonly list: (query: InspectionPageQuery) => Promise<InspectionPage>;
}

export interface Reading extends ListSource {
	readonly filter: InspectionFilter;
	readonly includes: readonly Include[];
	readonly order: ListOrder;
	readonly pageSize: number;
}

/** `isLast` is true also for an empty page, and never for a full one. */
export async function fetchPage(
	{ list, filter, includes, order, pageSize: usual }: Reading,
	range: TimeRange,
	page = 1,
	pageSize = usual,
): Promise<InspectionPage> {
	const query = { ...withRange(filter, order.sortBy, range), ...order, page, pageSize };
	const answer = await list(includes.length === 0 ? query : { ...query, includes });
	const { length } = answer.inspections;
	return { ...answer, isLast: length === 0 || (length < pageSize && answer.isLast === true) };
}

/** Whether page 1 of a range holds all of it: behind a short page comes more where the service has a page cap. */
export async function isCompleteRange(
	reading: Reading,
	range: TimeRange,
	page: InspectionPage,
): Promise<boolean> {
	const { length } = page.inspections;
	if (length >= reading.pageSize) return false;
	if (page.isLast) return true;
	return (await fetchPage({ ...reading, includes: [] }, range, 2, length)).inspections.length === 0;
}

/** How far outside of a range an inspection may be: one second where the filter is rounded, one where its time is cut. */
const COARSEST_FILTER_SECONDS = 2;

/**
 * Returns the times of a page's inspections. Throws UnexpectedResponseError where one has no time, or the service has
 * ignored the order or the range: reading on from such a page would skip inspections or never end.
 */
export function checkTimes(
	order: ListOrder,
	range: TimeRange,
	page: readonly InspectionRecord[],
): Timestamp[] {
	const { sortBy } = order;
	const times = page.map((inspection) => timeOf(inspection, sortBy));
	checkSorted(order, times);
	const { after, before } = range;
	const lowest = after && addSeconds(after, -COARSEST_FILTER_SECONDS);
	const highest = before && addSeconds(before, COARSEST_FILTER_SECONDS);
	const tooEarly = lowest && times.find((time) => isLater(lowest, time));
	const outside = tooEarly ?? (highest && times.find((time) => isLater(time, highest)));
	if (outside === undefined) return times;
	const [end, bound] = tooEarly === undefined ? ['_before', before] : ['_after', after];
	throw new UnexpectedResponseError(
		`The service ignored ${sortBy.replace('_at', end)}=${bound ?? ''}: it sent an inspection with ${sortBy} ${outside}`,
	);
}

function timeOf(inspection: InspectionRecord, sortBy: SortBy): Timestamp {
	const value = inspection[sortBy];
	const time = timestampOf(value);
	if (time !== undefined) return time;
	const text = textOf(value);
	const shown = text === undefined ? shapeOf(value) : `"${cleanLine(text, 100)}"`;
	throw new UnexpectedResponseError(
		`Inspection ${inspection.id} has no ISO 8601 timestamp under "${sortBy}" (${(value ?? '') === '' ? 'no value' : shown}): more than one page cannot be read without it`,
	);
}

/** Times within one millisecond may come in any order, because a service may sort by fewer digits than it sends. */
function checkSorted({ sortBy, sortOrder }: ListOrder, times: readonly Timestamp[]): void {
	const sign = sortOrder === 'desc' ? -1 : 1;
	const isSorted = times.every((time, index) => {
		const previous = times[index - 1] ?? time;
		const isInOrder = compareTimestamps(previous, time) * sign <= 0;
		return isInOrder || floorToMs(previous) === floorToMs(time);
	});
	if (isSorted) return;
	throw new UnexpectedResponseError(
		`The service did not sort the list as asked (sort_by=${sortBy}, sort_order=${sortOrder}): reading on could skip inspections`,
	);
}
