import {
	compareTimestamps,
	earlierOf,
	floorToSecond,
	laterOf,
	secondAfter,
	type Timestamp,
} from '../timestamp';
import { askPage, isAll, type Reading } from './askPage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import { MAX_PAGE_SIZE } from './inspectionQuery';
import { type KeyRange, type ListOrder, rangeOf, remainderAfter } from './keyRange';
import { limitRequests } from './limitRequests';
import { NewestVersions } from './newestVersions';
import { spanOf, timesOfPage } from './pageChecks';
import { pagesOf, type Part, takeParts } from './part';
import type { ListOptions, ListSource } from './readFirst';
import { NOTHING_KNOWN, readFullSecond } from './readFullSecond';

const OLDEST_FIRST: ListOrder = { sortBy: 'created_at', sortOrder: 'asc' };
const NEWEST_FIRST: ListOrder = { sortBy: 'created_at', sortOrder: 'desc' };

/** Takes inspections as they come: in no order, and some of them more than once. */
export type TakePage = (inspections: readonly InspectionRecord[]) => void;

/**
 * Reads every inspection that the filter lets through, each once, in the order asked for. At most `lanes` requests are
 * under way at once. Memory holds only the inspections that `isWanted` lets through.
 */
export async function readWhole(
	options: ListOptions,
	source: ListSource,
	lanes: number,
): Promise<InspectionRecord[]> {
	const found = new NewestVersions(options.isWanted ?? (() => true));
	await readPages(options, source, lanes, (page) => found.add(page));
	return found.sorted(options);
}

/**
 * Reads every inspection that the filter lets through, while others create and update. It hands the pages over as they
 * come, for a caller that does not keep all inspections. It reads by keyset pagination over the time of creation, because
 * that never changes.
 *
 * A list that fits on a page takes one request. Otherwise several lanes read what lies behind the first page, part by
 * part. The newest page shows where the list ends, while other lanes read already what was created up to now, by the
 * service's clock.
 */
export async function readPages(
	{ filter, includes }: Pick<ListOptions, 'filter' | 'includes'>,
	{ list }: ListSource,
	lanes: number,
	take: TakePage,
): Promise<void> {
	const requests = limitRequests(list, lanes);
	const range = rangeOf(filter, 'created_at');
	const order = { order: OLDEST_FIRST, pageSize: MAX_PAGE_SIZE };
	const reading: Reading = { list: requests.list, filter, includes, ...order };
	const first = await askPage(reading, range);
	take(first.inspections);
	if (await isAll(reading, range, first)) return;
	// A second is read with as many requests as are free.
	const width = () => Math.max(1, lanes - requests.underWay());
	await new WholeList(reading, { range, take, width }).readBehind(first, lanes);
}

interface WholeListOptions {
	/** The range that the filter asks for. */
	readonly range: KeyRange;
	readonly take: TakePage;
	/** How many requests may be made side by side at the moment. */
	readonly width: () => number;
}

/** A list that is read part by part, in several lanes at once. */
class WholeList {
	private readonly reading: Reading;
	private readonly options: WholeListOptions;
	/** What is left to be read, without the parts that lanes are reading. */
	private todo: readonly Part[] = [];
	/** The whole second from which on nothing has to be read any more; undefined where it is not known. */
	private end: Timestamp | undefined;

	constructor(reading: Reading, options: WholeListOptions) {
		this.reading = reading;
		this.options = options;
	}

	/**
	 * Reads what comes after page 1. A lane takes the longest part, reads one page of it and puts the rest back. After a
	 * failure no request is started any more, and the first failure is thrown.
	 */
	async readBehind(first: InspectionPage, lanes: number): Promise<void> {
		const underWay = new Set<Promise<void>>();
		const run = (work: Promise<void>) => {
			const lane = work.finally(() => underWay.delete(lane));
			underWay.add(lane);
		};
		run(this.readNewest(first));
		try {
			for (;;) {
				const { taken, left } = takeParts(this.todo, lanes - underWay.size, this.end);
				this.todo = left;
				taken.forEach((part) => run(this.readPart(part)));
				if (underWay.size === 0) return;
				await Promise.race(underWay);
			}
		} finally {
			await Promise.allSettled(underWay);
		}
	}

	/**
	 * Reads the newest page, which shows where the list ends. Inspections that are created from now on are left out, so
	 * that the reading ends however fast others create.
	 */
	private async readNewest(first: InspectionPage): Promise<void> {
		const { range, take } = this.options;
		const times = timesOfPage(OLDEST_FIRST, range, first.inspections);
		const [oldest, last] = [times.at(0), times.at(-1)];
		if (oldest === undefined || last === undefined) return;
		const spanMs = spanOf(times);
		const after = this.laterThanBegin(floorToSecond(oldest));
		const { fullSecond, rest } = remainderAfter(OLDEST_FIRST, { ...range, after }, last);
		const begin = rest?.after ?? floorToSecond(last);
		// While the newest page is asked for, other lanes read already what was created up to now.
		const upToNow = { after: begin, until: this.now(first) ?? begin, spanMs };
		const isCut = fullSecond === undefined && pagesOf(upToNow) > 1;
		const begun = isCut ? upToNow : { ...upToNow, until: begin };
		const second = fullSecond === undefined ? [] : [{ ...fullSecond, ...first }];
		this.todo = [...second, begun];
		const newest = await askPage({ ...this.reading, order: NEWEST_FIRST }, range);
		take(newest.inspections);
		const earliest = timesOfPage(NEWEST_FIRST, range, newest.inspections).at(-1);
		this.endAt(earliest === undefined ? begin : secondAfter(floorToSecond(earliest)));
		this.todo = [...this.todo, { after: begun.until, until: this.end ?? begin, spanMs }];
	}

	/** The whole second up to which the list reaches by the service's clock; undefined where the clock is not known. */
	private now({ sentAt }: InspectionPage): Timestamp | undefined {
		const { before } = this.options.range;
		return sentAt && floorToSecond(earlierOf(sentAt, before ?? sentAt));
	}

	/**
	 * Reads one page of a part, or a full second. The page may reach beyond the part: that it does shows that the part was
	 * read, whatever the service's page cap is.
	 */
	private async readPart(part: Part): Promise<void> {
		const { reading } = this;
		const { take, width } = this.options;
		if ('inspections' in part) {
			const second = readFullSecond(reading, part, { ...NOTHING_KNOWN, width });
			for await (const inspections of second) take(inspections);
			return;
		}
		const range = { ...this.options.range, after: this.laterThanBegin(part.after) };
		const page = await askPage(reading, range);
		take(page.inspections);
		const times = timesOfPage(OLDEST_FIRST, range, page.inspections);
		const last = times.at(-1);
		if (last !== undefined && compareTimestamps(last, part.until) >= 0) return;
		if (last === undefined || (await isAll(reading, range, page))) {
			this.endAt(last === undefined ? part.after : secondAfter(floorToSecond(last)));
			return;
		}
		const { fullSecond, rest } = remainderAfter(OLDEST_FIRST, range, last);
		const second = fullSecond === undefined ? [] : [{ ...fullSecond, ...page }];
		const spanMs = times.length > 1 ? spanOf(times) : part.spanMs;
		const behind = rest?.after === undefined ? [] : [{ ...part, after: rest.after, spanMs }];
		this.todo = [...this.todo, ...second, ...behind];
	}

	private endAt(second: Timestamp): void {
		this.end = earlierOf(this.end ?? second, second);
	}

	private laterThanBegin(second: Timestamp): Timestamp {
		return laterOf(this.options.range.after ?? second, second);
	}
}
