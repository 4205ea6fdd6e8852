import {
	compareTimestamps,
	earlierOf,
	floorToSecond,
	msSinceEpoch,
	type Timestamp,
	timestampOfMs,
} from '../timestamp';
import type { BegunSecond } from './readFullSecond';

/** A stretch of a list, oldest first, that is left to be read. Both ends are whole seconds. */
export interface Stretch {
	/** Everything from this second on is left. */
	readonly after: Timestamp;
	/** It is read when a page has reached this second. */
	readonly until: Timestamp;
	/** Milliseconds between the first and the last inspection of the last page. The next page probably spans as much. */
	readonly spanMs: number;
}

/** A part of a list: one lane reads it. */
export type Part = Stretch | BegunSecond;

/** Pages that are left to one lane. Two lanes are no faster with one page or less. */
const MIN_PAGES_TO_HALVE = 1;

/**
 * Takes parts for the lanes that are free, the longest first. While there are fewer parts than free lanes, the longest is
 * halved, again and again. What lies at `end` or later is left out.
 */
export function takeParts(
	todo: readonly Part[],
	free: number,
	end: Timestamp | undefined,
): { taken: Part[]; left: Part[] } {
	const parts = todo.flatMap((part) => within(part, end)).sort(byLength);
	while (parts.length < free) {
		const longest = parts.findIndex((part) => halvesOf(part) !== undefined);
		const halves = halvesOf(parts[longest]);
		if (halves === undefined) break;
		parts.splice(longest, 1, ...halves);
		parts.sort(byLength);
	}
	return { taken: parts.slice(0, free), left: parts.slice(free) };
}

/** How many pages a part probably has. A full second has more than one, and nobody knows how many. */
export function pagesOf(part: Part): number {
	if ('inspections' in part) return Infinity;
	return (msSinceEpoch(part.until) - msSinceEpoch(part.after)) / part.spanMs;
}

function byLength(a: Part, b: Part): number {
	const [pagesOfA, pagesOfB] = [pagesOf(a), pagesOf(b)];
	return pagesOfA === pagesOfB ? 0 : pagesOfB - pagesOfA;
}

/** The part as far as it lies before `end`; empty for nothing. */
function within(part: Part, end: Timestamp | undefined): Part[] {
	if ('inspections' in part) return [part];
	const until = earlierOf(part.until, end ?? part.until);
	return compareTimestamps(part.after, until) < 0 ? [{ ...part, until }] : [];
}

/**
 * A part as two, cut behind whole pages and at a whole second; undefined where that is not worth a request. The first half is read when a page
 * has reached the second, and the other one begins with it: no inspection falls between them, however the service rounds.
 */
function halvesOf(part: Part | undefined): [Stretch, Stretch] | undefined {
	if (part === undefined || 'inspections' in part) return undefined;
	if (pagesOf(part) <= MIN_PAGES_TO_HALVE) return undefined;
	const { after, spanMs } = part;
	const pages = Math.max(1, Math.floor(pagesOf(part) / 2));
	const middle = timestampOfMs(msSinceEpoch(after) + pages * spanMs);
	const cut = middle && floorToSecond(middle);
	if (cut === undefined || compareTimestamps(cut, after) <= 0) return undefined;
	return [
		{ ...part, until: cut },
		{ ...part, after: cut },
	];
}
