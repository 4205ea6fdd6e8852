import { mapConcurrently } from '../mapConcurrently';
import { isLater, type Timestamp, timestampOf } from '../timestamp';
import { UnexpectedResponseError } from '../unexpectedResponse';
import {
	areSame,
	checkTimes,
	fetchPage,
	oppositeOf,
	type OrderedList,
	respectsPageNumbers,
	versionsOf,
} from './fetchPage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import {
	hasMutableFilters,
	hasServiceFilters,
	passesMutableFilters,
	withoutMutableFilters,
} from './mutableFilters';
import type { TimeRange } from './timeRange';

/**
 * Maximum pages of one second. With more, the service probably sends endless pages. n8n runs out of memory before it has
 * this many pages of 100: 200,000 inspections take 630 MB.
 */
const MAX_PAGES = 5_000;
/**
 * Maximum backward passes over one second of time, for a service that sorts equal times differently in each request.
 * With 1,000 inspections in random order, each pass finds two thirds of the missing ones. So ten passes find all of
 * them in 97 of 100 cases.
 */
const MAX_PASSES = 10;

export interface TiedSecondOptions {
	/** The number of pages to request at the same time. The default is 1. */
	readonly workers?: number;
	/**
	 * Returns how many inspections of this second of time the caller has already handled. Reading skips the pages that
	 * these inspections fill.
	 */
	readonly countKnown?: (second: Timestamp) => number;
	/**
	 * Called if the second of time contains more inspections than the service sent. The default throws
	 * UnexpectedResponseError.
	 */
	readonly onIncomplete?: (second: Timestamp, counts: SecondCounts) => void;
}

/**
 * `expected` is the minimum number of inspections in one second of time. `received` is the number that the service
 * sent.
 */
interface SecondCounts {
	readonly expected: number;
	readonly received: number;
}

/** A whole second whose inspections fill page 1 of a range, so it can contain more inspections than fit on a page. */
export interface TiedSecond {
	readonly second: Timestamp;
	readonly range: TimeRange;
	/** The part of the range after this second of time. Undefined if the range ends with it. */
	readonly rest: TimeRange | undefined;
	/** Page 1 of the inspections in this second of time. */
	readonly inspections: Inspections;
}

/**
 * Reads all inspections of one second of time by page number, in up to four steps:
 * 1. Forward, from page 1 to the end.
 * 2. Backward, if an inspection might have moved to an earlier page meanwhile.
 * 3. Backward again, if the service sorts equal times differently in each request.
 * 4. In the opposite order, if no page proved that this second of time was over.
 * Yields the inspections as they arrive, some of them more than once.
 */
export async function* readTiedSecond(
	reading: OrderedList,
	tied: TiedSecond,
	{ workers = 1, countKnown = () => 0, onIncomplete = rejectIncomplete }: TiedSecondOptions = {},
): AsyncGenerator<Inspections> {
	const { filter, order } = reading;
	// In a list by creation time, the node applies the status and the update time instead of the service. Otherwise, an
	// update would move inspections between pages.
	const isOfCreation = order.sortBy === 'created_at';
	const sent = isOfCreation ? { ...reading, filter: withoutMutableFilters(filter) } : reading;
	const pages = new TiedPages(sent, tied, isOfCreation && hasMutableFilters(filter));
	const isInsertOnly = isOfCreation && !hasServiceFilters(filter);
	for await (const page of pages.read(countKnown(tied.second), workers, isInsertOnly)) {
		yield isOfCreation ? page.filter((one) => passesMutableFilters(one, filter)) : page;
	}
	const { received } = pages;
	// If neither order proved the end, inspections in the middle of this second can still be missing.
	const expected = pages.isEndProven ? pages.expected : Math.max(pages.expected, received + 1);
	if (received < expected) onIncomplete(tied.second, { expected, received });
}

function rejectIncomplete(second: Timestamp): never {
	throw new UnexpectedResponseError(
		`The inspections with the time ${second} don't fit on one page, and the service didn't send all of them. Try again when fewer inspections change, or narrow the filter`,
	);
}

type Inspections = readonly InspectionRecord[];

const NO_PAGE = { number: 0, inspections: [] };

