import fc from 'fast-check';

/** Examples of a property that tells good code from a mutant; some properties make 2,000, for rarer faults. */
const MOST_RUNS = 100;

// The same examples each time, so that a mutant is noticed always or never. The first one that fails is enough: looking
// for a smaller one takes seconds.
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
