/** Checks the sticky notes of the examples, which users read right after importing a workflow. */
import { globSync } from 'node:fs';

import { expect, it } from 'vitest';

import { builtNode } from '#harness/builtPackage.mts';
import { projectFile } from '#harness/pages.mts';
import { isRecord, recordsOf, textOf } from '#sandbox/json.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

/** Returns the nodes of an example, each with its parameters. */
function nodesIn(path: string) {
	const example: unknown = JSON.parse(projectFile(path));
	const nodes = isRecord(example) ? recordsOf(example.nodes) : [];
	return nodes.map(({ name, type, parameters }) => ({
		name: textOf(name) ?? '',
		type,
		parameters: isRecord(parameters) ? parameters : {},
	}));
}
const notesIn = (path: string) =>
	nodesIn(path)
		.map(({ parameters }) => textOf(parameters.content) ?? '')
		.join('\n');

const READ_WRITE_FILES = 'n8n-nodes-base.readWriteFile';

/** The nodes that read a file from disk, each with its example's path and the text of all notes in that example. */
const readers = globSync('examples/*.json', { cwd: PROJECT }).flatMap((path) =>
	nodesIn(path)
		.filter(({ type, parameters }) => type === READ_WRITE_FILES && parameters.operation === 'read')
		.map(({ name }) => ({ path, name, notes: notesIn(path) })),
);

// If the file doesn't exist, the node returns no item, so the workflow ends and looks successful.
it.each(readers)(
	'a note in $path explains why nothing follows if the file is missing',
	({ name, notes }) => {
		expect(notes).toContain(`Nothing after "${name}"? The file isn't at that path.`);
	},
);

it('a note in the example of the agent names the entry of n8n’s menu that loads the questions of another template', () => {
	const { properties } = builtNode('inspectionService').description;
	const words = properties.flatMap(
		({ typeOptions }) => typeOptions?.resourceMapper?.fieldWords?.singular ?? [],
	);
	expect(words).toEqual(['question']);
	// n8n composes the entry's name of the field's word: test/e2e/browser.e2e.mts.
	expect(notesIn('examples/inspection-by-agent.json')).toContain('*Refresh Question List*');
});
