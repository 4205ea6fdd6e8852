import { mapConcurrently } from '../mapConcurrently';
import { UnexpectedResponseError } from '../responseShape';
import { compareTimestamps, type Timestamp, timestampOf } from '../timestamp';
import { askPage, isSurelyAll, type Reading } from './askPage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import { MAX_PAGE_SIZE } from './inspectionQuery';
import type { FullSecond, KeyRange, ListOrder } from './keyRange';
import {
	hasMovingFilters,
	hasServiceFilters,
	passesMovingFilters,
	withoutMovingFilters,
} from './movingFilter';
import { spanOf, timesOfPage } from './pageChecks';

/** More inspections than n8n has memory for (200,000 take 630 MB): a list without an end is stopped here. */
const MAX_INSPECTIONS = 500_000;
/**
 * Passes after which a second counts as one that cannot be read completely. Where every request has an order of its own, a
 * pass shows two of three inspections: after eight passes 96 of 100 such seconds with 400 inspections are complete.
 */
const MAX_PASSES = 8;
/**
 * So many inspections in a row that had come before show that the service ignores the page: two pages. While others change
 * inspections, a smaller page may bring nothing new by chance.
 */
const MAX_KNOWN = 2 * MAX_PAGE_SIZE;
const MS_PER_SECOND = 1_000;

/** What the caller knows of seconds, and what it wants to be told. */
export interface SecondOptions {
	/** How many requests may be made side by side at the moment. */
	width(): number;
	/** How many inspections of a second the caller has dealt with. Pages that these fill are read last. */
	knownIn(second: Timestamp): number;
	/** Called with a page that gets beyond the second. */
	onBeyond?(page: InspectionPage): void;
	/** Called where the second could not be read completely. May throw. */
	onIncomplete(second: Timestamp, counts: SecondCounts): void;
}

/** What came of a second. */
export interface SecondCounts {
	/** How many inspections the second holds, by the number and the length of its pages. */
	readonly holds: number;
	/** How many different ones were shown. */
	readonly shown: number;
}

/** The options of a caller that knows nothing. A second that cannot be read completely is an error for it. */
export const NOTHING_KNOWN: SecondOptions = {
	width: () => 1,
	knownIn: () => 0,
	onIncomplete(second) {
		throw new UnexpectedResponseError(
			`More inspections than a page holds share the time ${second}, and the service kept sending them in another order: they could not be read completely. Try again when less is being changed, or narrow the filter`,
		);
	},
};

type Page = readonly InspectionRecord[];

/** A full second, what comes after it, and page 1 of it. */
export type BegunSecond = FullSecond & {
	readonly rest?: KeyRange | undefined;
	readonly inspections: Page;
};

/**
 * Reads a second that holds more inspections than a page, by page number: forward, until a page gets beyond the second,
 * and then back, until a pass has shown nothing new and as many inspections were shown as the second holds.
 *
 * Others may update an inspection meanwhile, so that it leaves the second. All inspections after it then move forward by
 * one place, and one of them moves from an unread page to a page that was read: reading forward misses it, reading back
 * meets it. The time of creation never changes: in a list by that time no inspection leaves the second, unless it leaves
 * a filter that only the service can judge. Without one, reading forward is enough where it shows as many inspections as
 * the second holds.
 */
export async function* readFullSecond(
	reading: Reading,
	begun: BegunSecond,
	options: SecondOptions,
): AsyncGenerator<Page> {
	const { filter, order } = reading;
	// The node applies the filters that updates change (status and time of update) itself, so that no inspection leaves
	// the second of its creation.
	const isJudgedHere = order.sortBy === 'created_at' && hasMovingFilters(filter);
	const isFixed = order.sortBy === 'created_at' && !hasServiceFilters(filter);
	const pages = isJudgedHere
		? new SecondPages({ ...reading, filter: withoutMovingFilters(filter) }, begun)
		: new SecondPages(reading, begun, begun.inspections);
	const wanted = (page: Page) =>
		isJudgedHere ? page.filter((one) => passesMovingFilters(one, filter)) : page;
	const told = isFixed && !isJudgedHere ? options : { ...options, onBeyond: undefined };
	for await (const page of pages.forward(told)) yield wanted(page);
	if (isFixed && pages.shown >= pages.holds) return;
	for (let passes = 1; passes < MAX_PASSES; passes++) {
		const shownBefore = pages.shown;
		for await (const page of pages.back()) yield wanted(page);
		if (pages.shown >= pages.holds && (isFixed || pages.shown === shownBefore)) return;
	}
	const { holds, shown } = pages;
	if (shown < holds) options.onIncomplete(begun.second, { holds, shown });
}

