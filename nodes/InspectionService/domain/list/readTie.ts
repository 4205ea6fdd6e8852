import { MAX_PAGE_SIZE } from '../limits';
import type { Timestamp } from '../timestamp';
import { UnexpectedResponseError } from '../unexpectedResponse';
import { allOf } from './allOf';
import type { InspectionRecord } from './inspectionPage';
import type { KeyRange, ListOrder } from './keyRange';
import { passesMovingFilters, withoutMovingFilters } from './movingFilter';
import { timesOfPage } from './pageChecks';
import { askPage, type Reading } from './readRange';
import { spanOf } from './slice';

/** Inspections of one pass, more than n8n has memory for (200,000 take 630 MB): a list without an end is stopped here. */
const MAX_ROWS = 500_000;
/** Passes after which a second counts as one that cannot be read completely. Chosen: pages may have 5% of their size. */
const MAX_PASSES = 16;
/** The share of its size that a page keeps after a pass in which an inspection came twice: 100, 82, 67, … 5. */
const PAGE_SHRINKAGE = 0.82;
const MS_PER_SECOND = 1_000;

/** What the caller of `readTie` knows of seconds, and what it wants to be told. */
export interface TieOptions {
	/** How many requests may be made side by side at the moment. */
	width(): number;
	/** What is known of a second before it is read. */
	begun(second: Timestamp): BegunSecond;
	/** Whether the caller has dealt with an inspection before. */
	isKnown(inspection: InspectionRecord): boolean;
	/** Called where the second could not be read completely: `held` came in the last pass. May throw. */
	onIncomplete(second: Timestamp, counts: { known: number; held: number }): void;
}

/** How much of a second is known. */
export interface BegunSecond {
	/**
	 * How many of its inspections the caller has dealt with, those included that have left the second since. The pages
	 * that these fill are read last, in falling order. Example: 250 are known, so the first pass begins with page 3.
	 */
	readonly known: number;
	/** True where the caller knows only how many it has dealt with, not which ones. Their pages are then not read again. */
	readonly isPassed: boolean;
}

/** The options of a caller that knows nothing. A second that cannot be read completely is an error for it. */
export const NOTHING_KNOWN: TieOptions = {
	width: () => 1,
	begun: () => ({ known: 0, isPassed: false }),
	isKnown: () => false,
	onIncomplete(second) {
		throw new UnexpectedResponseError(
			`More inspections than a page holds share the time ${second}, and the service kept sending them in another order: they could not be read completely. Try again when less is being changed, or narrow the filter`,
		);
	},
};

/** A second that holds more inspections than a page. */
export interface Tie {
	readonly second: Timestamp;
	/** The part of the second that is to be read. */
	readonly range: KeyRange;
	/** How many inspections the service sends on a page: what was asked for, or its page cap. */
	readonly pageSize: number;
}

/** A page of a second. */
export interface TiePage {
	readonly rows: readonly InspectionRecord[];
	/** How many inspections are on the pages before this one; undefined where not all of those were read. */
	readonly before?: number | undefined;
}

/** One pass over the pages of a second. */
interface Pass {
	readonly pageSize: number;
	/** The page to begin with. */
	readonly start: number;
	/** Id and time of each inspection that came. */
	readonly names: Set<string>;
	/** How many inspections came; one that came twice counts twice. */
	rows: number;
	/** How many of them were unknown to the caller and had not come in an earlier pass. */
	found: number;
	/** How many inspections the list had when the last page had come. Only set where pages were read side by side. */
	total?: number;
}

/**
 * Reads a second that holds more inspections than a page: the only place where pages are read by number.
 *
 * Others may update an inspection meanwhile, so that it leaves the second. All inspections after it then move forward by
 * one place, and one of them moves from an unread page to a page that was read: reading from page 1 to the last page
 * misses it, reading in the other direction meets it. So a pass begins with the first page that is not completely known,
 * goes on to the last page, and then back through the pages before its first one. Passes are made until one has shown
 * that nothing is missing (`isComplete`).
 *
 * A service may sort equal times differently on each page, though always in the same way for the same page. Pages of one
 * size would then hide the same inspections for ever. So the pages get smaller after a pass in which an inspection came
 * twice. The first pass has the largest pages, because fewer requests leave others less time to change something.
 */
