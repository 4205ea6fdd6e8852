import { floorToSecond, type Timestamp, timestampOf } from '../timestamp';
import { checkTimes, fetchPage, isCompleteRange, type Reading } from './fetchPage';
import type { InspectionPage } from './inspectionPage';
import { readTiedSecond, type TiedSecond, type TiedSecondOptions } from './readTiedSecond';
import { isEmptyRange, nextRange, type TimeRange } from './timeRange';

export interface RangePage extends InspectionPage {
	/**
	 * The whole second of the last inspection on this page. More inspections of this second of time can follow. Undefined
	 * if the page is empty, or if its last inspection has no time.
	 */
	readonly second: Timestamp | undefined;
	/** Whether this page was read by page number. Then all its inspections have times within `second`. */
	readonly isOfTiedSecond: boolean;
}

/**
 * Reads a range of the list, one request at a time, with keyset pagination ("One range reader" in
 * docs/how-it-reads.md). Each page starts with the whole second in which the previous page ended, so inspections of
 * that second of time are yielded twice. Throws UnexpectedResponseError if continuing would skip inspections or never
 * end.
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
	/** A whole second whose inspections fill page 1. Read it before `rest`. */
	readonly tied?: TiedSecond;
	readonly rest?: TimeRange | undefined;
}

/**
 * Returns the unread part of a range after its page 1. Returns an empty object if page 1 contains the whole range. To
 * check this, it can send more requests (`isCompleteRange`). Throws UnexpectedResponseError if continuing would skip
 * inspections or never end.
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
