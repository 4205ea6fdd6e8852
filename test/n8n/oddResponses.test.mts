import type { INodeParameters } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { text } from '#harness/controls.mts';
import { executeNode } from '#harness/inspectionNodes.mts';
import { createParameters, mapColumns, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

// Responses of the service that are legal JSON and odd: Create loses no answer and no id by them.

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	name: 'Site walk',
	controls: [
		text('Area', 'area'),
		{ type: 'checkbox', label: 'Risks', choices: ['Smoke'], fieldId: 'risks' },
	],
});

async function create(parameters: INodeParameters = {}) {
	const { items } = await executeNode({
		credential,
		items: [{ Area: 'North', Risks: 'Smoke' }],
		parameters: createParameters(templateById(template.id), { output: 'raw', ...parameters }),
	});
	return items;
}

test('a template ID in braces and capitals is taken', async () => {
	const [item] = await create({ templateId: templateById(`{${template.id.toUpperCase()}}`) });
	expect(sandbox.store.find(String(item?.json.id))?.templateId).toBe(template.id);
	expect(item?.json.unstored_responses).toEqual([]);
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
	const [item] = await create({ responses: mapColumns({}) });
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
