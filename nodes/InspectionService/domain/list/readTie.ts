import type { Timestamp } from '../timestamp';
import { UnexpectedResponseError } from '../unexpectedResponse';
import { allOf } from './allOf';
import type { InspectionRecord } from './inspectionPage';
import { type KeyRange, withRange } from './keyRange';
import { hasMovingFilters, passesMovingFilters, withoutMovingFilters } from './movingFilter';
import { timesOfPage } from './pageChecks';
import type { Reading } from './readRange';
import { spanOf } from './slice';
import { MAX_PASSES, pageSizeAfter, TiePass } from './tiePass';

/** A page of a second. */
export interface TiePage {
	readonly rows: readonly InspectionRecord[];
	/** Inspections on the pages before it, all of which were read; undefined where that does not hold. */
	readonly before?: number | undefined;
}

/** Inspections of one pass. Far beyond what one second of real work makes: a list without an end is stopped. */
const MAX_ROWS = 100_000;
const MS_PER_SECOND = 1_000;

/** What the caller knows of a second before it is read, and wants of the reading. */
export interface TieOptions {
	/** How many requests may be made side by side at the moment. */
	width(): number;
	/** True: this second is read by page number at once, without a look at its first page. */
	isEnteredAt(second: Timestamp): boolean;
	/** How many inspections of the second are known, those included that have left it. */
	knownWithin(second: Timestamp): number;
	isKnown(inspection: InspectionRecord): boolean;
	/** Whether an inspection on a page counts as one of the second. */
	isOfSecond(inspection: InspectionRecord, second: Timestamp): boolean;
	/** True: what is known of the second is not looked at again, because not all of it could be remembered. */
	isReadOnce(second: Timestamp): boolean;
	/** Told where no pass has shown the whole second. May throw. */
	onIncomplete(second: Timestamp, counts: { known: number; held: number }): void;
}

/** Nothing is known, one request at a time, and a second that cannot be read whole is an error. */
export const NOTHING_KNOWN: TieOptions = {
	width: () => 1,
	isEnteredAt: () => false,
	knownWithin: () => 0,
	isKnown: () => false,
	isOfSecond: () => true,
	isReadOnce: () => false,
	onIncomplete(second) {
		throw new UnexpectedResponseError(
			`More inspections than a page holds share the time ${second}, and the service kept sending them in another order: they could not be read completely. Try again when less is being changed, or narrow the filter`,
		);
	},
};

/** A second that holds more inspections than a page. */
export interface Tie {
	readonly second: Timestamp;
	/** The second as far as it is to be read. */
	readonly range: KeyRange;
	/** Inspections on one of its pages, as the service was seen to send them. */
	readonly pageSize: number;
	/** Its page 1, where that has come already. */
	readonly firstPage?: readonly InspectionRecord[];
}

/**
 * Reads a second that holds more inspections than a page: the only place where pages are read by number.
 *
 * A pass begins on the first page that is not known as a whole, goes on to the last page, then through the lower
 * pages in falling order: an inspection that leaves the second moves later ones to lower pages, towards the pass.
 * Passes are made until one has shown that nothing is missing (`TiePass.isComplete`); after a pass in which
 * inspections came twice, with pages of another size.
 */
export async function* readTie(
	reading: Reading,
	tie: Tie,
	options: TieOptions,
): AsyncGenerator<TiePage> {
	const { second } = tie;
	const isReadOnce = options.isReadOnce(second);
	const isFixed = reading.order.sortBy === 'created_at';
	const met = new Set<string>();
	let known = options.knownWithin(second);
	let unsteadyPasses = 0;
	let held = 0;
	for (let passes = 0, follows = false; passes < MAX_PASSES; passes++) {
		const pageSize = pageSizeAfter(unsteadyPasses, tie.pageSize);
		const start = Math.floor(known / pageSize) + 1;
		const pass = new TiePass(start === 1);
		const firstPage = passes === 0 && start === 1 ? firstPageOf(reading, tie) : undefined;
		const plan = { pageSize, start, isReadOnce, firstPage, width: options.width };
		for await (const { rows, before } of pagesOfPass(reading, tie, plan, pass)) {
			const foundBefore = pass.found;
			const isNew = countPage(pass, rows, { reading, tie, options, met });
			if (passes === 0) assertEnds(pass, tie, { isFull: rows.length >= pageSize, isNew });
			known += pass.found - foundBefore;
			const kept = isFixed ? rows.filter((row) => passesMovingFilters(row, reading.filter)) : rows;
			yield { rows: kept, before: passes === 0 ? before : undefined };
		}
		if (isReadOnce || pass.isComplete(known, { follows, isFixed })) return;
		follows = pass.found === 0;
		if (pass.isUnsteady) unsteadyPasses += 1;
		({ held } = pass);
	}
	options.onIncomplete(second, { known, held });
}