/** The pages of a second, and what they have shown so far. */
class SecondPages {
	/** How many inspections the second holds, by the last page that was read forward. */
	holds = 0;
	private readonly reading: Reading;
	private readonly begun: BegunSecond;
	private readonly range: KeyRange;
	/** How many inspections a page is asked for: as many as page 1 had, in case the service sends no more at once. */
	private readonly size: number;
	/** Page 1, where it has come and was not looked at yet. */
	private first: Page | undefined;
	/** The number of the last page with an inspection of the second. */
	private last = 0;
	/** Id and time of each inspection that was shown. */
	private readonly versions = new Set<string>();

	constructor(reading: Reading, begun: BegunSecond, first?: Page) {
		const { range, rest, inspections } = begun;
		const isFalling = reading.order.sortOrder === 'desc';
		this.reading = reading;
		this.begun = begun;
		// With what comes after it, so that a full page shows where the second ends.
		this.range = isFalling
			? { ...(rest ?? range), before: range.before }
			: { ...(rest ?? range), after: range.after };
		this.size = Math.min(inspections.length, reading.pageSize);
		this.first = first;
	}

	/** How many different inspections were shown. */
	get shown(): number {
		return this.versions.size;
	}

	/**
	 * Page after page, beginning behind those that the caller knows. The last one gets beyond the second, or is empty, or
	 * the envelope says that the list ends with it. A short page alone may be due to a page cap.
	 */
	async *forward({ knownIn, width, onBeyond }: SecondOptions): AsyncGenerator<Page> {
		let number = 1 + Math.floor(knownIn(this.begun.second) / this.size);
		let pages = [await this.ask(number)];
		if (number > 1 && this.within(pages[0]).length === 0) {
			// Known inspections have left the second, so that it ends before this page.
			number = 1;
			pages = [await this.ask(number)];
		}
		const likely =
			number + likelyPages(this.reading.order, this.within(pages[0]).slice(-this.size));
		for (let known = 0; ; ) {
			for (const page of pages) {
				const within = this.within(page);
				const shownBefore = this.shown;
				this.note(within, number);
				known = this.shown > shownBefore ? 0 : known + within.length;
				if (this.shown >= MAX_INSPECTIONS || known >= MAX_KNOWN)
					throw withoutEnd(this.begun.second);
				yield within;
				const { length } = page.inspections;
				if (within.length < length) onBeyond?.(page);
				if (length === 0 || within.length < length || isSurelyAll({ pageSize: this.size }, page))
					return;
				number += Math.max(1, Math.floor(length / this.size));
			}
			const isShort = (pages.at(-1)?.inspections.length ?? 0) < this.size;
			const most = isShort ? 1 : Math.max(1, Math.min(width(), likely - number));
			pages = await mapConcurrently(
				numbers(number, most),
				most,
				async (one) => await this.ask(one),
			);
		}
	}

	/** The pages from behind the last one, in case a page cap has hidden some, to page 1. */
	async *back(): AsyncGenerator<Page> {
		const from = this.last + 1;
		this.last = 0;
		for (let number = from; number >= 1; number--) {
			const within = this.within(await this.ask(number));
			this.note(within, number);
			yield within;
		}
	}

	private async ask(number: number): Promise<InspectionPage> {
		const { reading, range, size, first } = this;
		this.first = undefined;
		if (number === 1 && first !== undefined) return { inspections: first };
		const page = await askPage(reading, range, number, size);
		timesOfPage(reading.order, range, page.inspections);
		return page;
	}

	/** The inspections of a page that do not come after the second. */
	private within(page: InspectionPage | undefined): Page {
		const { sortBy, sortOrder } = this.reading.order;
		const { rest } = this.begun;
		const [restFrom, sign] = sortOrder === 'desc' ? [rest?.before, -1] : [rest?.after, 1];
		return (page?.inspections ?? []).filter((one) => {
			const time = timestampOf(one[sortBy]);
			return !time || !restFrom || compareTimestamps(time, restFrom) * sign < 0;
		});
	}

	private note(page: Page, number: number): void {
		const { sortBy } = this.reading.order;
		for (const one of page) this.versions.add(`${one.id} ${String(one[sortBy])}`);
		if (page.length === 0 || number < this.last) return;
		this.last = number;
		this.holds = (number - 1) * this.size + page.length;
	}
}

function withoutEnd(second: Timestamp): UnexpectedResponseError {
	return new UnexpectedResponseError(
		`The service sent pages of the inspections of ${second} without an end: it seems to ignore the parameter page`,
	);
}

/** How many pages a second has if its inspections are as close everywhere as on this page. */
function likelyPages(order: ListOrder, page: Page): number {
	return Math.ceil(MS_PER_SECOND / spanOf(timesOfPage(order, {}, page)));
}

function numbers(from: number, count: number): number[] {
	return Array.from({ length: count }, (_, index) => from + index);
}
