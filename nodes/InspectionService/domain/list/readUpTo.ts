import { type Timestamp, timestampOf } from '../timestamp';
import type { ListSource, OrderedList } from './fetchPage';
import { hasUsableId, type InspectionPage, type InspectionRecord } from './inspectionPage';
import { type Include, type InspectionFilter, MAX_PAGE_SIZE } from './inspectionQuery';
import { LatestById } from './latestById';
import { readRange, readUpdatedSince } from './readRange';
import { type ListOrder, rangeOf } from './timeRange';

export interface ListOptions extends ListOrder {
	readonly filter: InspectionFilter;
	readonly includes: readonly Include[];
	/** A filter that the node applies itself, because the service doesn't support it. */
	readonly isWanted?: ((inspection: InspectionRecord) => boolean) | undefined;
}

interface FirstInspections {
	readonly inspections: InspectionRecord[];
	/** Whether `isEnough` ended the reading, before `limit` inspections were found. */
	readonly isCutShort: boolean;
	/** The time when the service sent the first page. */
	readonly sentAt: Timestamp | undefined;
}

/**
 * Reads the first `limit` inspections in the requested order, each once, while other users create and update
 * inspections. If one page is enough, its inspections stay in the order in which the service sent them.
 *
 * If a user is waiting, `isEnough` can end the reading after a page. It's called with the inspections so far and the
 * number of pages. What was updated meanwhile isn't read then.
 */
export async function readUpTo(
	options: ListOptions,
	limit: number,
	source: ListSource,
	isEnough?: (inspections: readonly InspectionRecord[], pages: number) => boolean,
): Promise<FirstInspections> {
	const { filter, includes, sortBy, sortOrder, isWanted } = options;
	const found = new LatestById(isWanted);
	// If the node leaves out inspections itself, it rejects part of each page. Full pages then need fewer requests.
	const pageSize = isWanted === undefined ? Math.min(limit, MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
	const reading = { ...source, filter, includes, order: { sortBy, sortOrder }, pageSize };
	let first: InspectionPage | undefined;
	let pages = 0;
	let isCutShort = false;
	if (limit < 1) return { inspections: [], isCutShort, sentAt: undefined };
	for await (const page of readRange(reading, rangeOf(filter, sortBy))) {
		if (page.inspections.length === 0) continue;
		// With small pages, stepping over many inspections without an ID would need a request for each few of them.
		if (pageSize < MAX_PAGE_SIZE && !page.inspections.every(hasUsableId)) {
			return await readUpTo({ ...options, isWanted: () => true }, limit, source, isEnough);
		}
		first ??= page;
		pages += 1;
		found.add(page.inspections);
		if (found.size >= limit) break;
		isCutShort = isEnough?.(found.inReadingOrder(), pages) === true;
		if (isCutShort) break;
	}
	if (pages > 1 && isEnough === undefined) {
		for await (const inspections of readMoved(reading, first, pages)) found.add(inspections);
	}
	const inOrder = pages > 1 ? found.sorted(options) : found.inReadingOrder();
	return { inspections: inOrder.slice(0, limit), isCutShort, sentAt: first?.sentAt };
}

/**
 * Reads what was updated since page 1 of a list that begins with the latest update. Reads nothing for other lists: only
 * there does an update move an inspection to the beginning, which was already read.
 */
async function* readMoved(reading: OrderedList, page1: InspectionPage | undefined, pages: number) {
	const { sortBy, sortOrder } = reading.order;
	const newest = timestampOf(page1?.inspections[0]?.updated_at);
	if (sortBy !== 'updated_at' || sortOrder !== 'desc' || newest === undefined) return;
	yield* readUpdatedSince(reading, newest, pages);
}
