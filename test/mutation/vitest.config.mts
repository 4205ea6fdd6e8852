import { defineConfig } from 'vitest/config';

const isThroughN8n = process.env['MUTATION_THROUGH_N8N'] !== undefined;

export default defineConfig({
	test: {
		include: isThroughN8n
			? [
					'test/{n8n,trigger}/**/*.test.mts',
					'test/unit/{createSummary,id,parameterValue,pollLock,storedPoll}.test.mts',
				]
			: ['test/unit/**/*.test.mts'],
		exclude: [
			// Measure time or memory: a slower mutant would fail them by chance.
			'**/{growth,readingGrowth,bigFile,fileStream,responseSize,timeLimits}.test.mts',
			// Take a minute, and run what others run.
			'**/{anyJson,fuzz,fuzzJudge,storm}.test.mts',
		],
		setupFiles: ['test/harness/documentedRequests.mts', 'test/mutation/fastCheck.mts'],
		testTimeout: 60_000,
	},
});
