import { floorToSecond, type Timestamp, timestampOf } from '../timestamp';
import { checkTimes, fetchPage, isCompleteRange, type Reading } from './fetchPage';
import type { InspectionPage } from './inspectionPage';
import { readTiedSecond, type SecondReader, type TiedSecondOptions } from './readTiedSecond';
import { isEmptyRange, nextRange, type TimeRange } from './timeRange';

export interface RangePage extends InspectionPage {
	/** The range was read up to this whole second, which itself may not be complete. Undefined for a page without a time. */
	readonly second: Timestamp | undefined;
	/** True for a page of a full second: then the page holds inspections of `second`, by page number. */
	readonly isOfTiedSecond: boolean;
}

/**
 * Reads a range of the list by keyset pagination ("One range reader" of docs/how-it-reads.md). The inspections of the
 * second that a page ends in come twice. Throws UnexpectedResponseError where it would skip inspections or never end.
 */
export async function* readRange(
	reading: Reading,
	range: TimeRange,
	options: TiedSecondOptions = {},
): AsyncGenerator<RangePage> {
	let left: TimeRange | undefined = range;
	while (left !== undefined && !isEmptyRange(left)) {
		const page = await fetchPage(reading, left);
		const last = timestampOf(page.inspections.at(-1)?.[reading.order.sortBy]);
		const second = last && floorToSecond(last);
		yield { ...page, second, isOfTiedSecond: false };
		const { tiedSecond, rest }: Unread = await unreadAfter(reading, left, page, options);
		if (tiedSecond !== undefined) {
			for await (const shown of tiedSecond) {
				yield { inspections: shown, second, isOfTiedSecond: true };
			}
		}
		left = rest;
	}
}

interface Unread {
	/** The full second that the page did not get beyond; it comes before `rest`. */
	readonly tiedSecond?: SecondReader;
	readonly rest?: TimeRange | undefined;
}

/** What is left of a range behind page 1 of it. It may ask for another page to see whether that is all (`isCompleteRange`). */
export async function unreadAfter(
	reading: Reading,
	range: TimeRange,
	page: InspectionPage,
	options: TiedSecondOptions = {},
): Promise<Unread> {
	if (await isCompleteRange(reading, range, page)) return {};
	const { inspections } = page;
	const times = checkTimes(reading.order, range, inspections);
	const last = times.at(-1);
	if (last === undefined) return {};
	const first = times.length < reading.pageSize ? undefined : times[0];
	const { tiedSecond, rest } = nextRange(reading.order, range, last, first);
	if (tiedSecond === undefined) return { rest };
	const begun = { ...tiedSecond, rest, inspections };
	return { tiedSecond: readTiedSecond(reading, begun, options), rest };
}
