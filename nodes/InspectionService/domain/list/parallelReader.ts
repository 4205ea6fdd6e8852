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
import type { SecondReader } from './readTiedSecond';
import type { TimeRange } from './timeRange';

/** Pages that cut a part are a little shorter: each page between them begins with the second that the last one ended in. */
const CUT_PAGE_SIZE = 96;
/** The rest of a list is guessed to have at most four times as many pages as lie before it. */
const GUESSED_GROWTH = 4;

export const BY_CREATION = { sortBy: 'created_at', sortOrder: 'asc' } as const;

export interface WholeReading extends Reading {
	readonly order: typeof BY_CREATION;
	readonly range: TimeRange;
	/** Takes inspections as they come: in no order, and some of them more than once. */
	readonly take: (inspections: readonly InspectionRecord[]) => void;
	readonly lanes: number;
}

/** Whole seconds of a list, `after` the first of them, up to `until` or to the list's end. No two parts have one in common. */
interface RangePart {
	readonly kind: 'range';
	readonly after: Timestamp;
	readonly until: Timestamp | undefined;
	/** How many pages it probably has. `isGuess`: no page behind it has come yet. */
	readonly pages: number;
	readonly isGuess: boolean;
}

/** A full second. It takes at most as many lanes as pages of it were read. */
interface SecondPart {
	readonly kind: 'second';
	readonly reader: SecondReader;
	readonly pages: number;
}

type Part = RangePart | SecondPart;

/** A page by its number; page 1 begins with the first second of a part. */
export interface NumberedPage extends InspectionPage {
	readonly number: number;
}

/** The seconds of a page's first and last inspection. The page shows what the list has between them. */
interface Span {
	readonly first: Timestamp;
	readonly last: Timestamp;
}

/** A list by the time of creation that is read in parts, in several lanes at once ("parts" in docs/how-it-reads.md). */
export class ParallelReader {
	private readonly reading: WholeReading;
	/** The parts that no lane is reading. */
	private todo: Part[] = [];
	/** How many pages lie before the part that the list ends with. */
	private pagesBefore = 0;
	/** The second from which on the newest page has shown all; undefined before it was read. */
	private end: Timestamp | undefined;

	constructor(reading: WholeReading) {
		this.reading = reading;
	}

	/** Reads what comes after page 1, but for later pages that have come already: only where no update moves any page. */
	async readBehind(page1: InspectionPage, others: readonly NumberedPage[]): Promise<void> {
		const after = this.spanOf(page1)?.first;
		if (after === undefined) return;
		const whole = { kind: 'range', after, until: undefined, pages: 1, isGuess: true } as const;
		this.todo = await this.leftOf(whole, page1, others);
		await this.readInLanes();
	}

	/** Shares the lanes out anew each time that some are free. After a failure nothing more is begun. */
	private async readInLanes(): Promise<void> {
		const underWay = new Set<Promise<void>>();
		let free = this.reading.lanes;
		let failure: { reason: unknown } | undefined;
		const begin = (lanes: number, work: Promise<readonly Part[]>) => {
			free -= lanes;
			const ended = work
				.then((left) => void this.todo.push(...left))
				.catch((reason: unknown) => void (failure ??= { reason }))
				.then(() => {
					free += lanes;
					underWay.delete(ended);
				});
			underWay.add(ended);
		};
		begin(1, this.readNewest());
		for (;;) {
			const taken = failure === undefined ? this.takeParts(free) : [];
			for (const { part, lanes } of taken) begin(lanes, this.readOn(part, lanes));
			if (underWay.size === 0) break;
			await Promise.race(underWay);
		}
		if (failure !== undefined) throw failure.reason;
	}

	/** Seconds, then the longest ranges, each for its share of the lanes. */
	private takeParts(free: number): { part: Part; lanes: number }[] {
		const seconds = this.todo.filter((part) => part.kind === 'second');
		const ranges = this.todo.filter((part) => part.kind === 'range' && !this.isRead(part));
		// Nobody knows how long a second is, and one lane begins it, so it is not kept waiting.
		const parts = [...seconds, ...ranges.sort((a, b) => b.pages - a.pages)];
		const pagesPerLane = parts.reduce((sum, { pages }) => sum + pages, 0) / free;
		let left = free;
		const shares = parts.map((part) => {
			// Between two pages of a range that are read at once lies another one at least.
			const most = part.kind === 'range' ? Math.floor(part.pages / 2) : part.pages;
			const share = Math.min(most, Math.round(part.pages / pagesPerLane));
			const lanes = Math.min(left, Math.max(1, share));
			left -= lanes;
			return { part, lanes };
		});
		this.todo = shares.filter(({ lanes }) => lanes === 0).map(({ part }) => part);
		return shares.filter(({ lanes }) => lanes > 0);
	}

