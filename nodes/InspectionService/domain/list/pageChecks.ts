import { textOf } from '../json';
import { shapeOf, UnexpectedResponseError } from '../responseShape';
import { cleanLine } from '../shownText';
import {
	addSeconds,
	compareTimestamps,
	floorToMs,
	msSinceEpoch,
	type Timestamp,
	timestampOf,
} from '../timestamp';
import type { InspectionRecord } from './inspectionPage';
import type { SortBy } from './inspectionQuery';
import type { KeyRange, ListOrder } from './keyRange';

/**
 * How far outside of the range an inspection may be. A service that compares whole seconds may send it from up to one
 * second outside because it rounds the filter, and from one more because it cuts the inspection's time. Example: asked
 * for updated_after=10:00:30.9, it sends 10:00:30.1. An inspection further away shows that the filter was ignored.
 */
const COARSEST_FILTER_SECONDS = 2;

/**
 * The times of a page's inspections, after a check. Throws UnexpectedResponseError where an inspection has no time, or
 * where the service has ignored the order or the range that it was asked for: reading on from such a page would skip
 * inspections or never end.
 */
export function timesOfPage(
	order: ListOrder,
	range: KeyRange,
	page: readonly InspectionRecord[],
): Timestamp[] {
	const times = page.map((inspection) => timeOf(inspection, order.sortBy));
	assertSorted(order, times);
	assertInRange(order.sortBy, range, times);
	return times;
}

/**
 * How many milliseconds the next page probably spans, at least 1. It is told by the later half of a page, because the next
 * page is more like that half.
 */
export function spanOf(times: readonly Timestamp[]): number {
	const middle = Math.floor((times.length - 1) / 2);
	const [from, to] = [times[middle], times.at(-1)];
	if (from === undefined || to === undefined || from === to) return 1;
	const between = Math.abs(msSinceEpoch(to) - msSinceEpoch(from));
	return Math.max(1, (between * (times.length - 1)) / (times.length - 1 - middle));
}

function timeOf(inspection: InspectionRecord, sortBy: SortBy): Timestamp {
	const time = timestampOf(inspection[sortBy]);
	if (time !== undefined) return time;
	throw new UnexpectedResponseError(
		`Inspection ${inspection.id} has no ISO 8601 timestamp under "${sortBy}" (${shownTime(inspection[sortBy])}): more than one page cannot be read without it`,
	);
}

/** Times within one millisecond may come in any order, because a service may sort by fewer digits than it sends. */
function assertSorted({ sortBy, sortOrder }: ListOrder, times: readonly Timestamp[]): void {
	const sign = sortOrder === 'desc' ? -1 : 1;
	const isSorted = times.every((time, index) => {
		const previous = times[index - 1];
		if (previous === undefined || compareTimestamps(previous, time) * sign <= 0) return true;
		return floorToMs(previous) === floorToMs(time);
	});
	if (isSorted) return;
	throw new UnexpectedResponseError(
		`The service did not sort the list as asked (sort_by=${sortBy}, sort_order=${sortOrder}): reading on could skip inspections`,
	);
}

function assertInRange(sortBy: SortBy, range: KeyRange, times: readonly Timestamp[]): void {
	const lowest = range.after && addSeconds(range.after, -COARSEST_FILTER_SECONDS);
	const highest = range.before && addSeconds(range.before, COARSEST_FILTER_SECONDS);
	for (const time of times) {
		if (lowest && compareTimestamps(time, lowest) < 0) throw ignored(sortBy, 'after', range, time);
		if (highest && compareTimestamps(time, highest) > 0)
			throw ignored(sortBy, 'before', range, time);
	}
}

function ignored(
	sortBy: SortBy,
	end: 'after' | 'before',
	range: KeyRange,
	time: Timestamp,
): UnexpectedResponseError {
	const parameter = sortBy.replace('_at', `_${end}`);
	return new UnexpectedResponseError(
		`The service ignored ${parameter}=${range[end] ?? ''}: it sent an inspection with ${sortBy} ${time}`,
	);
}

/** The value for a message: text as it is, and only the shape of anything else, which may be nested deep. */
function shownTime(value: unknown): string {
	if (value === undefined || value === null || value === '') return 'no value';
	const text = textOf(value);
	return text === undefined ? shapeOf(value) : `"${cleanLine(text, 100)}"`;
}
