import { floorToSecond, type Timestamp, timestampOf } from '../timestamp';
import { askPage, isAll, isSurelyAll, type Reading, timesOfPage } from './askPage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import { isEmptyRange, type KeyRange, type Remainder, remainderAfter } from './keyRange';
import { NOTHING_KNOWN, readFullSecond, type SecondOptions } from './readFullSecond';

export interface RangePage {
	readonly inspections: readonly InspectionRecord[];
	/** The range was read up to this whole second, which itself may not be complete. Undefined for a page without a time. */
	readonly second: Timestamp | undefined;
	/** True for a page of a full second: then the page holds inspections of `second`, by page number. */
	readonly isOfFullSecond: boolean;
	readonly isLast: boolean;
	readonly sentAt?: Timestamp | undefined;
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
		const { inspections, sentAt } = page;
		const last = timestampOf(inspections.at(-1)?.[reading.order.sortBy]);
		const second = last && floorToSecond(last);
		const isLast = isSurelyAll(reading, page);
		yield { inspections, second, isOfFullSecond: false, isLast, sentAt };
		const { fullSecond, rest }: Remainder = await leftBehind(reading, left, page);
		if (fullSecond !== undefined) {
			const begun = { ...fullSecond, rest, inspections };
			for await (const shown of readFullSecond(reading, begun, options)) {
				yield { inspections: shown, second, isOfFullSecond: true, isLast: false };
			}
		}
		left = rest;
	}
}

/** What is left of a range behind page 1 of it. It may ask for another page to see whether that is all (`isAll`). */
export async function leftBehind(
	reading: Reading,
	range: KeyRange,
	page: InspectionPage,
): Promise<Remainder> {
	if (await isAll(reading, range, page)) return {};
	const times = timesOfPage(reading.order, range, page.inspections);
	const last = times.at(-1);
	if (last === undefined) return {};
	const first = times.length < reading.pageSize ? undefined : times[0];
	return remainderAfter(reading.order, range, last, first);
}