	/** Inspections that are created after this are left out, so that the reading ends however fast others create. */
	private async readNewest(): Promise<readonly Part[]> {
		const { range, take } = this.reading;
		const order = { sortBy: 'created_at', sortOrder: 'desc' } as const;
		const { inspections } = await fetchPage({ ...this.reading, order }, range);
		take(inspections);
		const earliest = checkTimes(order, range, inspections).at(-1);
		this.end = earliest && secondAfter(floorToSecond(earliest));
		return [];
	}

	/** Returns what is left of a part. */
	private async readOn(part: Part, lanes: number): Promise<readonly Part[]> {
		if (part.kind === 'second') {
			const { value } = await part.reader.next(lanes);
			if (value === undefined) return [];
			this.reading.take(value);
			return [{ ...part, pages: part.pages + lanes }];
		}
		const distance = Math.floor(part.pages / lanes);
		const numbers = Array.from({ length: lanes }, (_, index) => 1 + index * distance);
		const [page1, ...others] = await mapConcurrently(numbers, lanes, async (number) => {
			const size = number === 1 ? MAX_PAGE_SIZE : CUT_PAGE_SIZE;
			const page = await fetchPage(this.reading, this.rangeFrom(part.after), number, size);
			this.reading.take(page.inspections);
			return { ...page, number };
		});
		return page1 === undefined ? [] : await this.leftOf(part, page1, others);
	}

	/** What is left of a part after page 1 of it, and others. May ask whether anything comes behind a short page 1. */
	private async leftOf(
		part: RangePart,
		page1: InspectionPage,
		others: readonly NumberedPage[],
	): Promise<Part[]> {
		const span = this.spanOf(page1);
		if (span === undefined || this.isRead({ ...part, after: span.last })) return [];
		const range = this.rangeFrom(part.after);
		const { tiedSecond, rest } = await unreadAfter(this.reading, range, page1);
		const left: Part[] = [];
		if (tiedSecond !== undefined) left.push({ kind: 'second', reader: tiedSecond, pages: 1 });
		const after = rest?.after;
		if (after !== undefined) left.push(...this.cut({ ...part, after }, span, others));
		return left;
	}

	/** Cuts a part, from where page 1 of it has ended, at the other pages: what lies between them, and after the last. */
	private cut(part: RangePart, page1: Span, others: readonly NumberedPage[]): Part[] {
		const parts: Part[] = [];
		let { after } = part;
		let span = page1;
		let previous = 1;
		for (const page of others) {
			const { number } = page;
			const pages = Math.max(1, number - previous - 1);
			const between = { ...part, after, pages, isGuess: false };
			const next = this.spanOf(page);
			if (next === undefined) return [...parts, between];
			span = next;
			// Between two pages in succession lies nothing, unless a second of the one goes on in the other.
			const isJoined = number === previous + 1 && isLater(span.first, after);
			const until = earliestOf([part.until, secondAfter(span.first)]);
			if (!isJoined) parts.push({ ...between, until });
			// A second that fills the page may go on behind it. The part between reads all of it, where there is one.
			const isOpen = isJoined || isLater(span.last, span.first);
			after = laterOf(after, isOpen ? span.last : secondAfter(span.first));
			previous = number;
		}
		this.pagesBefore += part.isGuess ? previous : 0;
		const pages = part.isGuess ? this.guess(after, span) : Math.max(1, part.pages - previous);
		return [...parts, { ...part, after, pages }];
	}

	/** How many pages the list has from a second on, if inspections stay as close as on the page that ended there. */
	private guess(after: Timestamp, { first, last }: Span): number {
		const most = GUESSED_GROWTH * this.pagesBefore;
		if (this.end === undefined) return most;
		const msPerPage = Math.max(1_000, msSinceEpoch(last) - msSinceEpoch(first));
		const pages = Math.ceil((msSinceEpoch(this.end) - msSinceEpoch(after)) / msPerPage);
		return Math.min(most, Math.max(1, pages));
	}

	private isRead({ after, until }: RangePart): boolean {
		const end = earliestOf([until, this.end]);
		return end !== undefined && !isLater(end, after);
	}

	private spanOf({ inspections }: InspectionPage): Span | undefined {
		const { order, range } = this.reading;
		const [first, ...others] = checkTimes(order, range, inspections);
		if (first === undefined) return undefined;
		return { first: floorToSecond(first), last: floorToSecond(others.at(-1) ?? first) };
	}

	private rangeFrom(second: Timestamp): TimeRange {
		const { range } = this.reading;
		return { ...range, after: laterOf(range.after ?? second, second) };
	}
}
