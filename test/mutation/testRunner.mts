import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createVitest, type Reporter, type TestModule, type Vitest } from 'vitest/node';

import { TREE } from './copiedTree.mts';

/** How a run of some test files ended: `timeUp` for one that had to be ended. */
export type RunResult = 'passed' | 'failed' | 'timeUp';

/** Runs test files of the copied tree again and again, in one process. */
export class TestRunner {
	private readonly vitest: Vitest;

	/** Set while a run is ended early: the next one may begin only then. */
	private cancelling: Promise<void> | undefined;

	private constructor(vitest: Vitest) {
		this.vitest = vitest;
	}

	static async start(): Promise<TestRunner> {
		const failures: Reporter = {};
		const vitest = await createVitest(
			'test',
			{
				...{ root: TREE, config: join(TREE, 'vitest.config.mts'), watch: false },
				...{ maxWorkers: 1, fileParallelism: false, reporters: [failures], testTimeout: 60_000 },
				setupFiles: [
					...['test/harness/documentedRequests.mts', 'test/mutation/fastCheck.mts'],
					'test/mutation/recordCoverage.mts',
				],
			},
			{ cacheDir: join(TREE, '.vite'), logLevel: 'silent' },
		);
		await vitest.standalone();
		const runner = new TestRunner(vitest);
		failures.onTestCaseResult = (testCase) => {
			// Vitest's own `bail` counts the failures of earlier runs too.
			if (testCase.result().state === 'failed')
				runner.cancelling ??= vitest.cancelCurrentRun('test-failure');
		};
		return runner;
	}

	/** Tells that a file has another text now. */
	changed(file: string): void {
		this.vitest.invalidateFile(join(TREE, file));
	}

	/** Runs test files until the first one fails, or the time (ms) is up. */
	async run(tests: readonly string[], limit: number): Promise<RunResult> {
		let isUp = false;
		// Vitest keeps the errors of earlier runs, such as the end of a worker in an endless loop.
		this.vitest.state.clearErrors();
		const timer = setTimeout(() => {
			isUp = true;
			endWorkers();
		}, limit);
		try {
			const specifications = tests.flatMap((test) =>
				this.vitest.getModuleSpecifications(join(TREE, test)),
			);
			if (specifications.length !== tests.length) throw new Error(`not found: ${tests.join()}`);
			const { testModules, unhandledErrors } =
				await this.vitest.runTestSpecifications(specifications);
			if (isUp) return 'timeUp';
			// Vitest hands back the modules of earlier runs too.
			const paths = new Set(tests.map((test) => join(TREE, test)));
			const failed = testModules
				.filter(({ moduleId }) => paths.has(moduleId))
				.some((module) => hasFailed(module));
			return failed || unhandledErrors.length > 0 ? 'failed' : 'passed';
		} finally {
			clearTimeout(timer);
			await this.cancelling;
			this.cancelling = undefined;
		}
	}

	async close(): Promise<void> {
		await this.vitest.close();
	}
}

function hasFailed(module: TestModule): boolean {
	return module.errors().length > 0 || [...module.children.allTests('failed')].length > 0;
}

/** Ends this process's own children: a worker in an endless loop hears nothing else. */
function endWorkers(): void {
	const children = readFileSync(
		`/proc/${String(process.pid)}/task/${String(process.pid)}/children`,
		'utf8',
	);
	for (const child of children.split(' ').filter((id) => id.trim() !== '')) {
		process.kill(Number(child), 'SIGKILL');
	}
}
