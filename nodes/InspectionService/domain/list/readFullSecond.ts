import { mapConcurrently } from '../mapConcurrently';
import { UnexpectedResponseError } from '../responseShape';
import { isLater, type Timestamp, timestampOf } from '../timestamp';
import { askPage, isSurelyAll, type Reading, timesOfPage } from './askPage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import { MAX_PAGE_SIZE } from './inspectionQuery';
import type { FullSecond, Remainder } from './keyRange';
import {
	hasMovingFilters,
	hasServiceFilters,
	passesMovingFilters,
	withoutMovingFilters,
} from './movingFilter';

/** More inspections than n8n has memory for (200,000 take 630 MB): a list without an end is stopped here. */
const MAX_INSPECTIONS = 500_000;
/** So many inspections in a row that had come before show that the service ignores the page. */
const MAX_KNOWN = 2 * MAX_PAGE_SIZE;

const BEFORE_ALL = { number: 0, within: [] };

export interface SecondOptions {
	/** How many inspections of a second the caller has dealt with. Pages that these fill are read last. */
	knownIn(second: Timestamp): number;
	/** Called where the second holds more inspections, by its pages, than were shown. May throw. */
	onIncomplete(second: Timestamp, counts: { holds: number; shown: number }): void;
}

/** For a caller that knows nothing: a second that cannot be read completely is an error. */
export const NOTHING_KNOWN: SecondOptions = {
	knownIn: () => 0,
	onIncomplete(second) {
		throw new UnexpectedResponseError(
			`More inspections than a page holds share the time ${second}, and the service kept sending them in another order: they could not be read completely. Try again when less is being changed, or narrow the filter`,
		);
	},
};

type Inspections = readonly InspectionRecord[];

/** A full second, what comes after it, and page 1 of it. */
type BegunSecond = FullSecond & Pick<Remainder, 'rest'> & Pick<InspectionPage, 'inspections'>;

/** The inspections of a second as they come. `next` is told how many pages may be asked for at once; one by default. */
export type SecondReader = AsyncGenerator<Inspections, void, number | undefined>;

/**
 * Reads a second that holds more inspections than a page by page number: forward, and back where it is not certain that
 * forward has shown all ("One range reader" of docs/how-it-reads.md).
 */
export async function* readFullSecond(
	reading: Reading,
	begun: BegunSecond,
	{ knownIn, onIncomplete }: SecondOptions = NOTHING_KNOWN,
): SecondReader {
	const pages = new SecondPages(reading, begun);
	yield* pages.forward(knownIn(begun.second));
	const isFixed = reading.order.sortBy === 'created_at' && !hasServiceFilters(reading.filter);
	if (isFixed && (await pages.areAllShown())) return;
	yield* pages.back();
	const { holds, shown } = pages;
	if (shown < holds) onIncomplete(begun.second, { holds, shown });
}

class SecondPages {
	private readonly reading: Reading;
	private readonly begun: BegunSecond;
	/** How many inspections a page is asked for: as many as page 1 had, in case the service sends no more at once. */
	private readonly size: number;
	/** In a second of creation the filters that an update changes are judged here, so that nothing leaves it. */
	private readonly isJudgedHere: boolean;
	private last: { number: number; within: Inspections } = BEFORE_ALL;
	/** Then what is created meanwhile may hide one between two pages. */
	private isSideBySide = false;
	private readonly versions = new Set<string>();

	constructor(reading: Reading, begun: BegunSecond) {
		this.reading = reading;
		this.begun = begun;
		this.size = Math.min(begun.inspections.length, reading.pageSize);
		this.isJudgedHere = reading.order.sortBy === 'created_at' && hasMovingFilters(reading.filter);
	}

	get holds(): number {
		return (this.last.number - 1) * this.size + this.last.within.length;
	}

	get shown(): number {
		return this.versions.size;
	}

