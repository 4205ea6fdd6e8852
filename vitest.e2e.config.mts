import { defineConfig } from 'vitest/config';

/** The runs against a real n8n: two at a time, each n8n takes 650 MB and a core while it starts. */
export default defineConfig({
	test: {
		include: ['test/e2e/**/*.e2e.mts'],
		testTimeout: 120_000,
		hookTimeout: 300_000,
		pool: 'forks',
		maxWorkers: 2,
		// The files of a worker share an n8n (connectedN8n.mts).
		isolate: false,
	},
});
