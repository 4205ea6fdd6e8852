import {
	commonScope,
	filterOfScope,
	isInScope,
	isSameScope,
	type CursorScope,
} from './cursorScope';
import { presentScope, sortKeyOf, type Cursor, type CursorEvent } from './cursorState';
import type { InspectionRecord } from '../list/inspectionPage';
import type { Include, InspectionFilter, InspectionPageQuery } from '../list/inspectionQuery';
import { keysOfPage, withRange, type KeysetOrder } from '../list/keyset';
import { MAX_PAGE_SIZE } from '../limits';
import { boundCursor, hasRoom, type CursorLimits } from './cursorBounds';
import { PagePass, type PassPage } from './pagePass';
import { endOfRange, isBehind, isLater, placeAt, secondAfter, type Place } from './place';
import { UnexpectedResponseError } from '../unexpectedResponse';
import { markOf, marksIn, SeenVersions } from './seenVersions';
import {
	addSeconds,
	earlierOf,
	floorToSecond,
	laterOf,
	timestampOf,
	type Timestamp,
} from '../timestamp';

/** Inspections that are read again for a smaller state: few requests, so that a slow service is not read in vain. */
const MAX_READ_AGAIN = 2 * MAX_PAGE_SIZE;

/** Filters that wait for their turn; an edit beyond that takes the place of the last one. */
const MAX_TURNS = 4;

/** What a trigger asks; unchanged during one poll. */
export interface ScanQuestion {
	event: CursorEvent;
	/** Applied by the service. */
	scope: CursorScope;
	includes: readonly Include[];
	/** Seconds that an inspection may become visible later than its timestamp says. */
	lookback: number;
	/** Inspections of one poll, at most. */
	maxItems: number;
	oncePerInspection: boolean;
	/** Applied on this side. */
	matches(inspection: InspectionRecord): boolean;
	/** Other limits of the state than usual. */
	limits?: CursorLimits;
}

/** An inspection to emit, with the time that orders it. */
export interface Found {
	inspection: InspectionRecord;
	stamp: Timestamp;
}

export interface ScanResult {
	cursor: Cursor;
	/** True where the service had more than this poll has read. */
	hasMore: boolean;
	/** True where the next poll has less to read than this one had, because of what this one has dealt with. */
	hasAdvanced: boolean;
	/** What had to be given up, in words for a log. */
	warnings: string[];
}

interface PageEntry extends Found {
	isUnseen: boolean;
	isWanted: boolean;
}

/** The cursor of a trigger that is to start with what changed at or after a moment. */
export function cursorFrom(startFrom: Timestamp, scope: CursorScope): Cursor {
	return {
		scope,
		turns: [],
		floor: startFrom,
		newest: null,
		seen: new SeenVersions(),
		place: placeAt(floorToSecond(startFrom)),
		quiet: null,
		emitted: '',
	};
}

/**
 * One poll: asks `query()` until it is undefined, takes each answer by `receive`, then `confirm` says how many of
 * the inspections found there were dealt with. `conclude` may be called at any time, so also after a failed
 * request: the next poll goes on behind what was confirmed.
 *
 * How nothing is lost or repeated:
 * - Every range starts on a whole second, which any service compares rightly, and is read in rising order by
 *   keyset; what is read twice is told apart by id and exact timestamp.
 * - `floor` moves up to what was settled when it was read: older by `lookback` than a timestamp that had been
 *   seen before. Everything from there on is read again by the next poll.
 * - Where a second holds more than a page, pages are read by number, in rising and then in falling order, until
 *   a pass brings nothing unseen: an inspection that leaves the list while it is read moves others to lower pages,
 *   so a rising pass may jump over one, a falling one may not.
 * - Other filters take their turn where the service's data ended when they were first asked for: up to there, the
 *   former ones are read to their end, and what only the present ones let through is history.
 */
