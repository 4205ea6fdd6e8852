import { floorToSecond, type Timestamp, timestampOf } from '../timestamp';
import { askPage, checkTimes, isAll, type Reading } from './askPage';
import type { InspectionPage } from './inspectionPage';
import { isEmptyRange, type KeyRange, remainderAfter } from './keyRange';
import {
	NOTHING_KNOWN,
	readFullSecond,
	type SecondOptions,
	type SecondReader,
} from './readFullSecond';

export interface RangePage extends InspectionPage {
	/** The range was read up to this whole second, which itself may not be complete. Undefined for a page without a time. */
	readonly second: Timestamp | undefined;
	/** True for a page of a full second: then the page holds inspections of `second`, by page number. */
	readonly isOfFullSecond: boolean;
}

/**
 * Reads a range of the list by keyset pagination ("One range reader" of docs/how-it-reads.md). The inspections of the
 * second that a page ends in come twice. Throws UnexpectedResponseError where it would skip inspections or never end.
 */
export async function* readRange(
	reading: Reading,
	range: KeyRange,
	options: SecondOptions = NOTHING_KNOWN,
): AsyncGenerator<RangePage> {
	let left: KeyRange | undefined = range;
	while (left !== undefined && !isEmptyRange(left)) {
		const page = await askPage(reading, left);
		const last = timestampOf(page.inspections.at(-1)?.[reading.order.sortBy]);
		const second = last && floorToSecond(last);
		yield { ...page, second, isOfFullSecond: false };
		const { fullSecond, rest }: LeftBehind = await leftBehind(reading, left, page, options);
		if (fullSecond !== undefined) {
			for await (const shown of fullSecond) {
				yield { inspections: shown, second, isOfFullSecond: true };
			}
		}
		left = rest;
	}
}

interface LeftBehind {
	/** The full second that the page did not get beyond; it comes before `rest`. */
	readonly fullSecond?: SecondReader;
	readonly rest?: KeyRange | undefined;
}

/** What is left of a range behind page 1 of it. It may ask for another page to see whether that is all (`isAll`). */
export async function leftBehind(
	reading: Reading,
	range: KeyRange,
	page: InspectionPage,
	options: SecondOptions = NOTHING_KNOWN,
): Promise<LeftBehind> {
	if (await isAll(reading, range, page)) return {};
	const { inspections } = page;
	const times = checkTimes(reading.order, range, inspections);
	const last = times.at(-1);
	if (last === undefined) return {};
	const first = times.length < reading.pageSize ? undefined : times[0];
	const { fullSecond, rest } = remainderAfter(reading.order, range, last, first);
	if (fullSecond === undefined) return { rest };
	const begun = { ...fullSecond, rest, inspections };
	return { fullSecond: readFullSecond(reading, begun, options), rest };
}
