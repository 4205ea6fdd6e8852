import { availableParallelism } from 'node:os';

import { configDefaults, defineConfig, type TestUserConfig } from 'vitest/config';

/** Each of these needs its own process. */
export const ALONE = [
	// V8 counts only functions that are compiled after it has begun to count (countedWork.mts).
	'test/n8n/createGrowth.test.mts',
	'test/unit/growthOfLists.test.mts',
	// These change the environment before n8n is loaded.
	'test/n8n/networkSettings.test.mts',
	'test/package/verification.test.mts',
];

/** A test file sets a tag with `// @module-tag slow` at its top. */
export const TAGS = [
	{
		name: 'slow',
		description:
			'Repeats whole operations (properties, storms), waits for a rate limit, or starts programs: seconds on an idle machine, ten times that on a busy one.',
		timeout: 120_000,
	},
];

/** What a service can do at the end of a list. The interface doesn't say. */
const LIST_ENDS = [
	{ afterLastPage: 'repeated' },
	{ afterLastPage: 'null' },
	{ afterLastPage: '204' },
	{ afterLastPage: '404' },
	{ afterLastPage: '400' },
	{ resultWindow: 100 },
	{ resultWindow: 1_000, afterLastPage: '404' },
	{ offsetLimit: 100 },
];

/** Tests that read lists, and pass whatever happens at their ends. */
const READS_LISTS = [
	'test/trigger/poll.test.mts',
	'test/n8n/{createCombinations,createHints,failedRequests,getAll,getInspection,locators}.test.mts',
	'test/n8n/{outputs,questionColumns,retryOnFail,sharedReadings,uniqueKey,uniqueKeyFaults}.test.mts',
];

/** For projects that load `dist`: builds it first if a source is newer. */
const globalSetup = ['test/harness/freshBuild.mts'];

const test: TestUserConfig = {
	globalSetup: ['test/harness/temporaryFiles.mts'],
	setupFiles: ['test/harness/documentedRequests.mts'],
	testTimeout: 10_000,
	tags: TAGS,
	hookTimeout: 30_000,
	// A failure prints the seed of its order. Use `--sequence.seed` to repeat it.
	sequence: { shuffle: true },
	pool: 'forks',
	// Vitest's default leaves one core free. On two cores, that is half of them.
	maxWorkers: Math.max(2, availableParallelism() - 1),
	// These take many minutes. They only run with `--project`.
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
				// n8n-core takes more than a second to load, and most files load it.
				isolate: false,
			},
		},
		{ extends: true, test: { name: 'alone', include: ALONE, globalSetup } },
		{
			extends: true,
			test: {
				// Only a long run shows these: growth of whole operations, many storms, fuzzed responses, a 1 GB file.
				name: 'long',
				include: [
					'test/long/**/*.test.mts',
					'test/trigger/storm.test.mts',
					'test/fuzz/fuzz.test.mts',
				],
				globalSetup,
				env: { STORM_SEEDS: '10', FUZZ_SAMPLE: '2000' },
				// Each of these tests repeats whole operations, up to 200,000 inspections.
				testTimeout: 600_000,
			},
		},
		...LIST_ENDS.map((settings) => ({
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
				// Needs a real n8n.
				name: 'e2e',
				// Some tests check what the workflows of earlier tests left in n8n.
				sequence: { shuffle: false },
				include: ['test/e2e/**/*.e2e.mts'],
				globalSetup: [...globalSetup, 'scripts/n8nInstallation.mts'],
				setupFiles: [],
				// Tests run workflows in an n8n that a hook starts.
				testTimeout: 120_000,
				hookTimeout: 300_000,
				// Each n8n takes 650 MB, and one core while it starts.
				maxWorkers: 2,
				// The files of a worker share one n8n (connectedN8n.mts).
				isolate: false,
			},
		},
	],
};

export default defineConfig({ test });
