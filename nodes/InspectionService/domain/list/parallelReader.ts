import { mapConcurrently } from '../mapConcurrently';
import {
	earliestOf,
	floorToSecond,
	isLater,
	laterOf,
	msSinceEpoch,
	secondAfter,
	type Timestamp,
} from '../timestamp';
import { checkTimes, fetchPage, type Reading } from './fetchPage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import { MAX_PAGE_SIZE } from './inspectionQuery';
import { unreadAfter } from './readRange';
import { readTiedSecond, type TiedSecond } from './readTiedSecond';
import type { TimeRange } from './timeRange';

/**
 * The size of the pages that workers fetch at a distance from each other. The inspections between two such pages, the
 * gap, are read afterwards. A request for a gap also covers the last second of the page before it and the first second
 * of the page after it, because the gap can contain inspections of these seconds. If the gap has 96 inspections, one
 * request of `MAX_PAGE_SIZE` (100) usually reads all of that.
 */
const DIVIDING_PAGE_SIZE = 96;
/**
 * Limits the estimated length of the unread rest of a list to this multiple of the pages read. A higher estimate often
 * wastes a request for a page after the end.
 */
const MAX_GROWTH = 2;

export const BY_CREATION = { sortBy: 'created_at', sortOrder: 'asc' } as const;

export interface ParallelReading extends Reading {
	readonly order: typeof BY_CREATION;
	readonly range: TimeRange;
	/** Called with the inspections of each page as it arrives. Inspections are unsorted, and some come more than once. */
	readonly onPage: (inspections: readonly InspectionRecord[]) => void;
	/**
	 * The maximum number of concurrent requests, which `list` enforces. The reader also fetches at most this many pages
	 * of a range at once.
	 */
	readonly workers: number;
}

/** A page and its page number within a range. */
export interface NumberedPage extends InspectionPage {
	readonly number: number;
}

/** A range of whole seconds that no page has covered yet: from `from` to `until`, or to the end of the list. */
interface UnreadRange {
	readonly from: Timestamp;
	/** The end of the range (exclusive). Undefined for the end of the list. */
	readonly until: Timestamp | undefined;
	/** The estimated number of pages in the range. */
	readonly pages: number;
}

type Unread = UnreadRange | { readonly tied: TiedSecond; readonly pages: 1 };

/** The times of a page's first and last inspection, rounded down to whole seconds. */
interface Span {
	readonly first: Timestamp;
	readonly last: Timestamp;
}

/**
 * Reads a list by creation time with several concurrent requests ("Divide what is unread" in docs/how-it-reads.md). A
 * page proves only that the whole seconds between its first and last inspection were read. Its page number only
 * determines which part of the list to fetch.
 */
export class ParallelReader {
	private readonly reading: ParallelReading;
	/** The number of busy workers. A worker runs one request at a time. */
	private busy = 0;
	private pagesRead = 0;
	/**
	 * The times on the page with the newest inspections. This page is fetched first, so the other requests only read up to
	 * its earliest inspection. Undefined until the page was fetched, and for an empty list.
	 */
	private newest: Span | undefined;

	constructor(reading: ParallelReading) {
		this.reading = reading;
	}

	/**
	 * Reads the rest of the list after page 1. `others` are later pages, fetched after page 1. Pass them only if no
	 * inspection can move to an earlier page. `newest` is the page with the newest inspections. If `newest` is undefined,
	 * the page is fetched. `pages` is the estimated length of the list.
	 */
	async readRest(
		page1: InspectionPage,
		{ others = [], newest, pages }: ReadRestOptions,
	): Promise<void> {
		const from = this.spanOf(page1)?.first;
		if (from === undefined) return;
		this.pagesRead = 1 + others.length;
		const range = { from, until: undefined, pages };
		const unread = await this.unreadIn(range, page1, others);
		const steps = [
			async () => this.endAt(newest ?? (await fetchNewest(this.reading))),
			async () => await this.readRanges(unread),
		];
		await mapConcurrently(steps, steps.length, async (step) => await step());
	}

	/**
	 * Lets the reading end at the newest page. Otherwise, reading would never end if other users create inspections
	 * faster than the reader fetches them.
	 */
	private endAt(newest: readonly InspectionRecord[]): void {
		this.reading.onPage(newest);
		const last = newest[0];
		const first = newest.at(-1);
		if (first === undefined || last === undefined) return;
		const page = { inspections: first === last ? [first] : [first, last] };
		this.newest = this.spanOf(page);
	}

	/**
	 * Reads the ranges concurrently, the longest first. Idle workers help with the longest ranges. Then reads the parts of
	 * these ranges that are still unread.
	 */
	private async readRanges(ranges: readonly Unread[]): Promise<void> {
		const unread = ranges.filter((range) => 'tied' in range || !this.isRead(range));
		this.busy += unread.length;
		const longestFirst = unread.toSorted((a, b) => b.pages - a.pages);
		await mapConcurrently(longestFirst, longestFirst.length, async (range) => {
			const idle = this.reading.workers - this.busy;
			const count = Math.max(1, Math.min(1 + idle, Math.ceil(range.pages / 2)));
			// Count these workers as busy immediately: the other ranges start before the first response and must not use the
			// same workers.
			this.busy += count - 1;
			const left =
				'tied' in range ? await this.readTied(range.tied) : await this.divide(range, count);
			this.busy -= count;
			await this.readRanges(left);
		});
	}

	/**
	 * Reads one second of time with all workers, because the number of its inspections is unknown. `list` limits the
	 * concurrent requests.
	 */
	private async readTied(tied: TiedSecond): Promise<[]> {
		const { workers, onPage } = this.reading;
		for await (const inspections of readTiedSecond(this.reading, tied, { workers })) {
			onPage(inspections);
		}
		return [];
	}

