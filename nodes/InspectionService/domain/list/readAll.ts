import { limitConcurrency, mapConcurrently } from '../mapConcurrently';
import { areSame, checkTimes, fetchPage, isCompleteRange, type ListSource } from './fetchPage';
import type { InspectionRecord } from './inspectionPage';
import { MAX_PAGE_SIZE } from './inspectionQuery';
import { LatestById } from './latestById';
import { hasMutableFilters, hasServiceFilters } from './mutableFilters';
import {
	BY_CREATION,
	fetchNewest,
	ParallelReader,
	type ParallelReading,
	type ReadRestOptions,
} from './parallelReader';
import type { ListOptions } from './readUpTo';
import { rangeOf } from './timeRange';

/** If page 11 is full, the list has at least 1,100 inspections and counts as long. */
const PAGE_OF_LONG_LIST = 11;
/** Estimated lengths of a list, in pages. With 55 pages, ten concurrent requests fetch every fifth page. */
const GUESSED_PAGES = { long: 55, unknown: 5 };

/** Reads every inspection that matches the filter, each once, in the requested order. */
export async function readAll(
	options: ListOptions,
	source: ListSource,
	workers: number,
): Promise<InspectionRecord[]> {
	const found = new LatestById(options.isWanted);
	await readAllPages(options, source, workers, (page) => found.add(page));
	return found.sorted(options);
}

/**
 * Reads every inspection that matches the filter ("Return All" in docs/how-it-reads.md). Calls `onPage` with each page
 * as it arrives, so some inspections come more than once. Runs at most `workers` requests at once. After a failed
 * request, no more requests start.
 */
export async function readAllPages(
	{ filter, includes }: Pick<ListOptions, 'filter' | 'includes'>,
	source: ListSource,
	workers: number,
	onPage: ParallelReading['onPage'],
): Promise<void> {
	const list = limitConcurrency(source.list, workers);
	const range = rangeOf(filter, 'created_at');
	const pageSize = MAX_PAGE_SIZE;
	const reading = { list, filter, includes, order: BY_CREATION, pageSize, range, workers, onPage };
	const page1 = await fetchPage(reading, range);
	const { inspections } = page1;
	onPage(inspections);
	if (await isCompleteRange(reading, range, page1)) return;
	const reader = new ParallelReader(reading);
	const isInsertOnly = !hasMutableFilters(filter) && !hasServiceFilters(filter);
	if (!isInsertOnly || inspections.length !== MAX_PAGE_SIZE) {
		await reader.readRest(page1, { pages: GUESSED_PAGES.unknown });
		return;
	}
	const unread = await readByNumber(reading, inspections);
	if (unread !== undefined) await reader.readRest(page1, unread);
}

type Inspections = readonly InspectionRecord[];

/**
 * Reads the rest of a list by page number. Only for lists from which no update can remove an inspection. Returns
 * undefined if these facts prove that every inspection was read:
 * - No inspection came twice, so none moved between pages that were fetched one after the other.
 * - The page that ends the list was fetched after all other pages.
 * - The page with the newest inspections contains no unknown inspection.
 * Otherwise, returns the options for reading the rest in a different way (`ParallelReader.readRest`).
 */
async function readByNumber(
	reading: ParallelReading,
	page1: Inspections,
): Promise<ReadRestOptions | undefined> {
	const fetchNumbered = async (number: number): Promise<Inspections> => {
		const { inspections } = await fetchPage(reading, reading.range, number);
		checkTimes(reading.order, reading.range, inspections);
		reading.onPage(inspections);
		return inspections;
	};
	const steps = [
		...[2, 3, PAGE_OF_LONG_LIST].map((number) => async () => await fetchNumbered(number)),
		async () => await fetchNewest(reading),
	];
	const [page2 = [], page3 = [], pageOfLongList = [], newest = []] = await mapConcurrently(
		steps,
		steps.length,
		async (step) => await step(),
	);
	if (isFull(pageOfLongList)) {
		return { others: [{ number: 2, inspections: page2 }], newest, pages: GUESSED_PAGES.long };
	}
	const pages = [page1];
	let batch = [page2, page3];
	while (batch.every(isFull)) {
		pages.push(...batch);
		const numbers = [pages.length + 1, pages.length + 2];
		batch = await mapConcurrently(numbers, numbers.length, async (number) =>
			number === PAGE_OF_LONG_LIST ? pageOfLongList : await fetchNumbered(number),
		);
	}
	const endInBatch = batch.findIndex((page) => !isFull(page));
	pages.push(...batch.slice(0, endInBatch + 1));
	const end = pages.at(-1) ?? [];
	// The two pages of a batch are fetched at once. If the list ends with the first of them, that page was fetched after
	// all earlier pages. If the list ends with the second, fetch that page again.
	const endFetchedLast = endInBatch === 0 ? end : await fetchNumbered(pages.length);
	const ids = pages.flatMap((page) => page.map(({ id }) => id));
	const known = new Set(ids);
	const isProven =
		known.size === ids.length &&
		areSame(endFetchedLast, end) &&
		newest.every(({ id }) => known.has(id));
	return isProven ? undefined : { newest, pages: GUESSED_PAGES.unknown };
}

function isFull(page: Inspections): boolean {
	return page.length >= MAX_PAGE_SIZE;
}
