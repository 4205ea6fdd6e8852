import { availableParallelism } from 'node:os';

import { configDefaults, defineConfig, type TestUserConfig } from 'vitest/config';

import { listEnds } from './test/harness/listEnds.mts';

/** Test files that need a separate process. */
export const ALONE = [
	// These count how often functions run. V8 counts only functions that it compiles after counting has started
	// (countedWork.mts).
	'test/n8n/createGrowth.test.mts',
	'test/unit/growthOfLists.test.mts',
	// These set environment variables, which n8n reads when it is loaded.
	'test/n8n/networkSettings.test.mts',
	'test/package/verification.test.mts',
];

/** Tags for test files. A file gets this tag if it begins with `// @module-tag slow`. */
export const TAGS = [
	{
		name: 'slow',
		description:
			'Repeats whole operations (properties, storms), waits for a rate limit, or starts programs: seconds on an idle machine, ten times that on a busy one.',
		timeout: 120_000,
	},
];

/** Test files that read lists. Their tests must pass for each end of a list (`listEnds`). */
const READS_LISTS = [
	'test/trigger/poll.test.mts',
	'test/n8n/{createCombinations,createHints,failedRequests,getAll,getInspection,locators}.test.mts',
	'test/n8n/{outputs,questionColumns,retryOnFail,sharedReadings,uniqueKey,uniqueKeyFaults}.test.mts',
];

/** The global setup of projects whose tests load `dist`. It builds `dist` if a source file is newer. */
const globalSetup = ['test/harness/freshBuild.mts'];

const test: TestUserConfig = {
	globalSetup: ['test/harness/temporaryFiles.mts'],
	setupFiles: ['test/harness/documentedRequests.mts'],
	testTimeout: 10_000,
	tags: TAGS,
	hookTimeout: 30_000,
	// Tests run in random order. After a failure, Vitest prints the seed, which `--sequence.seed` uses to repeat that
	// order.
	sequence: { shuffle: true },
	pool: 'forks',
	// Vitest's default uses one core less than there are. On two cores, it would use only one.
	maxWorkers: Math.max(2, availableParallelism() - 1),
	// These projects take many minutes. They run only if `--project` names them.
	project: ['!long', '!ends*', '!e2e'],
	projects: [
		{
			extends: true,
			test: {
				name: 'unit',
				include: ['test/unit/**/*.test.mts'],
				exclude: [...configDefaults.exclude, ...ALONE],
				isolate: false,
			},
		},
		{
			extends: true,
			test: {
				name: 'n8n',
				include: ['test/{n8n,trigger,sandbox,package,fuzz}/**/*.test.mts'],
				exclude: [...configDefaults.exclude, ...ALONE],
				globalSetup,
				// Files share modules, because most of them load n8n-core, which takes more than a second.
				isolate: false,
			},
		},
		{ extends: true, test: { name: 'alone', include: ALONE, globalSetup } },
		{
			extends: true,
			test: {
				// Tests that need many runs or much time: growth of whole operations, random trigger runs, fuzzed responses,
				// random API keys, and a 1 GB file.
				name: 'long',
				include: [
					'test/long/**/*.test.mts',
					'test/trigger/storm.test.mts',
					'test/fuzz/fuzz.test.mts',
					'test/unit/apiKeyEncodings.test.mts',
				],
				globalSetup,
				env: { STORM_SEEDS: '10', FUZZ_SAMPLE: '2000', KEY_RUNS: '10000' },
				// Each of these tests repeats whole operations with up to 200,000 inspections.
				testTimeout: 600_000,
			},
		},
		...listEnds(100).map((settings) => ({
			extends: true as const,
			test: {
				name: `ends ${JSON.stringify(settings).replace(/[{}"]/g, '')}`,
				include: READS_LISTS,
				globalSetup,
				isolate: false,
				env: { SANDBOX_SETTINGS: JSON.stringify(settings) },
			},
		})),
		{
			extends: true,
			test: {
				// These tests run a real n8n.
				name: 'e2e',
				// Tests run in the order of the file, because some tests use what earlier tests left in n8n.
				sequence: { shuffle: false },
				include: ['test/e2e/**/*.e2e.mts'],
				globalSetup: [...globalSetup, 'scripts/n8nInstallation.mts'],
				setupFiles: [],
				// A test runs whole workflows, and a hook starts n8n.
				testTimeout: 120_000,
				hookTimeout: 300_000,
				// Each worker runs an n8n, which takes 650 MB and, while it starts, one core.
				maxWorkers: 2,
				// Test files in the same worker share one n8n (connectedN8n.mts).
				isolate: false,
			},
		},
	],
};

export default defineConfig({ test });
