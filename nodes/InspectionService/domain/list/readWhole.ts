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
import { type LimitedRequests, limitRequests } from './limitRequests';
import { NewestVersions } from './newestVersions';
import { timesOfPage } from './pageChecks';
import type { ListQuestion, ListSource } from './readFirst';
import { askPage, isAll, type Reading, readRange } from './readRange';
import { NOTHING_KNOWN } from './readTie';
import { divide, msAhead, pagesAhead, type Slice, spanOf } from './slice';

const OLDEST_FIRST: ListOrder = { sortBy: 'created_at', sortOrder: 'asc' };
const NEWEST_FIRST: ListOrder = { sortBy: 'created_at', sortOrder: 'desc' };

/** Takes some inspections as they come: in no order, and some of them more than once. */
export type TakePage = (inspections: readonly InspectionRecord[]) => void;

/**
 * Reads every inspection that the filter keeps, each once, in the order asked for. `lanes` requests at most are under
 * way at once. Memory grows with what is wanted, not with what is read.
 */
export async function readWhole(
	question: ListQuestion,
	source: ListSource,
	lanes: number,
): Promise<InspectionRecord[]> {
	const found = new NewestVersions(question.isWanted ?? (() => true));
	await readPages(question, source, lanes, (page) => found.add(page));
	return found.sorted(question);
}

/**
 * Reads every inspection that the filter keeps, while others create and update, and hands the pages over as they
 * come: for a caller that keeps less than all of it. It reads by keyset over the time of creation, which never moves.
 *
 * The first request is all that a list of less than a page takes. A full page is followed by the newest one, which
 * shows where the list ends; then what lies between is cut into slices of time that are read side by side. A lane
 * that has nothing left takes over half of the slice that has most before it.
 */
export async function readPages(
	{ filter, includes }: Pick<ListQuestion, 'filter' | 'includes'>,
	{ list, cap }: ListSource,
	lanes: number,
	take: TakePage,
): Promise<void> {
	const requests = limitRequests(list, lanes);
	const reading: Reading = {
		...{ list: requests.list, cap, filter, includes },
		...{ order: OLDEST_FIRST, pageSize: MAX_PAGE_SIZE },
	};
	const range = rangeOf(filter, 'created_at');
	const first = await askPage(reading, range);
	const mayHaveNext = cap.mayHaveNext(first.length, reading.pageSize);
	cap.note(first.length);
	take(first);
	if (mayHaveNext === 'no') return;
	if (mayHaveNext === 'perhaps' && (await isAll(reading, range, first.length))) return;
	const times = timesOfPage(OLDEST_FIRST, range, first);
	const newest = await askPage({ ...reading, order: NEWEST_FIRST }, range);
	take(newest);
	const newestTimes = timesOfPage(NEWEST_FIRST, range, newest);
	if (newest.length < first.length || meet(times, newestTimes)) return;
	await readSlices(slicesBetween(range, times, newestTimes, lanes), {
		...{ reading, requests, take, lanes },
		dense: secondOf(times),
	});
}

/** By the millisecond: a service may sort by fewer digits, and then a page's end says nothing within it. */
function meet(first: readonly Timestamp[], newest: readonly Timestamp[]): boolean {
	const last = first.at(-1);
	const oldest = newest.at(-1);
	return last === undefined || oldest === undefined || msSinceEpoch(oldest) < msSinceEpoch(last);
}

/**
 * What lies between the first page and the newest one, cut into slices. What is created from now on was not there
 * throughout: leaving it out is what gives the reading an end.
 */
function slicesBetween(
	range: KeyRange,
	first: readonly Timestamp[],
	newest: readonly Timestamp[],
	lanes: number,
): Slice[] {
	const last = first.at(-1);
	const oldest = newest.at(-1);
	if (last === undefined || oldest === undefined) return [];
	const after = floorToSecond(last);
	const end = ceilToSecond(oldest) ?? oldest;
	const slice: Slice = {
		range: {
			after: laterOf(range.after ?? after, after),
			before: range.before === undefined ? end : earlierOf(range.before, end),
		},
		spanMs: undefined,
		isTied: false,
	};
	const pagesPerMs = (1 / spanOf(first) + 1 / spanOf(newest)) / 2;
	const pages = Math.floor((msAhead(slice) ?? 0) * pagesPerMs);
	return [slice, ...divide(slice, Math.min(lanes, Math.max(1, pages)))];
}

interface SliceReading {
	reading: Reading;
	requests: LimitedRequests;
	take: TakePage;
	lanes: number;
	/** The second that all of the first page lies in; undefined where it spans several. */
	dense: Timestamp | undefined;
}

/** Reads the slices side by side. After a failure no request is started any more, and the first failure is thrown. */
async function readSlices(slices: readonly Slice[], context: SliceReading): Promise<void> {
	const { reading, requests, take, lanes, dense } = context;
	const unfinished = new Set(slices);
	const tieOptions = {
		...NOTHING_KNOWN,
		width: () => Math.max(1, lanes - requests.underWay()),
		isEnteredAt: (second: Timestamp) => second === dense,
	};
	const shareOut = () => {
		const started: Promise<void>[] = [];
		while (unfinished.size < lanes) {
			const slice = takeOver([...unfinished]);
			if (slice === undefined) break;
			unfinished.add(slice);
			started.push(readSlice(slice));
		}
		return started;
	};
	const readSlice = async (slice: Slice): Promise<void> => {
		const others: Promise<void>[] = [];
		for await (const { rows, tie } of readRange(reading, slice.range, tieOptions)) {
			take(rows);
			slice.isTied = tie !== undefined;
			const times = rows.length < 2 ? [] : timesOfPage(OLDEST_FIRST, {}, rows);
			if (!slice.isTied && times.length > 0) slice.spanMs = spanOf(times);
			others.push(...shareOut());
		}
		unfinished.delete(slice);
		await allOf([...others, ...shareOut()]);
	};
	await allOf([...slices.map(readSlice)]);
}

/** Half of the slice that has most before it, for a lane that has nothing left; undefined where none is worth it. */
function takeOver(slices: readonly Slice[]): Slice | undefined {
	const longestFirst = slices
		.filter((slice) => pagesAhead(slice) > MIN_PAGES_TO_SHARE)
		.sort((a, b) => compareNumbers(pagesAhead(b), pagesAhead(a)));
	for (const slice of longestFirst) {
		const [half] = divide(slice, 2);
		if (half !== undefined) return half;
	}
	return undefined;
}

/** With no more than one page before it, a lane is as quick alone. */
const MIN_PAGES_TO_SHARE = 1;

function secondOf(times: readonly Timestamp[]): Timestamp | undefined {
	const [first] = times;
	const last = times.at(-1);
	if (first === undefined || last === undefined) return undefined;
	return floorToSecond(first) === floorToSecond(last) ? floorToSecond(first) : undefined;
}

/** Infinity is among the numbers, so they cannot be subtracted. */
function compareNumbers(a: number, b: number): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
