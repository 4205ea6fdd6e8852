import { BoundTrust } from './boundTrust';
import type { InspectionRecord } from './inspectionPage';
import type { InspectionReader, PageRequest, ReadQuestion } from './inspectionReader';
import { rangeOf } from './keyset';
import { KeysetSlice } from './keysetSlice';
import { MAX_PAGE_SIZE } from '../limits';
import { NewestVersions } from './newestVersions';
import { PageLength } from './pageLength';

/**
 * Reads the first `limit` inspections in the order asked for, page by page. One request where they fit on a
 * page; beyond that by keyset over the sort key, so that nothing comes twice while others create and update.
 */
export class LimitedListReader implements InspectionReader {
	private readonly question: ReadQuestion;
	private readonly limit: number;
	private readonly found: NewestVersions;
	private readonly slice: KeysetSlice;
	private underWay: PageRequest | undefined;
	private pagesRead = 0;

	constructor(question: ReadQuestion, limit: number) {
		this.question = question;
		this.limit = limit;
		const { filter, sortBy, sortOrder, isWanted } = question;
		this.found = new NewestVersions(isWanted ?? (() => true));
		// What this side refuses takes places on the page: a small page would only mean more requests.
		const pageSize = isWanted === undefined ? Math.min(limit, MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
		const order = { sortBy, sortOrder };
		const pages = new PageLength(pageSize);
		const slice = { filter, order, pages, bounds: new BoundTrust() };
		this.slice = new KeysetSlice(slice, rangeOf(filter, sortBy));
	}

	requests(): PageRequest[] {
		if (this.underWay !== undefined || this.isComplete) return [];
		this.underWay = { query: { ...this.slice.query(), includes: this.question.includes } };
		return [this.underWay];
	}

	receive(request: PageRequest, page: readonly InspectionRecord[]): void {
		if (request !== this.underWay) return;
		this.underWay = undefined;
		const wanted = this.slice.wantedOf(page);
		if (wanted.length > 0) this.pagesRead += 1;
		this.found.add(wanted);
		if (this.found.size < this.limit) this.slice.receive(page);
	}

	/** A single page keeps the order in which the service sent it. */
	result(): InspectionRecord[] {
		const inOrder =
			this.pagesRead > 1 ? this.found.sorted(this.question) : this.found.inOrderRead();
		return inOrder.slice(0, this.limit);
	}

	private get isComplete(): boolean {
		return this.limit < 1 || this.slice.isDone || this.found.size >= this.limit;
	}
}
