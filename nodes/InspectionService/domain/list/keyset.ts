import { InputError } from '../inputError';
import { textOf } from '../json';
import { shapeOf } from '../request/responseShape';
import { cleanLine } from '../shownText';
import type { InspectionRecord } from './inspectionPage';
import type { InspectionFilter, SortBy, SortOrder } from './inspectionQuery';
import {
	addSeconds,
	ceilToSecond,
	compareTimestamps,
	earlierOf,
	floorToMs,
	floorToSecond,
	laterOf,
	msSinceEpoch,
	timestampOf,
	timestampOfMs,
	type Timestamp,
} from '../timestamp';
import { UnexpectedResponseError } from '../unexpectedResponse';

/**
 * Reading a list by keyset: every request is page 1 of a range of the sort key, and the next range starts where
 * the page ended. Nothing that others do to the list moves a row from an unread page to a read one.
 *
 * How exactly the service compares dates is not shown. Bounds are therefore rounded outwards to a millisecond
 * or a second, so that a service that cuts its filter dates to either loses nothing; what is read twice is told
 * apart by id. Where it cuts its inspections' times instead, a bound within a second leaves out what it should
 * include: see `BoundTrust`.
 */
export interface KeysetOrder {
	readonly sortBy: SortBy;
	readonly sortOrder: SortOrder;
}

/** A range of the sort key, both ends included, as the interface's filters have it. */
export interface KeyRange {
	readonly after?: Timestamp | undefined;
	readonly before?: Timestamp | undefined;
}

/**
 * What rounding to the second can move a row beyond its range: less than one second by the filter, less than
 * one more where the row's own time is cut too.
 */
const COARSEST_FILTER_SECONDS = 2;
/** Rows of a page that may be read again for the sake of a bound on a whole second, which any service gets right. */
const MAX_REREAD_SHARE = 0.25;

const FILTERS = {
	created_at: { after: 'createdAfter', before: 'createdBefore' },
	updated_at: { after: 'updatedAfter', before: 'updatedBefore' },
} as const;

/** The range a filter leaves of a sort key. Throws InputError where a bound is no ISO 8601 timestamp. */
export function rangeOf(filter: InspectionFilter, sortBy: SortBy): KeyRange {
	const names = FILTERS[sortBy];
	return { after: bound(filter, names.after), before: bound(filter, names.before) };
}

/** The filter narrowed to a range of the sort key. */
export function withRange(
	filter: InspectionFilter,
	sortBy: SortBy,
	range: KeyRange,
): InspectionFilter {
	const names = FILTERS[sortBy];
	return { ...filter, [names.after]: range.after, [names.before]: range.before };
}

export function isEmptyRange({ after, before }: KeyRange): boolean {
	return after !== undefined && before !== undefined && compareTimestamps(after, before) > 0;
}

/**
 * A page's values of the sort key, checked against what was asked for.
 * Throws UnexpectedResponseError where an inspection has no such time, or where order or range were ignored:
 * going on from such a page would skip inspections or never end.
 */
export function keysOfPage(
	order: KeysetOrder,
	range: KeyRange,
	page: readonly InspectionRecord[],
): Timestamp[] {
	const keys = page.map((inspection) => keyOf(inspection, order.sortBy));
	assertSorted(order, keys);
	assertInRange(order.sortBy, range, keys);
	return keys;
}

/**
 * What is left of a range behind a full page; possibly empty. Undefined where the page's last time is no
 * further than the range's start: more inspections share one time than a page holds.
 */
export function rangeBehind(
	order: KeysetOrder,
	range: KeyRange,
	keys: readonly Timestamp[],
): KeyRange | undefined {
	const last = keys.at(-1);
	if (last === undefined) return undefined;
	if (order.sortOrder === 'desc') {
		const before = ceilToSecond(last);
		return isFurther(range.before, before) ? { ...range, before } : undefined;
	}
	const after = lowerBounds(keys, last).find((candidate) => isFurther(candidate, range.after));
	return after === undefined ? undefined : { ...range, after };
}

/**
 * The second of a moment as far as it lies in a range: to be read whole by page number where bounds within it cannot
 * be trusted. The end is the next whole second, which no rounding of the service brings before the moment.
 */
export function secondRange({ after, before }: KeyRange, moment: Timestamp): KeyRange {
	const second = floorToSecond(moment);
	return { after: latest(second, after), before: earliest(addSeconds(second, 1), before) };
}

