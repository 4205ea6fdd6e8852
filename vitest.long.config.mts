import { defineConfig } from 'vitest/config';

import usual from './vitest.config.mts';

/** What only a long run shows: growth of whole operations, many storms, fuzzed responses, a file of 1 GB. */
export default defineConfig({
	test: {
		...usual.test,
		projects: undefined,
		include: ['test/long/**/*.test.mts', 'test/trigger/storm.test.mts', 'test/fuzz/fuzz.test.mts'],
		env: { STORM_SEEDS: '10', FUZZ_SAMPLE: '2000' },
		testTimeout: 600_000,
	},
});
