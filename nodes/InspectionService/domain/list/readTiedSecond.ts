import { mapConcurrently } from '../mapConcurrently';
import { shortHash } from '../shortHash';
import { isLater, type Timestamp, timestampOf } from '../timestamp';
import { UnexpectedResponseError } from '../unexpectedResponse';
import {
	areSame,
	checkTimes,
	fetchPage,
	oppositeOf,
	type OrderedList,
	respectsPageNumbers,
	versionOf,
} from './fetchPage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import { type InspectionFilter, MAX_PAGE_SIZE } from './inspectionQuery';
import {
	hasMutableFilters,
	hasServiceFilters,
	passesMutableFilters,
	withoutMutableFilters,
} from './mutableFilters';
import type { TimeRange } from './timeRange';

/**
 * Maximum inspections of one second. With more, the service probably sends endless pages. n8n runs out of memory before
 * it has this many: 200,000 inspections take 630 MB.
 */
const MAX_INSPECTIONS = 500_000;
/** If this many inspections in a row (two full pages) are repetitions, the service ignores the page number. */
const MAX_REPEATED = 2 * MAX_PAGE_SIZE;
/**
 * Maximum backward passes over one second of time, for a service that sorts equal times differently in each request.
 * With 1,000 inspections in random order, each pass finds two thirds of the missing ones. So ten passes find all of
 * them in 97 of 100 cases.
 */
const MAX_PASSES = 10;

export interface TiedSecondOptions {
	/** The number of pages to request at once. The default is 1. */
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
	const { second } = tied;
	const pages = new TiedPages(reading, tied);
	yield* pages.readForward(countKnown(second), workers);
	const isInsertOnly = reading.order.sortBy === 'created_at' && !hasServiceFilters(reading.filter);
	if (!(isInsertOnly && (await pages.hasReceivedAll()))) {
		yield* pages.readBackward();
		for (let pass = 1; pass < MAX_PASSES && pages.needsAnotherPass; pass++) {
			yield* pages.readBackward();
		}
	}
	yield* pages.readFromOtherEnd();
	const { expected, received } = pages;
	if (pages.isIncomplete) onIncomplete(second, { expected, received });
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
	/**
	 * The caller's parameters, without the filters in `localFilter`. The page size is the length of page 1, because the
	 * service can send shorter pages than requested (a page cap).
	 */
	private readonly reading: OrderedList;
	/**
	 * The filters that the node applies itself instead of the service. In a list by creation time, these are the status
	 * and the update time. If the service applied them, an update would move inspections between pages. Empty in a list
	 * by update time.
	 */
	private readonly localFilter: InspectionFilter;
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
	 * True until a page proves that this second of time is over. It stays true if the list ends with this second of time.
	 * It also stays true if the service returns only the first results of a query (a result window).
	 */
	private isEndUnproven = true;
	/**
	 * Whether the last page that was read in the opposite order contained only new inspections. Then inspections in the
	 * middle of this second can still be missing.
	 */
	private hasGap = false;
	/**
	 * Whether several pages were requested at once. If an inspection is created meanwhile, another inspection can move
	 * from page 2 to page 3 and be missing from both responses.
	 */
	private isConcurrent = false;
	/**
	 * The received versions of this second of time: ID and time of each inspection. Cleared when the second gets smaller.
	 * Otherwise, a version that has left this second could make up for a missed one.
	 */
	private readonly versions = new Set<string>();
	/** The last backward pass: `expected`, and a hash of its versions in their order. */
	private lastPass = { expected: Infinity, hash: '' };
	/** Whether the last two backward passes were the same. More passes are then useless. */
	private isUnchanged = false;

	constructor(reading: OrderedList, tied: TiedSecond) {
		const { filter, order } = reading;
		const { range, rest, inspections } = tied;
		const isOfCreation = order.sortBy === 'created_at';
		this.localFilter = isOfCreation ? filter : {};
		const sentFilter = isOfCreation ? withoutMutableFilters(filter) : filter;
		const pageSize = Math.min(inspections.length, reading.pageSize);
		this.reading = { ...reading, filter: sentFilter, pageSize };
		const begin = order.sortOrder === 'desc' ? { before: range.before } : { after: range.after };
		this.range = { ...(rest ?? range), ...begin };
		this.tied = tied;
	}

	/**
	 * The minimum number of inspections in this second of time, calculated from the number of its last page. Assumes that
	 * all pages before that page are full.
	 */
	get expected(): number {
		const { number, inspections } = this.last;
		const counted = (number - 1) * this.reading.pageSize + inspections.length;
		return this.hasGap ? Math.max(counted, this.received + 1) : counted;
	}

	get received(): number {
		return this.versions.size;
	}

	get isIncomplete(): boolean {
		return this.received < this.expected;
	}

	/** Whether another backward pass can find missing inspections. */
	get needsAnotherPass(): boolean {
		return this.isIncomplete && !this.isUnchanged;
	}

