/** Checks the sticky notes of the examples, which users read right after importing a workflow. */
import { globSync } from 'node:fs';

import { expect, it } from 'vitest';

import { projectFile } from '#harness/pages.mts';
import { isRecord, recordsOf, textOf } from '#sandbox/json.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

const READ_WRITE_FILES = 'n8n-nodes-base.readWriteFile';

/** The nodes that read a file from disk, each with its example's path and the text of all notes in that example. */
const readers = globSync('examples/*.json', { cwd: PROJECT }).flatMap((path) => {
	const example: unknown = JSON.parse(projectFile(path));
	const nodes = isRecord(example) ? recordsOf(example.nodes) : [];
	const parametersOf = (node: (typeof nodes)[number]) =>
		isRecord(node.parameters) ? node.parameters : {};
	const notes = nodes.map((node) => textOf(parametersOf(node).content) ?? '').join('\n');
	return nodes
		.filter((node) => node.type === READ_WRITE_FILES && parametersOf(node).operation === 'read')
		.map(({ name }) => ({ path, name: textOf(name) ?? '', notes }));
});

// If the file doesn't exist, the node returns no item, so the workflow ends and looks successful.
it.each(readers)(
	'a note in $path explains why nothing follows if the file is missing',
	({ name, notes }) => {
		expect(notes).toContain(`Nothing after "${name}"? The file isn't at that path.`);
	},
);
