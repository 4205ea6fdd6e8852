import {
	addSeconds,
	ceilToSecond,
	compareTimestamps,
	floorToSecond,
	msSinceEpoch,
	type Timestamp,
	timestampOfMs,
} from '../timestamp';
import { isEmptyRange, type KeyRange } from './keyRange';

/**
 * How many times as long as the one before it a window is. Each window costs some requests that only find its ends. With 8
 * an inspection in the middle of 20,000 took 138 requests, with 4 it took 210 (bench/findById.mts).
 */
const GROWTH = 8;
/** In ms: one hour, chosen. A short list, or many changes at once, would begin with windows that hold nothing. */
const SHORTEST_MS = 60 * 60 * 1000;

/**
 * Windows of time without a gap between them, from `end` back to the beginning of the list, each longer than the one
 * before. The first one is `spanMs` long; the last one has no beginning, and would begin before 1970 with one.
 * Neighbours share a whole second, so that no inspection falls between them, however the service rounds.
 */
export function* windowsBefore(end: Timestamp, spanMs: number): Generator<KeyRange> {
	let before = ceilToSecond(end);
	let length = Math.max(spanMs, SHORTEST_MS);
	while (before !== undefined) {
		const after = beginOfWindow(before, length);
		yield { after, before };
		before = after;
		length *= GROWTH;
	}
}

function beginOfWindow(before: Timestamp, length: number): Timestamp | undefined {
	const begin = msSinceEpoch(before) - length;
	const moment = begin < 0 ? undefined : timestampOfMs(begin);
	return moment && floorToSecond(moment);
}

/**
 * The windows that reach `seconds` to both sides of the moments, in rising order. Windows that overlap are one. Example:
 * 10:00:30.5 with 60 seconds is 09:59:30 to 10:01:31.
 */
export function windowsAround(moments: readonly Timestamp[], seconds: number): KeyRange[] {
	const windows: KeyRange[] = [];
	for (const moment of moments.toSorted(compareTimestamps)) {
		const after = addSeconds(floorToSecond(moment), -seconds);
		const end = ceilToSecond(moment);
		const before = end && addSeconds(end, seconds);
		const last = windows.at(-1);
		if (last === undefined || isEmptyRange({ after, before: last.before })) {
			windows.push({ after, before });
		} else {
			windows[windows.length - 1] = { ...last, before };
		}
	}
	return windows;
}
