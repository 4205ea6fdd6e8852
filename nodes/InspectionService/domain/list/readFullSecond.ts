import { UnexpectedResponseError } from '../responseShape';
import type { Timestamp } from '../timestamp';
import { askPage, type Reading } from './askPage';
import type { InspectionRecord } from './inspectionPage';
import { MAX_PAGE_SIZE } from './inspectionQuery';
import type { FullSecond, KeyRange, ListOrder } from './keyRange';
import { allOf } from './limitRequests';
import { hasMovingFilters, passesMovingFilters, withoutMovingFilters } from './movingFilter';
import { spanOf, timesOfPage } from './pageChecks';

/** Inspections of one pass, more than n8n has memory for (200,000 take 630 MB): a list without an end is stopped here. */
const MAX_INSPECTIONS = 500_000;
/** Passes after which a second counts as one that cannot be read completely. Pages may have 5% of their size. */
const MAX_PASSES = 16;
/** The share of its size that a page keeps after a pass that did not show enough: 100, 82, 67, … 5. */
const PAGE_SHRINKAGE = 0.82;
const MS_PER_SECOND = 1_000;

/** What the caller knows of seconds, and what it wants to be told. */
export interface SecondOptions {
	/** How many requests may be made side by side at the moment. */
	width(): number;
	/** How many inspections of a second the caller has dealt with. Pages that these fill are read last. */
	knownIn(second: Timestamp): number;
	/** Whether the caller has dealt with an inspection before. */
	isKnown(inspection: InspectionRecord): boolean;
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
	isKnown: () => false,
	onIncomplete(second) {
		throw new UnexpectedResponseError(
			`More inspections than a page holds share the time ${second}, and the service kept sending them in another order: they could not be read completely. Try again when less is being changed, or narrow the filter`,
		);
	},
};

/** A full second, and page 1 of it. */
export type BegunSecond = FullSecond & { readonly inspections: readonly InspectionRecord[] };

type Page = readonly InspectionRecord[];

/** What one pass over the pages of a second has shown. */
interface Pass {
	/** The number of the page to begin with. */
	readonly start: number;
	/** Page 1, where it has come already. */
	readonly begun: Page | undefined;
	/** How many inspections a page is asked for. A page that is shorter and not the last one shows a page cap. */
	pageSize: number;
	/** Id and time of each inspection that came. */
	readonly shown: Set<string>;
	/** How many inspections came; one that came twice counts twice. */
	came: number;
	/** True where an inspection came that the caller did not know, and that no earlier pass has shown. */
	hasNew: boolean;
	/** How many inspections the second holds, as the last page shows it. */
	holds: number;
	/** The length of the shortest page that another one follows. */
	shortest: number;
}

/**
 * Reads a second that holds more inspections than a page: the only place where pages are read by number.
 *
 * Others may update an inspection meanwhile, so that it leaves the second. All inspections after it then move forward by
 * one place, and one of them moves from an unread page to a page that was read: reading from page 1 to the last page
 * misses it, reading in the other direction meets it. So a pass begins with the first page that is not completely known,
 * goes on to the last page, and then back through the pages before its first one.
 *
 * The second is complete when as many inspections were shown as it holds, and the last pass has shown nothing new. The
 * time of creation never changes: in a list by that time no inspection leaves the second, so that the number is enough.
 *
 * A service may sort equal times differently on each page, though always in the same way for the same page. Pages of one
 * size would then hide the same inspections for ever. So the pages get smaller after a pass that shows fewer different
 * inspections than the second holds. The first pass has the largest pages, because fewer requests leave others less time
 * to change something.
 */
export async function* readFullSecond(
	reading: Reading,
	{ second, range, inspections: first }: BegunSecond,
	options: SecondOptions,
): AsyncGenerator<readonly InspectionRecord[]> {
	const { filter, order } = reading;
	// The node applies the filters that updates change (status and time of update) itself: so no inspection leaves the
	// second of its creation.
	const isFixed = order.sortBy === 'created_at';
	const asked = isFixed ? { ...reading, filter: withoutMovingFilters(filter) } : reading;
	const isWanted = (one: InspectionRecord) => !isFixed || passesMovingFilters(one, filter);
	const isSameList = !isFixed || !hasMovingFilters(filter);
	const shown = new Set<string>();
	let pageSize = Math.min(first.length, reading.pageSize);
	let holds = 0;
	for (let passes = 0; passes < MAX_PASSES; passes++) {
		const begun = passes === 0 && isSameList ? first : undefined;
		const pass = newPass(pageSize, Math.floor(options.knownIn(second) / pageSize) + 1, begun);
		for await (const page of pagesOf(pass, { ...asked, range, width: options.width })) {
			count(page, { pass, shown, order, options });
			if (page.length >= pass.pageSize && isEndless(pass)) throw withoutEnd(second);
			yield page.filter(isWanted);
		}
		// A page cap that was lowered meanwhile makes a pass seem to hold less, or more: then the next pass counts.
		const isCapped = pass.shortest < pass.pageSize;
		if (!isCapped) ({ holds } = pass);
		if (!isCapped && shown.size >= holds && (isFixed || !pass.hasNew)) return;
		pageSize = nextPageSize(pass);
	}
	options.onIncomplete(second, { holds, shown: shown.size });
}

