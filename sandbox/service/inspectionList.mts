/**
 * The list of listInspections as pure rules: filters, order, pages, and the end. The sandbox uses them, and so do the
 * tests' models of a changing list.
 */
import type { Status } from './model.mts';
import { floorTo, type Ticks, TICKS_PER_MS, ticksOf } from './time.mts';

/** What the list has to know of an inspection. */
export interface ListedInspection {
	readonly id: string;
	readonly status: Status;
	readonly createdAt: Ticks;
	readonly updatedAt: Ticks;
}

/** The filters of listInspections that every kind of inspection has. */
export interface ListFilters {
	status?: readonly Status[] | undefined;
	updated_after?: string | undefined;
	updated_before?: string | undefined;
	created_after?: string | undefined;
	created_before?: string | undefined;
}

export interface ListQuery extends ListFilters {
	page: number;
	page_size: number;
	sort_by: 'updated_at' | 'created_at';
	sort_order: 'asc' | 'desc';
}

/** How the service compares times. The service's document leaves it open. */
export interface Precision {
	/** Precision of the dates in a filter, which are truncated, or rounded to the nearest ms. */
	readonly filters: 'full' | 'ms' | 'nearest ms' | 's';
	/** Precision of an inspection's own times when they are compared. */
	readonly times: 'full' | 'ms' | 's';
}

export const EXACT: Precision = { filters: 'full', times: 'full' };

/** Behavior at the end of a list. The service's document leaves it open, so each variant is legal. */
export interface ListEnds {
	/** Maximum inspections on a page, whatever page_size requests. Null: no limit. */
	readonly pageCap: number | null;
	/** Number of results that any query can reach. Null: all. */
	readonly resultWindow: number | null;
	/** Pages that start at this result or later get a 400. Null: no limit. */
	readonly offsetLimit: number | null;
	/** The response for a page after the last one. */
	readonly afterLastPage: 'empty' | 'repeated' | 'null' | '204' | '404' | '400';
}

/** The response for a page without inspections. */
export type NoPage = 'null' | '204' | '404' | '400';

/** What a service can do differently, and what a caller adds. */
export interface ListRules<Row> extends Partial<ListEnds> {
	precision?: Precision;
	/** Sorts equal times, ascending in both orders of the list. Without it, or if its values are equal, IDs decide. */
	tieOf?: ((row: Row) => number) | undefined;
	/** Further filters. */
	filters?: readonly ((row: Row) => boolean)[];
}

/** An inspection's times, and the parameters that filter them. */
const TIMES = {
	created_at: { key: 'createdAt', after: 'created_after', before: 'created_before' },
	updated_at: { key: 'updatedAt', after: 'updated_after', before: 'updated_before' },
} as const;

/** Returns the status and time filters of a query. Compares times at the precision of the service. */
export function filtersOf(
	query: ListFilters,
	precision: Precision,
): ((row: ListedInspection) => boolean)[] {
	const { status = [] } = query;
	const hasStatus = ({ status: own }: ListedInspection) => status.includes(own);
	const isInTime = Object.values(TIMES).flatMap(({ key, after, before }) => {
		const range = rangeOf(query[after], query[before], precision);
		return range ? [(row: ListedInspection) => range(row[key]) === 0] : [];
	});
	return status.length > 0 ? [hasStatus, ...isInTime] : isInTime;
}

/** The inspections at one moment. Sorts once for each order. */
export class InspectionList<Row extends ListedInspection> {
	private readonly rows: readonly Row[];
	private readonly ordered = new Map<string, readonly Row[]>();

	constructor(rows: Iterable<Row>) {
		this.rows = [...rows];
	}

	/** A page, and how many inspections its query finds. */
	page(
		query: ListQuery,
		rules: ListRules<Row> = {},
	): { rows: readonly Row[] | NoPage; found: number } {
		const found = this.find(query, rules);
		return { rows: pageAtEnds(found, query, rules), found: found.length };
	}

	/** All inspections in an order. */
	sorted({ sort_by, sort_order }: Pick<ListQuery, 'sort_by' | 'sort_order'>): readonly Row[] {
		const order = `${sort_by} ${sort_order}`;
		const known = this.ordered.get(order) ?? sortedRows(this.rows, sort_by, sort_order);
		this.ordered.set(order, known);
		return known;
	}

