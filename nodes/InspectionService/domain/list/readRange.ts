import { floorToSecond, type Timestamp, timestampOf } from '../timestamp';
import { askPage, isAll, isSurelyAll, type Reading } from './askPage';
import type { InspectionRecord } from './inspectionPage';
import { isEmptyRange, type KeyRange, remainderAfter } from './keyRange';
import { timesOfPage } from './pageChecks';
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
 * Reads a range of the list by keyset pagination: each request asks for page 1 of what is left of the range. What is
 * left begins with the second that the last page ended in, so the inspections of that second come twice. No change that
 * others make can then move an inspection from an unread page to one that was read. Only a full second, one that holds
 * more inspections than a page, is read by page number (`readFullSecond`).
 *
 * Throws UnexpectedResponseError where reading on would skip inspections or never end.
 */
export async function* readRange(
	reading: Reading,
	range: KeyRange,
	options: SecondOptions = NOTHING_KNOWN,
): AsyncGenerator<RangePage> {
	const { order } = reading;
	let left: KeyRange | undefined = range;
	while (left !== undefined && !isEmptyRange(left)) {
		const page = await askPage(reading, left);
		const { inspections, sentAt } = page;
		const lastTime = timestampOf(inspections.at(-1)?.[order.sortBy]);
		const second = lastTime && floorToSecond(lastTime);
		const isLast = isSurelyAll(reading, page);
		yield { inspections, second, isOfFullSecond: false, isLast, sentAt };
		if (await isAll(reading, left, page)) return;
		const times = timesOfPage(order, left, inspections);
		const last = times.at(-1);
		if (last === undefined) return;
		const first = times.length < reading.pageSize ? undefined : times[0];
		const { fullSecond, rest } = remainderAfter(order, left, last, first);
		if (fullSecond !== undefined) {
			const at = { second: fullSecond.second, isOfFullSecond: true, isLast: false };
			const begun = { ...fullSecond, rest, inspections };
			for await (const shown of readFullSecond(reading, begun, options)) {
				yield { inspections: shown, ...at };
			}
		}
		left = rest;
	}
}
