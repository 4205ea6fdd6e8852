import { limitConcurrency, mapConcurrently } from '../mapConcurrently';
import {
	earlierOf,
	floorToSecond,
	isLater,
	laterOf,
	msSinceEpoch,
	secondAfter,
	type Timestamp,
} from '../timestamp';
import {
	checkTimes,
	fetchPage,
	isCompleteRange,
	type ListSource,
	oppositeOf,
	type OrderedList,
} from './fetchPage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import { MAX_PAGE_SIZE } from './inspectionQuery';
import { LatestById } from './latestById';
import { readRange } from './readRange';
import type { ListOptions } from './readUpTo';
import { rangeOf, type TimeRange } from './timeRange';

/**
 * The page size of samples, except for page 1. The gap between two samples then has 92 inspections. A request for the
 * gap also returns the last second of the sample before it and the first second of the sample after it. One page of
 * `MAX_PAGE_SIZE` (100) usually has room for all of them. Measured with `npm run bench -- listRequests`: 96 is too large
 * for lists with three inspections per second, and 88 needs more requests for 1,000 inspections.
 */
const SAMPLE_SIZE = 92;

type OnPage = (inspections: readonly InspectionRecord[]) => void;

/** Reads every inspection that matches the filter, each once, in the requested order. */
export async function readAll(
	options: ListOptions,
	source: ListSource,
	workers: number,
): Promise<InspectionRecord[]> {
	const found = new LatestById(options.isWanted);
	await readAllPages(options, source, workers, (page) => found.add(page));
	return found.sorted(options);
}

/**
 * Reads every inspection that matches the filter ("Return All" in docs/dev/reading.md). Calls `onPage` with each page
 * as it arrives, so some inspections come more than once. Runs at most `workers` requests concurrently. After a failed
 * request, no more requests start.
 *
 * If page 1 isn't the whole list, every second page is requested by number (a sample). The gaps between the samples are
 * read by time. So a wrong page number only changes which part of the list a sample shows, and never hides an
 * inspection.
 */
export async function readAllPages(
	{ filter, includes }: Pick<ListOptions, 'filter' | 'includes'>,
	source: ListSource,
	workers: number,
	onPage: OnPage,
): Promise<void> {
	const list = limitConcurrency(source.list, workers);
	const order = { sortBy: 'created_at', sortOrder: 'asc' } as const;
	const reading = { list, filter, includes, order, pageSize: MAX_PAGE_SIZE };
	const range = rangeOf(filter, 'created_at');
	const fetch = async (one: OrderedList, part: TimeRange, page: number) => {
		const size = page === 1 ? MAX_PAGE_SIZE : SAMPLE_SIZE;
		const fetched = await fetchPage(one, part, page, size);
		onPage(fetched.inspections);
		return fetched;
	};
	const page1 = await fetch(reading, range, 1);
	if (await isCompleteRange(reading, range, page1)) return;
	const falling = oppositeOf(reading);
	const [newestPage, ...samples] = await runAll([
		async () => await fetch(falling, range, 1),
		async () => await fetch(reading, range, 3),
	]);
	const newest = newestPage && spanOf(falling, range, newestPage);
	if (newest === undefined) return;
	await readRest({ reading, workers, fetch, onPage, newest }, range, [page1, ...samples]);
}

/** What all parts of a concurrent read have in common. */
interface ConcurrentRead {
	readonly reading: OrderedList;
	readonly workers: number;
	readonly fetch: (one: OrderedList, part: TimeRange, page: number) => Promise<InspectionPage>;
	readonly onPage: OnPage;
	/**
	 * The newest page when reading began. Reading ends at its earliest second. Otherwise, it would never end if other
	 * users create inspections faster than it reads.
	 */
	readonly newest: Span;
}

/**
 * Reads the gaps between the samples of a range, and the rest of the range after them. The first sample is page 1 of the
 * range, so no unread inspection is before it.
 */
async function readRest(
	read: ConcurrentRead,
	range: TimeRange,
	samples: readonly InspectionPage[],
): Promise<void> {
	const { reading, workers, onPage, newest } = read;
	const spans = samples.map((page) => spanOf(reading, range, page));
	const [page1, ...others] = spans;
	if (page1 === undefined) return;
	const end = secondAfter(newest.first);
	const steps: (() => Promise<void>)[] = [];
	let proven = page1.last;
	const unread = () => ({ ...range, after: laterOf(range.after ?? proven, proven) });
	const addGap = (until: Timestamp, known?: InspectionPage) => {
		const gap = unread();
		const options = { workers, until: earlierOf(until, end), page1: known };
		steps.push(async () => {
			for await (const page of readRange(reading, gap, options)) onPage(page.inspections);
		});
		proven = until;
	};
	// Within one second, page 1 of the range is also page 1 of the gap.
	const begin = laterOf(page1.first, floorToSecond(range.after ?? page1.first));
	if (!isLater(page1.last, begin)) addGap(secondAfter(begin), samples[0]);
	for (const span of others) {
		// An empty page: the list ends before it, or the service limits how many results it returns in total.
		if (span === undefined) break;
		if (!isLater(proven, span.first)) addGap(secondAfter(span.first));
		proven = laterOf(proven, span.last);
	}
	if (isLater(end, proven)) {
		const last = spans.at(-1);
		const needed = last === undefined ? 1 : samplesFor(proven, newest, last);
		const count = Math.min(needed, 2 * samples.length, workers);
		const rest = unread();
		steps.unshift(async () => await readSamples(read, rest, count));
	}
	await runAll(steps);
}

/**
 * Estimates how many samples the list needs from a second on. Assumes that it's as dense everywhere as the denser of
 * the last sample and the newest page.
 */
function samplesFor(from: Timestamp, newest: Span, last: Span): number {
	const length = ({ first, last: end }: Span) =>
		msSinceEpoch(secondAfter(end)) - msSinceEpoch(first);
	const pages =
		length({ first: from, last: newest.first }) / Math.min(length(last), length(newest));
	return Math.ceil(pages / 2);
}

/** Reads a range that starts with a whole second. Begins with `count` samples at the same time. */
async function readSamples(read: ConcurrentRead, range: TimeRange, count: number): Promise<void> {
	const numbers = Array.from({ length: count }, (_, index) => 1 + 2 * index);
	const fetch = async (page: number) => await read.fetch(read.reading, range, page);
	await readRest(read, range, await mapConcurrently(numbers, count, fetch));
}

/** The times of a page's earliest and latest inspection, rounded down to whole seconds. */
interface Span {
	readonly first: Timestamp;
	readonly last: Timestamp;
}

function spanOf(
	{ order }: OrderedList,
	range: TimeRange,
	{ inspections }: InspectionPage,
): Span | undefined {
	const seconds = checkTimes(order, range, inspections).map(floorToSecond);
	const [one, other] = [seconds[0], seconds.at(-1)];
	if (one === undefined || other === undefined) return undefined;
	return { first: earlierOf(one, other), last: laterOf(one, other) };
}

/** Runs all steps at the same time. Unlike Promise.all, waits for the other steps if one fails. */
async function runAll<Result>(steps: readonly (() => Promise<Result>)[]): Promise<Result[]> {
	return await mapConcurrently(steps, steps.length, async (step) => await step());
}
