import { InputError } from '../inputError';
import {
	addSeconds,
	ceilToSecond,
	earliestOf,
	floorToSecond,
	isLater,
	laterOf,
	type Timestamp,
	timestampOf,
} from '../timestamp';
import type { InspectionFilter, SortBy, SortOrder } from './inspectionQuery';

/** The order of a list. Its ranges apply to the time `sortBy`. */
export interface ListOrder {
	readonly sortBy: SortBy;
	readonly sortOrder: SortOrder;
}

/** A range of the time that a list is sorted by. Includes both ends. */
export interface TimeRange {
	readonly after?: Timestamp | undefined;
	readonly before?: Timestamp | undefined;
}

const RANGE_FILTERS = {
	created_at: { after: 'createdAfter', before: 'createdBefore' },
	updated_at: { after: 'updatedAfter', before: 'updatedBefore' },
} as const;

/** Returns the range of the time `sortBy` in a filter. Throws InputError if a bound isn't an ISO 8601 timestamp. */
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

export function isEmptyRange({ after, before }: TimeRange): boolean {
	return after !== undefined && before !== undefined && isLater(after, before);
}

interface Remainder {
	/** A second that a page didn't get past. Read it by page number, before `rest`. */
	readonly tiedSecond?: { readonly second: Timestamp; readonly range: TimeRange };
	readonly rest?: TimeRange | undefined;
}

/**
 * Returns the rest of a range after its page 1, whose last inspection has the time `last`. `first` is the time of the
 * first inspection of a full page. If such a page didn't get past one second, more inspections can share that second
 * than fit on a page.
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
	const rest = isFalling ? { ...range, before: ceilToSecond(last) } : { ...range, after: second };
	if (!isOneSecond && isShorter(rest, range)) return { rest };
	// A page in descending order can contain only the instant `before`, a whole second. So also read the second before
	// it.
	const isAtEnd = isFalling && second === range.before;
	const begin = isAtEnd ? addSeconds(second, -1) : second;
	const after = begin && laterOf(range.after ?? begin, begin);
	const before = earliestOf([range.before, begin && addSeconds(begin, 1)]);
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
