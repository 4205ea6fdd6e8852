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
	// `sample` is the number of statements per folder (default: all). A different `seed` selects different statements.
	options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
});

const CONFIG = join(PROJECT, '.local', 'mutation.json');

/** Runs Stryker on a folder. Returns whether the tests detect enough of the folder's mutants. */
async function tryFolder(folder: string): Promise<boolean> {
	// Unit tests cover `domain`. The other folders also need tests that run through n8n.
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
		// Tests through n8n load dist/, so Stryker builds it from the mutants.
		...(isThroughN8n ? { buildCommand: 'tsc --noCheck' } : {}),
		// Static mutants change constants, which modules create before any test. Each of these would need all tests through
		// n8n.
		ignoreStatic: isThroughN8n,
		coverageAnalysis: 'perTest',
		// Tests through n8n have time limits, and would exceed them if several ran at the same time.
		concurrency: isThroughN8n ? 1 : availableParallelism(),
		timeoutMS: 20_000,
		// The first run, without a mutant, includes all tests through n8n. It takes two minutes, and more on a shared
		// machine.
		dryRunTimeoutMinutes: 20,
		// Outside the project, because an aborted run leaves files, and n8n's linter would treat files in .local as code.
		tempDirName: join(tmpdir(), 'inspection-mutation'),
		ignorePatterns: ['.local'],
		reporters: ['clear-text', 'progress-append-only'],
		clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
		// The lowest share of detected mutants, in percent. It's lower outside `domain`, because n8n's defaults hide some
		// mutants.
		thresholds: { high: 100, low: 0, break: isThroughN8n ? 80 : 90 },
		allowEmpty: true,
	};
}

await buildConnector();
for (const folder of positionals) if (!(await tryFolder(folder))) process.exitCode = 1;