export class CursorScan {
	private readonly question: ScanQuestion;
	private readonly order: KeysetOrder;
	private start: Place;
	private readonly emittedMarks: Set<string>;
	private cursor: Cursor;
	private isNew: boolean;
	private readonly isFirstPoll: boolean;
	/** The filters are others than those that were asked for last. */
	private isNewScope: boolean;
	/** What both the cursor's and the present filters let through; undefined where nothing is. */
	private scope: CursorScope | undefined;
	private place: Place;
	/** How far the reading had come before it began again: what is left to the next poll does not lie before it. */
	private turned: Place | null = null;
	private pass: PagePass;
	/** The next request asks for the newest inspection of the organisation. */
	private isAskingNewest: boolean;
	private mayAskNewest: boolean;
	/** What was known of the service's clock before anything was read from `start` on. */
	private knownNewest: Timestamp | null;
	private hasReadFromStart = false;
	/** The page that waits for `confirm`. */
	private entries: readonly PageEntry[] | undefined;
	private isLastPage = false;
	/** The last page went beyond what is to be read before other filters take their turn. */
	private isCut = false;
	private emittedCount = 0;
	private settledCount = 0;
	/** Where the poll began. */
	private readonly from: Place;
	/** Latest timestamp dealt with. */
	private reached: Timestamp | null = null;
	/** Earliest timestamp of a page that was not dealt with; set where the poll ended within a page. */
	private stoppedAt: Timestamp | null = null;
	private isCaughtUp = false;
	/** Set where pages did not show all that they held. */
	private orderWarning: string | undefined;

	/** `cursor` undefined: the trigger starts now, with what exists already counted as seen. */
	constructor(cursor: Cursor | undefined, question: ScanQuestion) {
		this.question = question;
		this.order = { sortBy: sortKeyOf(question.event), sortOrder: 'asc' };
		this.isNew = cursor === undefined;
		this.isFirstPoll = this.isNew;
		this.cursor =
			cursor === undefined ? emptyCursor(question.scope) : { ...cursor, seen: cursor.seen.copy() };
		this.start =
			this.cursor.place ?? placeAt(this.cursor.floor && floorToSecond(this.cursor.floor));
		this.place = this.start;
		this.from = this.start;
		const isQuiet = this.cursor.quiet !== null;
		if (isQuiet) this.cursor = quietlyRescoped(this.cursor, question.scope);
		this.isNewScope = !isSameScope(presentScope(this.cursor), question.scope);
		this.scope = commonScope(this.cursor.scope, question.scope);
		this.pass = this.cursor.place === null ? PagePass.begin() : PagePass.resume();
		const isResumed = this.cursor.place !== null && !isQuiet;
		this.isAskingNewest = this.isNew || isResumed || this.isNewScope;
		this.mayAskNewest = !this.isAskingNewest && !isQuiet;
		this.knownNewest = this.cursor.newest;
		this.emittedMarks = new Set(marksIn(this.cursor.emitted));
	}

	/** The next request; undefined where this poll is to end. */
	query(): InspectionPageQuery | undefined {
		if (this.isCaughtUp || this.stoppedAt !== null) return undefined;
		if (this.emittedCount >= this.question.maxItems) return undefined;
		if (this.isAskingNewest) {
			return { sortBy: this.order.sortBy, sortOrder: 'desc', page: 1, pageSize: 1 };
		}
		const { after, page } = this.place;
		const { quiet } = this.cursor;
		const wantsNothing = quiet !== null && quiet.except === null;
		const includes = wantsNothing ? [] : this.question.includes;
		return {
			...withRange(this.filter(), this.order.sortBy, rangeAfter(after)),
			...(includes.length === 0 ? {} : { includes }),
			...this.order,
			page,
			pageSize: MAX_PAGE_SIZE,
		};
	}

	/**
	 * Takes the answer to `query()`; returns what is to be emitted from it, no more than this poll may emit.
	 * @throws UnexpectedResponseError where the answer is not sorted, not filtered or has no timestamps
	 */
	receive(page: readonly InspectionRecord[]): readonly Found[] {
		if (this.isAskingNewest) {
			this.receiveNewest(page);
			return [];
		}
		const keys = keysOfPage(this.order, rangeAfter(this.place.after), page);
		this.assertNextPage(page);
		const entries = this.entriesOf(page, keys);
		for (const { stamp } of entries) this.learn(stamp);
		if (!this.hasReadFromStart) this.knownNewest = this.cursor.newest;
		this.hasReadFromStart = true;
		const until = this.end();
		const known =
			until === undefined ? entries : entries.filter(({ stamp }) => !isLater(stamp, until));
		this.entries = known;
		this.isCut = known.length < entries.length;
		this.isLastPage = page.length < MAX_PAGE_SIZE || this.isCut;
		return known
			.filter(({ isWanted }) => isWanted)
			.slice(0, this.question.maxItems - this.emittedCount);
	}

