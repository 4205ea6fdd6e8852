/** Tests how the examples' expressions treat unusual names. The end-to-end tests run the whole examples. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IBinaryKeyData, IDataObject, NodeParameterValueType } from 'n8n-workflow';
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
	return (json: IDataObject, binary?: IBinaryKeyData) => {
		const items = [{ json, ...(binary && { binary }) }];
		return workflow.expression.getParameterValue(given, null, 0, 0, node.name, items, 'manual', {});
	};
}

/** Whether a chat makes a link of the text: an address, or Markdown's and Slack's links. */
const LINK = /:\/\/|www\.\w|\]\(|<[^>]*\|/;

test('completed inspections to chat: a name is plain text in the chat, without mentions or links', async () => {
	const path = ['bodyParameters', 'parameters', 0, 'value'];
	const textOf = await valueOf('completed-inspections-to-chat', 'Post to the chat', path);
	const row = { status: 'completed', Result: 'Pass', 'Site name': 'A & B', updated_by: '@channel' };
	expect(textOf({ ...row, name: '<!channel> <https://evil.example|Sign in>' })).toBe(
		'&lt;!channel&gt; &lt;https:\u200b//evil.example|Sign in&gt; is completed: Pass at A &amp; B (@\u200bchannel)',
	);
	const names = ['[Sign in](https://evil.example)', '![x](http://a.example)', 'WWW.evil.example'];
	for (const name of names) {
		expect(name).toMatch(new RegExp(LINK, 'i'));
		expect(textOf({ ...row, name })).not.toMatch(new RegExp(LINK, 'i'));
	}
});

test('completed inspections to chat: names a missing column, as well as a question without an answer', async () => {
	const path = ['bodyParameters', 'parameters', 0, 'value'];
	const textOf = await valueOf('completed-inspections-to-chat', 'Post to the chat', path);
	expect(textOf({ name: 'V-01', status: 'completed', Result: '', updated_by: 'Kim' })).toBe(
		'V-01 is completed: (no answer to Result) at (no column Site name) (Kim)',
	);
	const cells = ['assignments', 'assignments', 0, 'value'];
	const lineOf = await valueOf('completed-inspections-to-chat', 'A line of the sheet', cells);
	expect(lineOf({ name: 'V-01', Date: '' })).toContain(
		'"(no column Site name)","","(no column Result)"',
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
	['Gate; 4', false],
])(
	'completed inspections to chat: %j in the sheet gets an apostrophe: %s',
	async (name, isFormula) => {
		const path = ['assignments', 'assignments', 0, 'value'];
		const lineOf = await valueOf('completed-inspections-to-chat', 'A line of the sheet', path);
		expect(String(lineOf({ name })).split('"')[3]).toBe(isFormula ? `'${name}` : name);
	},
);

test.each([
	'Gate;=1+1;',
	'Gate; "=1+1',
	"Gate;'=1+1",
	'Gate\n=1+1',
	'Gate;\t@SUM(1)',
	'Gate;＝1+1',
	';-1+1',
])(
	'completed inspections to chat: no part of %j is a formula if semicolons or lines split it',
	async (name) => {
		const path = ['assignments', 'assignments', 0, 'value'];
		const lineOf = await valueOf('completed-inspections-to-chat', 'A line of the sheet', path);
		const [, ...parts] = String(lineOf({ name })).split(/[;\n]/);
		expect(parts).not.toEqual([]);
		for (const part of parts) expect(part).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
	},
);

test('form to inspection: the email has each warning in one line', async () => {
	const textOf = await valueOf('form-to-inspection', 'Send the email', ['text']);
	const warnings = 'The name was cut. The task has no due date.';
	expect(
		String(textOf({ id: 'i', warnings }))
			.split('\n')
			.at(-1),
	).toBe(warnings);
	expect(
		String(textOf({ id: 'i', warnings: [] }))
			.split('\n')
			.at(-1),
	).toBe('Inspection ID: i');
});

test.each([
	['trench.png', 'trench 0a1b2c3d.png'],
	['Report v1.2', 'Report v1.2 0a1b2c3d.bin'],
	['model.skp', 'model 0a1b2c3d.skp'],
])('files of completed inspections: %s is stored as %s', async (fileName, stored) => {
	const path = ['assignments', 'assignments', 1, 'value'];
	const nameOf = await valueOf('files-of-completed-inspections', 'File name', path);
	const json = { file_id: '0a1b2c3d-1111-4222-8333-444455556666' };
	expect(nameOf(json, { data: { fileName, data: '', mimeType: 'image/png' } })).toBe(stored);
});
