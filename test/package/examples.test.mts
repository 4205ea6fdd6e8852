/** What the sticky notes of the examples say to people who have just imported one. */
import { globSync } from 'node:fs';

import { expect, it } from 'vitest';

import { isRecord, recordsOf, textOf } from '#connector/domain/json.ts';
import { projectFile } from '#harness/pages.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

const READ_WRITE_FILES = 'n8n-nodes-base.readWriteFile';

/** Each example with a node that reads a file from disk, the node's name, and the text of all its notes. */
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

// The node returns no item if there is no such file. The workflow then ends, and looks successful.
it.each(readers)('a note in $path says what it means if nothing follows', ({ name, notes }) => {
	expect(notes).toContain(`Nothing after "${name}"? The file isn't at that path.`);
});
