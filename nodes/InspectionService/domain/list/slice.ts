import {
	compareTimestamps,
	floorToSecond,
	msSinceEpoch,
	type Timestamp,
	timestampOfMs,
} from '../timestamp';

/** A part of a list, oldest first, that one lane reads. */
export interface Slice {
	/** What is left to be read, both ends included. Another lane may take over its later half. */
	readonly range: { after: Timestamp; before: Timestamp };
	/** Milliseconds between the first and the last inspection of the last page. The next page probably spans as much. */
	spanMs: number;
}

/** Pages to come that are left to one lane. With one page or less after the one under way, two lanes are no faster. */
const MIN_PAGES_TO_SHARE = 1;

/** Milliseconds between the first and the last time of a page, at least 1. */
export function spanOf(times: readonly Timestamp[]): number {
	const ends = [...times.slice(0, 1), ...times.slice(-1)].map(msSinceEpoch);
	return Math.max(1, Math.max(...ends) - Math.min(...ends));
}

/**
 * Cuts the slice with most pages to come in two, again and again, until there are `most` slices or none is worth a cut.
 * Adds the later halves to the slices and returns them.
 */
export function takeHalves(slices: Set<Slice>, most: number): Slice[] {
	const halves: Slice[] = [];
	while (slices.size < most) {
		const half = takeHalf([...slices].sort((a, b) => pagesToCome(b) - pagesToCome(a)));
		if (half === undefined) break;
		slices.add(half);
		halves.push(half);
	}
	return halves;
}

/** Pages to come after the one under way, if these span as much time as the last page did. */
function pagesToCome({ range: { after, before }, spanMs }: Slice): number {
	return (msSinceEpoch(before) - msSinceEpoch(after)) / spanMs - 1;
}

/**
 * Cuts the first slice that is worth it in two, and returns its later half. The cut lies beyond what the request under
 * way will probably reach. It is a whole second that belongs to both halves, so that no inspection falls between them,
 * however the service rounds.
 */
function takeHalf(slices: readonly Slice[]): Slice | undefined {
	for (const { range, spanMs } of slices) {
		const { after, before } = range;
		if (pagesToCome({ range, spanMs }) <= MIN_PAGES_TO_SHARE) continue;
		const cut = timestampOfMs((msSinceEpoch(after) + spanMs + msSinceEpoch(before)) / 2);
		const second = cut && floorToSecond(cut);
		if (second === undefined || compareTimestamps(second, floorToSecond(after)) <= 0) continue;
		range.before = second;
		return { range: { after: second, before }, spanMs };
	}
	return undefined;
}