	private find(
		query: ListQuery,
		{ precision = EXACT, tieOf, filters = [] }: ListRules<Row>,
	): readonly Row[] {
		const { sort_by, sort_order } = query;
		const rows = tieOf ? sortedRows(this.rows, sort_by, sort_order, tieOf) : this.sorted(query);
		const { after, before } = TIMES[sort_by];
		const range = rangeOf(query[after], query[before], precision);
		const others = filtersOf({ ...query, [after]: undefined, [before]: undefined }, precision);
		const inRange = range ? sliceOf(rows, query, range) : rows;
		return [...others, ...filters].reduce((left, filter) => left.filter(filter), inRange);
	}
}

function sortedRows<Row extends ListedInspection>(
	rows: readonly Row[],
	sortBy: ListQuery['sort_by'],
	sortOrder: ListQuery['sort_order'],
	tieOf: (row: Row) => number = () => 0,
): readonly Row[] {
	const later = sortOrder === 'desc' ? -1 : 1;
	return rows
		.map((row) => ({ row, time: row[TIMES[sortBy].key], tie: tieOf(row) }))
		.sort((a, b) => {
			if (a.time !== b.time) return a.time > b.time ? later : -later;
			return a.tie - b.tie || (a.row.id > b.row.id ? 1 : -1);
		})
		.map(({ row }) => row);
}

/** Tells whether a time is before a range (-1), in it (0), or after it (1). Undefined for a range without bounds. */
function rangeOf(after: string | undefined, before: string | undefined, precision: Precision) {
	if (after === undefined && before === undefined) return undefined;
	const [from, to] = [after, before].map((text) =>
		text === undefined ? undefined : boundOf(ticksOf(text), precision.filters),
	);
	return (time: Ticks) => {
		const compared = floorTo(time, precision.times);
		if (from !== undefined && compared < from) return -1;
		return to !== undefined && compared > to ? 1 : 0;
	};
}

function boundOf(ticks: Ticks, precision: Precision['filters']): Ticks {
	return precision === 'nearest ms'
		? floorTo(ticks + TICKS_PER_MS / 2n, 'ms')
		: floorTo(ticks, precision);
}

/** The part of sorted rows that is in a range, found in few steps. */
function sliceOf<Row extends ListedInspection>(
	rows: readonly Row[],
	{ sort_by, sort_order }: ListQuery,
	range: (time: Ticks) => number,
): readonly Row[] {
	const later = sort_order === 'desc' ? -1 : 1;
	const sideOf = (row: Row) => range(row[TIMES[sort_by].key]) * later;
	return rows.slice(
		firstIndex(rows, (row) => sideOf(row) >= 0),
		firstIndex(rows, (row) => sideOf(row) > 0),
	);
}

/** Index of the first element with a property that all elements after it have too. */
function firstIndex<Element>(elements: readonly Element[], has: (element: Element) => boolean) {
	let [low, high] = [0, elements.length];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		const element = elements[middle];
		if (element === undefined || has(element)) high = middle;
		else low = middle + 1;
	}
	return low;
}

/** Returns a page of a query's results, or the response for a page without inspections. */
function pageAtEnds<Row>(
	results: readonly Row[],
	{ page, page_size }: Pick<ListQuery, 'page' | 'page_size'>,
	{ pageCap, resultWindow, offsetLimit, afterLastPage = 'empty' }: Partial<ListEnds>,
): readonly Row[] | NoPage {
	const size = Math.min(page_size, pageCap ?? page_size);
	const shown = Math.min(results.length, resultWindow ?? results.length);
	const pageOf = (number: number) =>
		results.slice((number - 1) * size, Math.min(number * size, shown));
	const offset = (page - 1) * size;
	if (offset >= (offsetLimit ?? Infinity)) return '400';
	if (offset < shown || afterLastPage === 'empty') return pageOf(page);
	if (afterLastPage === 'repeated') return pageOf(Math.max(1, Math.ceil(shown / size)));
	// An empty list has a page 1. An error status there would mean that the address is wrong.
	const isRefused = afterLastPage === '404' || afterLastPage === '400';
	return isRefused && page === 1 ? [] : afterLastPage;
}
