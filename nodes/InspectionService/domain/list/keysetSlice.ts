import type { BoundTrust } from './boundTrust';
import type { InspectionRecord } from './inspectionPage';
import type { InspectionFilter, InspectionPageQuery } from './inspectionQuery';
import {
	isEmptyRange,
	keysOfPage,
	rangeBehind,
	rangeBehindTies,
	secondRange,
	tieRange,
	withRange,
	type KeyRange,
	type KeysetOrder,
} from './keyset';
import type { PageLength } from './pageLength';
import { TieGroup } from './tieGroup';
import {
	compareTimestamps,
	floorToSecond,
	isWholeSecond,
	msSinceEpoch,
	timestampOfMs,
	type Timestamp,
} from '../timestamp';

/** What a slice reads: the list's filter without the range of the sort key, which the slice sets itself. */
export interface SliceQuestion {
	readonly filter: InspectionFilter;
	readonly order: KeysetOrder;
	/** What all slices of a reading learn about the service. */
	readonly pages: PageLength;
	readonly bounds: BoundTrust;
}

/** A range of the sort key that is read from one end to the other, one request at a time. */
export class KeysetSlice {
	private readonly question: SliceQuestion;
	private readonly start: Timestamp | undefined;
	private range: KeyRange;
	private ties: TieGroup | undefined;
	/** A first page that may be one of several, although it is short. */
	private doubtful: readonly InspectionRecord[] | undefined;
	/** Where the range starts within a second: the time of the inspection before it, which has to come again. */
	private comesAgain: Timestamp | undefined;
	private lastKey: Timestamp | undefined;
	private ended = false;
	private pageSpanMs: number | undefined;

	constructor(question: SliceQuestion, range: KeyRange) {
		this.question = question;
		this.range = range;
		this.start = range.after;
	}

	get isDone(): boolean {
		return this.ended;
	}

	/** Time of the last inspection of the full page read last; undefined before. */
	get last(): Timestamp | undefined {
		return this.lastKey;
	}

	/** Milliseconds between the first and the last inspection of the page read last, at least 1; undefined before. */
	get span(): number | undefined {
		return this.pageSpanMs;
	}

	query(): InspectionPageQuery {
		if (this.ties !== undefined) return this.ties.query();
		const { filter, order, pages } = this.question;
		const page = this.doubtful === undefined ? 1 : 2;
		const asked = withRange(filter, order.sortBy, this.range);
		return { ...asked, ...order, page, pageSize: pages.size };
	}

	/** Those of the answer to `query()` that belong to the result. */
	wantedOf(page: readonly InspectionRecord[]): readonly InspectionRecord[] {
		if (this.ties !== undefined) return this.ties.wantedOf(page);
		// Either way others may come before these, which are read again then.
		return this.doubtful !== undefined || this.isCutShort(page) ? [] : page;
	}

	/** Takes the answer to `query()` and goes on behind it. */
	receive(page: readonly InspectionRecord[]): void {
		if (this.ties !== undefined) this.receiveTies(this.ties, page);
		else if (this.doubtful !== undefined) this.receiveSecond(this.doubtful, page);
		else if (this.question.pages.isDoubtful(page.length)) this.doubtful = page;
		else this.receiveRange(page);
	}

	/** Nothing later is to be read; what is under way is still taken. Only for slices in ascending order. */
	endAt(before: Timestamp): void {
		this.range = { ...this.range, before };
		this.endIfEmpty();
	}

	/** Milliseconds from what is being read to the end; undefined while either is open. */
	get timeAhead(): number | undefined {
		const start = this.startOfUnread();
		const end = this.range.before;
		if (start === undefined || end === undefined) return undefined;
		return Math.max(0, msSinceEpoch(end) - msSinceEpoch(start));
	}

	/**
	 * Requests that are still to be made after the one under way, estimated from how close the inspections of
	 * the last page were; 0 where nothing is known yet.
	 */
	get requestsAhead(): number {
		const ahead = this.timeAhead;
		if (this.ended || ahead === undefined || this.pageSpanMs === undefined) return 0;
		if (this.ties !== undefined) return ahead > 0 ? Infinity : 0;
		return Math.max(0, ahead / this.pageSpanMs - 1);
	}

