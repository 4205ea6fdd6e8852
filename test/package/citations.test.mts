import { globSync } from 'node:fs';

import { expect, it } from 'vitest';

import { projectFile } from '#harness/pages.mts';
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

/** Every line of code and comment, with its file. */
const FILES = globSync('{nodes,credentials,sandbox,test,scripts}/**/*.{ts,mts,mjs}', {
	cwd: PROJECT,
});
const LINES = FILES.filter((file) => !file.endsWith('citations.test.mts')).flatMap((file) => {
	const lines = projectFile(file).split('\n');
	return lines.map((text) => ({ file, text: text.trim() }));
});

it('comments cite operations and schemas that the document has', () => {
	const cited = LINES.flatMap(({ file, text }) =>
		[...text.matchAll(CITATION)].map(([, name = '']) => ({ file, name })),
	);
	expect(cited.length).toBeGreaterThan(50);
	expect(cited.filter(({ name }) => !CITABLE.has(name))).toEqual([]);
});

it('comments of the connector say which operation or schema they mean', () => {
	const ours = LINES.filter(({ file }) => /^(nodes|credentials)/.test(file));
	const citing = ours.filter(({ text }) => text.includes('docs/service.openapi.yaml'));
	expect(citing.filter(({ text }) => text.search(CITATION) === -1)).toEqual([]);
});

it('comments cite nothing that is not in the repository', () => {
	expect(LINES.filter(({ text }) => ELSEWHERE.test(text))).toEqual([]);
});