export async function* readTie(
	reading: Reading,
	tie: Tie,
	options: TieOptions,
): AsyncGenerator<TiePage> {
	const { filter, order } = reading;
	// The time of creation never changes. Where the node applies the filters that updates change (status and time of
	// update) itself, no inspection leaves the second.
	const isFixed = order.sortBy === 'created_at';
	const asked = isFixed ? { ...reading, filter: withoutMovingFilters(filter) } : reading;
	const begun = options.begun(tie.second);
	const met = new Set<string>();
	let { known } = begun;
	let [unsteadyPasses, held] = [0, 0];
	for (let passes = 0, follows = false; passes < MAX_PASSES; passes++) {
		const pageSize = Math.max(1, Math.round(tie.pageSize * PAGE_SHRINKAGE ** unsteadyPasses));
		const start = Math.floor(known / pageSize) + 1;
		const pass: Pass = { pageSize, start, names: new Set(), rows: 0, found: 0 };
		for await (const { rows, before } of pagesOf(pass, asked, tie.range, {
			...options,
			...begun,
		})) {
			count(rows, { pass, met, order, options });
			if (rows.length >= pageSize && isEndless(pass)) throw withoutEnd(tie.second);
			const wanted = rows.filter((row) => !isFixed || passesMovingFilters(row, filter));
			yield passes === 0 ? { rows: wanted, before } : { rows: wanted };
		}
		known += pass.found;
		if (begun.isPassed || isComplete(pass, { isFixed, known, follows })) return;
		follows = pass.found === 0;
		if (isUnsteady(pass)) unsteadyPasses += 1;
		held = pass.rows;
	}
	options.onIncomplete(tie.second, { known, held });
}

/** The pages of one pass: from its start to the last one, then those before its start, in falling order. */
async function* pagesOf(
	pass: Pass,
	reading: Reading,
	range: KeyRange,
	{ isPassed, width }: Pick<BegunSecond & TieOptions, 'isPassed' | 'width'>,
): AsyncGenerator<TiePage> {
	const { pageSize } = pass;
	const ask = async (page: number) => {
		const { inspections: rows } = await askPage(reading, range, page, pageSize);
		timesOfPage(reading.order, range, rows);
		return rows;
	};
	let first = pass.start;
	let rows = await ask(first);
	while (rows.length === 0 && first > 1 && !isPassed) {
		// The second ends before this page, because many known inspections have left it.
		first = Math.floor(first / 2);
		rows = await ask(first);
	}
	const likely = likelyPages(reading, rows);
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
		// The last page is asked for once more after all others. It shows how many inspections the list has now.
		pass.total = (last - 1) * pageSize + (await ask(last)).length;
	}
	for (let next = first - 1; next >= 1 && !isPassed; next--) yield { rows: await ask(next) };
}

function count(
	rows: readonly InspectionRecord[],
	counted: { pass: Pass; met: Set<string>; order: ListOrder; options: TieOptions },
): void {
	const { pass, met, order, options } = counted;
	for (const row of rows) {
		const name = `${row.id} ${String(row[order.sortBy])}`;
		if (!met.has(name) && !options.isKnown(row)) pass.found += 1;
		met.add(name);
		pass.names.add(name);
	}
	pass.rows += rows.length;
}

/**
 * Whether the service sends the same inspections again and again. Even where each page has an order of its own, about six
 * of ten inspections that come are new. So a pass may bring at most twice as many as there are different ones. One page
 * more is allowed, because small pages may bring nothing new by chance.
 */
function isEndless({ names, rows }: Pass): boolean {
	return rows >= MAX_ROWS || rows > 2 * names.size + MAX_PAGE_SIZE;
}

/** Whether an inspection came twice in a pass: then the order has changed during it. */
function isUnsteady({ names, rows }: Pass): boolean {
	return names.size < rows;
}

/**
 * Whether a second has been read completely after a pass. `known`: how many of its inspections are known by now.
 * `follows`: the pass before this one brought nothing unknown.
 * - The pass brought nothing unknown and nothing twice: then the second is complete.
 * - No inspection can leave the second (`isFixed`): then one pass from page 1 in which nothing came twice is enough, even
 *   if it brought unknown ones. Where it read pages side by side, as many must be known as the list had at the end.
 * - An inspection came twice, so another one may be hidden: then two passes in a row must bring nothing unknown, and as
 *   many must be known as the pages held.
 */
function isComplete(
	pass: Pass,
	{ isFixed, known, follows }: { isFixed: boolean; known: number; follows: boolean },
): boolean {
	if (pass.found === 0 && !isUnsteady(pass)) return true;
	if (isFixed && pass.start === 1 && !isUnsteady(pass)) {
		return pass.total === undefined || known >= pass.total;
	}
	return pass.found === 0 && follows && known >= pass.rows;
}

function withoutEnd(second: Timestamp): UnexpectedResponseError {
	return new UnexpectedResponseError(
		`The service sent pages of the inspections of ${second} without an end: it seems to ignore the parameter page`,
	);
}

/** How many pages a second has if its inspections are as close everywhere as on this page. */
function likelyPages({ order }: Reading, rows: readonly InspectionRecord[]): number {
	return Math.ceil(MS_PER_SECOND / spanOf(timesOfPage(order, {}, rows)));
}

function numbers(from: number, to: number): number[] {
	return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