/** The part of a range that a page without progress lies in: to be read whole by page number. */
export function tieRange(
	order: KeysetOrder,
	range: KeyRange,
	keys: readonly Timestamp[],
): KeyRange {
	const last = keys.at(-1);
	if (last === undefined) return range;
	const { after, before } = range;
	if (order.sortOrder === 'desc') {
		const second = floorToSecond(last);
		const start = isFurther(before, second) ? second : addSeconds(second, -1);
		return { after: latest(start, after), before };
	}
	const isCoarse = after !== undefined && keys.some((key) => compareTimestamps(key, after) < 0);
	const end = isCoarse
		? addSeconds(floorToSecond(laterOf(last, after)), 1)
		: timestampOfMs(msSinceEpoch(last) + 1);
	return { after: after ?? floorToMs(last), before: earliest(end, before) };
}

/** What is left of a range once its ties have been read; undefined where they reached its end. */
export function rangeBehindTies(
	order: KeysetOrder,
	range: KeyRange,
	ties: KeyRange,
): KeyRange | undefined {
	const rest =
		order.sortOrder === 'desc'
			? { ...range, before: ties.after }
			: { ...range, after: ties.before };
	const { after, before } = rest;
	const isOpen = after === undefined || before === undefined;
	return isOpen || compareTimestamps(after, before) < 0 ? rest : undefined;
}

function bound(
	filter: InspectionFilter,
	name: 'createdAfter' | 'createdBefore' | 'updatedAfter' | 'updatedBefore',
): Timestamp | undefined {
	const text = filter[name];
	if (text === undefined) return undefined;
	const moment = timestampOf(text);
	if (moment !== undefined) return moment;
	throw new InputError(`${name}: "${text}" is not a date and time such as 2026-01-31T09:00:00Z`);
}

function keyOf(inspection: InspectionRecord, sortBy: SortBy): Timestamp {
	const key = timestampOf(inspection[sortBy]);
	if (key !== undefined) return key;
	throw new UnexpectedResponseError(
		`Inspection ${inspection.id} has no ISO 8601 timestamp under "${sortBy}" (${shownTime(inspection[sortBy])}): more than one page cannot be read without it`,
	);
}

/** Whole seconds first, where they do not cost many rows: no rounding of any service can lose a row there. */
function lowerBounds(keys: readonly Timestamp[], last: Timestamp): Timestamp[] {
	const second = floorToSecond(last);
	const reread = keys.filter((key) => compareTimestamps(key, second) >= 0).length;
	const ms = floorToMs(last);
	return reread <= keys.length * MAX_REREAD_SHARE ? [second, ms] : [ms];
}

function isFurther(candidate: Timestamp | undefined, than: Timestamp | undefined): boolean {
	if (candidate === undefined || than === undefined) return true;
	return compareTimestamps(candidate, than) > 0;
}

/** Undefined stands for no bound. */
function latest(a: Timestamp | undefined, b: Timestamp | undefined): Timestamp | undefined {
	return a === undefined || b === undefined ? (a ?? b) : laterOf(a, b);
}

/** Undefined stands for no bound. */
function earliest(a: Timestamp | undefined, b: Timestamp | undefined): Timestamp | undefined {
	return a === undefined || b === undefined ? (a ?? b) : earlierOf(a, b);
}

/** Order is looked at by the millisecond: below that a service may sort by less than it stores. */
function assertSorted({ sortBy, sortOrder }: KeysetOrder, keys: readonly Timestamp[]): void {
	const sign = sortOrder === 'desc' ? -1 : 1;
	const isSorted = keys.every((key, index) => {
		const previous = keys[index - 1];
		if (previous === undefined || compareTimestamps(previous, key) * sign <= 0) return true;
		return floorToMs(previous) === floorToMs(key);
	});
	if (isSorted) return;
	throw new UnexpectedResponseError(
		`The service did not sort the list as asked (sort_by=${sortBy}, sort_order=${sortOrder}): reading on could skip inspections`,
	);
}

function assertInRange(sortBy: SortBy, range: KeyRange, keys: readonly Timestamp[]): void {
	const lowest = range.after && addSeconds(range.after, -COARSEST_FILTER_SECONDS);
	const highest = range.before && addSeconds(range.before, COARSEST_FILTER_SECONDS);
	for (const key of keys) {
		if (lowest && compareTimestamps(key, lowest) < 0) throw ignored(sortBy, 'after', range, key);
		if (highest && compareTimestamps(key, highest) > 0) throw ignored(sortBy, 'before', range, key);
	}
}

function ignored(
	sortBy: SortBy,
	end: 'after' | 'before',
	range: KeyRange,
	key: Timestamp,
): UnexpectedResponseError {
	const parameter = sortBy.replace('_at', `_${end}`);
	return new UnexpectedResponseError(
		`The service ignored ${parameter}=${range[end] ?? ''}: it sent an inspection with ${sortBy} ${key}`,
	);
}

/** A value nested deep cannot be written out. */
function shownTime(value: unknown): string {
	const text = textOf(value);
	return text === undefined ? shapeOf(value) : `"${cleanLine(text, 100)}"`;
}
