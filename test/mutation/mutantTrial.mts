import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { PROJECT } from '../../sandbox/demo/projectPaths.mts';
import { contentMark, placeSource, readSource } from './copiedTree.mts';
import { recordCoverage, runsOf, type TestCoverage } from './coverage.mts';
import { importersInProject, unitTestsOf } from './importers.mts';
import { type Mutant, mutated } from './mutants.mts';
import { TestRunner } from './testRunner.mts';

/** Tests through n8n that are not tried: they take long, and run what others run. */
const TAKES_LONG = /(fuzz|growth|bigFile|storm|responseSize|fileStream|timeLimits)\.test\.mts$/;
const COVERAGE = join(PROJECT, '.local', 'mutation', 'coverage.json');

interface Candidate {
	test: string;
	/** How long it takes, ms. */
	duration: number;
	/** The higher, the sooner it is tried. */
	promise: number;
}

/** Coverage in a file: `mark` tells what it was measured of. */
interface Kept {
	mark: string;
	tests: [test: string, coverage: TestCoverage][];
}

/** Tries mutants, one after another, with the tests that reach them. */
export class MutantTrial {
	private readonly runner: TestRunner;
	private readonly importers = importersInProject();
	private readonly durations = new Map<string, number>();
	private coverage: Map<string, TestCoverage> | undefined;

	private readonly isUnitOnly: boolean;

	private constructor(runner: TestRunner, isUnitOnly: boolean) {
		this.runner = runner;
		this.isUnitOnly = isUnitOnly;
	}

	/** @param isUnitOnly tries no tests through n8n: they take minutes */
	static async start(isUnitOnly: boolean): Promise<MutantTrial> {
		return new MutantTrial(await TestRunner.start(), isUnitOnly);
	}

	async close(): Promise<void> {
		await this.runner.close();
	}

	/** Whether a test fails, or does not end, with the mutant in place. */
	async isNoticed(mutant: Mutant): Promise<boolean> {
		if (await this.failsIn(await this.unitTests(mutant), mutant)) return true;
		return !this.isUnitOnly && (await this.failsIn(await this.testsThroughN8n(mutant), mutant));
	}

	private async failsIn(candidates: readonly Candidate[], mutant: Mutant): Promise<boolean> {
		const source = readSource(mutant.file);
		this.place(mutant.file, mutated(source, mutant));
		try {
			for (const { test, duration } of candidates) {
				if ((await this.runner.run([test], 8_000 + 4 * duration)) !== 'passed') return true;
			}
			return false;
		} finally {
			this.place(mutant.file, source);
		}
	}

	private place(file: string, text: string): void {
		placeSource(file, text);
		this.runner.changed(file);
	}

	/** The unit tests that import the file, the nearest first. */
	private async unitTests({ file }: Mutant): Promise<Candidate[]> {
		const found: Candidate[] = [];
		for (const { test, steps } of unitTestsOf(file, this.importers)) {
			found.push({ test, duration: await this.durationOf(test), promise: -steps });
		}
		return found.sort(byPromise);
	}

	/** The tests through n8n that run the place, those first that run it most in their time. */
	private async testsThroughN8n(mutant: Mutant): Promise<Candidate[]> {
		this.coverage ??= await this.measured();
		return [...this.coverage]
			.map(([test, { duration, scripts }]) => {
				return { test, duration, promise: runsOf(scripts, mutant) / duration };
			})
			.filter(({ promise }) => promise > 0)
			.sort(byPromise);
	}

	private async durationOf(test: string): Promise<number> {
		const known = this.durations.get(test);
		if (known !== undefined) return known;
		const startedAt = performance.now();
		const result = await this.runner.run([test], 240_000);
		if (result !== 'passed') throw new Error(`${test} ${result} without any mutant`);
		const duration = performance.now() - startedAt;
		this.durations.set(test, duration);
		return duration;
	}

	/** What the tests through n8n run; kept for as long as neither the connector nor a test changes. */
	private async measured(): Promise<Map<string, TestCoverage>> {
		const mark = contentMark();
		if (existsSync(COVERAGE)) {
			const kept: Kept = JSON.parse(readFileSync(COVERAGE, 'utf8'));
			if (kept.mark === mark) return new Map(kept.tests);
		}
		const coverage = new Map<string, TestCoverage>();
		for (const test of allThroughN8n()) coverage.set(test, await recordCoverage(this.runner, test));
		writeFileSync(COVERAGE, JSON.stringify({ mark, tests: [...coverage] }));
		return coverage;
	}
}

function byPromise(a: Candidate, b: Candidate): number {
	return b.promise - a.promise || a.duration - b.duration;
}

function allThroughN8n(): string[] {
	const tests = ['test/n8n', 'test/trigger'].flatMap((folder) =>
		readdirSync(join(PROJECT, folder))
			.filter((name) => name.endsWith('.test.mts') && !TAKES_LONG.test(name))
			.map((name) => join(folder, name)),
	);
	return ['test/package/savedNames.test.mts', ...tests];
}
