import { mapConcurrently } from '../mapConcurrently';
import { UnexpectedResponseError } from '../responseShape';
import { isLater, type Timestamp, timestampOf } from '../timestamp';
import { checkTimes, fetchPage, type Reading } from './fetchPage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import { type InspectionFilter, MAX_PAGE_SIZE } from './inspectionQuery';
import {
	hasMutableFilters,
	hasServiceFilters,
	passesMutableFilters,
	withoutMutableFilters,
} from './mutableFilters';
import type { TimeRange } from './timeRange';

/** More inspections of one second than n8n has memory for (200,000 take 630 MB): a second without an end is stopped here. */
const MAX_INSPECTIONS = 500_000;
/** So many inspections in a row that this reading had shown before mean that the service ignores the page. */
const MAX_REPEATED = 2 * MAX_PAGE_SIZE;

const NO_PAGE = { number: 0, inspections: [] };

export interface TiedSecondOptions {
	/** Returns how many inspections of a second the caller has handled already. Pages that these fill are skipped. */
	readonly knownIn?: (second: Timestamp) => number;
	/** Called if a second holds more inspections than the service showed. It may throw. By default it does. */
	readonly onIncomplete?: (second: Timestamp, counts: SecondCounts) => void;
}

/** Numbers of inspections in a second: those that its pages must hold, and those that were shown. */
export interface SecondCounts {
	readonly holds: number;
	readonly shown: number;
}

/** A second that holds more inspections than a page. */
export interface TiedSecond {
	readonly second: Timestamp;
	readonly range: TimeRange;
	/** What comes after it; undefined where it is the last one of a range. */
	readonly rest: TimeRange | undefined;
	/** Page 1 of it. */
	readonly inspections: readonly InspectionRecord[];
}

/** The inspections of a second as they come. `next` is told how many pages forward may be asked for at once; else one. */
export type SecondReader = AsyncGenerator<readonly InspectionRecord[], void, number | undefined>;

/** Reads a full second by page number, forward and perhaps back ("One range reader" of docs/how-it-reads.md). */
export async function* readTiedSecond(
	reading: Reading,
	tiedSecond: TiedSecond,
	{ knownIn = () => 0, onIncomplete = rejectIncomplete }: TiedSecondOptions = {},
): SecondReader {
	const { second } = tiedSecond;
	const pages = new SecondPages(reading, tiedSecond);
	yield* pages.forward(knownIn(second));
	const isFixed = reading.order.sortBy === 'created_at' && !hasServiceFilters(reading.filter);
	if (isFixed && (await pages.areAllShown())) return;
	yield* pages.back();
	const { holds, shown } = pages;
	if (shown < holds) onIncomplete(second, { holds, shown });
}

function rejectIncomplete(second: Timestamp): never {
	throw new UnexpectedResponseError(
		`More inspections than a page holds share the time ${second}, and the service kept sending them in another order: they could not be read completely. Try again when less is being changed, or narrow the filter`,
	);
}

class SecondPages {
	private readonly tiedSecond: TiedSecond;
	/** Without the filters of `filterHere`. Its pages have the size of page 1, in case the service sends no more at once. */
	private readonly reading: Reading;
	/** Filters that an update changes. In a second of creation the service does not apply them, so that no page moves. */
	private readonly filterHere: InspectionFilter;
	/** The second and what comes after it, so that a full page shows where the second ends. */
	private readonly range: TimeRange;
	private tail: { number: number; inspections: readonly InspectionRecord[] } = NO_PAGE;
	/** Whether pages were asked for at once. A creation may move one from page 2 to 3 meanwhile: then neither page shows it. */
	private isSideBySide = false;
	private readonly versions = new Set<string>();

	constructor(reading: Reading, tiedSecond: TiedSecond) {
		const { filter, order } = reading;
		const { range, rest, inspections } = tiedSecond;
		const isOfCreation = order.sortBy === 'created_at';
		this.filterHere = isOfCreation ? filter : {};
		const asked = isOfCreation ? withoutMutableFilters(filter) : filter;
		const pageSize = Math.min(inspections.length, reading.pageSize);
		this.reading = { ...reading, filter: asked, pageSize };
		const begin = order.sortOrder === 'desc' ? { before: range.before } : { after: range.after };
		this.range = { ...(rest ?? range), ...begin };
		this.tiedSecond = tiedSecond;
	}