	/** Begins behind the pages that the caller knows, with at most as many at once as were read before. */
	async *forward(known: number): SecondReader {
		let number = 1 + Math.floor(known / this.size);
		let pages = [await this.begin(number)];
		if (number > 1 && pages.every((page) => this.within(page).length === 0)) {
			// Known inspections have left the second, so that it ends before that page.
			number = 1;
			pages = [await this.begin(number)];
		}
		for (let read = 0, knownInARow = 0; ; ) {
			const found: InspectionRecord[] = [];
			for (const page of pages) {
				const within = this.within(page);
				const shownBefore = this.shown;
				this.note(within, number++);
				knownInARow = this.shown > shownBefore ? 0 : knownInARow + within.length;
				found.push(...within);
			}
			if (this.shown >= MAX_INSPECTIONS || knownInARow >= MAX_KNOWN) {
				throw new UnexpectedResponseError(
					`The service sent pages of the inspections of ${this.begun.second} without an end: it seems to ignore the parameter page`,
				);
			}
			read += pages.length;
			const lanes = (yield this.wanted(found)) ?? 1;
			if (pages.some((page) => this.isEnd(page))) return;
			const numbers = Array.from({ length: Math.min(lanes, read) }, (_, index) => number + index);
			this.isSideBySide ||= numbers.length > 1;
			pages = await mapConcurrently(numbers, lanes, async (one) => await this.ask(one));
		}
	}

	/** Whether a second of creation was shown as a whole: its last page still holds the same, so nothing has moved any. */
	async areAllShown(): Promise<boolean> {
		if (this.shown < this.holds) return false;
		if (!this.isSideBySide) return true;
		const now = this.within(await this.ask(this.last.number));
		return this.last.within.every(({ id }, index) => now[index]?.id === id);
	}

	/** Begins behind the last page, in case a page cap has hidden some. */
	async *back(): SecondReader {
		const from = this.last.number + 1;
		this.last = BEFORE_ALL;
		for (let number = from; number >= 1; number--) {
			const within = this.within(await this.ask(number));
			this.note(within, number);
			yield this.wanted(within);
		}
	}

	/** The page that reading begins with. Page 1 has come already, unless it left some to be judged here. */
	private async begin(number: number): Promise<InspectionPage> {
		const hasCome = number === 1 && !this.isJudgedHere;
		return hasCome ? { inspections: this.begun.inspections } : await this.ask(number);
	}

	private async ask(number: number): Promise<InspectionPage> {
		const { order, filter } = this.reading;
		const { range, rest } = this.begun;
		const from = order.sortOrder === 'desc' ? { before: range.before } : { after: range.after };
		// With what comes after the second, so that a full page shows where it ends.
		const asked = { ...(rest ?? range), ...from };
		const judged = this.isJudgedHere ? withoutMovingFilters(filter) : filter;
		const page = await askPage({ ...this.reading, filter: judged }, asked, number, this.size);
		timesOfPage(order, asked, page.inspections);
		return page;
	}

	/** A short page alone may be due to a page cap. */
	private isEnd(page: InspectionPage): boolean {
		const isBeyond = this.within(page).length < page.inspections.length;
		return isBeyond || isSurelyAll({ pageSize: this.size }, page);
	}

	/** The inspections of a page that do not come after the second. */
	private within({ inspections }: InspectionPage): Inspections {
		const { sortBy, sortOrder } = this.reading.order;
		const { after, before } = this.begun.rest ?? {};
		return inspections.filter((inspection) => {
			const time = timestampOf(inspection[sortBy]);
			if (time === undefined) return true;
			if (sortOrder === 'desc') return before === undefined || isLater(time, before);
			return after === undefined || isLater(after, time);
		});
	}

	private wanted(inspections: Inspections): Inspections {
		if (!this.isJudgedHere) return inspections;
		return inspections.filter((inspection) => passesMovingFilters(inspection, this.reading.filter));
	}

	private note(within: Inspections, number: number): void {
		const { sortBy } = this.reading.order;
		for (const one of within) this.versions.add(`${one.id} ${String(one[sortBy])}`);
		if (within.length > 0 && number > this.last.number) this.last = { number, within };
	}
}
