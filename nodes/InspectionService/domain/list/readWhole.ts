import { MAX_PAGE_SIZE } from '../limits';
import {
	ceilToSecond,
	earlierOf,
	floorToSecond,
	laterOf,
	msSinceEpoch,
	type Timestamp,
} from '../timestamp';
import { allOf } from './allOf';
import type { InspectionRecord } from './inspectionPage';
import { type KeyRange, type ListOrder, rangeOf } from './keyRange';
import { limitRequests } from './limitRequests';
import { NewestVersions } from './newestVersions';
import { timesOfPage } from './pageChecks';
import type { ListOptions, ListSource } from './readFirst';
import { askPage, isAll, type Reading, readRange } from './readRange';
import { NOTHING_KNOWN, type TieOptions } from './readTie';
import { type Slice, spanOf, takeHalves } from './slice';

const OLDEST_FIRST: ListOrder = { sortBy: 'created_at', sortOrder: 'asc' };
const NEWEST_FIRST: ListOrder = { sortBy: 'created_at', sortOrder: 'desc' };

/** Takes inspections as they come: in no order, and some of them more than once. */
export type TakePage = (inspections: readonly InspectionRecord[]) => void;

/**
 * Reads every inspection that the filter lets through, each once, in the order asked for. At most `lanes` requests are
 * under way at once. Memory holds only the inspections that `isWanted` lets through.
 */
export async function readWhole(
	options: ListOptions,
	source: ListSource,
	lanes: number,
): Promise<InspectionRecord[]> {
	const found = new NewestVersions(options.isWanted ?? (() => true));
	await readPages(options, source, lanes, (page) => found.add(page));
	return found.sorted(options);
}

/**
 * Reads every inspection that the filter lets through, while others create and update. It hands the pages over as they
 * come, for a caller that does not keep all inspections. It reads by keyset over the time of creation, because that
 * never changes.
 *
 * A list that fits on a page takes one request. Otherwise the second request asks for the newest page, which shows where
 * the list ends, and then several lanes read what lies between. A lane reads one part of the list, page after page.
 */
export async function readPages(
	{ filter, includes }: Pick<ListOptions, 'filter' | 'includes'>,
	{ list }: ListSource,
	lanes: number,
	take: TakePage,
): Promise<void> {
	const requests = limitRequests(list, lanes);
	const reading: Reading = {
		...{ list: requests.list, filter, includes },
		...{ order: OLDEST_FIRST, pageSize: MAX_PAGE_SIZE },
	};
	const range = rangeOf(filter, 'created_at');
	const first = await askPage(reading, range);
	take(first.inspections);
	if (await isAll(reading, range, first)) return;
	const times = timesOfPage(OLDEST_FIRST, range, first.inspections);
	const newest = await askPage({ ...reading, order: NEWEST_FIRST }, range);
	take(newest.inspections);
	const newestTimes = timesOfPage(NEWEST_FIRST, range, newest.inspections);
	const slice = sliceBetween(range, times, newestTimes);
	if (slice === undefined) return;
	// A second is read with as many requests as are free.
	const ties = { ...NOTHING_KNOWN, width: () => Math.max(1, lanes - requests.underWay()) };
	await readSideBySide(slice, lanes, { reading, take, ties });
}

/**
 * The part of the list between the first page and the newest one; undefined where the two pages meet. They are compared
 * by the millisecond, because a service may sort by fewer digits than it sends. Inspections that are created from now on
 * are left out, so that the reading ends however fast others create.
 */
function sliceBetween(
	range: KeyRange,
	first: readonly Timestamp[],
	newest: readonly Timestamp[],
): Slice | undefined {
	const last = first.at(-1);
	const oldest = newest.at(-1);
	if (last === undefined || oldest === undefined) return undefined;
	if (msSinceEpoch(oldest) < msSinceEpoch(last)) return undefined;
	const [from, to] = [floorToSecond(last), ceilToSecond(oldest) ?? oldest];
	const after = laterOf(range.after ?? from, from);
	const before = earlierOf(range.before ?? to, to);
	return { range: { after, before }, spanMs: Math.min(spanOf(first), spanOf(newest)) };
}

/**
 * Reads a slice of the list in several lanes at once. A lane that has finished takes over half of the slice that has most
 * left to read. After a failure no request is started any more, and the first failure is thrown.
 */
async function readSideBySide(
	whole: Slice,
	lanes: number,
	{ reading, take, ties }: { reading: Reading; take: TakePage; ties: TieOptions },
): Promise<void> {
	const unfinished = new Set([whole]);
	const shareOut = () => takeHalves(unfinished, lanes).map(readSlice);
	const readSlice = async (slice: Slice): Promise<void> => {
		const others: Promise<void>[] = [];
		for await (const { rows, tie } of readRange(reading, slice.range, ties)) {
			take(rows);
			const isTold = tie === undefined && rows.length > 1;
			if (isTold) slice.spanMs = spanOf(timesOfPage(OLDEST_FIRST, {}, rows));
			others.push(...shareOut());
		}
		unfinished.delete(slice);
		await allOf([...others, ...shareOut()]);
	};
	takeHalves(unfinished, lanes);
	await allOf([...unfinished].map(readSlice));
}