function newPass(pageSize: number, start: number, begun: Page | undefined): Pass {
	const nothing = { came: 0, hasNew: false, holds: 0, shortest: pageSize };
	return { pageSize, start, begun, shown: new Set(), ...nothing };
}

function nextPageSize({ pageSize, shown, holds, shortest }: Pass): number {
	const smaller = shown.size < holds ? Math.round(pageSize * PAGE_SHRINKAGE) : pageSize;
	return Math.max(1, Math.min(smaller, shortest));
}

/** How the pages of a second are asked for. */
interface SecondReading extends Reading {
	readonly range: KeyRange;
	readonly width: SecondOptions['width'];
}

/** The pages of one pass: from its start to the last one, then those before its start, in falling order. */
async function* pagesOf(pass: Pass, reading: SecondReading): AsyncGenerator<Page> {
	const { order, range } = reading;
	const ask = async (number: number): Promise<Page> => {
		const { inspections } = await askPage(reading, range, number, pass.pageSize);
		timesOfPage(order, range, inspections);
		return inspections;
	};
	let first = pass.start;
	let page = (first === 1 ? pass.begun : undefined) ?? (await ask(first));
	while (page.length === 0 && first > 1) {
		// The second ends before this page, because many known inspections have left it.
		first = Math.floor(first / 2);
		page = await ask(first);
	}
	// Page 1 does not count as the last one for its length: behind it the next one is looked for.
	if (first === 1 && page.length > 0) pass.pageSize = Math.min(pass.pageSize, page.length);
	yield page;
	const likely = likelyPages(order, page);
	let last = first;
	while (page.length >= pass.pageSize) {
		const most = Math.max(1, Math.min(reading.width(), likely - last));
		const pages = await allOf(numbers(last + 1, last + most).map(ask));
		yield* pages;
		const short = lastShort(pages, pass);
		last += short < 0 ? pages.length : short + 1;
		page = pages.at(short) ?? [];
	}
	pass.holds = (last - 1) * pass.pageSize + page.length;
	for (let next = first - 1; next >= 1; next--) yield await ask(next);
}

/**
 * Which of some pages that follow each other is the last one of the second; -1 where all are full. A short page that
 * another one follows shows a page cap: the next pass asks for no more than that.
 */
function lastShort(pages: readonly Page[], pass: Pass): number {
	const first = pages.findIndex(({ length }) => length < pass.pageSize);
	if (first < 0) return first;
	const last = Math.max(
		first,
		pages.findLastIndex(({ length }) => length > 0),
	);
	const followed = pages.slice(first, last).map(({ length }) => length);
	pass.shortest = Math.min(pass.shortest, ...followed.filter((length) => length > 0));
	return last;
}

function count(
	page: Page,
	counted: {
		pass: Pass;
		shown: Set<string>;
		order: ListOrder;
		options: SecondOptions;
	},
): void {
	const { pass, shown, order, options } = counted;
	for (const inspection of page) {
		const name = `${inspection.id} ${String(inspection[order.sortBy])}`;
		if (!shown.has(name) && !options.isKnown(inspection)) pass.hasNew = true;
		shown.add(name);
		pass.shown.add(name);
	}
	pass.came += page.length;
}

/**
 * Whether the service sends the same inspections again and again. Even where each page has an order of its own, about six
 * of ten inspections that come are new. So a pass may bring at most twice as many as there are different ones. One page
 * more is allowed, because small pages may bring nothing new by chance.
 */
function isEndless({ shown, came }: Pass): boolean {
	return came >= MAX_INSPECTIONS || came > 2 * shown.size + MAX_PAGE_SIZE;
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

function numbers(from: number, to: number): number[] {
	return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
