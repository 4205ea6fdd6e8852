// How work grows: the time of one input beside that of another one, twenty times as large.

/**
 * Twenty times the input is 20 times the work where it is linear and 400 times where it is quadratic. Between the two: a
 * larger input leaves the processor's caches, and was seen to take three times as much as linear on a busy machine.
 */
export const MAX_RATIO = 130;
/** Time (µs) that is long enough to be measured: shorter work is repeated. */
const MEASURABLE = 150;
/**
 * Rounds until a ratio counts, and measurements in each. The least of several measurements is the work itself: whatever
 * disturbs one (garbage, a function that is not compiled yet, the other core) can only add to it. A round begins anew,
 * because the engine may have thrown away compiled code between the short and the long input. Quadratic work fails them all.
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

/**
 * Time of one run, µs; short work is repeated until the clock can tell. Not the thread's CPU time: the kernel counts that
 * in ticks of some ms on many machines, a hundred times the work that is measured here.
 */
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
