import { floorToSecond, type Timestamp, timestampOf } from '../timestamp';
import { askPage, isAll, isSurelyAll, type Reading, timesOfPage } from './askPage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import { isEmptyRange, type KeyRange, type Remainder, remainderAfter } from './keyRange';
import { NOTHING_KNOWN, readFullSecond, type SecondOptions } from './readFullSecond';

/** One page of a range, in the range's order. */
export interface RangePage {
	readonly inspections: readonly InspectionRecord[];
	/** The range was read up to this whole second, which itself may not be complete. Undefined for a page without a time. */
	readonly second: Timestamp | undefined;
	/** True for a page of a full second: then the page holds inspections of `second`, by page number. */
	readonly isOfFullSecond: boolean;
	/** True where it is certain that nothing comes after this page. */
	readonly isLast: boolean;
	/** When the service sent the page (`InspectionPage`); undefined where it does not say. */
	readonly sentAt?: Timestamp | undefined;
}

/**
 * Reads a range of the list by keyset pagination (docs/how-it-reads.md): each request asks for page 1 of what is left of
 * the range, from the second on that the last page ended in. So the inspections of that second come twice, and nothing
 * that others do moves an inspection from an unread page to one that was read. Only a full second is read by page number.
 *
 * Throws UnexpectedResponseError where reading on would skip inspections or never end.
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
		const isLast = isSurelyAll(reading, page);
		yield {
			inspections,
			second: last && floorToSecond(last),
			isOfFullSecond: false,
			isLast,
			sentAt,
		};
		const { fullSecond, rest }: Remainder = await leftBehind(reading, left, page);
		if (fullSecond !== undefined) {
			const { second } = fullSecond;
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