class TiedPages {
	private readonly tied: TiedSecond;
	/** The page size is the length of page 1, because the service can send shorter pages than requested (a page cap). */
	private readonly reading: OrderedList;
	/** Whether page 1 must be requested again, because it was requested with more filters. */
	private readonly isPage1Filtered: boolean;
	/**
	 * The range from this second to the end. It includes later inspections, because the first of them proves that this
	 * second is over.
	 */
	private readonly range: TimeRange;
	/** The last page of this second of time, according to the last pass over its pages. */
	private last: { readonly number: number; readonly inspections: Inspections } = NO_PAGE;
	/** Whether the service sends its last page for every later page number. */
	private repeatsLastPage = false;
	/**
	 * Whether a page proved that this second of time was over. No page does if the list ends with this second, or if the
	 * service returns only the first results of a query (a result window).
	 */
	isEndProven = false;
	/**
	 * The received versions of this second of time: ID and time of each inspection. Cleared when the second gets smaller.
	 * Otherwise, a version that has left this second could make up for a missed one.
	 */
	private readonly versions = new Set<string>();

	constructor(reading: OrderedList, tied: TiedSecond, isPage1Filtered: boolean) {
		const { range, rest = range, inspections } = tied;
		const isFalling = reading.order.sortOrder === 'desc';
		this.reading = { ...reading, pageSize: Math.min(inspections.length, reading.pageSize) };
		this.range = isFalling ? { ...range, after: rest.after } : { ...range, before: rest.before };
		this.tied = tied;
		this.isPage1Filtered = isPage1Filtered;
	}

	/**
	 * The minimum number of inspections in this second of time, calculated from the number of its last page. Assumes that
	 * all pages before that page are full.
	 */
	get expected(): number {
		const { number, inspections } = this.last;
		return (number - 1) * this.reading.pageSize + inspections.length;
	}

	get received(): number {
		return this.versions.size;
	}

	/**
	 * Reads all pages. `known` is the number of inspections whose pages can be skipped. `isInsertOnly` means that
	 * inspections can't leave this second.
	 */
	async *read(known: number, workers: number, isInsertOnly: boolean): AsyncGenerator<Inspections> {
		yield* this.readForward(known, workers);
		const isComplete = isInsertOnly && (await this.hasReceivedAll(workers));
		if (!isComplete) yield* this.readBackward();
		if (!this.isEndProven) yield* this.readFromOtherEnd();
	}

	/**
	 * Reads the pages forward until this second of time is over. Skips the first pages if the caller knows all their
	 * inspections. Each batch requests at most as many pages as were already read, and at most `workers` pages. After a
	 * short page, it requests only one.
	 */
	private async *readForward(known: number, workers: number): AsyncGenerator<Inspections, void> {
		const start = 1 + Math.floor(known / this.reading.pageSize);
		const isFetched = start === 1 && !this.isPage1Filtered;
		const first: InspectionPage = isFetched ? this.tied : await this.fetch(start);
		// Known inspections might have left this second of time, so it can end before page `start`. Then read from page 1.
		if (start > 1 && this.inSecond(first).length === 0) return yield* this.readForward(0, workers);
		let pages = [first];
		let previous: Inspections = [];
		for (let number = start; number <= MAX_PAGES; ) {
			for (const page of pages) {
				this.repeatsLastPage = await this.isRepetition(page.inspections, previous);
				if (this.repeatsLastPage) return;
				const found = this.addPage(page, number++);
				this.addVersions(found);
				yield found;
				previous = page.inspections;
			}
			this.isEndProven = pages.some((page) => this.provesEnd(page));
			if (this.isEndProven || previous.length === 0) return;
			// A short page is usually the last one.
			const count = this.isShort(previous) ? 1 : Math.min(workers, number - start);
			const next = number;
			const numbers = Array.from({ length: count }, (_, index) => next + index);
			pages = await mapConcurrently(numbers, workers, async (one) => await this.fetch(one));
		}
		this.rejectEndless();
	}

	/**
	 * Whether all inspections of this second of time were received, in a list by creation time. From page 3 on, pages are
	 * requested concurrently. If an inspection is created meanwhile, another one can move from page 3 to page 4 and be
	 * missing from both responses. So the last page is fetched again: if it's unchanged, none has moved.
	 */
	private async hasReceivedAll(workers: number): Promise<boolean> {
		const { number, inspections } = this.last;
		if (this.received < this.expected) return false;
		if (workers === 1 || number <= 2) return true;
		const again = this.inSecond(await this.fetch(number));
		return areSame(this.reading.order, inspections, again.slice(0, inspections.length));
	}

	/**
	 * Reads all pages again, from the last to page 1. Starts one page after the last known page, because more pages can
	 * follow a short page. Reads them several times if inspections are missing, until two passes are the same.
	 */
	private async *readBackward(): AsyncGenerator<Inspections> {
		let [previousExpected, previousText] = [Infinity, ''];
		for (let pass = 0; pass < MAX_PASSES; pass++) {
			const from = this.last.number + (this.repeatsLastPage ? 0 : 1);
			const passed: Inspections[] = [];
			this.last = NO_PAGE;
			for (let number = from; number >= 1; number--) {
				const found = this.addPage(await this.fetch(number), number);
				passed.push(found);
				yield found;
			}
			const { expected } = this;
			if (expected < previousExpected) this.versions.clear();
			this.addVersions(passed.flat());
			const text = versionsOf(this.reading.order, passed.flat()).join('\n');
			if (this.received >= expected || text === previousText) return;
			[previousExpected, previousText] = [expected, text];
		}
	}

