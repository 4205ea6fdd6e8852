import { cleanLine } from '../formatting';
import { textOf } from '../json';
import {
	addSeconds,
	compareTimestamps,
	floorToMs,
	floorToSecond,
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
export interface OrderedList extends ListSource {
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
	{ list, filter, includes, order, pageSize: usual }: OrderedList,
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
 * The smallest result window to expect. Chosen: the smallest page cap in the tests. For fewer inspections of one second,
 * a request in the opposite order isn't worth its time.
 */
const MIN_WINDOW = 10;

/**
 * Whether page 1 contains the whole range. A short page 1 isn't enough proof, because the service can send shorter
 * pages than requested (a page cap). So page 1 in the opposite order must contain the same inspections. Then no
 * inspection is left between the two ends.
 *
 * Two cases need page 2 instead, requested with the length of page 1. If all inspections are of one second, their order
 * can be the same in both requests. Or the service ignores the order.
 */
export async function isCompleteRange(
	whole: OrderedList,
	range: TimeRange,
	{ inspections, isLast }: InspectionPage,
): Promise<boolean> {
	const { length } = inspections;
	if (length >= whole.pageSize) return false;
	if (isLast) return true;
	const reading = { ...whole, includes: [] };
	const { order } = reading;
	// Undefined if the service sends the opposite page in a different order than requested.
	const isSameFromOtherEnd = async () => {
		const opposite = oppositeOf(reading);
		const page = (await fetchPage(opposite, range)).inspections;
		if (!areInOrder(opposite.order, knownTimes(order, page))) return undefined;
		return areSame(order, page, inspections);
	};
	const isTied = new Set(knownTimes(order, inspections).map(floorToSecond)).size <= 1;
	const isSame = isTied ? undefined : await isSameFromOtherEnd();
	if (isSame !== undefined) return isSame;
	const page2 = await fetchPage(reading, range, 2, length);
	// A service can repeat its last page instead of sending an empty page.
	const isRepeated = areSame(order, page2.inspections, inspections);
	if (page2.inspections.length > 0 && !isRepeated) return false;
	if (isRepeated && !(await respectsPageNumbers(reading, range, length))) return false;
	if (!isTied || length < MIN_WINDOW) return true;
	return (await isSameFromOtherEnd()) ?? true;
}

function knownTimes({ sortBy }: ListOrder, page: readonly InspectionRecord[]): Timestamp[] {
	return page.flatMap((inspection) => timestampOf(inspection[sortBy]) ?? []);
}

export function oppositeOf(reading: OrderedList): OrderedList {
	const { sortBy, sortOrder } = reading.order;
	return { ...reading, order: { sortBy, sortOrder: sortOrder === 'asc' ? 'desc' : 'asc' } };
}

/** Whether two pages contain the same versions of the same inspections, in any order. */
export function areSame(
	order: ListOrder,
	page: readonly InspectionRecord[],
	other: readonly InspectionRecord[],
): boolean {
	const versions = new Set(versionsOf(order, page));
	return page.length === other.length && versionsOf(order, other).every((one) => versions.has(one));
}

/** Returns a text for each inspection that identifies its version: the ID, and the time if it has one. */
export function versionsOf({ sortBy }: ListOrder, page: readonly InspectionRecord[]): string[] {
	return page.map((inspection) => `${inspection.id} ${textOf(inspection[sortBy]) ?? ''}`);
}

/**
 * Whether the service uses the page number. Checked if page 2 had the same `length` inspections as page 1. Requests
 * page 2 again, with a page size that is smaller by one. A service that repeats its last page then sends one
 * inspection. A service that ignores the number sends more.
 */
export async function respectsPageNumbers(
	reading: OrderedList,
	range: TimeRange,
	length: number,
): Promise<boolean> {
	// With two inspections, the two services can't be told apart. A page cap of two isn't realistic.
	if (length <= 2) return true;
	const shifted = await fetchPage({ ...reading, includes: [] }, range, 2, length - 1);
	return shifted.inspections.length === 1;
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
	if (!areInOrder(order, times)) {
		throw new UnexpectedResponseError(
			`The service did not sort the list as requested (sort_by=${sortBy}, sort_order=${order.sortOrder}): continuing could skip inspections`,
		);
	}
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

/** Times within the same millisecond can have any order, because a service might sort by fewer digits than it sends. */
function areInOrder({ sortOrder }: ListOrder, times: readonly Timestamp[]): boolean {
	const sign = sortOrder === 'desc' ? -1 : 1;
	return times.every((time, index) => {
		const previous = times[index - 1] ?? time;
		const isInOrder = compareTimestamps(previous, time) * sign <= 0;
		return isInOrder || floorToMs(previous) === floorToMs(time);
	});
}
