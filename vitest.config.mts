import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/{unit,n8n,trigger,sandbox,package,fuzz}/**/*.test.mts'],
		globalSetup: ['test/harness/temporaryFiles.mts'],
		setupFiles: ['test/harness/documentedRequests.mts'],
		testTimeout: 30_000,
		pool: 'forks',
		// Vitest's default leaves one core free, which on two cores is one of two.
		maxWorkers: Math.max(2, availableParallelism() - 1),
	},
});