	/** The first `count` of what `receive` returned were dealt with, in its order. Fewer than all end the poll. */
	confirm(count: number): void {
		const { entries } = this;
		if (entries === undefined) return;
		this.entries = undefined;
		let left = count;
		for (const [index, entry] of entries.entries()) {
			if (entry.isWanted && left === 0) {
				this.stoppedAt = earliestOf(entries.slice(index), entry.stamp);
				return;
			}
			if (entry.isWanted) left -= 1;
			this.settle(entry);
		}
		this.pass.count(this.passPage(entries));
		this.move(entries);
	}

	/** How far this poll came. Everything confirmed is in it, nothing else. */
	conclude(): ScanResult {
		const cursor = { ...this.cursor, place: this.placeLeft(), floor: this.floorLeft() };
		if (cursor.floor !== null) cursor.seen.forgetBefore(cursor.floor);
		const { oncePerInspection } = this.question;
		const marks = oncePerInspection ? [...this.emittedMarks] : [];
		const warnings = boundCursor(cursor, marks, { ...this.question, ...this.boundaries() });
		if (this.orderWarning !== undefined) warnings.push(this.orderWarning);
		const hasMore = !this.isCaughtUp || cursor.turns.length > 0;
		return { cursor, hasMore, hasAdvanced: this.hasAdvanced(), warnings };
	}

	/** True where a page that `query()` asked for holds what this trigger has not met; nothing is taken. */
	hasNews(page: readonly InspectionRecord[]): boolean {
		if (this.isAskingNewest) return false;
		const { floor, seen } = this.cursor;
		return page.some((inspection) => {
			const stamp = timestampOf(inspection[this.order.sortBy]);
			if (stamp === undefined || isLater(floor, stamp)) return false;
			return !seen.has(stamp, inspection.id);
		});
	}

	private filter(): InspectionFilter {
		if (this.cursor.quiet !== null) return {};
		return filterOfScope(this.scope ?? this.question.scope);
	}

	private boundaries() {
		return { reached: this.reached, stoppedAt: this.stoppedAt, isCaughtUp: this.isCaughtUp };
	}

	private receiveNewest(page: readonly InspectionRecord[]): void {
		this.isAskingNewest = false;
		const newest = timestampOf(page[0]?.[this.order.sortBy]);
		if (newest !== undefined) this.learn(newest);
		this.knownNewest = this.cursor.newest;
		if (this.isNew) {
			this.beginAt(newest);
			return;
		}
		if (this.isNewScope) this.addTurn(newest);
		if (this.scope === undefined) this.takeTurn();
		else this.closeGap();
	}

	/** Where what is to be read now ends. */
	private end(): Timestamp | undefined {
		const { quiet, turns } = this.cursor;
		return quiet?.until ?? turns[0]?.until;
	}

	/** The trigger is new: what the lookback window holds now is remembered, not emitted. */
	private beginAt(newest: Timestamp | undefined): void {
		this.isNew = false;
		if (newest === undefined) {
			this.isCaughtUp = true;
			return;
		}
		const floor = this.settledBefore(newest);
		this.cursor = { ...this.cursor, floor, quiet: { until: newest, except: null } };
		this.place = placeAt(floor);
	}

	/** The present filters are asked for the first time. */
	private addTurn(newest: Timestamp | undefined): void {
		this.isNewScope = false;
		const { scope } = this.question;
		const { turns } = this.cursor;
		const last = turns.at(-1);
		if (newest === undefined) {
			this.cursor = { ...this.cursor, scope, turns: [] };
			this.scope = scope;
		} else if (last === undefined || turns.length < MAX_TURNS) {
			this.cursor.turns = [...turns, { until: newest, scope }];
		} else {
			this.cursor.turns = [...turns.slice(0, -1), { ...last, scope }];
		}
	}

