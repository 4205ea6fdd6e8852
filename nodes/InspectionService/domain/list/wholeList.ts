import {
	compareTimestamps,
	floorToSecond,
	laterOf,
	msSinceEpoch,
	secondAfter,
	type Timestamp,
} from '../timestamp';
import { askPage, isAll, type Reading } from './askPage';
import { Coverage } from './coverage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import { MAX_PAGE_SIZE } from './inspectionQuery';
import { type KeyRange, type ListOrder, remainderAfter } from './keyRange';
import { runInLanes } from './limitRequests';
import {
	END,
	FAR_PAGE_SIZE,
	LOOKS,
	MIDDLE,
	type NumberedPages,
	type TakePage,
} from './numberedPages';
import { spanOf, timesOfPage } from './pageChecks';
import {
	FIRST_LOOKS,
	LONG_LIST_PAGES,
	type Look,
	type PagesPart,
	pagesWithin,
	type Part,
	type SecondPart,
	takeParts,
} from './part';
import { NOTHING_KNOWN, readFullSecond } from './readFullSecond';

export const OLDEST_FIRST: ListOrder = { sortBy: 'created_at', sortOrder: 'asc' };
const NEWEST_FIRST: ListOrder = { sortBy: 'created_at', sortOrder: 'desc' };
/** Requests side by side within a second, while the list may be short: one of them may find nothing. */
const SHORT_WIDTH = 2;

interface WholeListOptions {
	/** The range that the filter asks for. */
	readonly range: KeyRange;
	readonly take: TakePage;
	/** How many more requests may be made at the moment, at least one. */
	readonly free: () => number;
}

/** A list that is read part by part, in several lanes at once. */
export class WholeList {
	private readonly reading: Reading;
	private readonly options: WholeListOptions;
	/** What is left to be read, without the parts that lanes are reading. */
	private todo: readonly Part[] = [];
	private readonly covered = new Coverage();
	/** The seconds that parts have begun with: no other part begins there. */
	private readonly begun = new Set<Timestamp>();
	/** Where the newest page begins, and how many milliseconds it spans; undefined before it was read. */
	private newest: { readonly from: Timestamp; readonly spanMs: number } | undefined;
	private pagesRead = 1;
	/** Whether the list is known to have more than a thousand inspections. */
	private isLong = false;

	constructor(reading: Reading, options: WholeListOptions) {
		this.reading = reading;
		this.options = options;
	}

	/** Reads a long list, whose first pages were read by number. */
	async readLong(numbered: NumberedPages, lanes: number): Promise<void> {
		this.pagesRead += LOOKS.length + numbered.newest.length / MAX_PAGE_SIZE;
		this.noteNewest(numbered.newest);
		const { inspections, next } = numbered.begin();
		this.begin({ inspections }, [{ page: 1, pages: MIDDLE - next, isGuess: false }]);
		this.isLong = true;
		this.goOnBehind(numbered.get(MIDDLE), { pages: END - MIDDLE - 1, isGuess: false });
		this.goOnBehind(numbered.get(END), { pages: 1, isGuess: true });
		await this.readInLanes(lanes);
	}

	/** Reads what comes after page 1. */
	async readBehind(first: InspectionPage, lanes: number): Promise<void> {
		this.begin(first, FIRST_LOOKS.slice(0, lanes));
		await this.readInLanes(lanes);
	}

	private begin(first: InspectionPage, looks: readonly Look[]): void {
		const begin = timesOfPage(OLDEST_FIRST, this.options.range, first.inspections)[0];
		if (begin === undefined) return;
		this.begun.add(floorToSecond(begin));
		this.goOn(floorToSecond(begin), first, looks);
	}

	/** A lane takes the longest part, reads one page of it and puts the rest back. */
	private async readInLanes(lanes: number): Promise<void> {
		const first = this.newest === undefined ? [this.readNewest()] : [];
		await runInLanes(lanes, first, (free) => {
			const { taken, left } = takeParts(this.todo, free, this.isLong);
			this.todo = left;
			return taken.map(async (part) => await this.readPart(part));
		});
	}

	/** Inspections that are created after this are left out, so that the reading ends however fast others create. */
	private async readNewest(): Promise<void> {
		const page = await this.ask(this.options.range, { order: NEWEST_FIRST });
		this.noteNewest(page.inspections);
	}

	private noteNewest(page: readonly InspectionRecord[]): void {
		const times = timesOfPage(NEWEST_FIRST, this.options.range, page);
		const earliest = times.at(-1);
		if (earliest === undefined) return;
		const from = secondAfter(floorToSecond(earliest));
		this.newest = { from, spanMs: spanOf(times) };
		this.covered.add(from);
	}

	/** Reads one page of a part, or a full second. */
	private async readPart(part: Part): Promise<void> {
		if (part.kind === 'second') await this.readSecond(part);
		else if (part.page === 1) await this.readNext(part);
		else await this.readNumbered(part);
	}

	private async readSecond({ begun, then }: SecondPart): Promise<void> {
		let read = 0;
		let beyond: InspectionPage | undefined;
		const options = {
			...NOTHING_KNOWN,
			width: () => (this.isLong ? this.options.free() : SHORT_WIDTH),
			onBeyond: (page: InspectionPage) => (beyond = page),
		};
		for await (const page of readFullSecond(this.reading, begun, options)) {
			this.pagesRead += 1;
			read += page.length;
			this.options.take(page);
		}
		if (then === undefined) return;
		const look = { ...then, page: 1, pages: then.pages - read / FAR_PAGE_SIZE };
		if (beyond !== undefined) {
			this.options.take(beyond.inspections);
			this.goOn(begun.second, beyond, [look]);
		} else if (begun.rest?.after !== undefined) {
			this.putBack(begun.rest.after, [look]);
		}
	}

