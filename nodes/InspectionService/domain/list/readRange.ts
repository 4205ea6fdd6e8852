import { addSeconds, floorToSecond, isLater, type Timestamp, timestampOf } from '../timestamp';
import { checkTimes, fetchPage, isCompleteRange, type OrderedList } from './fetchPage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import { LATE_COMMIT_SECONDS } from './inspectionQuery';
import { readTiedSecond, type TiedSecondOptions } from './readTiedSecond';
import { isEmptyRange, nextRange, rangeOf, type TimeRange } from './timeRange';

export interface RangePage extends InspectionPage {
	/**
	 * The whole second of the last inspection on this page. More inspections of this second of time can follow. Undefined
	 * if the page is empty, or if its last inspection has no time.
	 */
	readonly second: Timestamp | undefined;
	/** Whether this page was read by page number. Then all its inspections have times within `second`. */
	readonly isOfTiedSecond: boolean;
}

interface RangeOptions extends TiedSecondOptions {
	/**
	 * In ascending order, reading ends when all inspections before this whole second were read. Requests don't contain
	 * this time, so a page can go past it. Then no more request is needed to prove the end. Only for a time before an
	 * inspection of the list.
	 */
	readonly until?: Timestamp | undefined;
	/** Page 1 of the range, if it was already fetched. */
	readonly page1?: InspectionPage | undefined;
}

/**
 * Reads a range of the list, one request at a time, with keyset pagination ("One range reader" in
 * docs/dev/reading.md). Yields some inspections twice, because of this rule: **A page proves only the whole seconds
 * between its first and its last inspection. What is unread starts in its last second.** Throws UnexpectedResponseError
 * if continuing would skip inspections or never end.
 */
export async function* readRange(
	reading: OrderedList,
	range: TimeRange,
	{ until, page1, ...options }: RangeOptions = {},
): AsyncGenerator<RangePage> {
	const isRead = (from: Timestamp | undefined) =>
		from !== undefined && until !== undefined && !isLater(until, from);
	const isLeft = (part: TimeRange | undefined): part is TimeRange =>
		part !== undefined && !isEmptyRange(part) && !isRead(part.after);
	const fetched = [page1];
	let unread: TimeRange | undefined = range;
	// After a short page that isn't the end, pages of its length count as full: the service has a page cap.
	let fullLength = reading.pageSize;
	while (isLeft(unread)) {
		const page: InspectionPage = fetched.pop() ?? (await fetchPage(reading, unread));
		const { inspections } = page;
		const last = timestampOf(inspections.at(-1)?.[reading.order.sortBy]);
		const second = last && floorToSecond(last);
		yield { ...page, second, isOfTiedSecond: false };
		if (inspections.length === 0) return;
		if (until === undefined && inspections.length < fullLength) {
			if (await isCompleteRange(reading, unread, page)) return;
			fullLength = inspections.length;
		}
		const times = checkTimes(reading.order, unread, inspections);
		if (last === undefined || isRead(second)) return;
		const first = times.length < reading.pageSize ? undefined : times[0];
		const { tiedSecond, rest } = nextRange(reading.order, unread, last, first);
		if (tiedSecond !== undefined) {
			const tied = { ...tiedSecond, rest, inspections };
			for await (const one of readTiedSecond(reading, tied, options)) {
				yield { inspections: one, second: tied.second, isOfTiedSecond: true };
			}
		}
		unread = rest;
	}
}

/** Reading what was updated meanwhile fetches at least this many pages, even after a short list. */
const MAX_EXTRA_PAGES = 10;

/**
 * Reads the inspections that were updated since `newest`, the latest update before a reading in descending order began.
 * An update moves an inspection to the beginning of such a list, which was already read. Reads in ascending order, so
 * that no update is missed. Ends after twice the pages that were already read (`pagesRead`) and a few more, in case other
 * users update faster than this reads.
 */
export async function* readUpdatedSince(
	reading: OrderedList,
	newest: Timestamp,
	pagesRead: number,
): AsyncGenerator<readonly InspectionRecord[]> {
	const order = { sortBy: 'updated_at', sortOrder: 'asc' } as const;
	const after = addSeconds(floorToSecond(newest), -LATE_COMMIT_SECONDS);
	const range = { ...rangeOf(reading.filter, 'updated_at'), after };
	let left = 2 * pagesRead + MAX_EXTRA_PAGES;
	for await (const { inspections } of readRange({ ...reading, order }, range)) {
		yield inspections;
		left -= 1;
		if (left === 0) return;
	}
}
