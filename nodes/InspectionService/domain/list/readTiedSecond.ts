import { mapConcurrently } from '../mapConcurrently';
import { shortHash } from '../shortHash';
import { isLater, type Timestamp, timestampOf } from '../timestamp';
import { UnexpectedResponseError } from '../unexpectedResponse';
import { areSame, checkTimes, fetchPage, type Reading, respectsPageNumbers } from './fetchPage';
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
 * More inspections of one second than fit into n8n's memory (200,000 take 630 MB). Stops reading an endless second.
 */
const MAX_INSPECTIONS = 500_000;
/** This many repeated inspections in a row mean that the service ignores the page number: two full pages. */
const MAX_REPEATED = 2 * MAX_PAGE_SIZE;
/**
 * How often to read a second again whose order changes. One more pass over 1,000 inspections in random order shows two
 * thirds of the missing ones, so ten passes show all of them in 97 of 100 cases.
 */
const MAX_PASSES = 10;

export interface TiedSecondOptions {
	/** How many pages to request at once: 1 by default. */
	readonly workers?: number;
	/**
	 * Returns how many inspections of a second the caller has already handled. Pages filled by these are skipped.
	 */
	readonly countKnown?: (second: Timestamp) => number;
	/** Called if a second contains more inspections than the service showed. It can throw, and does by default. */
	readonly onIncomplete?: (second: Timestamp, counts: SecondCounts) => void;
}

/** Counts of inspections in a second: the minimum that it contains, and how many were shown. */
interface SecondCounts {
	readonly expected: number;
	readonly received: number;
}

/** A second that page 1 of a range didn't get past: more inspections can share it than fit on a page. */
export interface TiedSecond {
	readonly second: Timestamp;
	readonly range: TimeRange;
	/** The range after the second. Undefined if it's the last second of a range. */
	readonly rest: TimeRange | undefined;
	/** Page 1 of the second. */
	readonly inspections: readonly InspectionRecord[];
}

/**
 * Reads a second by page number: forward, then backward if inspections might have moved between pages, then from its
 * other end if the service stopped showing it. Reads backward again if the service changes the order of equal times.
 * Yields the inspections as they arrive, some of them more than once.
 */
export async function* readTiedSecond(
	reading: Reading,
	tied: TiedSecond,
	{ workers = 1, countKnown = () => 0, onIncomplete = rejectIncomplete }: TiedSecondOptions = {},
): AsyncGenerator<readonly InspectionRecord[]> {
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
		`More inspections have the time ${second} than fit on a page. The service didn't send all of them, so they can't all be read. Try again when fewer inspections change, or narrow the filter`,
	);
}

interface NumberedPage {
	readonly number: number;
	readonly inspections: readonly InspectionRecord[];
}

class TiedPages {
	private readonly tied: TiedSecond;
	/**
	 * Excludes the filters in `filterHere`. Uses the size of page 1 for its pages, in case the service has a page
	 * cap.
	 */
	private readonly reading: Reading;
	/**
	 * Filters that an update can affect. In a second of creation, they are applied here instead of by the service, so
	 * that inspections don't move between pages.
	 */
	private readonly localFilter: InspectionFilter;
	/** The second and the range after it, so that a full page shows when the second ends. */
	private readonly range: TimeRange;
	private last: NumberedPage = { number: 0, inspections: [] };
	/** Whether the pages ended without showing a later second: at the end of the list, or of a result window. */
	private isEndUnproven = true;
	/** Whether the other end of the second showed inspections that don't connect to the pages read so far. */
	private hasGap = false;
	/**
	 * Whether pages were requested concurrently. A creation can move an inspection from page 2 to 3 while both are
	 * fetched.
	 */
	private isConcurrent = false;
	/**
	 * Whether a backward pass showed inspections in a different order than the forward pass. Then an inspection can be
	 * on no page, and another one that left the second must not be counted in its place.
	 */
	isReordered = false;
	/** ID and time of each inspection shown. */
	private readonly versions = new Set<string>();
	/** The positions of the versions in the forward pass. */
	private readonly positions = new Map<string, number>();
	/** The versions that backward passes have shown since the second last became smaller. */
	private provenPresent: ReadonlySet<string> = new Set();
	/** `holds` at the last backward pass. */
	private lastExpected = Infinity;
	/** A hash of what the last backward pass showed, to detect that another pass repeats it. */
	private lastPassHash = '';
	private repeatsLastPass = false;

