import { TICKS_PER_SECOND } from './changingList.mts';

const DAY = 86_400n * TICKS_PER_SECOND;

/** When the inspections of a list were created: for the n-th of `count`, ticks of 100 ns after the first. */
export const LIST_SHAPES: Readonly<Record<string, (index: number, count: number) => bigint>> = {
	'evenly spread': (index) => BigInt(index) * 1_000n * TICKS_PER_SECOND,
	'more and more of them': (index) => BigInt(Math.floor(Math.sqrt(index) * 1e6)) * 10_000n,
	'nearly all on one day': (index, count) =>
		index < 20
			? BigInt(index) * DAY
			: 20n * DAY + (BigInt(index) * 1_500n * TICKS_PER_SECOND) / BigInt(count),
	'within seconds': (index) => BigInt(index) * 13_331n,
	'within one second': (index, count) =>
		(BigInt(index) * (TICKS_PER_SECOND - 5_000n)) / BigInt(count),
	'in one instant': () => 0n,
};
