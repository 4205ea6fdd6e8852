import type { InspectionPage } from './inspectionPage';
import type { Include, InspectionFilter, InspectionPageQuery } from './inspectionQuery';
import { type KeyRange, type ListOrder, withRange } from './keyRange';

/** One request of the list. */
export type ListPage = (query: InspectionPageQuery) => Promise<InspectionPage>;

/** Which inspections are read from the list, and how. */
export interface Reading {
	readonly list: ListPage;
	readonly filter: InspectionFilter;
	readonly includes: readonly Include[];
	readonly order: ListOrder;
	/** How many inspections one request asks for, 1 to 100. */
	readonly pageSize: number;
}

/** Asks for one page of a range. */
export async function askPage(
	{ list, filter, includes, order, pageSize: usual }: Reading,
	range: KeyRange,
	page = 1,
	pageSize = usual,
): Promise<InspectionPage> {
	const query = { ...withRange(filter, order.sortBy, range), ...order, page, pageSize };
	return await list(includes.length === 0 ? query : { ...query, includes });
}

/**
 * Whether page 1 of a range holds all of it. A page that is shorter than was asked for may be the last one, or a service
 * may send fewer inspections than it is asked for, without saying so (a page cap), and another number with the next
 * request. So unless the envelope says that the list ends, one more request looks behind the page.
 */
export async function isAll(
	reading: Reading,
	range: KeyRange,
	page: InspectionPage,
): Promise<boolean> {
	const { length } = page.inspections;
	if (length >= reading.pageSize) return false;
	if (isSurelyAll(reading, page)) return true;
	return (await askPage({ ...reading, includes: [] }, range, 2, length)).inspections.length === 0;
}

/** Whether page 1 of a range shows by itself that it holds all of it: it is empty, or the envelope says so. */
export function isSurelyAll(
	{ pageSize }: Pick<Reading, 'pageSize'>,
	{ inspections: { length }, isLast }: InspectionPage,
): boolean {
	return length === 0 || (length < pageSize && isLast === true);
}