	/**
	 * What the former filters let through is dealt with as far as the present ones let it through too. For the rest
	 * the trigger begins where the turn does: what it was not asked for until then is history, and not to be emitted.
	 */
	private takeTurn(): void {
		const [turn, ...turns] = this.cursor.turns;
		if (turn === undefined) return;
		const { until, scope } = turn;
		const { floor } = this.cursor;
		const settled = this.settledBefore(until);
		this.cursor = {
			...this.cursor,
			scope,
			turns,
			floor: isLater(settled, floor) ? settled : floor,
			quiet: { until, except: this.scope ?? null },
		};
		this.mayAskNewest = false;
		this.turned = null;
		this.readFromFloor();
	}

	/**
	 * The window in front of a turn is remembered: what comes behind it is to be emitted, also by this poll. Not by
	 * the trigger's first one: where n8n loses what it emits, it loses where the trigger began as well.
	 */
	private endQuiet(): void {
		this.cursor.quiet = null;
		this.turned = null;
		const hasTurns = this.cursor.turns.length > 0;
		this.isCaughtUp = this.isFirstPoll || (!this.isCut && !hasTurns);
		if (this.isCaughtUp) return;
		this.scope = commonScope(this.cursor.scope, this.question.scope);
		if (this.scope === undefined) this.takeTurn();
		else this.readFromFloor();
	}

	/**
	 * The last poll ended before it knew how new the service's data is, so the floor stayed behind. Where the data
	 * turns out to be settled up to the place, reading the little that lies between once more lets the floor follow.
	 * Not from within a range that could not be remembered as a whole: what was forgotten would be news again.
	 */
	private closeGap(): void {
		const { newest } = this.cursor;
		if (this.start.once || !this.hasGap() || newest === null) return;
		if (isLater(this.start.after, this.settledBefore(newest)) || !this.mayReadAgain()) return;
		this.readFromFloor();
	}

	private mayReadAgain(): boolean {
		const { seen } = this.cursor;
		return seen.count() <= MAX_READ_AGAIN && hasRoom(seen, this.question.limits);
	}

	/** True where the poll began behind the floor, so that what lies between is not read by it. */
	private hasGap(): boolean {
		const { floor } = this.cursor;
		return floor === null ? this.start.after !== null : isLater(this.start.after, floor);
	}

	/** A service that ignores `page` would be read for ever. */
	private assertNextPage(page: readonly InspectionRecord[]): void {
		const isFull = page.length >= MAX_PAGE_SIZE;
		if (this.place.page === 1 || this.place.back || !isFull) return;
		if (!this.pass.hasJustHad(page.map((inspection) => this.rowName(inspection)))) return;
		throw new UnexpectedResponseError(
			`The service sent the same inspections as page ${this.place.page} and before it: it seems to ignore the parameter page`,
		);
	}

	private rowName(inspection: InspectionRecord): string {
		return `${String(inspection[this.order.sortBy])} ${inspection.id}`;
	}

	private passPage(entries: readonly PageEntry[]): PassPage {
		const { after } = this.place;
		const name = ({ inspection }: PageEntry) => this.rowName(inspection);
		const held = entries.filter(
			({ stamp }) => !isLater(this.cursor.floor, stamp) && !isLater(floorToSecond(stamp), after),
		);
		return { rows: entries.map(name), held: held.length };
	}

	/** A row that is on the page twice is one. */
	private entriesOf(
		page: readonly InspectionRecord[],
		keys: readonly (Timestamp | undefined)[],
	): PageEntry[] {
		const names = new Set<string>();
		return page.flatMap((inspection, index) => {
			const name = this.rowName(inspection);
			if (names.has(name)) return [];
			names.add(name);
			return this.entryOf(inspection, keys[index]);
		});
	}

