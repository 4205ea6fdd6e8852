import type { Timestamp } from '../timestamp';
import type { ListSource } from './fetchPage';
import type { InspectionRecord } from './inspectionPage';
import { type Include, type InspectionFilter, MAX_PAGE_SIZE } from './inspectionQuery';
import { LatestById } from './latestById';
import { readRange } from './readRange';
import { type ListOrder, rangeOf } from './timeRange';

export interface ListOptions extends ListOrder {
	readonly filter: InspectionFilter;
	readonly includes: readonly Include[];
	/** The part of the filter that the service does not have, so that the node applies it itself. */
	readonly isWanted?: ((inspection: InspectionRecord) => boolean) | undefined;
}

/**
 * Reads the first `limit` inspections in the order asked for, each once, whatever others do. A single page keeps the order
 * in which the service sent it. `isCutShort`: `maxPages` ended the reading before `limit`. `sentAt` is of the first page.
 */
export async function readUpTo(
	options: ListOptions,
	limit: number,
	source: ListSource,
	maxPages = Infinity,
): Promise<{
	inspections: InspectionRecord[];
	isCutShort: boolean;
	sentAt: Timestamp | undefined;
}> {
	const { filter, includes, sortBy, sortOrder, isWanted } = options;
	const found = new LatestById(isWanted);
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
