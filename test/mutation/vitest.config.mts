import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { ALONE, TAGS } from '../../vitest.config.mts';

const isThroughN8n = process.env['MUTATION_THROUGH_N8N'] !== undefined;

/** Starts with the test file that detected the previous mutant, and continues with the shortest files. */
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
			// They measure time or memory, or have a time limit of a second, so they would fail randomly on a busy machine.
			'**/{growthOf*,timeLimits}.test.mts',
			// Takes a minute, and covers what other tests cover.
			'**/storm.test.mts',
			// All files share one process here.
			...ALONE,
		],
		setupFiles: [
			'test/harness/documentedRequests.mts',
			'test/mutation/fastCheck.mts',
			...(isThroughN8n ? ['test/mutation/loadedFirst.mts'] : []),
		],
		testTimeout: 60_000,
		tags: TAGS,
		// One worker for all files of a mutant, because n8n-core takes more than a second to load.
		isolate: !isThroughN8n,
		sequence: { sequencer: LikeliestFirst },
	},
});
