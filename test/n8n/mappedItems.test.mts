/** Which items may become inspections by automatic mapping, and what is said of columns that are not used. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { executeNode } from '../harness/inspectionNodes.mts';
import { createParameters, mapColumns, templateBy } from '../harness/nodeParameters.mts';
import { sandboxForTests } from '../harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [
		{ type: 'text', label: 'Area', fieldId: 'area' },
		{ type: 'date', label: 'When', showTime: true, fieldId: 'when' },
	],
});
sandbox.store.addTemplate({
	identifier: 'ERRORS',
	name: 'Machine errors',
	controls: [{ type: 'text', label: 'Error', fieldId: 'error text' }],
});
sandbox.store.addTemplate({ identifier: 'BLANK', name: 'Blank', controls: [] });

async function create(json: IDataObject, parameters: INodeParameters = {}) {
	return await executeNode({
		credential,
		items: [json],
		parameters: createParameters(templateBy('WALK'), parameters),
	});
}

test.each([
	['an error of a node before', { error: 'no such page' }, /carries an error: "no such page"/],
	['a row with an error', { Area: 'A', error: { code: 4 } }, /carries an error: \{"code":4\}/],
	['an empty item', {}, /^The item is empty/],
	['other columns', { Zone: 'A', id: '7' }, /^These columns match no question: "Zone", "id"/],
])('%s is no inspection', async (_, json, message) => {
	await expect(create(json)).rejects.toThrow(message);
	expect(sandbox.requests.count('createInspection')).toBe(0);
});

test.each([
	['a question called Error', { Error: 'E4' }, { templateId: templateBy('ERRORS') }],
	['a template that asks nothing', { any: 1 }, { templateId: templateBy('BLANK') }],
	['questions without an answer', { Area: '' }, {}],
	['no mapping at all', { any: 1 }, { responses: mapColumns(null) }],
])('an item is one with %s', async (_, json, parameters) => {
	await create(json, parameters);
	expect(sandbox.store.inspections()).toHaveLength(1);
});

test('columns for the inspection itself are named with what to enter where', async () => {
	const row = { Area: 'A', name: 'Walk 7', status: 'new', description: 'weekly' };
	const { hints } = await create(row, { additionalFields: { status: '={{ $json.status }}' } });
	expect(hints.map(({ message }) => message)).toContainEqual(
		expect.stringContaining(
			'enter under Additional Fields: Name {{ $json.name }}, Description {{ $json.description }}',
		),
	);
});

test('milliseconds since 1970 are a moment, as a number and as text', async () => {
	const ms = Date.parse('2026-05-31T12:34:56.789Z');
	await create({ When: ms });
	await create({ When: String(ms) });
	const answers = sandbox.store.inspections().flatMap(({ answers }) => answers);
	expect(answers.map(({ value }) => value)).toEqual([
		'2026-05-31T12:34:56.789Z',
		'2026-05-31T12:34:56.789Z',
	]);
});

test('a mapping by columns says what to do with a template by expression', async () => {
	const responses = mapColumns({ gone: 'A' });
	await expect(create({}, { responses })).rejects.toThrow('refresh the column list');
	const byExpression = { templateId: templateBy('={{ "WALK" }}'), responses };
	await expect(create({}, byExpression)).rejects.toThrow('choose "Map Automatically"');
});
