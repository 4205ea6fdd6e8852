import fc from 'fast-check';

/** Examples of a property that distinguish good code from a mutant. Some properties run 2,000 for rarer faults. */
const MOST_RUNS = 100;

// The same examples each time, so that a mutant is detected always or never. The first failure is enough: shrinking
// it takes seconds.
fc.configureGlobal({ endOnFailure: true, seed: 1 });
fc.installGlobalPlugin(() => {
	let [generated, run] = [0, 0];
	let last: fc.Value<unknown> | undefined;
	return {
		decorateGenerate: (generate) => (random, runId) => {
			generated += 1;
			if (last === undefined || generated <= MOST_RUNS) last = generate(random, runId);
			return last;
		},
		decorateRun: (check) => (value) => {
			run += 1;
			return run <= MOST_RUNS ? check(value) : null;
		},
	};
});
