import {
	addSeconds,
	compareTimestamps,
	floorToSecond,
	msSinceEpoch,
	type Timestamp,
	timestampOfMs,
} from '../timestamp';
import type { KeyRange } from './keyRange';

/** A part of a list, oldest first, that one lane reads: what is left of it, and what the lane has learned. */
export interface Slice {
	/** What is left to be read. Another lane may take over its end. */
	range: KeyRange;
	/** Milliseconds between the first and the last inspection of the page read last; undefined before. */
	spanMs: number | undefined;
	/** True while one second of it is read page by page. */
	isTied: boolean;
}

/** Milliseconds between the first and the last time of a page, at least 1. */
export function spanOf(times: readonly Timestamp[]): number {
	const first = times[0];
	const last = times.at(-1);
	if (first === undefined || last === undefined) return 1;
	return Math.max(1, Math.abs(msSinceEpoch(last) - msSinceEpoch(first)));
}

/** Milliseconds from what is being read to the end; undefined while either is open. */
export function msAhead(slice: Slice): number | undefined {
	const start = startOfUnread(slice);
	const end = slice.range.before;
	if (start === undefined || end === undefined) return undefined;
	return Math.max(0, msSinceEpoch(end) - msSinceEpoch(start));
}

/**
 * Pages that are still to be read after the one under way, estimated from how close the inspections of the last page
 * were; 0 where nothing is known yet. A second that is read page by page says nothing of what comes after it.
 */
export function pagesAhead(slice: Slice): number {
	const ahead = msAhead(slice) ?? 0;
	if (slice.isTied) return ahead > 0 ? Infinity : 0;
	return slice.spanMs === undefined ? 0 : Math.max(0, ahead / slice.spanMs - 1);
}

/**
 * Keeps the first part of what is left of a slice and returns the others, cut into `parts` of equal time; fewer where
 * it is too short. Cuts lie on whole seconds and belong to both neighbours: however the service rounds, it is the
 * same second for both, so nothing falls between them.
 */
export function divide(slice: Slice, parts: number): Slice[] {
	const { before } = slice.range;
	const cuts = cutsOf(slice, parts);
	if (cuts.length === 0) return [];
	slice.range.before = cuts[0];
	return cuts.map((after, index) => ({
		range: { after, before: cuts[index + 1] ?? before },
		spanMs: undefined,
		isTied: false,
	}));
}

/** Cuts what the request under way will probably not reach into equal parts. */
function cutsOf(slice: Slice, parts: number): Timestamp[] {
	const unread = startOfUnread(slice);
	const end = slice.range.before;
	if (unread === undefined || end === undefined || msAhead(slice) === 0) return [];
	const cuts: Timestamp[] = slice.isTied ? [unread] : [];
	const start = msSinceEpoch(unread) + (slice.isTied ? 0 : (slice.spanMs ?? 0));
	const shares = parts - cuts.length;
	for (let share = 1; share < shares; share++) {
		const exact = timestampOfMs(start + ((msSinceEpoch(end) - start) * share) / shares);
		const cut = exact && floorToSecond(exact);
		const previous = cuts.at(-1) ?? timestampOfMs(start);
		if (cut && previous && compareTimestamps(cut, previous) > 0) cuts.push(cut);
	}
	return cuts;
}

function startOfUnread({ range, isTied }: Slice): Timestamp | undefined {
	return isTied && range.after ? addSeconds(floorToSecond(range.after), 1) : range.after;
}
