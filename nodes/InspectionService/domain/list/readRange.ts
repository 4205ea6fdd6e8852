import { floorToSecond, type Timestamp } from '../timestamp';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import type { Include, InspectionFilter, InspectionPageQuery } from './inspectionQuery';
import {
	isEmptyRange,
	type KeyRange,
	type ListOrder,
	rangeAfterPage,
	rangeAfterTie,
	secondOfTie,
	withRange,
} from './keyRange';
import { timesOfPage } from './pageChecks';
import { NOTHING_KNOWN, readTie, type Tie, type TieOptions } from './readTie';

/** One request of the list. */
export type ListPage = (query: InspectionPageQuery) => Promise<InspectionPage>;

/** Which inspections are read from the list, and how. */
export interface Reading {
	readonly list: ListPage;
	readonly filter: InspectionFilter;
	readonly includes: readonly Include[];
	readonly order: ListOrder;
	/** How many inspections one request asks for, 1 to 100. */
	readonly pageSize: number;
}

/** One page of a range, in the range's order. */
export interface RangePage {
	readonly rows: readonly InspectionRecord[];
	/** The whole second, where it is read by page number (`readTie`); undefined for all other pages. */
	readonly tie?: Timestamp;
	/** With `tie`: how many inspections are on its pages before this one. Undefined where not all of those were read. */
	readonly before?: number | undefined;
	/** True where it is certain that nothing comes after this page. */
	readonly isLast?: boolean;
	/** When the service sent the page (`InspectionPage`); undefined where it does not say. */
	readonly sentAt?: Timestamp | undefined;
}

/**
 * Reads a range of the list by keyset: each request asks for page 1 of what is left of the range. What is left begins
 * with the second that the last page ended in, so the inspections of that second come twice. No change that others make
 * can then move an inspection from an unread page to one that was read. Only a second that holds more inspections than a
 * page is read by page number (`readTie`).
 *
 * `range` is changed while it is read: its start moves on with each page, and another lane may take over its later half
 * (`Slice`). Throws UnexpectedResponseError where reading on would skip inspections or never end.
 */
export async function* readRange(
	reading: Reading,
	range: KeyRange,
	tieOptions: TieOptions = NOTHING_KNOWN,
): AsyncGenerator<RangePage> {
	const { order } = reading;
	while (!isEmptyRange(range)) {
		const asked = { ...range };
		const page = await askPage(reading, asked);
		const rows = page.inspections;
		yield { rows, isLast: isSurelyAll(reading, page), sentAt: page.sentAt };
		if (await isAll(reading, asked, page)) return;
		const last = timesOfPage(order, asked, rows).at(-1);
		if (last === undefined) return;
		const rest = rangeAfterPage(order, range, last);
		if (rest !== undefined) {
			shrink(range, rest);
			continue;
		}
		const tie = { ...tieIn(reading, range, last), pageSize: rows.length };
		yield* readSecond(reading, tie, tieOptions);
		if (!shrink(range, rangeAfterTie(order, range, tie.range))) return;
	}
}

/** Asks for one page of a range. */
export async function askPage(
	{ list, filter, includes, order, pageSize: usual }: Reading,
	range: KeyRange,
	page = 1,
	pageSize = usual,
): Promise<InspectionPage> {
	const query = { ...withRange(filter, order.sortBy, range), ...order, page, pageSize };
	return await list(includes.length === 0 ? query : { ...query, includes });
}

/**
 * Whether page 1 of a range holds all of it. A page that is shorter than was asked for may be the last one, or a service
 * may send fewer inspections than it is asked for, without saying so (a page cap), and another number with the next
 * request. So unless the envelope says that the list ends, one more request looks behind the page.
 */
export async function isAll(
	reading: Reading,
	range: KeyRange,
	page: InspectionPage,
): Promise<boolean> {
	const { length } = page.inspections;
	if (length >= reading.pageSize) return false;
	if (isSurelyAll(reading, page)) return true;
	return (await askPage({ ...reading, includes: [] }, range, 2, length)).inspections.length === 0;
}

/** Whether page 1 of a range shows by itself that it holds all of it: it is empty, or the envelope says so. */
export function isSurelyAll(
	{ pageSize }: Pick<Reading, 'pageSize'>,
	{ inspections: { length }, isLast }: InspectionPage,
): boolean {
	return length === 0 || (length < pageSize && isLast === true);
}

function tieIn({ order, pageSize }: Reading, range: KeyRange, last: Timestamp): Tie {
	return { second: floorToSecond(last), range: secondOfTie(order, range, last), pageSize };
}

async function* readSecond(
	reading: Reading,
	tie: Tie,
	options: TieOptions,
): AsyncGenerator<RangePage> {
	for await (const page of readTie(reading, tie, options)) yield { ...page, tie: tie.second };
}

/** Changes the range to what is left of it. False where nothing is left. */
function shrink(range: KeyRange, rest: KeyRange | undefined): boolean {
	if (rest === undefined) return false;
	range.after = rest.after;
	range.before = rest.before;
	return true;
}
