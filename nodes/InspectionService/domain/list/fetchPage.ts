import { cleanLine } from '../formatting';
import { textOf } from '../json';
import {
	addSeconds,
	compareTimestamps,
	floorToMs,
	isLater,
	type Timestamp,
	timestampOf,
} from '../timestamp';
import { shapeOf, UnexpectedResponseError } from '../unexpectedResponse';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import type { Include, InspectionFilter, InspectionPageQuery, SortBy } from './inspectionQuery';
import { type ListOrder, type TimeRange, withRange } from './timeRange';

export interface ListSource {
	/**
	 * Requests GET /v1/inspections and returns the inspections of one page. Returns an empty page for a page number after
	 * the last page.
	 */
	readonly list: (query: InspectionPageQuery) => Promise<InspectionPage>;
}

/** Parameters for reading a list: its source, filter, order, and page size. */
export interface Reading extends ListSource {
	readonly filter: InspectionFilter;
	readonly includes: readonly Include[];
	readonly order: ListOrder;
	readonly pageSize: number;
}

/**
 * Fetches one page of a range. In the result, `isLast` is true for an empty page, or if the service reports that a
 * short page is the last one.
 */
export async function fetchPage(
	{ list, filter, includes, order, pageSize: usual }: Reading,
	range: TimeRange,
	page = 1,
	pageSize = usual,
): Promise<InspectionPage> {
	const query = { ...withRange(filter, order.sortBy, range), ...order, page, pageSize };
	const fetched = await list(includes.length === 0 ? query : { ...query, includes });
	const { length } = fetched.inspections;
	return { ...fetched, isLast: length === 0 || (length < pageSize && fetched.isLast === true) };
}

/**
 * Whether page 1 contains the whole range. A short page 1 isn't enough proof, because the service can send shorter
 * pages than requested (a page cap). So page 2, requested with the length of page 1, must be empty. If the service
 * repeats its last page instead of sending an empty page, page 2 must be the same as page 1. Then the service must also
 * respect page numbers.
 */
export async function isCompleteRange(
	reading: Reading,
	range: TimeRange,
	{ inspections, isLast }: InspectionPage,
): Promise<boolean> {
	const { length } = inspections;
	if (length >= reading.pageSize) return false;
	if (isLast) return true;
	const page2 = await fetchPage({ ...reading, includes: [] }, range, 2, length);
	if (page2.inspections.length === 0) return true;
	return (
		areSame(page2.inspections, inspections) &&
		(await respectsPageNumbers(reading, range, inspections))
	);
}

/** Whether two pages contain the same inspections in the same order. */
export function areSame(
	page: readonly InspectionRecord[],
	other: readonly InspectionRecord[],
): boolean {
	return page.length === other.length && page.every(({ id }, index) => id === other[index]?.id);
}

/**
 * Whether the service uses the page number. Checked if page 2 was the same as page 1. Requests page 2 again, with a
 * page size that is smaller by one. A service that uses the number then sends the last inspection of page 1. A service
 * that ignores the number sends the first inspection of page 1.
 */
export async function respectsPageNumbers(
	reading: Reading,
	range: TimeRange,
	page1: readonly InspectionRecord[],
): Promise<boolean> {
	if (page1.length === 1) return true;
	const shifted = await fetchPage({ ...reading, includes: [] }, range, 2, page1.length - 1);
	return shifted.inspections[0]?.id !== page1[0]?.id;
}

/**
 * How far a time can be outside the requested range, in seconds. A service can round the bound of the filter (one
 * second) and truncate the time that it compares (one second).
 */
const COARSEST_FILTER_SECONDS = 2;

/**
 * Returns the time of each inspection on a page. Throws UnexpectedResponseError if an inspection has no time, or if the
 * service ignored the order or the range. After such a page, reading would skip inspections or never end.
 */
export function checkTimes(
	order: ListOrder,
	range: TimeRange,
	page: readonly InspectionRecord[],
): Timestamp[] {
	const { sortBy } = order;
	const times = page.map((inspection) => parseTime(inspection, sortBy));
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

function parseTime(inspection: InspectionRecord, sortBy: SortBy): Timestamp {
	const value = inspection[sortBy];
	const time = timestampOf(value);
	if (time !== undefined) return time;
	const text = textOf(value);
	const shown = text === undefined ? shapeOf(value) : `"${cleanLine(text, 100)}"`;
	throw new UnexpectedResponseError(
		`Inspection ${inspection.id} has no ISO 8601 timestamp under "${sortBy}" (${(value ?? '') === '' ? 'no value' : shown}). Without this timestamp, only one page of inspections can be read`,
	);
}

/**
 * Throws UnexpectedResponseError if the times aren't in order. Times within the same millisecond can have any order,
 * because a service might sort by fewer digits than it sends.
 */
function checkSorted({ sortBy, sortOrder }: ListOrder, times: readonly Timestamp[]): void {
	const sign = sortOrder === 'desc' ? -1 : 1;
	const isSorted = times.every((time, index) => {
		const previous = times[index - 1] ?? time;
		const isInOrder = compareTimestamps(previous, time) * sign <= 0;
		return isInOrder || floorToMs(previous) === floorToMs(time);
	});
	if (isSorted) return;
	throw new UnexpectedResponseError(
		`The service did not sort the list as requested (sort_by=${sortBy}, sort_order=${sortOrder}): continuing could skip inspections`,
	);
}
