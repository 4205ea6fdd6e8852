import { BoundTrust } from './boundTrust';
import type { InspectionRecord } from './inspectionPage';
import type { InspectionReader, PageRequest, ReadQuestion } from './inspectionReader';
import { keysOfPage, rangeOf, withRange, type KeyRange, type KeysetOrder } from './keyset';
import { KeysetSlice } from './keysetSlice';
import { MAX_PAGE_SIZE } from '../limits';
import { NewestVersions } from './newestVersions';
import { PageLength } from './pageLength';
import { ceilToSecond, earlierOf, msSinceEpoch, type Timestamp } from '../timestamp';

const OLDEST_FIRST: KeysetOrder = { sortBy: 'created_at', sortOrder: 'asc' };
const NEWEST_FIRST: KeysetOrder = { sortBy: 'created_at', sortOrder: 'desc' };
/**
 * A slice is cut for an idle lane where its owner has more than this many requests before it: with up to one,
 * the owner is as quick alone.
 */
const MIN_REQUESTS_TO_SHARE = 1;

/**
 * Reads every inspection that the filter keeps, each once, while others create and update: by keyset over the
 * time of creation, which never moves, whatever the result is to be sorted by.
 *
 * The first request is all that a list of less than a page takes. A full page starts one request for the
 * newest inspections, which shows where the list ends; then what lies between is cut into slices of time that
 * are read side by side. A lane that has nothing left takes over half of the slice that has most before it.
 */
export class WholeListReader implements InspectionReader {
	private readonly question: ReadQuestion;
	private readonly lanes: number;
	private readonly found: NewestVersions;
	private readonly pages = new PageLength(MAX_PAGE_SIZE);
	private readonly slices: KeysetSlice[];
	private readonly underWay = new Map<PageRequest, KeysetSlice | 'newest'>();
	private newest: 'unknown' | 'wanted' | 'asked' = 'unknown';
	private lastOfFirstPage: Timestamp | undefined;

	/** `lanes` is how many requests may be under way at once. */
	constructor(question: ReadQuestion, lanes: number) {
		this.question = question;
		this.lanes = lanes;
		this.found = new NewestVersions(question.isWanted ?? (() => true));
		const sliceQuestion = {
			filter: question.filter,
			order: OLDEST_FIRST,
			pages: this.pages,
			bounds: new BoundTrust(),
		};
		this.slices = [new KeysetSlice(sliceQuestion, this.range)];
	}

	requests(): PageRequest[] {
		const requests: PageRequest[] = [];
		while (this.underWay.size < this.lanes) {
			const request = this.nextRequest();
			if (request === undefined) break;
			requests.push(request);
		}
		return requests;
	}

	receive(request: PageRequest, page: readonly InspectionRecord[]): void {
		const asker = this.underWay.get(request);
		if (asker === undefined) return;
		this.underWay.delete(request);
		if (asker === 'newest') {
			this.found.add(page);
			this.receiveNewest(page);
			return;
		}
		this.found.add(asker.wantedOf(page));
		asker.receive(page);
		if (asker.isDone) this.slices.splice(this.slices.indexOf(asker), 1);
		else if (this.newest === 'unknown') this.receiveFirst(asker);
	}

	result(): InspectionRecord[] {
		return this.found.sorted(this.question);
	}

	private get range(): KeyRange {
		return rangeOf(this.question.filter, 'created_at');
	}

	private nextRequest(): PageRequest | undefined {
		if (this.newest === 'wanted') {
			this.newest = 'asked';
			return this.ask('newest');
		}
		const idle = this.slices.find((slice) => !this.isUnderWay(slice));
		if (idle !== undefined) return this.ask(idle);
		const shared = this.shareSlice();
		return shared && this.ask(shared);
	}

	private ask(asker: KeysetSlice | 'newest'): PageRequest {
		const query = asker === 'newest' ? this.newestQuery() : asker.query();
		const { includes } = this.question;
		const request = { query: { ...query, includes } };
		this.underWay.set(request, asker);
		return request;
	}

	private newestQuery() {
		const { filter } = this.question;
		const bounded = withRange(filter, 'created_at', this.range);
		return { ...bounded, ...NEWEST_FIRST, page: 1, pageSize: this.pages.size };
	}

	private isUnderWay(slice: KeysetSlice): boolean {
		return [...this.underWay.values()].includes(slice);
	}

	private shareSlice(): KeysetSlice | undefined {
		const longestFirst = this.slices
			.filter(({ requestsAhead }) => requestsAhead > MIN_REQUESTS_TO_SHARE)
			.toSorted((a, b) => compareNumbers(b.requestsAhead, a.requestsAhead));
		for (const slice of longestFirst) {
			const [shared] = slice.divide(2);
			if (shared === undefined) continue;
			this.slices.push(shared);
			return shared;
		}
		return undefined;
	}

	/** A page that is all there is asks for nothing more; neither does one that may be, as long as that is open. */
	private receiveFirst({ last }: KeysetSlice): void {
		if (last === undefined) return;
		this.newest = 'wanted';
		this.lastOfFirstPage = last;
	}

	/**
	 * The newest page holds all that was created after its last inspection, so the slices need not go further.
	 * What is created from now on was not there throughout: leaving it out is what gives the scan an end.
	 */
	private receiveNewest(page: readonly InspectionRecord[]): void {
		const keys = keysOfPage(NEWEST_FIRST, this.range, page);
		const [first] = this.slices;
		const oldest = keys.at(-1);
		const newest = keys[0];
		if (first === undefined || oldest === undefined || newest === undefined) return;
		// By the millisecond: what a service sorts by may be no more, then a page's end says nothing within it.
		const meetsFirstPage =
			this.lastOfFirstPage !== undefined &&
			msSinceEpoch(oldest) < msSinceEpoch(this.lastOfFirstPage);
		if (page.length < this.pages.size || meetsFirstPage) {
			this.slices.length = 0;
			return;
		}
		this.endSlicesAt(first, oldest, msSinceEpoch(newest) - msSinceEpoch(oldest));
	}

	/** A whole second, so that a service that cuts its filter dates still includes all of the last moment. */
	private endSlicesAt(first: KeysetSlice, last: Timestamp, newestSpanMs: number): void {
		const end = ceilToSecond(last);
		if (end === undefined) return;
		const { before } = this.range;
		first.endAt(before === undefined ? end : earlierOf(before, end));
		const pagesPerMs = (1 / (first.span ?? 1) + 1 / Math.max(1, newestSpanMs)) / 2;
		const pagesLeft = Math.floor((first.timeAhead ?? 0) * pagesPerMs);
		this.slices.push(...first.divide(Math.min(this.lanes, Math.max(1, pagesLeft))));
	}
}

/** Infinity is among the numbers, so they cannot be subtracted. */
function compareNumbers(a: number, b: number): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
