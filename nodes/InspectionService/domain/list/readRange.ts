import { floorToSecond, type Timestamp, timestampOf } from '../timestamp';
import { checkTimes, fetchPage, isCompleteRange, type Reading } from './fetchPage';
import type { InspectionPage } from './inspectionPage';
import { readTiedSecond, type TiedSecond, type TiedSecondOptions } from './readTiedSecond';
import { isEmptyRange, nextRange, type TimeRange } from './timeRange';

export interface RangePage extends InspectionPage {
	/**
	 * The range was read up to this whole second, which can be incomplete itself. Undefined for a page without a
	 * time.
	 */
	readonly second: Timestamp | undefined;
	/** True for a page of a tied second. The page contains inspections of `second`, by page number. */
	readonly isOfTiedSecond: boolean;
}

/**
 * Reads a range of the list by keyset pagination ("One range reader" of docs/how-it-reads.md), one request at a time.
 * Yields the inspections of the last second of a page twice. Throws UnexpectedResponseError if continuing would skip
 * inspections or never end.
 */
export async function* readRange(
	reading: Reading,
	range: TimeRange,
	options: TiedSecondOptions = {},
): AsyncGenerator<RangePage> {
	let unread: TimeRange | undefined = range;
	while (unread !== undefined && !isEmptyRange(unread)) {
		const page = await fetchPage(reading, unread);
		const last = timestampOf(page.inspections.at(-1)?.[reading.order.sortBy]);
		const second = last && floorToSecond(last);
		yield { ...page, second, isOfTiedSecond: false };
		const { tied, rest }: Unread = await unreadAfter(reading, unread, page);
		if (tied !== undefined) {
			for await (const inspections of readTiedSecond(reading, tied, options)) {
				yield { inspections, second: tied.second, isOfTiedSecond: true };
			}
		}
		unread = rest;
	}
}

interface Unread {
	/** A second that page 1 didn't get past. Read it before `rest`. */
	readonly tied?: TiedSecond;
	readonly rest?: TimeRange | undefined;
}

/**
 * Returns the unread part of a range after its page 1, or nothing if page 1 contains everything. Checking that can
 * take another request (`isCompleteRange`). Throws UnexpectedResponseError if continuing would skip inspections or
 * never end.
 */
export async function unreadAfter(
	reading: Reading,
	range: TimeRange,
	page1: InspectionPage,
): Promise<Unread> {
	if (await isCompleteRange(reading, range, page1)) return {};
	const { inspections } = page1;
	const times = checkTimes(reading.order, range, inspections);
	const last = times.at(-1);
	if (last === undefined) return {};
	const first = times.length < reading.pageSize ? undefined : times[0];
	const { tiedSecond, rest } = nextRange(reading.order, range, last, first);
	return tiedSecond === undefined ? { rest } : { tied: { ...tiedSecond, rest, inspections }, rest };
}