	get holds(): number {
		return (this.tail.number - 1) * this.reading.pageSize + this.tail.inspections.length;
	}

	get shown(): number {
		return this.versions.size;
	}

	/** Begins after the pages that the caller knows. Asks for at most as many pages at once as it has read so far. */
	async *forward(known: number): SecondReader {
		let number = 1 + Math.floor(known / this.reading.pageSize);
		const first = await this.firstPage(number);
		// Known inspections may have left the second, so that it ends before that page.
		if (number > 1 && this.within(first).length === 0) return yield* this.forward(0);
		let pages = [first];
		for (let pagesRead = 0, repeated = 0; ; ) {
			const shownBefore = this.shown;
			const found = pages.flatMap((page) => this.note(page, number++));
			repeated = this.shown > shownBefore ? 0 : repeated + found.length;
			if (this.shown >= MAX_INSPECTIONS || repeated >= MAX_REPEATED) {
				throw new UnexpectedResponseError(
					`The service sent pages of the inspections of ${this.tiedSecond.second} without an end: it seems to ignore the parameter page`,
				);
			}
			pagesRead += pages.length;
			const lanes = (yield this.filtered(found)) ?? 1;
			if (pages.some((page) => this.isEnd(page))) return;
			const numbers = Array.from(
				{ length: Math.min(lanes, pagesRead) },
				(_, index) => number + index,
			);
			this.isSideBySide ||= numbers.length > 1;
			pages = await mapConcurrently(numbers, lanes, async (one) => await this.ask(one));
		}
	}

	/** Whether all of a second of creation was shown: its last page holds the same ones still, so that none has moved. */
	async areAllShown(): Promise<boolean> {
		if (this.shown < this.holds) return false;
		if (!this.isSideBySide) return true;
		const now = this.within(await this.ask(this.tail.number));
		return this.tail.inspections.every(({ id }, index) => now[index]?.id === id);
	}

	/** Begins one page after the last one: if that was short, it need not have been the end. */
	async *back(): SecondReader {
		const from = this.tail.number + 1;
		this.tail = NO_PAGE;
		for (let number = from; number >= 1; number--) {
			yield this.filtered(this.note(await this.ask(number), number));
		}
	}

	/** The page that reading begins with. Page 1 has come already, unless it came with filters that are applied here. */
	private async firstPage(number: number): Promise<InspectionPage> {
		const hasCome = number === 1 && !hasMutableFilters(this.filterHere);
		return hasCome ? { inspections: this.tiedSecond.inspections } : await this.ask(number);
	}

	private async ask(number: number): Promise<InspectionPage> {
		const page = await fetchPage(this.reading, this.range, number);
		checkTimes(this.reading.order, this.range, page.inspections);
		return page;
	}

	/** A page that is short may be so because the service sends no more at once: that is not the end. */
	private isEnd(page: InspectionPage): boolean {
		return this.within(page).length < page.inspections.length || page.isLast === true;
	}

	/** The inspections of a page that do not come after the second. */
	private within({ inspections }: InspectionPage): readonly InspectionRecord[] {
		const { sortBy, sortOrder } = this.reading.order;
		const { after, before } = this.tiedSecond.rest ?? {};
		const end = sortOrder === 'desc' ? before : after;
		return inspections.filter((inspection) => {
			const time = timestampOf(inspection[sortBy]);
			if (time === undefined || end === undefined) return true;
			return sortOrder === 'desc' ? isLater(time, end) : isLater(end, time);
		});
	}

	private filtered(inspections: readonly InspectionRecord[]): readonly InspectionRecord[] {
		return inspections.filter((inspection) => passesMutableFilters(inspection, this.filterHere));
	}

	/** Counts what a page has of the second, and returns it. */
	private note(page: InspectionPage, number: number): readonly InspectionRecord[] {
		const { sortBy } = this.reading.order;
		const inspections = this.within(page);
		for (const one of inspections) this.versions.add(`${one.id} ${String(one[sortBy])}`);
		if (inspections.length > 0 && number > this.tail.number) this.tail = { number, inspections };
		return inspections;
	}
}