	/**
	 * Reads this second of time in the opposite order, because the service might return only the first results of a query
	 * (a result window). Stops at a page with only known inspections: the rest was then read in the first order. If the
	 * last page contains only new inspections, the end stays unproven.
	 */
	private async *readFromOtherEnd(): AsyncGenerator<Inspections> {
		const opposite = oppositeOf(this.reading);
		let previous: Inspections = [];
		// True unless the last page contains only new inspections.
		this.isEndProven = true;
		for (let number = 1; ; number++) {
			const page = await this.fetch(number, opposite, this.tied.range);
			const inspections = this.inSecond(page);
			const added = this.addVersions(inspections);
			// The service has no more pages: it sends an empty page, or repeats the last page.
			const isOver =
				page.inspections.length === 0 || areSame(opposite.order, page.inspections, previous);
			if (isOver) return;
			this.isEndProven = added < inspections.length || inspections.length === 0;
			if (inspections.length > 0 && added === 0) return;
			previous = page.inspections;
			// Callers check that a page is in the order of the list.
			yield inspections.toReversed();
		}
	}

	private async fetch(
		number: number,
		reading = this.reading,
		range = this.range,
	): Promise<InspectionPage> {
		const page = await fetchPage(reading, range, number);
		checkTimes(reading.order, range, page.inspections);
		return page;
	}

	/**
	 * Whether a page contains a later inspection, or is the last page according to the service. Either proves that this
	 * second of time is over. A short page proves nothing, because of page caps. An empty page proves nothing, because it
	 * can follow a result window.
	 */
	private provesEnd(page: InspectionPage): boolean {
		const { length } = page.inspections;
		return this.inSecond(page).length < length || (length > 0 && page.isLast === true);
	}

	/**
	 * Whether a page repeats the previous page, because the service sends its last page for every later page number. If
	 * the service changes the order of equal times, a short page with only known inspections counts as a repetition of a
	 * short page. A service that ignores page numbers repeats page 1 instead, so page 1 needs an extra check.
	 */
	private async isRepetition(page: Inspections, previous: Inspections): Promise<boolean> {
		const { order } = this.reading;
		const isKnown = versionsOf(this.reading.order, page).every((version) =>
			this.versions.has(version),
		);
		const isRepeatedEnd = isKnown && this.isShort(previous) && page.length === previous.length;
		if (page.length === 0 || !(isRepeatedEnd || areSame(order, page, previous))) return false;
		if (!areSame(order, page, this.tied.inspections)) return true;
		if (await respectsPageNumbers(this.reading, this.range, page.length)) return true;
		return this.rejectEndless();
	}

	private rejectEndless(): never {
		throw new UnexpectedResponseError(
			`The service sent endless pages of inspections with the time ${this.tied.second}: it seems to ignore the "page" parameter`,
		);
	}

	/**
	 * Returns the inspections of a page that belong to this second of time. Leaves out those that follow in the order of
	 * the list.
	 */
	private inSecond({ inspections }: InspectionPage): Inspections {
		const { sortBy, sortOrder } = this.reading.order;
		const { after, before } = this.tied.rest ?? {};
		const end = sortOrder === 'desc' ? before : after;
		return inspections.filter((inspection) => {
			const time = timestampOf(inspection[sortBy]);
			if (time === undefined || end === undefined) return true;
			return sortOrder === 'desc' ? !isLater(end, time) : isLater(end, time);
		});
	}

	/**
	 * Returns the inspections of a page that belong to this second of time. Remembers the page if it's the last one so
	 * far. A page that is as short as the remembered one doesn't count, because it can be a repetition of it.
	 */
	private addPage(page: InspectionPage, number: number): Inspections {
		const inspections = this.inSecond(page);
		const known = this.last.inspections;
		const canBeRepetition = this.isShort(known) && inspections.length === known.length;
		const isLast = inspections.length > 0 && number > this.last.number && !canBeRepetition;
		if (isLast) this.last = { number, inspections };
		return inspections;
	}

	private isShort({ length }: Inspections): boolean {
		return length > 0 && length < this.reading.pageSize;
	}

	/** Returns how many of the inspections weren't received before. */
	private addVersions(inspections: Inspections): number {
		const before = this.versions.size;
		for (const version of versionsOf(this.reading.order, inspections)) this.versions.add(version);
		return this.versions.size - before;
	}
}
