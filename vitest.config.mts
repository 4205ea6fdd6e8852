import { availableParallelism } from 'node:os';

import { configDefaults, defineConfig } from 'vitest/config';

/** These change the environment before n8n is loaded, so that each needs a process of its own. */
export const ALONE = ['test/n8n/networkSettings.test.mts', 'test/package/verification.test.mts'];

export default defineConfig({
	test: {
		globalSetup: ['test/harness/temporaryFiles.mts'],
		setupFiles: ['test/harness/documentedRequests.mts'],
		// A property of some seconds takes ten times that on a busy machine. A test whose time is over goes on beside the
		// next one of its file, which then fails, too.
		testTimeout: 120_000,
		hookTimeout: 30_000,
		pool: 'forks',
		// Vitest's default leaves one core free, which on two cores is one of two.
		maxWorkers: Math.max(2, availableParallelism() - 1),
		projects: [
			{
				extends: true,
				test: {
					name: 'together',
					include: ['test/{unit,n8n,trigger,sandbox,package,fuzz}/**/*.test.mts'],
					exclude: [...configDefaults.exclude, ...ALONE],
					// n8n-core takes more than a second to load, and most files load it.
					isolate: false,
				},
			},
			{ extends: true, test: { name: 'alone', include: ALONE } },
		],
	},
});
