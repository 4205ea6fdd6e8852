import fc from 'fast-check';

/**
 * The maximum number of examples for each property. They are enough to detect a mutant. Some properties have up to
 * 2,000 in normal runs, to find rarer faults.
 */
const MAX_RUNS = 100;

// Every run uses the same examples, so that a mutant is either always or never detected. The first failure ends a
// property, because finding a simpler example takes seconds.
fc.configureGlobal({ endOnFailure: true, seed: 1 });
fc.installGlobalPlugin(() => {
	let [generated, run] = [0, 0];
	let last: fc.Value<unknown> | undefined;
	return {
		decorateGenerate: (generate) => (random, runId) => {
			generated += 1;
			if (last === undefined || generated <= MAX_RUNS) last = generate(random, runId);
			return last;
		},
		decorateRun: (check) => (value) => {
			run += 1;
			return run <= MAX_RUNS ? check(value) : null;
		},
	};
});
