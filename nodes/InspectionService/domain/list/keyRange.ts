import { InputError } from '../inputError';
import {
	addSeconds,
	ceilToSecond,
	compareTimestamps,
	earlierOf,
	floorToSecond,
	laterOf,
	type Timestamp,
	timestampOf,
} from '../timestamp';
import type { InspectionFilter, SortBy, SortOrder } from './inspectionQuery';

/** How a list is sorted; `sortBy` is also the time that its ranges are made of. */
export interface ListOrder {
	readonly sortBy: SortBy;
	readonly sortOrder: SortOrder;
}

/** A range of the time that a list is sorted by. Both ends are included (the filters of listInspections of docs/service.openapi.yaml). */
export interface KeyRange {
	readonly after?: Timestamp | undefined;
	readonly before?: Timestamp | undefined;
}

const FILTERS = {
	created_at: { after: 'createdAfter', before: 'createdBefore' },
	updated_at: { after: 'updatedAfter', before: 'updatedBefore' },
} as const;

/** The range of the time `sortBy` in a filter. Throws InputError where a bound is no ISO 8601 timestamp. */
export function rangeOf(filter: InspectionFilter, sortBy: SortBy): KeyRange {
	const names = FILTERS[sortBy];
	return { after: boundOf(filter, names.after), before: boundOf(filter, names.before) };
}

/** The filter with this range of the time `sortBy` instead of its own. */
export function withRange(
	filter: InspectionFilter,
	sortBy: SortBy,
	{ after, before }: KeyRange,
): InspectionFilter {
	const names = FILTERS[sortBy];
	return { ...filter, [names.after]: after, [names.before]: before };
}

export function isEmptyRange({ after, before }: KeyRange): boolean {
	return after !== undefined && before !== undefined && compareTimestamps(after, before) > 0;
}

/** A second that holds more inspections than a page. */
export interface FullSecond {
	readonly second: Timestamp;
	/** The part of the second that is to be read. */
	readonly range: KeyRange;
}

/** What is left of a range. Undefined members: nothing. */
export interface Remainder {
	/** To be read by page number, before the rest. */
	readonly fullSecond?: FullSecond;
	readonly rest?: KeyRange | undefined;
}

/**
 * What is left of a range after page 1 of it, whose last inspection has the time `last`. The rest begins on a whole
 * second, because also a service that cuts times to the second compares whole seconds right. The inspections of that
 * second come again, and are told apart by their ids. Where the page did not get beyond one second, more inspections
 * may share that second than a page holds: `first` is the time of its first inspection where it is a full page. Example: after a page that ends with 10:00:30.4 the rest begins with 10:00:30.
 */
export function remainderAfter(
	order: ListOrder,
	range: KeyRange,
	last: Timestamp,
	first?: Timestamp,
): Remainder {
	const rest = restFrom(order, range, last);
	const isOneSecond = first !== undefined && floorToSecond(first) === floorToSecond(last);
	if (rest !== undefined && !isOneSecond) return { rest };
	const fullSecond = fullSecondAt(order, range, last);
	return { fullSecond, rest: restAfter(order, range, fullSecond.range) };
}

/** What is left of a range from the second of `last` on; undefined where that is all of the range. */
function restFrom(
	{ sortOrder }: ListOrder,
	range: KeyRange,
	last: Timestamp,
): KeyRange | undefined {
	if (sortOrder === 'desc') {
		const before = ceilToSecond(last);
		return before && isFurther(range.before, before) ? { ...range, before } : undefined;
	}
	const after = floorToSecond(last);
	return isFurther(after, range.after) ? { ...range, after } : undefined;
}

/**
 * The second of `last`, without what lies outside of `range`. Example: 10:00:30.4 gives 10:00:30 to 10:00:31. A list in
 * falling order whose range ends exactly with 10:00:30 is different: the page could not get beyond that one instant, so
 * the second before it has to be read, from 10:00:29 to 10:00:30.
 */
function fullSecondAt({ sortOrder }: ListOrder, range: KeyRange, last: Timestamp): FullSecond {
	const second = floorToSecond(last);
	const isAtEnd = sortOrder === 'desc' && second === range.before;
	const after = isAtEnd ? addSeconds(second, -1) : second;
	return { second, range: narrowed(range, { after, before: after && addSeconds(after, 1) }) };
}

/** The part that two ranges have in common. */
function narrowed(range: KeyRange, by: KeyRange): KeyRange {
	const after =
		range.after && by.after ? laterOf(range.after, by.after) : (range.after ?? by.after);
	const before =
		range.before && by.before ? earlierOf(range.before, by.before) : (range.before ?? by.before);
	return { after, before };
}

/** What is left of a range after a second of it; undefined for nothing. */
function restAfter(
	{ sortOrder }: ListOrder,
	range: KeyRange,
	second: KeyRange,
): KeyRange | undefined {
	const isFalling = sortOrder === 'desc';
	const { after, before } = isFalling
		? { after: range.after, before: second.after }
		: { after: second.before, before: range.before };
	if ((isFalling ? before : after) === undefined) return undefined;
	const isOpen = after === undefined || before === undefined;
	return isOpen || compareTimestamps(after, before) < 0 ? { after, before } : undefined;
}

function boundOf(
	filter: InspectionFilter,
	name: 'createdAfter' | 'createdBefore' | 'updatedAfter' | 'updatedBefore',
): Timestamp | undefined {
	const text = filter[name];
	if (text === undefined) return undefined;
	const moment = timestampOf(text);
	if (moment !== undefined) return moment;
	throw new InputError(`${name}: "${text}" is not a date and time such as 2026-01-31T09:00:00Z`);
}

function isFurther(candidate: Timestamp | undefined, than: Timestamp | undefined): boolean {
	if (candidate === undefined || than === undefined) return true;
	return compareTimestamps(candidate, than) > 0;
}
