import { mapConcurrently } from '../mapConcurrently';
import {
	earliestOf,
	floorToSecond,
	isLater,
	laterOf,
	msSinceEpoch,
	secondAfter,
	type Timestamp,
} from '../timestamp';
import { askPage, type Reading, timesOfPage } from './askPage';
import type { InspectionPage, InspectionRecord } from './inspectionPage';
import { MAX_PAGE_SIZE } from './inspectionQuery';
import type { KeyRange } from './keyRange';
import { readFullSecond, type SecondReader } from './readFullSecond';
import { leftBehind } from './readRange';

/** Pages that cut a part are a little shorter, because those between two of them overlap by a second each. */
const CUT_PAGE_SIZE = 96;
/** The end of a list is guessed to be at most so many times as far away as what lies before. */
const GUESSED_GROWTH = 4;

export interface WholeReading extends Reading {
	readonly range: KeyRange;
	/** Takes inspections as they come: in no order, and some of them more than once. */
	readonly take: (inspections: readonly InspectionRecord[]) => void;
	readonly lanes: number;
}

/** Whole seconds of a list, up to `until` or to its end. No two parts have a second in common. */
interface RangePart {
	readonly kind: 'range';
	readonly after: Timestamp;
	readonly until: Timestamp | undefined;
	/** How many pages it probably has; a mere guess where nothing behind it was found by its number. */
	readonly pages: number;
	readonly isGuess: boolean;
}

/** A second that is read by page number, as many pages at once as were read of it. */
interface SecondPart {
	readonly kind: 'second';
	readonly reader: SecondReader;
	readonly pages: number;
}

type Part = RangePart | SecondPart;

/** A page, and its number in what begins with the first second of a part. */
type NumberedPage = Readonly<{ number: number; page: InspectionPage }>;

/** A list that is read in parts, in several lanes at once ("parts" in docs/how-it-reads.md). */
export class WholeList {
	private readonly reading: WholeReading;
	/** Without what lanes are reading. */
	private todo: readonly Part[] = [];
	/** How many pages lie before the part that the list ends with. */
	private pagesBefore = 0;
	/** The second from which on the newest page has shown all; undefined before it was read. */
	private end: Timestamp | undefined;

	constructor(reading: WholeReading) {
		this.reading = reading;
	}

	/** Reads what lies behind page 1, and between the pages behind it that were read by their numbers. */
	async readBehind(first: InspectionPage, others: readonly NumberedPage[]): Promise<void> {
		const [after] = this.secondsOf(first);
		if (after === undefined) return;
		const whole = { kind: 'range', after, until: undefined, pages: 1, isGuess: true } as const;
		this.todo = await this.leftOf(whole, first, others);
		await this.readInLanes();
	}

	/** Shares the lanes out anew each time that some are free. After a failure nothing more is begun. */
	private async readInLanes(): Promise<void> {
		const underWay = new Set<Promise<void>>();
		let free = this.reading.lanes;
		let failure: { reason: unknown } | undefined;
		const begin = (lanes: number, work: Promise<readonly Part[]>) => {
			free -= lanes;
			const ended = work
				.then((left) => (this.todo = [...this.todo, ...left]))
				.catch((reason: unknown) => (failure ??= { reason }))
				.then(() => {
					free += lanes;
					underWay.delete(ended);
				});
			underWay.add(ended);
		};
		begin(1, this.readNewest());
		for (;;) {
			const taken = failure === undefined ? this.takeParts(free) : [];
			for (const { part, lanes } of taken) begin(lanes, this.readOn(part, lanes));
			if (underWay.size === 0) break;
			await Promise.race(underWay);
		}
		if (failure !== undefined) throw failure.reason;
	}

	/** The longest first, each for its share of the lanes. */
	private takeParts(free: number): { part: Part; lanes: number }[] {
		const seconds = this.todo.filter((part) => part.kind === 'second');
		const ranges = this.todo.filter((part) => part.kind === 'range' && !this.isRead(part));
		// A second is read one page after another for longer than anybody knows, so it is not kept waiting.
		const parts = [...seconds, ...ranges.sort((a, b) => b.pages - a.pages)];
		const pagesPerLane = parts.reduce((sum, { pages }) => sum + pages, 0) / free;
		let left = free;
		const shares = parts.map((part) => {
			// Between two pages of a range that are read at once lies another one at least.
			const most = part.kind === 'range' ? Math.floor(part.pages / 2) : part.pages;
			const share = Math.min(most, Math.round(part.pages / pagesPerLane));
			const lanes = Math.min(left, Math.max(1, share));
			left -= lanes;
			return { part, lanes };
		});
		this.todo = shares.filter(({ lanes }) => lanes === 0).map(({ part }) => part);
		return shares.filter(({ lanes }) => lanes > 0);
	}

