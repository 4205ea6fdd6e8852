import { InputError } from '../inputError';
import {
	addSeconds,
	earliestOf,
	floorToSecond,
	isLater,
	laterOf,
	type Timestamp,
	timestampOf,
} from '../timestamp';
import type { InspectionFilter, SortBy, SortOrder } from './inspectionQuery';

/** The order of a list: the field to sort by, and the direction. */
export interface ListOrder {
	readonly sortBy: SortBy;
	readonly sortOrder: SortOrder;
}

/** A range of the time that the list is sorted by. Both ends belong to the range. */
export interface TimeRange {
	readonly after?: Timestamp | undefined;
	readonly before?: Timestamp | undefined;
}

const RANGE_FILTERS = {
	created_at: { after: 'createdAfter', before: 'createdBefore' },
	updated_at: { after: 'updatedAfter', before: 'updatedBefore' },
} as const;

/**
 * Returns the range in a filter for the time that the list is sorted by. Throws InputError if a bound isn't an ISO 8601
 * timestamp.
 */
export function rangeOf(filter: InspectionFilter, sortBy: SortBy): TimeRange {
	const { after, before } = RANGE_FILTERS[sortBy];
	return { after: boundOf(after, filter[after]), before: boundOf(before, filter[before]) };
}

function boundOf(name: string, text: string | undefined): Timestamp | undefined {
	const moment = timestampOf(text);
	if (text === undefined || moment !== undefined) return moment;
	throw new InputError(`${name}: "${text}" is not a date and time such as 2026-01-31T09:00:00Z`);
}

export function withRange(
	filter: InspectionFilter,
	sortBy: SortBy,
	{ after, before }: TimeRange,
): InspectionFilter {
	const names = RANGE_FILTERS[sortBy];
	return { ...filter, [names.after]: after, [names.before]: before };
}

/**
 * Returns the upper bound for a request that must include all inspections up to `shown`, a time from a response: the
 * end of its second. A service can store and compare more digits than it sends, so `…:05Z` can be `…:05.7`. Requests
 * with this bound can return inspections again, so callers recognize inspections by ID. Undefined after the year 9999.
 */
export function upperBoundFor(shown: Timestamp): Timestamp | undefined {
	return addSeconds(floorToSecond(shown), 1);
}

export function isEmptyRange({ after, before }: TimeRange): boolean {
	return after !== undefined && before !== undefined && isLater(after, before);
}

interface Remainder {
	/** A whole second whose inspections fill the page. Read it by page number, before `rest`. */
	readonly tiedSecond?: { readonly second: Timestamp; readonly range: TimeRange };
	readonly rest?: TimeRange | undefined;
}

/**
 * Returns the unread part of a range after its page 1. `last` is the time of the last inspection on page 1. `first` is
 * the time of its first inspection, or undefined if the page is short. If a full page contains only one whole second,
 * more inspections can have this time than fit on a page (`tiedSecond`).
 */
export function nextRange(
	{ sortOrder }: ListOrder,
	range: TimeRange,
	last: Timestamp,
	first?: Timestamp,
): Remainder {
	const isFalling = sortOrder === 'desc';
	const second = floorToSecond(last);
	const isOneSecond = first !== undefined && floorToSecond(first) === second;
	const rest = isFalling ? { ...range, before: upperBoundFor(last) } : { ...range, after: second };
	if (!isOneSecond && isShorter(rest, range)) return { rest };
	// In descending order, all inspections of the page can have exactly the time `before`, a whole second. Then also read
	// the second before it. Otherwise, the rest would be the same range again.
	const isAtEnd = isFalling && second === range.before;
	const begin = isAtEnd ? addSeconds(second, -1) : second;
	const after = begin && laterOf(range.after ?? begin, begin);
	const before = earliestOf([range.before, begin && upperBoundFor(begin)]);
	const tiedSecond = { second, range: { after, before } };
	const [edge, end] = isFalling ? [after, range.after] : [before, range.before];
	if (edge === undefined || edge === end) return { tiedSecond, rest: undefined };
	return { tiedSecond, rest: isFalling ? { ...range, before: edge } : { ...range, after: edge } };
}

function isShorter(range: TimeRange, whole: TimeRange): boolean {
	const { after, before } = range;
	const isLaterBegin = after !== undefined && (!whole.after || isLater(after, whole.after));
	const isEarlierEnd = before !== undefined && (!whole.before || isLater(whole.before, before));
	return isLaterBegin || isEarlierEnd;
}
