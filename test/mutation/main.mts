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
	// sample: statements per folder (default: all). seed: selects different statements.
	options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
});

const CONFIG = join(PROJECT, '.local', 'mutation.json');

/** Runs Stryker on a folder. Returns whether the tests detect enough of its mutants. */
async function tryFolder(folder: string): Promise<boolean> {
	// The domain is covered by its unit tests. The rest also needs tests through n8n.
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
		// Tests through n8n load dist/, which is built from the mutants.
		...(isThroughN8n ? { buildCommand: 'tsc --noCheck' } : {}),
		// Modules create constants before any test, so each such mutant would need all tests through n8n.
		ignoreStatic: isThroughN8n,
		coverageAnalysis: 'perTest',
		// Tests through n8n have time limits, which a concurrent run would exceed.
		concurrency: isThroughN8n ? 1 : availableParallelism(),
		timeoutMS: 20_000,
		// All tests through n8n run once without a mutant: two minutes, and more on a shared machine.
		dryRunTimeoutMinutes: 20,
		// Outside the project: n8n's linter treats .local as code, and an aborted run leaves files there.
		tempDirName: join(tmpdir(), 'inspection-mutation'),
		ignorePatterns: ['.local'],
		reporters: ['clear-text', 'progress-append-only'],
		clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
		// Lower outside the domain, where n8n's defaults hide some mutants.
		thresholds: { high: 100, low: 0, break: isThroughN8n ? 80 : 90 },
		allowEmpty: true,
	};
}

await buildConnector();
for (const folder of positionals) if (!(await tryFolder(folder))) process.exitCode = 1;
