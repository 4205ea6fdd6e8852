import { writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { execa } from 'execa';

import { buildConnector } from '#scripts/freshBuild.mts';
import { PROJECT } from '#scripts/projectPaths.mts';
import { sampleOf, sourcesIn } from './statements.mts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	// sample: statements of each folder, all without it. seed: chooses other statements.
	options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
});

const CONFIG = join(PROJECT, '.local', 'mutation.json');

/** Lets Stryker try the mutants of a folder. Whether tests notice enough of them. */
async function tryFolder(folder: string): Promise<boolean> {
	// The domain is tried with its unit tests, what stands around it through n8n too.
	const isThroughN8n = !folder.startsWith('domain');
	const { sample, seed } = values;
	const files = sourcesIn(folder);
	const mutate = sample === undefined ? files : sampleOf(files, Number(sample), seed);
	writeFileSync(CONFIG, JSON.stringify({ ...strykerOptions(isThroughN8n), mutate }));
	const { exitCode } = await execa('stryker', ['run', CONFIG], {
		cwd: PROJECT,
		preferLocal: true,
		stdio: 'inherit',
		reject: false,
		env: isThroughN8n ? { MUTATION_THROUGH_N8N: 'true' } : {},
	});
	return exitCode === 0;
}

function strykerOptions(isThroughN8n: boolean) {
	return {
		testRunner: 'vitest',
		plugins: ['@stryker-mutator/vitest-runner', './test/mutation/words.mjs'],
		ignorers: ['words'],
		vitest: { configFile: 'test/mutation/vitest.config.mts', related: !isThroughN8n },
		// Tests through n8n load dist/: there it is made of the mutants.
		...(isThroughN8n ? { buildCommand: 'tsc --noCheck' } : {}),
		// A constant of a module is made before any test: each of its mutants would need all tests through n8n.
		ignoreStatic: isThroughN8n,
		coverageAnalysis: 'perTest',
		// Tests through n8n have time limits of their own, which a second run beside them would break.
		concurrency: isThroughN8n ? 1 : availableParallelism(),
		timeoutMS: 20_000,
		// All tests through n8n, run once without a mutant: two minutes, and more where others use the machine too.
		dryRunTimeoutMinutes: 20,
		// Outside the project: n8n's linter takes .local for code, and an ended run leaves it.
		tempDirName: join(tmpdir(), 'inspection-mutation'),
		ignorePatterns: ['.local'],
		reporters: ['clear-text', 'progress-append-only'],
		clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
		// Less around the domain, where n8n's own defaults hide some.
		thresholds: { high: 100, low: 0, break: isThroughN8n ? 80 : 90 },
		allowEmpty: true,
	};
}

await buildConnector();
for (const folder of positionals) if (!(await tryFolder(folder))) process.exitCode = 1;