/** Page 1 that has come is of use where it was asked for with the filter that the second is read with. */
function firstPageOf({ order, filter }: Reading, { firstPage }: Tie) {
	return order.sortBy === 'created_at' && !hasMovingFilters(filter) ? firstPage : undefined;
}

interface PassPlan {
	pageSize: number;
	/** The page to begin with. */
	start: number;
	isReadOnce: boolean;
	/** The page to begin with, where it has come already. */
	firstPage: readonly InspectionRecord[] | undefined;
	width: () => number;
}

/** The pages of one pass: from its start to the last one, then the lower ones in falling order. */
async function* pagesOfPass(
	reading: Reading,
	tie: Tie,
	{ pageSize, start, isReadOnce, firstPage, width }: PassPlan,
	pass: TiePass,
): AsyncGenerator<TiePage> {
	const ask = async (page: number) => await askTiePage(reading, tie, page, pageSize);
	let first = start;
	let rows = firstPage ?? (await ask(first));
	const likely = likelyPages(reading, rows);
	while (rows.length === 0 && first > 1 && !isReadOnce) {
		// Much of what is known has left the second: it ends before this page.
		first = Math.floor(first / 2);
		rows = await ask(first);
	}
	yield { rows, before: (first - 1) * pageSize };
	for (let last = first; rows.length >= pageSize; ) {
		const most = Math.max(1, Math.min(width(), likely - last));
		const pages = await allOf(numbers(last + 1, last + most).map(ask));
		for (const [index, page] of pages.entries()) {
			yield { rows: page, before: (last + index) * pageSize };
		}
		const short = pages.findIndex(({ length }) => length < pageSize);
		last += short < 0 ? pages.length : short + 1;
		rows = pages.at(short) ?? [];
		if (short < 0 || pages.length === 1) continue;
		// Asked once more when all others have come: it tells how many the list has now.
		pass.total = (last - 1) * pageSize + (await ask(last)).length;
	}
	if (isReadOnce) return;
	for (let next = first - 1; next >= 1; ) {
		const lowest = Math.max(1, next - width() + 1);
		for (const page of (await allOf(numbers(lowest, next).map(ask))).reverse())
			yield { rows: page };
		next = lowest - 1;
	}
}

/**
 * One page of a second. What updates change is not asked of the service where the list is sorted by creation, but
 * looked at on this side: then nothing leaves the second while it is read.
 */
async function askTiePage(
	{ list, filter, order, includes }: Reading,
	{ range }: Tie,
	page: number,
	pageSize: number,
): Promise<readonly InspectionRecord[]> {
	const stable = order.sortBy === 'created_at' ? withoutMovingFilters(filter) : filter;
	const query = { ...withRange(stable, order.sortBy, range), ...order, page, pageSize };
	const rows = await list(includes.length === 0 ? query : { ...query, includes });
	timesOfPage(order, range, rows);
	return rows;
}

/** Returns whether the page has an inspection that this pass had not met before. */
function countPage(
	pass: TiePass,
	rows: readonly InspectionRecord[],
	context: { reading: Reading; tie: Tie; options: TieOptions; met: Set<string> },
): boolean {
	const { reading, tie, options, met } = context;
	let isNew = false;
	for (const row of rows) {
		const name = `${row.id} ${String(row[reading.order.sortBy])}`;
		const isOfSecond = options.isOfSecond(row, tie.second);
		const isNews = !met.has(name) && !options.isKnown(row);
		met.add(name);
		if (pass.count(name, { isOfSecond, isNews })) isNew = true;
	}
	return isNew;
}

/** Later passes have small pages, on which an unsteady order may well put nothing but what came already. */
function assertEnds(
	pass: TiePass,
	{ second }: Tie,
	{ isFull, isNew }: { isFull: boolean; isNew: boolean },
): void {
	if (!isFull || (isNew && pass.rows < MAX_ROWS)) return;
	throw new UnexpectedResponseError(
		`The service sent pages of the inspections of ${second} without an end: it seems to ignore the parameter page`,
	);
}

/** How many pages a second has if its inspections are as close everywhere as on this page. */
function likelyPages({ order, pageSize }: Reading, rows: readonly InspectionRecord[]): number {
	if (rows.length < 2) return Math.ceil(MAX_ROWS / pageSize);
	return Math.ceil(MS_PER_SECOND / spanOf(timesOfPage(order, {}, rows)));
}

function numbers(from: number, to: number): number[] {
	return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
