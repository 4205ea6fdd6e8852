/**
 * The rules of listInspections as pure functions: filters, order, and pages. Both the sandbox and the tests' models of
 * a changing list use them.
 */
import type { Status } from './model.mts';
import { floorTo, type Ticks, TICKS_PER_MS, ticksOf } from './time.mts';

/** The members of an inspection that filtering and sorting need. */
export interface ListedInspection {
	readonly id: string;
	readonly status: Status;
	readonly createdAt: Ticks;
	readonly updatedAt: Ticks;
}

/** The filters of listInspections by status and time. */
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

/** The precision with which the service compares times. The OpenAPI document doesn't specify it. */
export interface Precision {
	/** The precision to which dates in filters are truncated. `nearest ms` rounds instead. */
	readonly filters: 'full' | 'ms' | 'nearest ms' | 's';
	/** The precision to which an inspection's times are truncated before they are compared with a filter. */
	readonly times: 'full' | 'ms' | 's';
}

export const EXACT: Precision = { filters: 'full', times: 'full' };

/**
 * How a service behaves at the end of a list. The OpenAPI document doesn't specify it, so every variant is possible.
 */
export interface ListEnds {
	/** The maximum page size, even if `page_size` is larger. Null: no limit. */
	readonly pageCap: number | null;
	/** The number of results that a client can reach by paging. Null: all results. */
	readonly resultWindow: number | null;
	/**
	 * The service responds with 400 to a page that starts at this offset or later. The first result has offset 0. Null:
	 * no limit.
	 */
	readonly offsetLimit: number | null;
	/** The response to a request for a page after the last one. */
	readonly afterLastPage: 'empty' | 'repeated' | 'null' | '204' | '404' | '400';
}

/** A response without a list, if the requested page is after the last page. */
export type NoPage = 'null' | '204' | '404' | '400';

/** The rules by which a list is filtered, sorted, and split into pages. They can differ between services. */
export interface ListRules<Row> extends Partial<ListEnds> {
	precision?: Precision;
	/**
	 * Returns a number by which inspections with equal times are sorted, ascending in both sort orders. If these numbers
	 * are equal or missing, IDs decide.
	 */
	tieOf?: ((row: Row) => number) | undefined;
	/** Additional filters, which all have to accept an inspection. */
	filters?: readonly ((row: Row) => boolean)[];
}

/** For each time to sort by: the inspection's member with that time, and the query parameters that filter by it. */
const TIMES = {
	created_at: { key: 'createdAt', after: 'created_after', before: 'created_before' },
	updated_at: { key: 'updatedAt', after: 'updated_after', before: 'updated_before' },
} as const;

/** Returns the status and time filters of a query. They compare times at the service's precision. */
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

/** A snapshot of the service's inspections. Keeps the sorted inspections of each sort order. */
export class InspectionList<Row extends ListedInspection> {
	private readonly rows: readonly Row[];
	private readonly ordered = new Map<string, readonly Row[]>();

	constructor(rows: Iterable<Row>) {
		this.rows = [...rows];
	}

	/** Returns one page of a query's results, and the total number of results. */
	page(
		query: ListQuery,
		rules: ListRules<Row> = {},
	): { rows: readonly Row[] | NoPage; found: number } {
		const found = this.find(query, rules);
		return { rows: pageAtEnds(found, query, rules), found: found.length };
	}

	/** Returns all inspections in the given sort order. */
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

/**
 * Returns a function that tells whether a time is before a range (-1), in it (0), or after it (1). Returns undefined if
 * the range has no bounds.
 */
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

/** Returns the sorted rows that are in a range, using binary search. */
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

/**
 * Returns the index of the first element that `has` accepts, or the length if it accepts none. Uses a binary search, so
 * `has` must accept all elements after the first accepted one.
 */
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

/**
 * Returns a page of a query's results. If the page is after the last one, returns the response that the settings
 * choose.
 */
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
	// An empty list still has a page 1. An error status for page 1 would mean that the URL is wrong.
	const isRefused = afterLastPage === '404' || afterLastPage === '400';
	return isRefused && page === 1 ? [] : afterLastPage;
}
