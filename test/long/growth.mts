/**
 * The maximum ratio of times if the input is twenty times as long. Linear work takes 20 times as long, or up to 60
 * times on a busy machine if the input exceeds the processor's caches. Quadratic work takes 400 times as long.
 */
export const MAX_RATIO = 130;
/** The shortest time in µs that can be measured reliably. Shorter work is repeated. */
const MEASURABLE = 150;
/**
 * The number of rounds, and of measurements in each round. The shortest times are used, because disturbances only add
 * time. A new round measures both inputs again, because the engine can discard compiled code in between.
 */
const [ROUNDS, MEASUREMENTS] = [5, 4];

/** Returns how many times as long `long` takes as `short`. Uses the round with the lowest ratio. */
export function growthOf(short: () => unknown, long: () => unknown): number {
	let ratio = Infinity;
	for (let round = 0; round < ROUNDS && ratio >= MAX_RATIO; round++) {
		ratio = Math.min(ratio, roundOf(short, long));
	}
	return ratio;
}

function roundOf(short: () => unknown, long: () => unknown): number {
	let [shortTime, longTime, ratio] = [Infinity, Infinity, Infinity];
	for (let measurement = 0; measurement < MEASUREMENTS && ratio >= MAX_RATIO; measurement++) {
		shortTime = Math.min(shortTime, timeOf(short));
		longTime = Math.min(longTime, timeOf(long));
		ratio = longTime / shortTime;
	}
	return ratio;
}

/**
 * Returns the time of one run in µs. Short work is repeated. This isn't CPU time, because many kernels count CPU time
 * in steps of several ms.
 */
function timeOf(work: () => unknown): number {
	for (let runs = 1; ; runs *= 4) {
		const started = performance.now();
		for (let run = 0; run < runs; run++) work();
		const spent = (performance.now() - started) * 1_000;
		if (spent >= MEASURABLE) return spent / runs;
	}
}

/** Returns the result of some work, or undefined if the work throws. Rejecting an input must take linear time too. */
export function outcomeOf(work: () => unknown): unknown {
	try {
		return work();
	} catch {
		return undefined;
	}
}
