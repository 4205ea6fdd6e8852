import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { ALONE, TAGS } from '../../vitest.config.mts';

const isThroughN8n = process.env['MUTATION_THROUGH_N8N'] !== undefined;

/** Runs the test file that detected the previous mutant first, then the others, the fastest ones first. */
class LikeliestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const timeOf = (file: TestSpecification) => {
			const last = this.ctx.cache.getTestSpecificationResult(file);
			return last === undefined || last.failed ? 0 : last.duration;
		};
		return files.toSorted((a, b) => timeOf(a) - timeOf(b));
	}
}

export default defineConfig({
	test: {
		include: isThroughN8n
			? [
					'test/{n8n,trigger}/**/*.test.mts',
					'test/unit/{createHints,field,id,itemError,networkFailure,nodeMemory,responseBody,pollOnce,checkpointStore,changePoller}.test.mts',
				]
			: ['test/unit/**/*.test.mts'],
		exclude: [
			// These measure time or memory, or have time limits of a second. They would fail randomly on a busy machine.
			'**/{growthOf*,timeLimits}.test.mts',
			// This takes a minute, and other tests cover the same code.
			'**/storm.test.mts',
			// These need a separate process, but here all files share one.
			...ALONE,
		],
		setupFiles: [
			'test/harness/documentedRequests.mts',
			'test/mutation/fastCheck.mts',
			...(isThroughN8n ? ['test/mutation/loadedFirst.mts'] : []),
		],
		testTimeout: 60_000,
		tags: TAGS,
		// Tests through n8n share one worker for each mutant, because loading n8n-core takes more than a second.
		isolate: !isThroughN8n,
		sequence: { sequencer: LikeliestFirst },
	},
});
