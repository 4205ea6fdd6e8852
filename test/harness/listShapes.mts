import { TICKS_PER_SECOND } from '#sandbox/service/time.mts';

const DAY = 86_400n * TICKS_PER_SECOND;

/**
 * One inspection a day for 200 days, then most inspections within half an hour, then one a day for 200 more days.
 * Neither the oldest nor the newest page shows that there are so many in between.
 */
function bulkBetweenQuietMonths(index: number, count: number): bigint {
	const quietDays = BigInt(Math.min(index, 200) + Math.max(0, index - (count - 200)));
	return quietDays * DAY + (BigInt(index) * 1_500n * TICKS_PER_SECOND) / BigInt(count);
}

/** Returns when inspection number `index` of `count` is created, in ticks of 100 ns after the first one. */
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
