import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const isThroughN8n = process.env['MUTATION_THROUGH_N8N'] !== undefined;

/** Quick files first, where vitest puts slow ones first: a mutant is done with at the first test that fails. */
class QuickFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		return (await super.sort(files)).reverse();
	}
}

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
		sequence: { sequencer: QuickFirst },
	},
});
