import type { InspectionPageQuery } from '#connector/domain/list/inspectionQuery.ts';
import { randomOf } from '#harness/random.mts';
import { textOfTicks, TICKS_PER_SECOND, ticksOfText } from './changingList.mts';

const DAY = 86_400n * TICKS_PER_SECOND;

/**
 * Two hundred days with one inspection each, the others within half an hour, and two hundred such days again: what the
 * first and the newest page show says nothing of what lies between.
 */
function bulkBetweenQuietMonths(index: number, count: number): bigint {
	const quietDays = BigInt(Math.min(index, 200) + Math.max(0, index - (count - 200)));
	return quietDays * DAY + (BigInt(index) * 1_500n * TICKS_PER_SECOND) / BigInt(count);
}

/** When the inspections of a list were created: for the n-th of `count`, ticks of 100 ns after the first. */
type Shape = (index: number, count: number) => bigint;
export const LIST_SHAPES = {
	'evenly spread': (index) => BigInt(index) * 1_000n * TICKS_PER_SECOND,
	'more and more of them': (index) => BigInt(Math.floor(Math.sqrt(index) * 1e6)) * 10_000n,
	'ever faster': (index, count) =>
		BigInt(Math.floor((1 - Math.exp((-6 * index) / count)) * 1e8)) * TICKS_PER_SECOND,
	'nearly all on one day': (index, count) =>
		index < 20
			? BigInt(index) * DAY
			: 20n * DAY + (BigInt(index) * 1_500n * TICKS_PER_SECOND) / BigInt(count),
	'within seconds': (index) => BigInt(index) * 13_331n,
	'within one second': (index, count) =>
		(BigInt(index) * (TICKS_PER_SECOND - 5_000n)) / BigInt(count),
	'in one instant': () => 0n,
	'a bulk between quiet months': bulkBetweenQuietMonths,
} satisfies Record<string, Shape>;

/** A list that nobody changes, by the rules of listInspections; the ids do not follow the order of creation. */
export class StillList {
	requests = 0;
	private readonly times: readonly bigint[];
	private readonly ids: readonly string[];

	constructor(times: readonly bigint[]) {
		const random = randomOf(1);
		this.times = times;
		this.ids = times.map((_, index) => `${random().toString(36).slice(2)}-${String(index)}`);
	}

	page({ createdAfter, createdBefore, sortOrder, page, pageSize }: InspectionPageQuery) {
		this.requests += 1;
		const from = createdAfter === undefined ? 0 : this.firstFrom(ticksOfText(createdAfter));
		const to =
			createdBefore === undefined
				? this.times.length
				: this.firstFrom(ticksOfText(createdBefore) + 1n);
		const start = (page - 1) * pageSize;
		const rows = Array.from(
			{ length: Math.max(0, Math.min(pageSize, to - from - start)) },
			(_, index) => (sortOrder === 'asc' ? from + start + index : to - 1 - start - index),
		);
		return rows.map((row) => {
			const time = textOfTicks(this.times[row] ?? 0n);
			return { id: this.ids[row] ?? '', created_at: time, updated_at: time };
		});
	}

	/** The first inspection that was created at a time or later, by halving. */
	private firstFrom(time: bigint): number {
		let [low, high] = [0, this.times.length];
		while (low < high) {
			const middle = Math.floor((low + high) / 2);
			if ((this.times[middle] ?? 0n) < time) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}
