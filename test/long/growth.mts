/**
 * Twenty times the input is 20 times the work where that is linear (60 times on a busy machine, where the input leaves the
 * processor's caches) and 400 times where it is quadratic.
 */
export const MAX_RATIO = 130;
/** Time (µs) that is long enough to be measured: shorter work is repeated. */
const MEASURABLE = 150;
/**
 * Rounds until a ratio counts, and measurements in each. What disturbs a measurement can only add to it, so that the least
 * counts. A round begins anew: the engine may have thrown away compiled code between the short and the long input.
 */
const [ROUNDS, MEASUREMENTS] = [5, 4];

/** How many times the work of `short` that of `long` takes, in the round that says the least. */
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

/** Time of one run, µs; short work is repeated. Not CPU time: many kernels count that in ticks of some ms. */
function timeOf(work: () => unknown): number {
	for (let runs = 1; ; runs *= 4) {
		const started = performance.now();
		for (let run = 0; run < runs; run++) work();
		const spent = (performance.now() - started) * 1_000;
		if (spent >= MEASURABLE) return spent / runs;
	}
}

/** What some work gives; undefined where it refuses. What is refused is refused in linear time too. */
export function outcomeOf(work: () => unknown): unknown {
	try {
		return work();
	} catch {
		return undefined;
	}
}
