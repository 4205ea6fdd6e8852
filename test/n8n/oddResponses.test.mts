import type { INodeParameters } from 'n8n-workflow';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type Sandbox, startSandbox, type Template } from '../../sandbox/service/sandbox.mts';
import { type Credential, executeNode } from '../harness/inspectionNodes.mts';

// Responses of the service that are legal JSON and odd: Create loses no answer and no id by them.

let sandbox: Sandbox;
let template: Template;
let credential: Credential;

beforeAll(async () => {
	sandbox = await startSandbox({ data: 'empty' });
	credential = { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north };
	template = sandbox.store.addTemplate({
		identifier: 'WALK',
		name: 'Site walk',
		controls: [
			{
				type: 'page',
				label: 'Site',
				children: [
					{ type: 'text', label: 'Area', fieldId: 'area' },
					{ type: 'checkbox', label: 'Risks', choices: ['Smoke'], fieldId: 'risks' },
				],
			},
		],
	});
});

afterAll(async () => {
	await sandbox.close();
});

afterEach(() => {
	sandbox.faults.clear();
	sandbox.requests.clear();
});

const AUTO_MAP = { mappingMode: 'autoMapInputData', value: null, schema: [] };

async function create(responses: INodeParameters = AUTO_MAP) {
	const { items } = await executeNode({
		credential,
		items: [{ Area: 'North', Risks: 'Smoke' }],
		parameters: {
			resource: 'inspection',
			operation: 'create',
			templateId: { __rl: true, mode: 'id', value: `{${template.id.toUpperCase()}}` },
			responses,
		},
	});
	return items;
}

test('a template ID in braces and capitals is taken', async () => {
	const [item] = await create();
	expect(item?.json).toMatchObject({ id: expect.any(String) as string, unstored_responses: [] });
});

test.each([{}, { data: null }, { data: { fields: [] } }])(
	'a template without a list of controls is an error, and nothing is sent: %j',
	async (shape) => {
		const body = { id: template.id, name: 'Site walk', ...shape };
		sandbox.faults.add({ on: { operation: 'getTemplate' }, do: { kind: 'body', body } });
		await expect(create()).rejects.toThrow(
			/template has an unknown shape: no list of controls under "data\.controls"/,
		);
		expect(sandbox.requests.all('createInspection')).toEqual([]);
	},
);

test('a template without any control is legal', async () => {
	const body = { id: template.id, name: 'Site walk', data: { controls: [] } };
	sandbox.faults.add({ on: { operation: 'getTemplate' }, do: { kind: 'body', body } });
	const [item] = await create({ mappingMode: 'defineBelow', value: {}, schema: [] });
	expect(item?.json.unstored_responses).toEqual([]);
});

test.each([
	['an object with its own toString', '{"toString":null}'],
	['5,000 lists in one another', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
])('what cannot be compared does not cost the id: %s', async (_, value) => {
	const item = (id: string) => `{"field_id":"${id}","response":{"value":${value}}}`;
	const body = `{"id":"made","data":{"items":[${item('area')},${item('risks')}]}}`;
	sandbox.faults.add({ on: { operation: 'createInspection' }, do: { kind: 'body', body } });
	const [made] = await create();
	expect(made?.json.id).toBe('made');
	expect(made?.json.unstored_responses).toHaveLength(2);
});