	/** Fetches `count` evenly spaced pages of a range. Returns the ranges that these pages leave unread. */
	private async divide(range: UnreadRange, count: number): Promise<Unread[]> {
		// Skip at least one page in between. If two neighboring pages are fetched at once, an inspection can move from one
		// to the other and be missed.
		const distance = Math.max(2, Math.floor(range.pages / count));
		const numbers = Array.from({ length: count }, (_, index) => 1 + index * distance);
		const [page1, ...others] = await mapConcurrently(numbers, count, async (number) => {
			const size = number === 1 ? MAX_PAGE_SIZE : DIVIDING_PAGE_SIZE;
			const page = await fetchPage(this.reading, this.timeRangeFrom(range.from), number, size);
			this.reading.onPage(page.inspections);
			return { ...page, number };
		});
		this.pagesRead += count;
		return page1 === undefined ? [] : await this.unreadIn(range, page1, others);
	}

	/**
	 * Returns the parts of a range that `page1` and `others` leave unread. If page 1 is short, this can fetch another
	 * page to check whether the range is complete.
	 */
	private async unreadIn(
		range: UnreadRange,
		page1: InspectionPage,
		others: readonly NumberedPage[],
	): Promise<Unread[]> {
		const span = this.spanOf(page1);
		if (span === undefined || this.isRead({ ...range, from: span.last })) return [];
		const timeRange = this.timeRangeFrom(range.from);
		const { tied, rest } = await unreadAfter(this.reading, timeRange, page1);
		const seconds: Unread[] = tied === undefined ? [] : [{ tied, pages: 1 }];
		if (rest?.after === undefined) return seconds;
		return [...seconds, ...this.unreadBetween({ ...range, from: rest.after }, span, others)];
	}

	/**
	 * Returns the unread ranges between the pages, and the range after the last page. `range` starts at the end of page
	 * 1.
	 */
	private unreadBetween(
		range: UnreadRange,
		page1: Span,
		others: readonly NumberedPage[],
	): UnreadRange[] {
		const unread: UnreadRange[] = [];
		let { from } = range;
		let span = page1;
		let previous = 1;
		for (const page of others) {
			const pages = Math.max(1, page.number - previous - 1);
			const next = this.spanOf(page);
			// This page is empty: the list ends before it, or the service limits how many results it returns in total.
			// Everything after the previous page is unread.
			if (next === undefined) return [...unread, { ...range, from, pages }];
			span = next;
			// Neighboring pages have no gap between them, unless one second continues from one page to the next.
			const isNeighbor = page.number === previous + 1 && isLater(span.first, from);
			const until = earliestOf([range.until, secondAfter(span.first)]);
			if (!isNeighbor) unread.push({ from, until, pages });
			// The page's last second can continue on the next page, so it counts as unread. Exception: the page contains only
			// one second, and the range before the page is unread. That range already includes this whole second.
			const isLastSecondUnread = isNeighbor || isLater(span.last, span.first);
			from = laterOf(from, isLastSecondUnread ? span.last : secondAfter(span.first));
			previous = page.number;
		}
		const pages =
			range.until === undefined
				? this.guessPages(from, span, range.pages - previous)
				: range.pages - previous;
		return [...unread, { ...range, from, pages: Math.max(1, pages) }];
	}

	/**
	 * Estimates how many pages of the list are left after `from`. `last` is the page that ends at `from`. Assumes that a
	 * page spans the geometric mean of the times that `last` and the newest page span.
	 */
	private guessPages(from: Timestamp, last: Span, expected: number): number {
		if (this.newest === undefined) return expected;
		const msPerPage = Math.sqrt(durationOf(last) * durationOf(this.newest));
		const pages = Math.ceil((msSinceEpoch(this.newest.first) - msSinceEpoch(from)) / msPerPage);
		return Math.min(Math.max(expected, MAX_GROWTH * this.pagesRead), pages);
	}

	private isRead({ from, until }: Pick<UnreadRange, 'from' | 'until'>): boolean {
		const end = earliestOf([until, this.newest && secondAfter(this.newest.first)]);
		return end !== undefined && !isLater(end, from);
	}

	private spanOf({ inspections }: Pick<InspectionPage, 'inspections'>): Span | undefined {
		const { order, range } = this.reading;
		const [first, ...others] = checkTimes(order, range, inspections);
		if (first === undefined) return undefined;
		return { first: floorToSecond(first), last: floorToSecond(others.at(-1) ?? first) };
	}

	private timeRangeFrom(second: Timestamp): TimeRange {
		const { range } = this.reading;
		return { ...range, after: laterOf(range.after ?? second, second) };
	}
}

export interface ReadRestOptions {
	readonly others?: readonly NumberedPage[];
	readonly newest?: readonly InspectionRecord[] | undefined;
	readonly pages: number;
}

/** Fetches the newest inspections, newest first. */
export async function fetchNewest(reading: ParallelReading): Promise<readonly InspectionRecord[]> {
	const order = { sortBy: 'created_at', sortOrder: 'desc' } as const;
	const { inspections } = await fetchPage({ ...reading, order }, reading.range);
	checkTimes(order, reading.range, inspections);
	return inspections;
}

/**
 * Returns the time between the first and last inspection of a page, in ms. Returns at least 1,000, because both times
 * are rounded down to whole seconds.
 */
function durationOf({ first, last }: Span): number {
	return Math.max(1_000, msSinceEpoch(last) - msSinceEpoch(first));
}
