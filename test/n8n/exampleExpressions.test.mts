/** Tests how the examples' expressions treat unusual names. The end-to-end tests run the whole examples. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, NodeParameterValueType } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { oneNodeWorkflow } from '#harness/inspectionNodes.mts';
import { isRecord, recordsOf } from '#sandbox/json.mts';
import { PROJECT } from '#scripts/projectPaths.mts';

const CREDENTIAL = { baseUrl: 'http://127.0.0.1', apiKey: 'abcdefgh' };

/** Returns a function that evaluates a parameter of an example's node for an item. `path` leads to the parameter. */
async function valueOf(example: string, nodeName: string, path: readonly (string | number)[]) {
	const file: unknown = JSON.parse(
		readFileSync(join(PROJECT, 'examples', `${example}.json`), 'utf8'),
	);
	const nodes = isRecord(file) ? recordsOf(file.nodes) : [];
	let value: unknown = nodes.find(({ name }) => name === nodeName)?.parameters;
	for (const name of path) value = Reflect.get(Object(value), name);
	const { workflow, node } = await oneNodeWorkflow('inspectionService', {
		parameters: {},
		credential: CREDENTIAL,
	});
	const given = value as NodeParameterValueType;
	return (json: IDataObject) =>
		workflow.expression.getParameterValue(given, null, 0, 0, node.name, [{ json }], 'manual', {});
}

test("finished inspections to chat: a name mentions nobody and isn't a link", async () => {
	const path = ['bodyParameters', 'parameters', 0, 'value'];
	const textOf = await valueOf('finished-inspections-to-chat', 'Post to the chat', path);
	const row = { status: 'completed', Result: 'Pass', 'Site name': 'A & B', updated_by: '@channel' };
	expect(textOf({ ...row, name: '<!channel> <https://evil.example|Sign in>' })).toBe(
		'&lt;!channel&gt; &lt;https://evil.example|Sign in&gt; is completed: Pass at A &amp; B (@\u200bchannel)',
	);
});

test.each([
	['=1+1', true],
	['=\n1+1', true],
	['@\nx', true],
	['＝1+1', true],
	['＠SUM(1)', true],
	['＋1', true],
	['－1+1', true],
	['\t=1', true],
	['-5', false],
	['+3.25', false],
	['-', false],
	['Gate 4', false],
])(
	'finished inspections to chat: %j in the sheet gets an apostrophe: %s',
	async (name, isFormula) => {
		const path = ['assignments', 'assignments', 0, 'value'];
		const lineOf = await valueOf('finished-inspections-to-chat', 'A line of the sheet', path);
		expect(String(lineOf({ name })).split('"')[3]).toBe(isFormula ? `'${name}` : name);
	},
);
