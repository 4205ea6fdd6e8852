import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { builtPath, compiled, readSource, TREE } from './copiedTree.mts';
import { type Mutant, mutated } from './mutants.mts';
import type { TestRunner } from './testRunner.mts';

/** What Node's inspector tells of one script: the blocks of its functions, and how often each ran. */
interface ScriptCoverage {
	url: string;
	functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[];
}

/** What a test file runs of the built connector, and how long it takes (ms). */
export interface TestCoverage {
	duration: number;
	scripts: ScriptCoverage[];
}

/** Runs a test file and notes what it runs. */
export async function recordCoverage(runner: TestRunner, test: string): Promise<TestCoverage> {
	const startedAt = performance.now();
	const target = join(TREE, 'coverage.json');
	rmSync(target, { force: true });
	process.env.MUTATION_COVERAGE = target;
	try {
		const result = await runner.run([test], 240_000);
		if (result !== 'passed') throw new Error(`${test} ${result} without any mutant`);
		const scripts: ScriptCoverage[] = existsSync(target)
			? JSON.parse(readFileSync(target, 'utf8'))
			: [];
		return { duration: performance.now() - startedAt, scripts };
	} finally {
		delete process.env.MUTATION_COVERAGE;
	}
}

/** How often a test runs the place of a mutant. */
export function runsOf(scripts: readonly ScriptCoverage[], mutant: Mutant): number {
	const source = readSource(mutant.file);
	const place = firstDifference(compiled(source), compiled(mutated(source, mutant)));
	const script = scripts.find(({ url }) => url.endsWith(builtPath(mutant.file)));
	let inmost: { startOffset: number; endOffset: number; count: number } | undefined;
	for (const range of script?.functions.flatMap(({ ranges }) => ranges) ?? []) {
		if (range.startOffset > place || range.endOffset <= place) continue;
		const length = range.endOffset - range.startOffset;
		if (inmost === undefined || length <= inmost.endOffset - inmost.startOffset) inmost = range;
	}
	return inmost?.count ?? 0;
}

function firstDifference(one: string, other: string): number {
	let place = 0;
	while (place < one.length && one.charAt(place) === other.charAt(place)) place++;
	return place;
}
