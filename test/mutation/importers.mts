import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import ts from 'typescript';

import { PROJECT } from '../../sandbox/demo/projectPaths.mts';

/** Who imports a file, directly: paths from the project's root. */
type Importers = ReadonlyMap<string, readonly string[]>;

/** Measures time, so a mutant that is slower would fail it by chance. */
const NOT_RUN = /growth\.test\.mts$/;

/** The unit tests that import a file, directly or through others, with the number of steps; the nearest first. */
export function unitTestsOf(file: string, importers: Importers): { test: string; steps: number }[] {
	const steps = new Map([[file, 0]]);
	for (const [at, distance] of steps) {
		for (const importer of importers.get(at) ?? []) {
			if (!steps.has(importer)) steps.set(importer, distance + 1);
		}
	}
	return [...steps]
		.filter(([path]) => path.endsWith('.test.mts') && !NOT_RUN.test(path))
		.map(([test, distance]) => ({ test, steps: distance }))
		.sort((a, b) => a.steps - b.steps);
}

export function importersInProject(): Importers {
	const files = ['nodes/InspectionService', 'test/unit'].flatMap((folder) =>
		readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => /\.m?ts$/.test(name))
			.map((name) => join(folder, name)),
	);
	const known = new Set(files);
	const importers = new Map<string, string[]>();
	for (const file of files) {
		const { importedFiles } = ts.preProcessFile(readFileSync(join(PROJECT, file), 'utf8'));
		for (const { fileName } of importedFiles) {
			if (!fileName.startsWith('.')) continue;
			const path = normalize(join(dirname(file), fileName));
			const imported = known.has(path) ? path : `${path}.ts`;
			importers.set(imported, [...(importers.get(imported) ?? []), file]);
		}
	}
	return importers;
}
