/** Behavior at the end of a list. The service's document leaves it open, so each variant is legal. */
export interface ListEnds {
	/** Most inspections on a page, whatever page_size requests. Null: no limit. */
	readonly pageCap: number | null;
	/** Number of results that any query can reach. Null: all. */
	readonly resultWindow: number | null;
	/** Pages that start at this result or later get a 400. Null: no limit. */
	readonly offsetLimit: number | null;
	/** The response for a page after the last one. */
	readonly afterLastPage: 'empty' | 'repeated' | 'null' | '204' | '404' | '400';
}

export const PLAIN_ENDS: ListEnds = {
	pageCap: null,
	resultWindow: null,
	offsetLimit: null,
	afterLastPage: 'empty',
};

/** The response for a page without inspections. */
export type NoPage = 'null' | '204' | '404' | '400';

/** Returns a page of a query's results, or the response for a page without inspections. */
export function pageAtEnds<Row>(
	results: readonly Row[],
	{ page, page_size }: { page: number; page_size: number },
	{ pageCap, resultWindow, offsetLimit, afterLastPage }: ListEnds,
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
