import { floorToSecond, type Timestamp } from '../timestamp';
import type { InspectionRecord } from './inspectionPage';
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
import type { PageCap } from './pageCap';
import { timesOfPage } from './pageChecks';
import { NOTHING_KNOWN, readTie, type Tie, type TieOptions } from './readTie';

/** One request of the list. */
export type ListPage = (query: InspectionPageQuery) => Promise<readonly InspectionRecord[]>;

/** What is read from the list, and how. */
export interface Reading {
	readonly list: ListPage;
	readonly filter: InspectionFilter;
	readonly includes: readonly Include[];
	readonly order: ListOrder;
	/** Inspections asked for at once, 1 to 100. */
	readonly pageSize: number;
	readonly cap: PageCap;
}

/** Some inspections of a range, in its order. */
export interface RangePage {
	readonly rows: readonly InspectionRecord[];
	/** The whole second that is being read page by page; undefined everywhere else. */
	readonly tie?: Timestamp;
	/** In such a second: how many inspections are on the pages before this one. Undefined where not all of them were read. */
	readonly before?: number | undefined;
	/** True where nothing comes after it for certain. */
	readonly isLast?: boolean;
}

/**
 * Reads a range of the list by keyset: every request is page 1 of what is left of the range, and the next request
 * begins with the second that the page ended in. Nothing that others do to the list moves an inspection from an
 * unread page to a read one. Only a second that fills a page alone is read by page number (`readTie`).
 *
 * `range` is what is left to be read: it shrinks from its start, and its end may be taken away by others meanwhile.
 * Inspections of the second between two pages come twice. Throws UnexpectedResponseError where reading on would
 * skip inspections or never end.
 */
export async function* readRange(
	reading: Reading,
	range: KeyRange,
	tieOptions: TieOptions = NOTHING_KNOWN,
): AsyncGenerator<RangePage> {
	const { order, cap, pageSize } = reading;
	const isMoreThanAPage = (second: Timestamp) =>
		tieOptions.begun(second).known >= pageSize && cap.longest >= pageSize;
	while (!isEmptyRange(range)) {
		if (range.after !== undefined && isMoreThanAPage(range.after)) {
			// Its first page would only bring what is known.
			const tie = tieIn(reading, range, range.after);
			yield* readSecond(reading, tie, tieOptions);
			if (!shrink(range, rangeAfterTie(order, range, tie.range))) return;
			continue;
		}
		const asked = { ...range };
		const rows = await askPage(reading, asked);
		const mayHaveNext = cap.mayHaveNext(rows.length, pageSize);
		cap.note(rows.length);
		yield { rows, isLast: mayHaveNext === 'no' };
		if (mayHaveNext === 'no') return;
		if (mayHaveNext === 'perhaps' && (await isAll(reading, asked, rows.length))) return;
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

/** One page of a range; page 1 where none is named. */
export async function askPage(
	{ list, filter, includes, order, pageSize: usual }: Reading,
	range: KeyRange,
	page = 1,
	pageSize = usual,
): Promise<readonly InspectionRecord[]> {
	const query = { ...withRange(filter, order.sortBy, range), ...order, page, pageSize };
	return await list(includes.length === 0 ? query : { ...query, includes });
}

/**
 * Whether a page that is shorter than was asked for is the only one: looks at page 2. Only needed where no longer page
 * has come yet: the service may have a page cap.
 */
export async function isAll(reading: Reading, range: KeyRange, length: number): Promise<boolean> {
	return (await askPage({ ...reading, includes: [] }, range, 2, length)).length === 0;
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

/** False where nothing is left. */
function shrink(range: KeyRange, rest: KeyRange | undefined): boolean {
	if (rest === undefined) return false;
	range.after = rest.after;
	range.before = rest.before;
	return true;
}
