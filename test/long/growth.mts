/**
 * Limit for twenty times the input. Linear work takes 20 times as long, or 60 times on a busy machine if the input
 * exceeds the processor's caches. Quadratic work takes 400 times as long.
 */
export const MAX_RATIO = 130;
/** Minimum measurable time (µs). Shorter work is repeated. */
const MEASURABLE = 150;
/**
 * Rounds until a ratio counts, and measurements in each. Disturbances only add time, so the minimum counts. Each
 * round starts over, because the engine can discard compiled code between the short and the long input.
 */
const [ROUNDS, MEASUREMENTS] = [5, 4];

/** Ratio of the work of `long` to that of `short`, in the round with the lowest ratio. */
export function growthOf(short: () => unknown, long: () => unknown): number {
	let ratio = Infinity;
	for (let round = 0; round < ROUNDS && ratio >= MAX_RATIO; round++) {
		ratio = Math.min(ratio, roundOf(short, long));
	}
	return ratio;
}

function roundOf(short: () => unknown, long: () => unknown): number {
	let [least, most, ratio] = [Infinity, Infinity, Infinity];
	for (let measurement = 0; measurement < MEASUREMENTS && ratio >= MAX_RATIO; measurement++) {
		least = Math.min(least, timeOf(short));
		most = Math.min(most, timeOf(long));
		ratio = most / least;
	}
	return ratio;
}

/** Time of one run in µs. Short work is repeated. Not CPU time, because many kernels count it in steps of some ms. */
function timeOf(work: () => unknown): number {
	for (let runs = 1; ; runs *= 4) {
		const started = performance.now();
		for (let run = 0; run < runs; run++) work();
		const spent = (performance.now() - started) * 1_000;
		if (spent >= MEASURABLE) return spent / runs;
	}
}

/** The result of some work, or undefined if it rejects the input, which must take linear time too. */
export function outcomeOf(work: () => unknown): unknown {
	try {
		return work();
	} catch {
		return undefined;
	}
}