	/** Inspections that are created after this are left out, so that the reading ends however fast others create. */
	private async readNewest(): Promise<readonly Part[]> {
		const { range, take } = this.reading;
		const order = { sortBy: 'created_at', sortOrder: 'desc' } as const;
		const { inspections } = await askPage({ ...this.reading, order }, range);
		take(inspections);
		const earliest = timesOfPage(order, range, inspections).at(-1);
		this.end = earliest && secondAfter(floorToSecond(earliest));
		return [];
	}

	/** Returns what is left of a part. */
	private async readOn(part: Part, lanes: number): Promise<readonly Part[]> {
		if (part.kind === 'second') {
			const { value } = await part.reader.next(lanes);
			if (value === undefined) return [];
			this.reading.take(value);
			return [{ ...part, pages: part.pages + lanes }];
		}
		const distance = Math.floor(part.pages / lanes);
		const numbers = Array.from({ length: lanes }, (_, index) => 1 + index * distance);
		const [first, ...others] = await mapConcurrently(numbers, lanes, async (number) => {
			const size = number === 1 ? MAX_PAGE_SIZE : CUT_PAGE_SIZE;
			const page = await askPage(this.reading, this.from(part.after), number, size);
			this.reading.take(page.inspections);
			return { number, page };
		});
		return first === undefined ? [] : await this.leftOf(part, first.page, others);
	}

	/** What is left of a part after page 1 of it, and others. May ask whether anything comes behind a short page 1. */
	private async leftOf(
		part: RangePart,
		first: InspectionPage,
		others: readonly NumberedPage[],
	): Promise<Part[]> {
		const last = this.secondsOf(first).at(-1);
		if (last === undefined || this.isRead({ ...part, after: last })) return [];
		const { fullSecond, rest } = await leftBehind(this.reading, this.from(part.after), first);
		const left: Part[] = [];
		if (fullSecond !== undefined) {
			const begun = { ...fullSecond, rest, inspections: first.inspections };
			left.push({ kind: 'second', reader: readFullSecond(this.reading, begun), pages: 1 });
		}
		if (rest?.after !== undefined)
			left.push(...this.cut({ ...part, after: rest.after }, first, others));
		return left;
	}

	/** What lies between and behind pages of a part, whose page 1 ends where the part now begins. */
	private cut(part: RangePart, first: InspectionPage, others: readonly NumberedPage[]): Part[] {
		const parts: Part[] = [];
		let { after } = part;
		let seconds = this.secondsOf(first);
		let before = 1;
		for (const { number, page } of others) {
			seconds = this.secondsOf(page);
			const [from] = seconds;
			const to = seconds.at(-1);
			const pages = Math.max(1, number - before - 1);
			const between = { ...part, after, pages, isGuess: false };
			if (from === undefined || to === undefined) return [...parts, between];
			// Nothing lies between two pages in succession, unless a second of the one goes on in the other.
			const isJoined = number === before + 1 && isLater(from, after);
			const until = earliestOf([part.until, secondAfter(from)]);
			if (!isJoined) parts.push({ ...between, until });
			// The part between reads all of a page that lies in one second. Without it that second may go on.
			const isOpen = isJoined || isLater(to, from);
			after = laterOf(after, isOpen ? to : secondAfter(from));
			before = number;
		}
		this.pagesBefore += part.isGuess ? before : 0;
		const pages = part.isGuess ? this.guess(after, seconds) : Math.max(1, part.pages - before);
		return [...parts, { ...part, after, pages }];
	}

	/** How many pages the list has from a second on, if inspections stay as close as on the page that ended there. */
	private guess(after: Timestamp, seconds: readonly Timestamp[]): number {
		const most = GUESSED_GROWTH * this.pagesBefore;
		const [from] = seconds;
		const to = seconds.at(-1);
		if (this.end === undefined || from === undefined || to === undefined) return most;
		const span = Math.max(1_000, msSinceEpoch(to) - msSinceEpoch(from));
		const pages = Math.ceil((msSinceEpoch(this.end) - msSinceEpoch(after)) / span);
		return Math.min(most, Math.max(1, pages));
	}

	private isRead({ after, until }: RangePart): boolean {
		const end = earliestOf([until, this.end]);
		return end !== undefined && !isLater(end, after);
	}

	private secondsOf({ inspections }: InspectionPage): Timestamp[] {
		const { order, range } = this.reading;
		return timesOfPage(order, range, inspections).map(floorToSecond);
	}

	private from(second: Timestamp): KeyRange {
		const { range } = this.reading;
		return { ...range, after: laterOf(range.after ?? second, second) };
	}
}
