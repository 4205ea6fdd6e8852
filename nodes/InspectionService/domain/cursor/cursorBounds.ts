import type { Cursor } from './cursorState';
import { endOfRange, isLater, justAfter, placeAt, type Place } from './place';
import type { SeenVersions } from './seenVersions';
import { floorToSecond, laterOf, type Timestamp } from '../timestamp';

/**
 * Characters of state for the versions of the lookback window: about 10,000 inspections changed within one
 * minute, or 20,000 within one instant. A usual organisation needs a few hundred characters.
 */
const MAX_SEEN_CHARACTERS = 200_000;
/** Inspections that `oncePerInspection` remembers: 50 kB of state. */
export const MAX_EMITTED_MARKS = 5_000;

export interface CursorLimits {
	/** Room for the marks of a page, or more: the page that a poll ends within is read again. */
	seenCharacters?: number;
	emittedMarks?: number;
}

interface ScanEnd {
	/** Seconds, for the warning. */
	lookback: number;
	limits?: CursorLimits;
	/** Latest timestamp dealt with; null: none. */
	reached: Timestamp | null;
	/** Earliest timestamp of a page that was not dealt with to its end. */
	stoppedAt: Timestamp | null;
	/** False where there is more to read, also where no place says so: the next poll reads the window again. */
	isCaughtUp: boolean;
}

/**
 * Keeps a cursor's text form bounded, at any load. What does not fit is given up from its oldest end, and said:
 * of the window, late commits, never by a repetition; of `oncePerInspection`, the inspections emitted first.
 * Returns the warnings.
 */
export function boundCursor(cursor: Cursor, marks: readonly string[], end: ScanEnd): string[] {
	return [...boundSeen(cursor, end), ...boundMarks(cursor, marks, end)];
}

/** True where as much again can be remembered as there is. */
export function hasRoom(seen: SeenVersions, limits: CursorLimits | undefined): boolean {
	return 2 * seen.size() <= (limits?.seenCharacters ?? MAX_SEEN_CHARACTERS);
}

function boundMarks(cursor: Cursor, marks: readonly string[], { limits }: ScanEnd): string[] {
	const limit = limits?.emittedMarks ?? MAX_EMITTED_MARKS;
	cursor.emitted = marks.slice(-limit).join('');
	if (marks.length <= limit) return [];
	return [
		`"Once per Inspection" remembers ${limit} inspections. ${marks.length - limit} older ones were forgotten: if they change, they start the workflow again.`,
	];
}

function boundSeen(cursor: Cursor, end: ScanEnd): string[] {
	const { lookback, limits, reached, stoppedAt } = end;
	const limit = limits?.seenCharacters ?? MAX_SEEN_CHARACTERS;
	if (reached === null || cursor.seen.size() <= limit) return [];
	if (cursor.place?.back) closeRange(cursor, cursor.place.after);
	cursor.place = placeWithoutReturn(cursor.place, stoppedAt);
	const open = openFrom(cursor.place, reached, end);
	const forgotten = cursor.seen.shrink(limit, open);
	if (forgotten !== undefined) cursor.floor = justAfter(forgotten);
	if (cursor.place?.once) cursor.seen.shrinkTies(limit, reached);
	return [
		`More inspections changed within the lookback of ${lookback} seconds than the trigger can remember. It goes on from ${cursor.floor ?? reached} without looking back: what becomes visible late there, with the same or an earlier time, may be missed, and so may what a change moves to a page that was read already.`,
	];
}

/** The second look at a range is given up: what the first one dealt with lies below the floor. */
function closeRange(cursor: Cursor, after: Timestamp | null): void {
	const reached = cursor.seen.latest();
	if (reached === undefined) return;
	cursor.floor = endOfRange(after, reached);
	cursor.seen.forgetBefore(cursor.floor);
}

/** The place to go on from where a range of several pages is not looked at a second time. */
function placeWithoutReturn(place: Place | null, stoppedAt: Timestamp | null): Place | null {
	if (place === null || (place.page === 1 && !place.back)) return place;
	const stopped = stoppedAt && floorToSecond(stoppedAt);
	if (isLater(stopped, place.after)) return placeAt(stopped);
	return place.back ? placeAt(place.after) : { ...place, once: true };
}

/** From here on there may be what was not dealt with; everything earlier was. */
function openFrom(place: Place | null, reached: Timestamp, end: ScanEnd): Timestamp {
	const { isCaughtUp, stoppedAt } = end;
	if (isCaughtUp) return justAfter(reached);
	if (place === null || place.once) return reached;
	return laterOf(stoppedAt ?? place.after ?? reached, place.after ?? reached);
}