	/**
	 * Keeps the first part of what is still to be read and returns the others, cut into `parts` of equal time;
	 * fewer where the range is too short, or where it would have to be cut within seconds and the service was not
	 * seen to compare that finely. Both neighbours have the cut: wherever the service's rounding puts
	 * it, it is the same place for both, so nothing falls between them.
	 */
	divide(parts: number): KeysetSlice[] {
		const { before } = this.range;
		const cuts = [...this.cuts(parts), before];
		this.range = { ...this.range, before: cuts[0] };
		return cuts
			.slice(1)
			.map((end, index) => new KeysetSlice(this.question, { after: cuts[index], before: end }));
	}

	private receiveSecond(first: readonly InspectionRecord[], second: readonly InspectionRecord[]) {
		this.doubtful = undefined;
		this.question.pages.settle(first.length, second.length);
		this.receiveRange(first);
	}

	private receiveRange(page: readonly InspectionRecord[]): void {
		const { order, pages } = this.question;
		if (this.comesAgain !== undefined && this.isCutShort(page)) {
			this.readTies(secondRange({ ...this.range, after: this.start }, this.comesAgain));
			return;
		}
		if (page.length < pages.size) {
			this.ended = true;
			return;
		}
		pages.confirm();
		// The end may have been moved while the request was under way: only the start is still as asked.
		const keys = keysOfPage(order, { ...this.range, ...openEnd(order) }, page);
		this.pageSpanMs = spanOf(keys);
		this.lastKey = keys.at(-1);
		const rest = rangeBehind(order, this.range, keys);
		if (rest === undefined) this.readTies(tieRange(order, this.range, keys));
		else this.goOn(rest);
	}

	/** True where the service left out what the range begins with. */
	private isCutShort(page: readonly InspectionRecord[]): boolean {
		const { order, bounds } = this.question;
		return this.comesAgain !== undefined && !bounds.check(page, order.sortBy, this.comesAgain);
	}

	private goOn(rest: KeyRange): void {
		const { after } = rest;
		const isWithinSecond =
			this.question.order.sortOrder === 'asc' && after && !isWholeSecond(after);
		this.comesAgain = isWithinSecond ? this.lastKey : undefined;
		this.range = rest;
		this.endIfEmpty();
	}

	private readTies(range: KeyRange): void {
		const { order, filter, pages } = this.question;
		this.comesAgain = undefined;
		this.ties = new TieGroup(order, filter, range, pages.size);
	}

	private receiveTies(ties: TieGroup, page: readonly InspectionRecord[]): void {
		ties.receive(page);
		if (!ties.isComplete) return;
		this.ties = undefined;
		const rest = rangeBehindTies(this.question.order, this.range, ties.range);
		if (rest === undefined) this.ended = true;
		else this.range = rest;
	}

	private endIfEmpty(): void {
		if (isEmptyRange(this.range)) this.ended = true;
	}

	private startOfUnread(): Timestamp | undefined {
		return this.ties === undefined ? this.range.after : this.ties.range.before;
	}

	/** Cuts what the request under way will probably not reach into equal parts. Ties are left to their reader. */
	private cuts(parts: number): Timestamp[] {
		const unread = this.startOfUnread();
		const end = this.range.before;
		if (unread === undefined || end === undefined || this.timeAhead === 0) return [];
		const cuts: Timestamp[] = this.ties === undefined ? [] : [unread];
		const shares = parts - cuts.length;
		const start = msSinceEpoch(unread) + (this.ties === undefined ? (this.pageSpanMs ?? 0) : 0);
		const share = (msSinceEpoch(end) - start) / shares;
		for (let cutsMade = 1; cutsMade < shares; cutsMade++) {
			const cut = this.cutAt(start + share * cutsMade, cuts.at(-1) ?? timestampOfMs(start));
			if (cut !== undefined) cuts.push(cut);
		}
		return cuts;
	}

	/** On a whole second where there is one behind the previous cut; undefined where no cut is to be made there. */
	private cutAt(ms: number, previous: Timestamp | undefined): Timestamp | undefined {
		const exact = timestampOfMs(ms);
		if (exact === undefined || previous === undefined) return undefined;
		const cuts = [floorToSecond(exact), ...(this.question.bounds.isProven ? [exact] : [])];
		return cuts.find((cut) => compareTimestamps(cut, previous) > 0);
	}
}

function openEnd({ sortOrder }: KeysetOrder): KeyRange {
	return sortOrder === 'desc' ? {} : { before: undefined };
}

function spanOf(keys: readonly Timestamp[]): number {
	const first = keys[0];
	const last = keys.at(-1);
	if (first === undefined || last === undefined) return 1;
	return Math.max(1, Math.abs(msSinceEpoch(last) - msSinceEpoch(first)));
}
