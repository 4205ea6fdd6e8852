import { addSeconds, isLater, type Timestamp, timestampOf } from '../timestamp';
import type { ListSource, Reading } from './fetchPage';
import type { InspectionRecord } from './inspectionPage';
import {
	type Include,
	type InspectionFilter,
	LATE_COMMIT_SECONDS,
	MAX_PAGE_SIZE,
} from './inspectionQuery';
import { LatestById } from './latestById';
import { readRange } from './readRange';
import { type ListOrder, rangeOf } from './timeRange';

export interface ListOptions extends ListOrder {
	readonly filter: InspectionFilter;
	readonly includes: readonly Include[];
	/** A filter that the node applies itself, because the service doesn't support it. */
	readonly isWanted?: ((inspection: InspectionRecord) => boolean) | undefined;
}

/**
 * `rereadBeginning` fetches at most this many pages in addition to twice the pages already read, so that reading always
 * ends.
 */
const MAX_EXTRA_PAGES = 10;

interface FirstInspections {
	readonly inspections: InspectionRecord[];
	/** Whether reading stopped because of `maxPages`, before `limit` inspections were found. */
	readonly isCutShort: boolean;
	/** The time when the service sent the first page. */
	readonly sentAt: Timestamp | undefined;
}

/**
 * Reads the first `limit` inspections in the requested order, each once, while other users create and update
 * inspections. If one page is enough, its inspections stay in the order in which the service sent them.
 */
export async function readUpTo(
	options: ListOptions,
	limit: number,
	source: ListSource,
	maxPages = Infinity,
): Promise<FirstInspections> {
	const { filter, includes, sortBy, sortOrder, isWanted } = options;
	const found = new LatestById(isWanted);
	// If the node filters inspections itself, it rejects part of each page. Full pages then need fewer requests.
	const pageSize = isWanted === undefined ? Math.min(limit, MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
	const reading = { ...source, filter, includes, order: { sortBy, sortOrder }, pageSize };
	let pages = 0;
	let isCutShort = false;
	let sentAt: Timestamp | undefined;
	let newest: Timestamp | undefined;
	if (limit < 1) return { inspections: [], isCutShort, sentAt };
	for await (const { inspections, ...page } of readRange(reading, rangeOf(filter, sortBy))) {
		if (inspections.length === 0) continue;
		isCutShort = pages === maxPages;
		if (isCutShort) break;
		if (pages === 0) {
			({ sentAt } = page);
			newest = timestampOf(inspections[0]?.[sortBy]);
		}
		pages += 1;
		found.add(inspections);
		if (found.size >= limit) break;
	}
	const isMoving = sortBy === 'updated_at' && sortOrder === 'desc';
	if (isMoving && pages > 1 && !isCutShort) {
		await rereadBeginning(reading, newest, 2 * pages + MAX_EXTRA_PAGES, found);
	}
	const inOrder = pages > 1 ? found.sorted(options) : found.inReadingOrder();
	return { inspections: inOrder.slice(0, limit), isCutShort, sentAt };
}

/**
 * Reads the beginning of the list again, down to `newest`: the time of the first inspection when the first page was
 * fetched. In a list that starts with the latest update, an update moves an inspection from the unread rest to the
 * beginning, which was already read.
 */
async function rereadBeginning(
	reading: Reading,
	newest: Timestamp | undefined,
	maxPages: number,
	found: LatestById,
): Promise<void> {
	const known = newest && addSeconds(newest, -LATE_COMMIT_SECONDS);
	let pages = 0;
	let top: Timestamp | undefined;
	for await (const { inspections } of readRange(reading, rangeOf(reading.filter, 'updated_at'))) {
		found.add(inspections);
		pages += 1;
		top ??= timestampOf(inspections[0]?.updated_at);
		const last = timestampOf(inspections.at(-1)?.updated_at);
		if (known === undefined || last === undefined || isLater(known, last) || pages >= maxPages)
			break;
	}
	const left = maxPages - pages;
	if (pages > 1 && left > 0) await rereadBeginning(reading, top, left, found);
}