	private entryOf(inspection: InspectionRecord, stamp: Timestamp | undefined): PageEntry[] {
		if (stamp === undefined) return [];
		const { floor, seen } = this.cursor;
		const isUnseen = !isLater(floor, stamp) && !seen.has(stamp, inspection.id);
		const isNews = isUnseen && !this.isHistory(inspection) && this.question.matches(inspection);
		return [{ inspection, stamp, isUnseen, isWanted: isNews && !this.wasEmitted(inspection) }];
	}

	private isHistory(inspection: InspectionRecord): boolean {
		const { quiet } = this.cursor;
		if (quiet === null) return false;
		return quiet.except === null || !isInScope(inspection, quiet.except);
	}

	private wasEmitted({ id }: InspectionRecord): boolean {
		return this.question.oncePerInspection && this.emittedMarks.has(markOf(id));
	}

	private settle({ inspection, stamp, isUnseen, isWanted }: PageEntry): void {
		this.reached = this.reached === null ? stamp : laterOf(this.reached, stamp);
		if (!isUnseen) return;
		this.settledCount += 1;
		this.cursor.seen.add(stamp, inspection.id);
		this.pass.foundOne();
		if (!isWanted) return;
		this.emittedCount += 1;
		if (this.question.oncePerInspection) this.emittedMarks.add(markOf(inspection.id));
	}

	private learn(stamp: Timestamp): void {
		const { newest } = this.cursor;
		this.cursor.newest = newest === null ? stamp : laterOf(newest, stamp);
	}

	/** Where to read on behind a page that was dealt with as a whole. */
	private move(entries: readonly PageEntry[]): void {
		const isTooMuch = this.mayAskNewest && !this.isLastPage && this.pass.hasFound;
		this.advance(entries.at(-1)?.stamp);
		if (isTooMuch) this.startOver();
	}

	private advance(last: Timestamp | undefined): void {
		const { after, page, back } = this.place;
		if (back) {
			if (page > 1) this.place = { ...this.place, page: page - 1 };
			else this.endPass(last);
		} else if (!this.isLastPage && last !== undefined && !isLater(floorToSecond(last), after)) {
			this.place = { ...this.place, page: page + 1 };
		} else if (page > 1) {
			this.endPass(last);
		} else {
			this.leaveRange(last);
		}
	}

	/**
	 * More than a page of news: the floor can only follow if it is known how new the service's data is before it is
	 * read. So that is asked now, and the reading begins again.
	 */
	private startOver(): void {
		this.mayAskNewest = false;
		this.isAskingNewest = true;
		this.hasReadFromStart = false;
		this.turned = this.place;
		this.place = this.start;
		this.pass = PagePass.begin();
	}

	private endPass(last: Timestamp | undefined): void {
		const { after, page, back, once } = this.place;
		const known = after === null ? 0 : this.cursor.seen.countWithin(after);
		const isComplete = once || this.pass.isComplete(known);
		if (isComplete || this.pass.isHopeless) {
			if (!isComplete && known < this.pass.held) this.warnOfOrder(known);
			this.leaveRange(last);
			return;
		}
		this.pass = this.pass.next();
		this.place = { ...this.place, back: !back, page: back ? 2 : page - 1 };
	}

	private warnOfOrder(known: number): void {
		const { after } = this.place;
		this.orderWarning = `The service's order of inspections with equal ${this.order.sortBy} changes from page to page: of ${this.pass.held} inspections in the second from ${String(after)} on, it has shown ${known}, however often it was asked. The others may be missed.`;
	}

	private leaveRange(last: Timestamp | undefined): void {
		const { after, back, once } = this.place;
		if (once) this.closeRange(after);
		this.pass = PagePass.begin();
		const next = secondAfter(after);
		if (back && !isLater(next, this.cursor.newest)) {
			this.place = placeAt(next);
		} else if (back || this.isLastPage || last === undefined) {
			// Nothing is known behind the second of a second look: it may still go on.
			this.arrive();
		} else {
			this.place = placeAt(floorToSecond(last));
		}
	}

