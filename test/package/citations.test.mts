import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { documentedOperations, serviceDocument } from '#sandbox/service/serviceDocument.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

/** Operations, schemas and shared responses of docs/service.openapi.yaml: what a comment can cite. */
const CITABLE = new Set([
	...documentedOperations.map(({ id }) => id),
	...Object.values(serviceDocument.components).flatMap((named) => Object.keys(named)),
]);

/** `Task of docs/service.openapi.yaml`; in the sandbox the document is this one. */
const CITATION = /\b([A-Z]\w+|[a-z]+[A-Z]\w+) of (?:docs\/service\.openapi\.yaml|the document\b)/g;

/** What only the authors had: a reader of the repository cannot look it up. */
const ELSEWHERE = /\((?:the )?(?:interface|contract)\b|\binterface, (?:section|")/;

const files = globSync('{nodes,credentials,sandbox,test,scripts}/**/*.{ts,mts,mjs}', {
	cwd: PROJECT,
}).filter((file) => !file.endsWith('citations.test.mts'));

it('comments cite operations and schemas that the document has', () => {
	const cited = files.flatMap((file) =>
		[...readFileSync(join(PROJECT, file), 'utf8').matchAll(CITATION)].map(([, name = '']) => ({
			file,
			name,
		})),
	);
	expect(cited.length).toBeGreaterThan(50);
	expect(cited.filter(({ name }) => !CITABLE.has(name))).toEqual([]);
});

it('comments of the connector say which operation or schema they mean', () => {
	const lines = files
		.filter((file) => !/^(sandbox|test|scripts)/.test(file))
		.flatMap((file) => readFileSync(join(PROJECT, file), 'utf8').split('\n'))
		.filter((line) => line.includes('docs/service.openapi.yaml'));
	expect(lines.filter((line) => line.search(CITATION) === -1)).toEqual([]);
});

it('comments cite nothing that is not in the repository', () => {
	const lines = files.flatMap((file) =>
		readFileSync(join(PROJECT, file), 'utf8')
			.split('\n')
			.map((line) => `${file}: ${line.trim()}`),
	);
	expect(lines.filter((line) => ELSEWHERE.test(line))).toEqual([]);
});
