/** Which items may become inspections by automatic mapping, and what is said of columns that are not used. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/service/sandbox.mts';
import { executeNode } from '../harness/inspectionNodes.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ data: 'empty' });
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
});

afterAll(async () => {
	await sandbox.close();
});

afterEach(() => {
	sandbox.requests.clear();
	for (const { id } of [...sandbox.store.inspections()]) sandbox.store.removeInspection(id);
});

async function create(json: IDataObject, parameters: INodeParameters = {}) {
	return await executeNode({
		credential: { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north },
		items: [json],
		parameters: {
			resource: 'inspection',
			operation: 'create',
			templateId: { __rl: true, mode: 'identifier', value: 'WALK' },
			responses: { mappingMode: 'autoMapInputData', value: null, schema: [] },
			...parameters,
		},
	});
}

const templateBy = (value: string) => ({ templateId: { __rl: true, mode: 'identifier', value } });

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
	['a question called Error', { Error: 'E4' }, templateBy('ERRORS')],
	['a template that asks nothing', { any: 1 }, templateBy('BLANK')],
	['questions without an answer', { Area: '' }, {}],
	[
		'no mapping at all',
		{ any: 1 },
		{ responses: { mappingMode: 'defineBelow', value: null, schema: [] } },
	],
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
	const responses = { mappingMode: 'defineBelow', value: { gone: 'A' }, schema: [] };
	await expect(create({}, { responses })).rejects.toThrow('refresh the column list');
	const byExpression = { ...templateBy('={{ "WALK" }}'), responses };
	await expect(create({}, byExpression)).rejects.toThrow('choose "Map Automatically"');
});
