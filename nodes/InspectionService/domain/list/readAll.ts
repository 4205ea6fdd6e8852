import { limitConcurrency, mapConcurrently } from '../mapConcurrently';
import {
	earliestOf,
	floorToSecond,
	isLater,
	laterOf,
	secondAfter,
	type Timestamp,
} from '../timestamp';
import {
	checkTimes,
	fetchPage,
	isCompleteRange,
	type ListSource,
	oppositeOf,
	type OrderedList,
} from './fetchPage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import { MAX_PAGE_SIZE } from './inspectionQuery';
import { LatestById } from './latestById';
import { readRange } from './readRange';
import type { ListOptions } from './readUpTo';
import { rangeOf, type TimeRange } from './timeRange';

/** The number of samples in the first round of concurrent requests, including page 1. Each round doubles it. */
const FIRST_SAMPLES = 2;
/**
 * The page size of samples, except for page 1. The gap between two samples then has 92 inspections. A request for the
 * gap also returns the last second of the sample before it and the first second of the sample after it. One page of
 * `MAX_PAGE_SIZE` (100) usually has room for all of them. Measured with `npm run bench -- listRequests`: 96 is too large
 * for lists with three inspections per second, and 88 needs more requests for 1,000 inspections.
 */
const SAMPLE_SIZE = 92;

type OnPage = (inspections: readonly InspectionRecord[]) => void;

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
 * Reads every inspection that matches the filter ("Return All" in docs/dev/reading.md). Calls `onPage` with each page
 * as it arrives, so some inspections come more than once. Runs at most `workers` requests at once. After a failed
 * request, no more requests start.
 */
export async function readAllPages(
	{ filter, includes }: Pick<ListOptions, 'filter' | 'includes'>,
	source: ListSource,
	workers: number,
	onPage: OnPage,
): Promise<void> {
	const list = limitConcurrency(source.list, workers);
	const order = { sortBy: 'created_at', sortOrder: 'asc' } as const;
	const reading = { list, filter, includes, order, pageSize: MAX_PAGE_SIZE };
	const range = rangeOf(filter, 'created_at');
	const page1 = await fetchPage(reading, range);
	onPage(page1.inspections);
	if (await isCompleteRange(reading, range, page1)) return;
	await new ConcurrentReader(reading, range, workers, onPage).readAfter(page1);
}

/** The times of a page's first and last inspection, rounded down to whole seconds. */
interface Span {
	readonly first: Timestamp;
	readonly last: Timestamp;
}

/**
 * Reads a list by creation time with several concurrent requests. Every second page is requested by number (a sample).
 * The gaps between the samples are read by time. So a wrong page number only changes which part of the list a sample
 * shows, and never hides an inspection.
 */
class ConcurrentReader {
	private readonly reading: OrderedList;
	private readonly range: TimeRange;
	private readonly workers: number;
	private readonly onPage: OnPage;
	/**
	 * The second after the earliest inspection of the newest page, which is fetched first. Reading ends there. Otherwise,
	 * it would never end if other users create inspections faster than it reads. Undefined until the page was fetched.
	 */
	private end: Timestamp | undefined;

	constructor(reading: OrderedList, range: TimeRange, workers: number, onPage: OnPage) {
		this.reading = reading;
		this.range = range;
		this.workers = workers;
		this.onPage = onPage;
	}

	/** Reads the rest of the list after page 1. */
	async readAfter(page1: InspectionPage): Promise<void> {
		const [newest, samples] = await runAll([
			async () => await this.fetchNewest(),
			async () => await this.fetchSamples(this.range, FIRST_SAMPLES - 1, 3),
		]);
		const earliest = newest?.[0] && this.spanOf(newest[0])?.first;
		if (earliest === undefined) return;
		this.end = secondAfter(earliest);
		await this.readRest([page1, ...(samples ?? [])]);
	}

	/**
	 * Reads the gaps between samples, and the rest of the list after them. The first sample is page 1 of a range, so no
	 * unread inspection is before it.
	 */
	private async readRest(samples: readonly InspectionPage[]): Promise<void> {
		const [page1, ...others] = samples.map((page) => this.spanOf(page));
		if (page1 === undefined) return;
		const gaps: (() => Promise<void>)[] = [];
		let proven = page1.first;
		for (const span of [page1, ...others]) {
			// An empty page: the list ends before it, or the service limits how many results it returns in total.
			if (span === undefined) break;
			const { first, last } = span;
			const hasGap = span !== page1 || first === last;
			if (hasGap && !isLater(proven, first)) {
				const [from, until] = [proven, secondAfter(first)];
				// If page 1 has only one second, it's also page 1 of the gap.
				const known = span === page1 ? samples[0] : undefined;
				gaps.push(async () => await this.readGap(from, until, known));
				proven = until;
			}
			proven = laterOf(proven, last);
		}
		const lengths = samples.map(({ inspections }) => inspections.length);
		const isEnding = Math.min(...lengths) < Math.min(SAMPLE_SIZE, lengths[0] ?? 0);
		const count = isEnding ? 1 : Math.min(2 * samples.length, this.workers);
		await runAll([async () => await this.readFrom(proven, count), ...gaps]);
	}

	/** Reads the list from a whole second on. `count` is the number of samples. */
	private async readFrom(second: Timestamp, count: number): Promise<void> {
		if (this.end !== undefined && !isLater(this.end, second)) return;
		await this.readRest(await this.fetchSamples(this.rangeFrom(second), count));
	}

	private async readGap(from: Timestamp, until: Timestamp, page1?: InspectionPage): Promise<void> {
		const options = { workers: this.workers, until: earliestOf([until, this.end]), page1 };
		for await (const page of readRange(this.reading, this.rangeFrom(from), options)) {
			this.onPage(page.inspections);
		}
	}

	/** Fetches every second page of a range, at the same time. `first` is the first page number. */
	private async fetchSamples(range: TimeRange, count: number, first = 1) {
		const numbers = Array.from({ length: count }, (_, index) => first + 2 * index);
		return await mapConcurrently(numbers, count, async (number) => {
			const size = number === 1 ? MAX_PAGE_SIZE : SAMPLE_SIZE;
			const page = await fetchPage(this.reading, range, number, size);
			this.onPage(page.inspections);
			return page;
		});
	}

	/** Fetches the page with the newest inspections. Returns it in ascending order. */
	private async fetchNewest(): Promise<InspectionPage[]> {
		const reading = oppositeOf(this.reading);
		const { inspections } = await fetchPage(reading, this.range);
		checkTimes(reading.order, this.range, inspections);
		this.onPage(inspections);
		return [{ inspections: inspections.toReversed() }];
	}

	private spanOf({ inspections }: InspectionPage): Span | undefined {
		const [first, ...others] = checkTimes(this.reading.order, this.range, inspections);
		if (first === undefined) return undefined;
		return { first: floorToSecond(first), last: floorToSecond(others.at(-1) ?? first) };
	}

	private rangeFrom(second: Timestamp): TimeRange {
		const { range } = this;
		return { ...range, after: laterOf(range.after ?? second, second) };
	}
}

/** Runs all steps at the same time. Unlike Promise.all, waits for the other steps if one fails. */
async function runAll<Result>(steps: readonly (() => Promise<Result>)[]): Promise<Result[]> {
	return await mapConcurrently(steps, steps.length, async (step) => await step());
}
