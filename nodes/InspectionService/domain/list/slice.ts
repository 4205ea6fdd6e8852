import {
	compareTimestamps,
	floorToSecond,
	msSinceEpoch,
	type Timestamp,
	timestampOfMs,
} from '../timestamp';

/** A part of a list, oldest first, that one lane reads. */
export interface Slice {
	/** What is left to be read; both ends are included. Another lane may take over its end. */
	readonly range: { after: Timestamp; before: Timestamp };
	/** Milliseconds between the first and the last inspection of a page: what the next one will probably take. */
	spanMs: number;
}

/** A lane that has one page to come, or less, after the one under way is as quick alone. */
const MIN_PAGES_TO_SHARE = 1;

/** Milliseconds between the first and the last time of a page, at least 1. */
export function spanOf(times: readonly Timestamp[]): number {
	const ends = [...times.slice(0, 1), ...times.slice(-1)].map(msSinceEpoch);
	return Math.max(1, Math.max(...ends) - Math.min(...ends));
}

/**
 * Takes the later half of what the longest slice has to come, as often as it is worth it, until there are `most`
 * slices. Adds the halves to the slices and returns them.
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

/** Pages still to be read after the one under way, if inspections stay as close as they were. */
function pagesToCome({ range: { after, before }, spanMs }: Slice): number {
	return (msSinceEpoch(before) - msSinceEpoch(after)) / spanMs - 1;
}

/**
 * Cuts one of some slices in two, the first of them where that is possible, and returns its later half. Only what the
 * request under way will probably not reach is cut. The cut lies on a whole second and belongs to both halves: however
 * the service rounds, it is the same second for both, so nothing falls between them.
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