	/**
	 * Reads the pages forward until this second of time is over. Skips the first pages if the caller knows all their
	 * inspections. Each batch requests at most as many pages as were already read, and at most `workers` pages. After a short page, it
	 * requests only one.
	 */
	async *readForward(known: number, workers: number): AsyncGenerator<Inspections, void> {
		const start = 1 + Math.floor(known / this.reading.pageSize);
		const first = await this.fetchFirst(start);
		// Known inspections might have left this second of time, so it can end before page `start`. Then read from page 1.
		if (start > 1 && this.inSecond(first).length === 0) return yield* this.readForward(0, workers);
		let pages = [first];
		let previous: Inspections = [];
		let repeated = 0;
		for (let number = start; ; ) {
			let added = 0;
			for (const page of pages) {
				if (await this.isRepetition(page.inspections, previous)) {
					this.repeatsLastPage = true;
					return;
				}
				const found = this.addPage(page, number++);
				added += this.addVersions(found);
				repeated += found.length;
				yield this.applyLocalFilter(found);
				previous = page.inspections;
			}
			this.isEndUnproven = !pages.some((page) => this.provesEnd(page));
			if (!this.isEndUnproven || pages.some(({ inspections }) => inspections.length === 0)) return;
			if (added > 0) repeated = 0;
			if (this.received >= MAX_INSPECTIONS || repeated >= MAX_REPEATED) {
				throw new UnexpectedResponseError(
					`The service sent endless pages of inspections with the time ${this.tied.second}: it seems to ignore the "page" parameter`,
				);
			}
			// A short page is usually the last one.
			const count = this.isShort(previous) ? 1 : Math.min(workers, number - start);
			const next = number;
			const numbers = Array.from({ length: count }, (_, index) => next + index);
			this.isConcurrent ||= count > 1;
			pages = await mapConcurrently(numbers, workers, async (one) => await this.fetch(one));
		}
	}

	/**
	 * Whether all inspections of this second of time were received, in a list by creation time. If several pages were
	 * requested at once, the last page is fetched again. If it's unchanged, no inspection moved to a later page
	 * meanwhile.
	 */
	async hasReceivedAll(): Promise<boolean> {
		if (this.isIncomplete) return false;
		if (!this.isConcurrent) return true;
		const { number, inspections } = this.last;
		const again = this.inSecond(await this.fetch(number));
		return areSame(this.reading.order, inspections, again.slice(0, inspections.length));
	}

	/**
	 * Reads all pages again, from the last to page 1. Starts one page after the last known page, because more pages can
	 * follow a short page.
	 */
	async *readBackward(): AsyncGenerator<Inspections> {
		const from = this.last.number + (this.repeatsLastPage ? 0 : 1);
		const passed: Inspections[] = [];
		this.last = NO_PAGE;
		for (let number = from; number >= 1; number--) {
			const found = this.addPage(await this.fetch(number), number);
			passed.push(found);
			yield this.applyLocalFilter(found);
		}
		const { expected } = this;
		if (expected < this.lastPass.expected) this.versions.clear();
		this.addVersions(passed.flat());
		const hash = shortHash(this.versionsOf(passed.flat()).join('\n'));
		this.isUnchanged = hash === this.lastPass.hash;
		this.lastPass = { expected, hash };
	}

	/**
	 * Reads this second of time in the opposite order, if no page proved that it was over. The service might then return
	 * only the first results of a query (a result window). Stops at a page with only known inspections: the rest was then
	 * read in the first order. If the last page contains only new inspections, others in the middle can be missing
	 * (`hasGap`).
	 */
	async *readFromOtherEnd(): AsyncGenerator<Inspections> {
		if (!this.isEndUnproven) return;
		const opposite = oppositeOf(this.reading);
		const { range } = this.tied;
		let previous: Inspections = [];
		for (let number = 1; ; number++) {
			const page = await fetchPage(opposite, range, number);
			checkTimes(opposite.order, range, page.inspections);
			// The service has no more pages: it sends an empty page, or repeats the last page.
			if (page.inspections.length === 0) return;
			if (areSame(opposite.order, page.inspections, previous)) return;
			previous = page.inspections;
			const inspections = this.inSecond(page);
			const added = this.addVersions(inspections);
			yield this.applyLocalFilter(inspections.toReversed());
			this.hasGap = added > 0 && added === inspections.length;
			if (inspections.length > 0 && added === 0) return;
		}
	}

	/**
	 * Returns the first page to read. The caller has already fetched page 1. But if the service applied the filters in
	 * `localFilter`, page 1 must be fetched again without them.
	 */
	private async fetchFirst(number: number): Promise<InspectionPage> {
		const isFetched = number === 1 && !hasMutableFilters(this.localFilter);
		return isFetched ? { inspections: this.tied.inspections } : await this.fetch(number);
	}

	private async fetch(number: number): Promise<InspectionPage> {
		const page = await fetchPage(this.reading, this.range, number);
		checkTimes(this.reading.order, this.range, page.inspections);
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
		const isKnown = this.versionsOf(page).every((version) => this.versions.has(version));
		const isRepeatedEnd = isKnown && this.isShort(previous) && page.length === previous.length;
		if (page.length === 0 || !(isRepeatedEnd || areSame(order, page, previous))) return false;
		if (!areSame(order, page, this.tied.inspections)) return true;
		return await respectsPageNumbers(this.reading, this.range, page.length);
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

	private applyLocalFilter(inspections: Inspections): Inspections {
		return inspections.filter((inspection) => passesMutableFilters(inspection, this.localFilter));
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
		for (const version of this.versionsOf(inspections)) this.versions.add(version);
		return this.versions.size - before;
	}

	private versionsOf(inspections: Inspections): string[] {
		const { sortBy } = this.reading.order;
		return inspections.map((one) => versionOf(one, sortBy));
	}
}
