import { TICKS_PER_SECOND } from '#sandbox/service/time.mts';

const DAY = 86_400n * TICKS_PER_SECOND;

/**
 * Two hundred days with one inspection each, most inspections within half an hour, and two hundred more such days.
 * The first and the newest page don't reveal what lies between.
 */
function bulkBetweenQuietMonths(index: number, count: number): bigint {
	const quietDays = BigInt(Math.min(index, 200) + Math.max(0, index - (count - 200)));
	return quietDays * DAY + (BigInt(index) * 1_500n * TICKS_PER_SECOND) / BigInt(count);
}

/** Creation times of a list's inspections: for the n-th of `count`, ticks of 100 ns after the first. */
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
