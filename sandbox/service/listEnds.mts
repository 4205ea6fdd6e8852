/** What a service does at the end of a list. The interface shows none of it, so each of these is legal. */
export interface ListEnds {
	/** Most inspections on a page, whatever page_size asks for; null: as many as asked for. */
	readonly pageCap: number | null;
	/** Only so many results of any query are shown; null: all. */
	readonly resultWindow: number | null;
	/** A page that begins at this result or later is refused with 400; null: none is. */
	readonly offsetLimit: number | null;
	/** What comes for a page after the last one. */
	readonly afterLastPage: 'empty' | 'repeated' | 'null' | '204' | '404' | '400';
}

export const PLAIN_ENDS: ListEnds = {
	pageCap: null,
	resultWindow: null,
	offsetLimit: null,
	afterLastPage: 'empty',
};

/** How a page without inspections is sent. */
export type NoPage = 'null' | '204' | '404' | '400';

/** Returns a page of the results of a query, or how a page without inspections is sent. */
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
	// An empty list has a page 1. A status of an error there would mean that the address is wrong.
	const isRefused = afterLastPage === '404' || afterLastPage === '400';
	return isRefused && page === 1 ? [] : afterLastPage;
}