	/**
	 * Everything behind the place where the poll began was read. What lies between the floor and there is left to the
	 * next poll, which reads the whole window, if this one has something to emit. If not, n8n may discard what it
	 * leaves, so that each poll would begin there again and late commits before it would stay unseen: it reads on.
	 */
	private arrive(): void {
		if (this.cursor.quiet !== null) {
			this.endQuiet();
			return;
		}
		this.isCaughtUp = true;
		if (this.hasGap()) {
			if (this.emittedCount === 0) this.readFromFloor();
		} else {
			// With a gap, everything is first read once more under the former filters.
			this.takeTurn();
		}
	}

	private readFromFloor(): void {
		const { floor } = this.cursor;
		this.isCaughtUp = false;
		this.start = placeAt(floor && floorToSecond(floor));
		this.place = this.start;
		this.pass = PagePass.begin();
	}

	/**
	 * What could not be remembered as a whole is never met again: the floor rises above what was dealt with. How far
	 * that is, what is remembered tells: where the former polls had it all, this one has met nothing.
	 */
	private closeRange(after: Timestamp | null): void {
		const reached = this.cursor.seen.latest();
		if (reached !== undefined) this.raiseFloor(endOfRange(after, reached));
	}

	/** What the next poll begins with; null where it reads the whole window again. */
	private placeLeft(): Place | null {
		const read = this.placeRead();
		const { turned } = this;
		return read !== null && turned !== null && isBehind(read, turned) ? turned : read;
	}

	private hasAdvanced(): boolean {
		if (this.settledCount > 0 || this.reached === null) return this.settledCount > 0;
		const left = this.placeLeft();
		return left !== null && isBehind(this.from, left);
	}

	/** How far everything was read since it was asked what is newest; null: to the end, or from nowhere. */
	private placeRead(): Place | null {
		if (this.isCaughtUp || this.isNew) return null;
		const { after, page, back } = this.place;
		if (page > 1 || back || this.stoppedAt === null) return this.place;
		const stopped = floorToSecond(this.stoppedAt);
		return isLater(stopped, after) ? placeAt(stopped) : this.place;
	}

	private floorLeft(): Timestamp | null {
		const { floor, quiet } = this.cursor;
		if (this.knownNewest === null || !this.hasReadFromStart) return floor;
		if (quiet !== null || this.hasGap()) return floor;
		const settled = this.settledBefore(this.knownNewest);
		const read = this.placeRead();
		if (read !== null && read.after === null) return floor;
		const reachable = read?.after && isLater(settled, read.after) ? read.after : settled;
		return isLater(reachable, floor) ? reachable : floor;
	}

	/**
	 * What was visible when `newest` was is complete before this whole second. From the next turn on, nothing is
	 * before the turn is taken.
	 */
	private settledBefore(newest: Timestamp): Timestamp {
		const [turn] = this.cursor.turns;
		const clock = turn === undefined ? newest : earlierOf(newest, turn.until);
		return floorToSecond(addSeconds(clock, -this.question.lookback) ?? clock);
	}

	private raiseFloor(floor: Timestamp): void {
		if (isLater(floor, this.cursor.floor)) this.cursor.floor = floor;
	}
}

function emptyCursor(scope: CursorScope): Cursor {
	return {
		scope,
		turns: [],
		floor: null,
		newest: null,
		seen: new SeenVersions(),
		place: null,
		quiet: null,
		emitted: '',
	};
}

/** The filters change once more before the window was read: history stays history. */
function quietlyRescoped(cursor: Cursor, scope: CursorScope): Cursor {
	const { quiet, turns } = cursor;
	const last = turns.at(-1);
	if (quiet === null || isSameScope(presentScope(cursor), scope)) return cursor;
	return {
		...cursor,
		scope: last === undefined ? scope : cursor.scope,
		turns: last === undefined ? [] : [...turns.slice(0, -1), { ...last, scope }],
		quiet: { ...quiet, except: (quiet.except && commonScope(quiet.except, scope)) ?? null },
	};
}

function rangeAfter(after: Timestamp | null) {
	return after === null ? {} : { after };
}

function earliestOf(entries: readonly PageEntry[], first: Timestamp): Timestamp {
	return entries.reduce((earliest, { stamp }) => earlierOf(earliest, stamp), first);
}