	/** Reads the page that a part begins with. */
	private async readNext({ after, pages, isGuess }: PagesPart): Promise<void> {
		if (this.covered.has(after) || this.begun.has(after)) return;
		this.begun.add(after);
		const range = this.from(after);
		const page = await this.ask(range);
		const times = timesOfPage(OLDEST_FIRST, range, page.inspections);
		const second = floorToSecond(times.at(-1) ?? after);
		if (!this.covered.has(second) && (await isAll(this.reading, range, page))) {
			this.covered.add(after);
			return;
		}
		const before = times.filter((time) => compareTimestamps(time, second) < 0).length;
		this.goOn(after, page, [{ page: 1, pages: pages - before / FAR_PAGE_SIZE, isGuess }]);
	}

	/** Reads a page by its number, which shows where a part begins. There may be none, or only one that was read. */
	private async readNumbered({ after, page: number, ...part }: PagesPart): Promise<void> {
		const range = this.from(after);
		const page = await this.ask(range, { page: number, pageSize: FAR_PAGE_SIZE });
		this.isLong ||= number > LONG_LIST_PAGES && page.inspections.length > 0;
		this.goOnBehind(page.inspections, { ...part, pages: part.pages - 1 });
	}

	/** Notes a page that was read by its number, and puts back what follows it. */
	private goOnBehind(page: readonly InspectionRecord[], look: Omit<Look, 'page'>): void {
		const times = timesOfPage(OLDEST_FIRST, this.options.range, page);
		const first = times[0];
		if (first === undefined) return;
		const second = floorToSecond(times.at(-1) ?? first);
		// Its first second may have begun on the page before.
		this.covered.add(secondAfter(floorToSecond(first)), second);
		// Where another part has begun with that second, it reads what follows.
		if (this.begun.has(second)) return;
		this.putBack(second, [{ ...look, page: 1 }], spanOf(times));
	}

	/** Notes a page that begins with the second `from`, and puts back what follows it. */
	private goOn(from: Timestamp, { inspections }: InspectionPage, looks: readonly Look[]): void {
		const range = this.from(from);
		const times = timesOfPage(OLDEST_FIRST, range, inspections);
		const last = times.at(-1);
		if (last === undefined) return;
		const second = floorToSecond(last);
		const isRead = this.covered.has(second);
		this.covered.add(from, second);
		if (isRead) return;
		const first = times.length < this.reading.pageSize ? undefined : times[0];
		const spanMs = Math.max(msSinceEpoch(last) - msSinceEpoch(from), spanOf(times));
		const { fullSecond, rest } = remainderAfter(OLDEST_FIRST, range, last, first);
		if (fullSecond === undefined) {
			this.putBack(second, looks, spanMs);
			return;
		}
		const begun = { ...fullSecond, rest, inspections };
		const then = looks.find(({ page }) => page === 1);
		// In a long list others read at once what follows. In a short one the second shows where that begins.
		const isAlone = !this.isLong || rest?.after === undefined;
		this.todo = [...this.todo, { kind: 'second', begun, then: isAlone ? then : undefined }];
		const far = looks.filter(({ page }) => page > LONG_LIST_PAGES);
		this.putBack(
			second,
			far.map((look) => ({ ...look, page: look.page + 1 })),
		);
		// It counts as read from now on, so that no other part reads it too.
		this.covered.add(second, secondAfter(second));
		if (!isAlone && then !== undefined) this.putBack(rest.after, [then], spanMs);
	}

	/** Puts back parts that begin with a second, or so many pages behind it. */
	private putBack(after: Timestamp, looks: readonly Look[], spanMs?: number): void {
		if (this.covered.has(after)) return;
		for (const { page, pages, isGuess } of looks) {
			const likely = isGuess ? this.likelyPages(after, spanMs) : Math.max(1, pages);
			this.todo = [...this.todo, { kind: 'pages', after, page, isGuess, pages: likely }];
		}
	}

	/** How many pages a part has, told by how close inspections are at its begin and on the newest page. */
	private likelyPages(after: Timestamp, spanMs: number | undefined): number {
		const end = this.covered.nextAfter(after);
		if (!this.isLong || end === undefined || spanMs === undefined) return 1;
		const ms = msSinceEpoch(end) - msSinceEpoch(after);
		const spanAtEnd = this.newest?.from === end ? this.newest.spanMs : spanMs;
		return pagesWithin(ms, [spanMs, spanAtEnd], this.pagesRead);
	}

	private async ask(
		range: KeyRange,
		{ page = 1, ...reading }: Partial<Reading> & { page?: number } = {},
	): Promise<InspectionPage> {
		const asked = await askPage({ ...this.reading, ...reading }, range, page);
		this.pagesRead += 1;
		this.options.take(asked.inspections);
		return asked;
	}

	private from(second: Timestamp): KeyRange {
		const { range } = this.options;
		return { ...range, after: laterOf(range.after ?? second, second) };
	}
}
