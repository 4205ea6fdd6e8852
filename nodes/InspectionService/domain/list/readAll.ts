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
	type ReadBehindOptions,
} from './parallelReader';
import type { ListOptions } from './readUpTo';
import { rangeOf } from './timeRange';

/** The first page that a list of up to 1,000 inspections doesn't fill. If it's full, the list is long. */
const PAGE_OF_LONG_LIST = 11;
/** How many pages a long list is guessed to have: ten requests at once are then five pages apart. */
const GUESSED_PAGES = { long: 55, unknown: 5 };

/** Reads every inspection that matches the filter, each once, in the order asked for. */
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
 * Hands over the pages as they come, some inspections more than once ("Return All" in docs/how-it-reads.md). At most
 * `workers` requests are under way at once, and none is started after a failure.
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
		await reader.readBehind(page1, { pages: GUESSED_PAGES.unknown });
		return;
	}
	const unread = await readByNumber(reading, inspections);
	if (unread !== undefined) await reader.readBehind(page1, unread);
}

type Inspections = readonly InspectionRecord[];

/**
 * Reads by page number what comes after page 1 of a list that nothing leaves. Returns undefined if it's proven that every
 * inspection was read: none came twice, so that none has moved between pages that came one after the other; the page that
 * ends the list came last; and the newest page shows no other inspection. Else returns what helps to read on.
 */
async function readByNumber(
	reading: ParallelReading,
	page1: Inspections,
): Promise<ReadBehindOptions | undefined> {
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
	const ofBatch = batch.findIndex((page) => !isFull(page));
	pages.push(...batch.slice(0, ofBatch + 1));
	const end = pages.at(-1) ?? [];
	// The batch's first page came after all others. Its second one came beside the first, so it's fetched again.
	const endAfterAll = ofBatch === 0 ? end : await fetchNumbered(pages.length);
	const ids = pages.flatMap((page) => page.map(({ id }) => id));
	const known = new Set(ids);
	const isProven =
		known.size === ids.length &&
		areSame(endAfterAll, end) &&
		newest.every(({ id }) => known.has(id));
	return isProven ? undefined : { newest, pages: GUESSED_PAGES.unknown };
}

function isFull(page: Inspections): boolean {
	return page.length >= MAX_PAGE_SIZE;
}
