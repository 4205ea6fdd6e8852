import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { execa } from 'execa';

import { PROJECT } from '#scripts/projectPaths.mts';
import { keepNoticed, scoreOf } from './report.mts';
import { sampleOf, sourcesIn } from './statements.mts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	// sample: statements of each folder, all without it. seed: chooses other statements.
	options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
});

const FOLDER = join(PROJECT, '.local', 'mutation');

/**
 * Lets Stryker try the mutants of some folders in one run. Whether tests notice enough in each of them: less around the
 * domain, where n8n's own defaults hide some.
 */
async function tryFolders(folders: readonly string[], isThroughN8n: boolean): Promise<boolean> {
	if (folders.length === 0) return true;
	const least = isThroughN8n ? 80 : 90;
	const { sample, seed } = values;
	const mutate = folders
		.map(sourcesIn)
		.flatMap((files) => (sample === undefined ? files : sampleOf(files, Number(sample), seed)));
	const report = join(FOLDER, 'report.json');
	const config = join(FOLDER, 'config.json');
	rmSync(FOLDER, { recursive: true, force: true });
	mkdirSync(FOLDER, { recursive: true });
	const kept = sample === undefined ? keptResults(folders) : {};
	const options = { ...strykerOptions(isThroughN8n, report), ...kept, mutate };
	writeFileSync(config, JSON.stringify(options));
	await execa('stryker', ['run', config], {
		...{ cwd: PROJECT, preferLocal: true, stdio: 'inherit' },
		env: isThroughN8n ? { MUTATION_THROUGH_N8N: 'true' } : {},
	});
	return folders.map((folder) => printScore(folder, report) >= least).every(Boolean);
}

/**
 * A second whole run tries what has changed since, and what nothing noticed: minutes, not an hour. Stryker alone would not
 * try the unnoticed mutants of a module's constants again, because it cannot tell which tests reach them.
 */
function keptResults(folders: readonly string[]) {
	const name = folders.join('+').replaceAll(/[^\w+]/g, '_');
	const incrementalFile = `.local/mutants/${name}.json`;
	const kept = join(PROJECT, incrementalFile);
	if (existsSync(kept)) keepNoticed(kept);
	return { incremental: true, incrementalFile };
}

/** Prints what no test notices in a folder. Percent of its mutants that tests notice. */
function printScore(folder: string, report: string): number {
	const { noticed, byTime, unnoticed } = scoreOf(report, sourcesIn(folder));
	const total = noticed + unnoticed.length;
	const percent = total === 0 ? 100 : Math.floor((100 * noticed) / total);
	for (const line of unnoticed) console.log(`  not noticed: ${line}`);
	console.log(
		`${folder}: ${String(percent)}%, ${String(noticed)} of ${String(total)} mutants noticed, ${String(byTime)} of them by time`,
	);
	return percent;
}

function strykerOptions(isThroughN8n: boolean, report: string) {
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
		reporters: ['json', 'progress-append-only'],
		jsonReporter: { fileName: relative(PROJECT, report) },
		allowEmpty: true,
	};
}

// The domain is tried with its unit tests, what stands around it through n8n too.
const inDomain = positionals.filter((folder) => folder.startsWith('domain'));
const around = positionals.filter((folder) => !folder.startsWith('domain'));
const results = [await tryFolders(inDomain, false), await tryFolders(around, true)];
process.exitCode = results.every(Boolean) ? 0 : 1;
