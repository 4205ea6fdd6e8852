import type { Timestamp } from '../timestamp';
import type { ListPage } from './askPage';
import type { InspectionRecord } from './inspectionPage';
import { type Include, type InspectionFilter, MAX_PAGE_SIZE } from './inspectionQuery';
import { type ListOrder, rangeOf } from './keyRange';
import { NewestVersions } from './newestVersions';
import { readRange } from './readRange';

/** Which inspections are to be read from the list, and in which order. */
export interface ListOptions extends ListOrder {
	readonly filter: InspectionFilter;
	readonly includes: readonly Include[];
	/** The part of the filter that the service does not have, so that the node applies it itself. */
	readonly isWanted?: ((inspection: InspectionRecord) => boolean) | undefined;
}

/** Where the inspections come from. */
export interface ListSource {
	/** GET /v1/inspections: one page, the envelope already taken off. */
	readonly list: ListPage;
}

export interface FirstInspections {
	inspections: InspectionRecord[];
	/** True where `maxPages` ended the reading: the list may go on, and `limit` was not reached. */
	isCutShort: boolean;
	/** When the service sent the first page (`InspectionPage`); undefined where it does not say. */
	sentAt: Timestamp | undefined;
}

/**
 * Reads the first `limit` inspections in the order asked for, one page after another, at most `maxPages`. It makes one
 * request where they fit on a page. Otherwise it reads by keyset (`readRange`), so that nothing comes twice while others
 * create and update. A single page keeps the order in which the service sent it.
 */
export async function readFirst(
	options: ListOptions,
	limit: number,
	source: ListSource,
	maxPages = Infinity,
): Promise<FirstInspections> {
	const { filter, includes, sortBy, sortOrder, isWanted } = options;
	const found = new NewestVersions(isWanted ?? (() => true));
	// The node's own filter refuses some inspections of each page, so that full pages take fewer requests.
	const pageSize = isWanted === undefined ? Math.min(limit, MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
	const reading = { ...source, filter, includes, order: { sortBy, sortOrder }, pageSize };
	let pages = 0;
	let isCutShort = false;
	let sentAt: Timestamp | undefined;
	if (limit < 1) return { inspections: [], isCutShort, sentAt };
	for await (const { inspections, ...page } of readRange(reading, rangeOf(filter, sortBy))) {
		if (inspections.length === 0) continue;
		isCutShort = pages === maxPages;
		if (isCutShort) break;
		if (pages === 0) ({ sentAt } = page);
		pages += 1;
		found.add(inspections);
		if (found.size >= limit) break;
	}
	const inOrder = pages > 1 ? found.sorted(options) : found.inOrderRead();
	return { inspections: inOrder.slice(0, limit), isCutShort, sentAt };
}
