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
 * Size of the pages that divide a range. The unread range between two of them also contains the last second of the
 * earlier page and the first second of the later page. A size of four below `MAX_PAGE_SIZE` leaves room for both, so
 * one request can still read a gap of one page.
 */
const DIVIDING_PAGE_SIZE = 96;
/**
 * Limits the estimate for the unread rest of a list to this multiple of the pages read, because a guess beyond the
 * end costs a request.
 */
const MAX_GROWTH = 2;

export const BY_CREATION = { sortBy: 'created_at', sortOrder: 'asc' } as const;

export interface ParallelReading extends Reading {
	readonly order: typeof BY_CREATION;
	readonly range: TimeRange;
	/** Receives the inspections as they arrive, unsorted and possibly more than once. */
	readonly onPage: (inspections: readonly InspectionRecord[]) => void;
	/**
	 * How many requests run at once. The `list` of the reading enforces it. Here, it determines how far to divide.
	 */
	readonly workers: number;
}

/** A page and its number. Page 1 starts with the first second of a range. */
export interface NumberedPage extends InspectionPage {
	readonly number: number;
}

/** Whole seconds that no page has shown: from `from` to `until`, or to the end of the list. */
interface UnreadRange {
	readonly from: Timestamp;
	/** Exclusive. */
	readonly until: Timestamp | undefined;
	/** Estimated number of pages. */
	readonly pages: number;
}

type Unread = UnreadRange | { readonly tied: TiedSecond; readonly pages: 1 };

/** The seconds of a page's first and last inspection. */
interface Span {
	readonly first: Timestamp;
	readonly last: Timestamp;
}

/**
 * Reads a list by creation time with several workers ("Divide what is unread" in docs/how-it-reads.md). A page only
 * counts for the whole seconds between its first and its last inspection. Its number only determines where to read.
 */
export class ParallelReader {
	private readonly reading: ParallelReading;
	/** How many workers are busy. */
	private busy = 0;
	private pagesRead = 0;
	/**
	 * The newest page, whose earliest inspection ends the reading. Undefined until it was read, and for an empty
	 * list.
	 */
	private newest: Span | undefined;

	constructor(reading: ParallelReading) {
		this.reading = reading;
	}

	/**
	 * Reads the rest of the list after page 1. `others` are later pages that were fetched after page 1. They are only
	 * valid if no inspection moves to an earlier page. Fetches the newest page if `newest` is missing. `pages` is the
	 * estimated length of the list.
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

	/** Excludes inspections created later, so that the reading ends no matter how fast other users create them. */
	private endAt(newest: readonly InspectionRecord[]): void {
		this.reading.onPage(newest);
		const last = newest[0];
		const first = newest.at(-1);
		if (first === undefined || last === undefined) return;
		const page = { inspections: first === last ? [first] : [first, last] };
		this.newest = this.spanOf(page);
	}

	/** Reads all ranges concurrently, then whatever they left unread. Idle workers help with the longest range. */
	private async readRanges(ranges: readonly Unread[]): Promise<void> {
		const unread = ranges.filter((range) => 'tied' in range || !this.isRead(range));
		this.busy += unread.length;
		const longestFirst = unread.toSorted((a, b) => b.pages - a.pages);
		await mapConcurrently(longestFirst, longestFirst.length, async (range) => {
			const idle = this.reading.workers - this.busy;
			const count = Math.max(1, Math.min(1 + idle, Math.ceil(range.pages / 2)));
			// Siblings start before the first response, and must not count the same workers as idle.
			this.busy += count - 1;
			const left =
				'tied' in range ? await this.readTied(range.tied) : await this.divide(range, count);
			this.busy -= count;
			await this.readRanges(left);
		});
	}

	/** Uses all workers, because a second has an unknown length. `list` limits the requests. */
	private async readTied(tied: TiedSecond): Promise<[]> {
		const { workers, onPage } = this.reading;
		for await (const inspections of readTiedSecond(this.reading, tied, { workers })) {
			onPage(inspections);
		}
		return [];
	}

	/** Fetches `count` evenly spaced pages of a range, and returns the unread ranges. */
	private async divide(range: UnreadRange, count: number): Promise<Unread[]> {
		// Neighboring pages that are fetched at once prove nothing about the inspections between them.
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
	 * Returns the ranges that page 1 and other pages of a range leave unread. Can fetch another page if page 1 is
	 * short.
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

	/** Returns the ranges before, between, and after pages of a range, starting at the end of its page 1. */
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
			// The list or a result window ended before this page, so the unread range starts at the end of the last
			// page.
			if (next === undefined) return [...unread, { ...range, from, pages }];
			span = next;
			// Neighboring pages leave no gap, unless a second continues from one page to the next.
			const isNeighbor = page.number === previous + 1 && isLater(span.first, from);
			const until = earliestOf([range.until, secondAfter(span.first)]);
			if (!isNeighbor) unread.push({ from, until, pages });
			// The page's last second can continue after the page. But if it's also the page's first second, the range
			// before the page reads it completely.
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
	 * Estimates how many pages the list has after a given second. Assumes a density of inspections between that of
	 * the page that ended there and that of the newest page.
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

/** In ms, at least a second. */
function durationOf({ first, last }: Span): number {
	return Math.max(1_000, msSinceEpoch(last) - msSinceEpoch(first));
}