	constructor(reading: Reading, tied: TiedSecond) {
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

	/** The minimum number of inspections in the second, based on the number of its last page. */
	get expected(): number {
		const { number, inspections } = this.last;
		const counted = (number - 1) * this.reading.pageSize + inspections.length;
		return this.hasGap ? Math.max(counted, this.received + 1) : counted;
	}

	/** The number of inspections that were shown and are proven to be in the second. */
	get received(): number {
		return this.isReordered ? this.provenPresent.size : this.versions.size;
	}

	get isIncomplete(): boolean {
		return this.received < this.expected;
	}

	/** Whether another backward pass can show inspections that were on no page so far. */
	get needsAnotherPass(): boolean {
		return this.isReordered && !this.repeatsLastPass && this.isIncomplete;
	}

	/**
	 * Starts after the pages that the caller knows. Requests at most as many pages at once as it has already read.
	 */
	async *readForward(
		known: number,
		workers: number,
	): AsyncGenerator<readonly InspectionRecord[], void> {
		const start = 1 + Math.floor(known / this.reading.pageSize);
		const first = await this.fetchFirst(start);
		// Known inspections might have left the second, so it can end before that page.
		if (start > 1 && this.inSecond(first).length === 0) return yield* this.readForward(0, workers);
		let pages = [first];
		let previous: InspectionPage = { inspections: [] };
		let repeated = 0;
		for (let number = start; ; ) {
			const receivedBefore = this.received;
			for (const page of pages) {
				if (await this.isRepetition(page, previous)) return;
				const found = this.addPage(page, number++);
				for (const one of found) this.addPosition(this.versionOf(one));
				repeated += found.length;
				yield this.applyLocalFilter(found);
				previous = page;
			}
			this.isEndUnproven = !pages.some((page) => this.provesEnd(page));
			if (!this.isEndUnproven || pages.some(({ inspections }) => inspections.length === 0)) return;
			if (this.received > receivedBefore) repeated = 0;
			if (this.received >= MAX_INSPECTIONS || repeated >= MAX_REPEATED) {
				throw new UnexpectedResponseError(
					`The service sent endless pages of the inspections of ${this.tied.second}: it seems to ignore the parameter page`,
				);
			}
			const count = Math.min(workers, number - start);
			const next = number;
			const numbers = Array.from({ length: count }, (_, index) => next + index);
			this.isConcurrent ||= count > 1;
			pages = await mapConcurrently(numbers, workers, async (one) => await this.fetch(one));
		}
	}

	/** Whether a second was shown completely, in a list by creation time. An unchanged last page shows that none moved. */
	async hasReceivedAll(): Promise<boolean> {
		if (this.isIncomplete) return false;
		if (!this.isConcurrent) return true;
		const { number, inspections } = this.last;
		const again = this.inSecond(await this.fetch(number));
		return areSame(inspections, again.slice(0, inspections.length));
	}

	/** Starts one page after the last one, because a short page isn't necessarily the end. */
	async *readBackward(): AsyncGenerator<readonly InspectionRecord[]> {
		const from = this.last.number + 1;
		const inThisPass = new Set<string>();
		this.last = { number: 0, inspections: [] };
		for (let number = from; number >= 1; number--) {
			const found = this.addPage(await this.fetch(number), number);
			const versions = found.map((one) => this.versionOf(one));
			this.isReordered ||= !this.isInOrder(versions);
			for (const version of versions) inThisPass.add(version);
			yield this.applyLocalFilter(found);
		}
		// If the second became smaller, inspections that an earlier pass showed might have left it.
		const isSmaller = this.expected < this.lastExpected;
		this.provenPresent = isSmaller ? inThisPass : new Set([...this.provenPresent, ...inThisPass]);
		this.lastExpected = this.expected;
		const hash = shortHash([...inThisPass].join('\n'));
		this.repeatsLastPass = hash === this.lastPassHash;
		this.lastPassHash = hash;
	}

	/**
	 * If no page showed the end of the second, reads it in the opposite order, because a result window can hide its
	 * other end. Stops when a page shows nothing new. If that never happens, inspections between the two ends weren't
	 * shown.
	 */
	async *readFromOtherEnd(): AsyncGenerator<readonly InspectionRecord[]> {
		if (!this.isEndUnproven) return;
		const { order } = this.reading;
		const sortOrder = order.sortOrder === 'asc' ? ('desc' as const) : ('asc' as const);
		const opposite = { ...this.reading, order: { ...order, sortOrder } };
		const { range } = this.tied;
		let previous: readonly InspectionRecord[] = [];
		for (let number = 1; ; number++) {
			const page = await fetchPage(opposite, range, number);
			checkTimes(opposite.order, range, page.inspections);
			// The page is empty or repeats the last page, so the two ends never met.
			if (page.inspections.length === 0 || areSame(page.inspections, previous)) return;
			previous = page.inspections;
			const inspections = this.inSecond(page);
			const before = this.versions.size;
			for (const one of inspections) this.versions.add(this.versionOf(one));
			const added = this.versions.size - before;
			yield this.applyLocalFilter(inspections.toReversed());
			this.hasGap = added > 0 && added === inspections.length;
			if (inspections.length > 0 && added === 0) return;
		}
	}

	/**
	 * Fetches the first page to read. Page 1 was already fetched, unless it was fetched with filters that are applied
	 * here.
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
	 * A short page doesn't prove the end, because the service can have a page cap. An empty page can follow a result
	 * window.
	 */
	private provesEnd(page: InspectionPage): boolean {
		const { length } = page.inspections;
		return this.inSecond(page).length < length || (length > 0 && page.isLast === true);
	}

	/** Whether the service repeats its last page. A service that ignores the page number repeats page 1 instead. */
	private async isRepetition({ inspections }: InspectionPage, previous: InspectionPage) {
		if (inspections.length === 0 || !areSame(inspections, previous.inspections)) return false;
		if (!areSame(inspections, this.tied.inspections)) return true;
		return await respectsPageNumbers(this.reading, this.range, inspections);
	}

	/** Returns the inspections of a page that don't come after the second. */
	private inSecond({ inspections }: InspectionPage): readonly InspectionRecord[] {
		const { sortBy, sortOrder } = this.reading.order;
		const { after, before } = this.tied.rest ?? {};
		const end = sortOrder === 'desc' ? before : after;
		return inspections.filter((inspection) => {
			const time = timestampOf(inspection[sortBy]);
			if (time === undefined || end === undefined) return true;
			return sortOrder === 'desc' ? isLater(time, end) : isLater(end, time);
		});
	}

	private applyLocalFilter(inspections: readonly InspectionRecord[]): readonly InspectionRecord[] {
		return inspections.filter((inspection) => passesMutableFilters(inspection, this.localFilter));
	}

	/**
	 * Counts and returns the inspections of a page that belong to the second. A repeated last page keeps its original
	 * number.
	 */
	private addPage(page: InspectionPage, number: number): readonly InspectionRecord[] {
		const inspections = this.inSecond(page);
		for (const one of inspections) this.versions.add(this.versionOf(one));
		const isLast = number > this.last.number || areSame(inspections, this.last.inspections);
		if (inspections.length > 0 && isLast) this.last = { number, inspections };
		return inspections;
	}

	private addPosition(version: string): void {
		if (!this.positions.has(version)) this.positions.set(version, this.positions.size);
	}

	/** Whether the forward pass showed these versions in the same order, as far as it showed them. */
	private isInOrder(versions: readonly string[]): boolean {
		const positions = versions
			.map((version) => this.positions.get(version))
			.filter((position) => position !== undefined);
		return positions.every((position, index) => position >= (positions[index - 1] ?? position));
	}

	private versionOf(inspection: InspectionRecord): string {
		return `${inspection.id} ${String(inspection[this.reading.order.sortBy])}`;
	}
}
