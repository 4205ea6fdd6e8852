import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['test/{unit,n8n,trigger,sandbox,package}/**/*.test.mts'],
		setupFiles: ['test/harness/documentedRequests.mts'],
		testTimeout: 30_000,
		pool: 'forks',
	},
});
