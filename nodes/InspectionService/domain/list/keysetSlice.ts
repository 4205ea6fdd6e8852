import type { InspectionRecord } from './inspectionPage';
import type { InspectionFilter, InspectionPageQuery } from './inspectionQuery';
import {
	isEmptyRange,
	keysOfPage,
	rangeBehind,
	rangeBehindTies,
	tieRange,
	withRange,
	type KeyRange,
	type KeysetOrder,
} from './keyset';
import { TieGroup } from './tieGroup';
import {
	compareTimestamps,
	floorToSecond,
	msSinceEpoch,
	timestampOfMs,
	type Timestamp,
} from '../timestamp';

/** What a slice reads: the list's filter without the range of the sort key, which the slice sets itself. */
export interface SliceQuestion {
	readonly filter: InspectionFilter;
	readonly order: KeysetOrder;
	readonly pageSize: number;
}

/** A range of the sort key that is read from one end to the other, one request at a time. */
export class KeysetSlice {
	private readonly question: SliceQuestion;
	private range: KeyRange;
	private ties: TieGroup | undefined;
	private ended = false;
	private pageSpanMs: number | undefined;

	constructor(question: SliceQuestion, range: KeyRange) {
		this.question = question;
		this.range = range;
	}

	get isDone(): boolean {
		return this.ended;
	}

	/** Milliseconds between the first and the last inspection of the page read last, at least 1; undefined before. */
	get span(): number | undefined {
		return this.pageSpanMs;
	}

	query(): InspectionPageQuery {
		if (this.ties !== undefined) return this.ties.query();
		const { filter, order, pageSize } = this.question;
		return { ...withRange(filter, order.sortBy, this.range), ...order, page: 1, pageSize };
	}

	/** Those of the answer to `query()` that belong to the result. */
	wantedOf(page: readonly InspectionRecord[]): readonly InspectionRecord[] {
		return this.ties === undefined ? page : this.ties.wantedOf(page);
	}

	/** Takes the answer to `query()` and goes on behind it. */
	receive(page: readonly InspectionRecord[]): void {
		if (this.ties === undefined) this.receiveRange(page);
		else this.receiveTies(this.ties, page);
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
	 * fewer where the range is too short. Both neighbours have the cut: wherever the service's rounding puts
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

	private receiveRange(page: readonly InspectionRecord[]): void {
		const { order, filter, pageSize } = this.question;
		if (page.length < pageSize) {
			this.ended = true;
			return;
		}
		// The end may have been moved while the request was under way: only the start is still as asked.
		const keys = keysOfPage(order, { ...this.range, ...openEnd(order) }, page);
		this.pageSpanMs = spanOf(keys);
		const rest = rangeBehind(order, this.range, keys);
		if (rest === undefined) {
			this.ties = new TieGroup(order, filter, tieRange(order, this.range, keys));
			return;
		}
		this.range = rest;
		this.endIfEmpty();
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
			const cut = wholeCut(start + share * cutsMade, cuts.at(-1) ?? timestampOfMs(start));
			if (cut !== undefined) cuts.push(cut);
		}
		return cuts;
	}
}

/** On a whole second where there is one behind the previous cut; undefined where the cut is not behind it. */
function wholeCut(ms: number, previous: Timestamp | undefined): Timestamp | undefined {
	const exact = timestampOfMs(ms);
	if (exact === undefined || previous === undefined) return undefined;
	return [floorToSecond(exact), exact].find((cut) => compareTimestamps(cut, previous) > 0);
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
