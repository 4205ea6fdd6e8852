import { describe, expect, test } from 'vitest';

import { page, repeatable, text } from '../harness/controls.mts';
import { executeNode } from '../harness/inspectionNodes.mts';
import { templateBy, templateById } from '../harness/nodeParameters.mts';
import { sandboxForTests } from '../harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	identifier: 'FIRE DOOR/7',
	name: 'Fire door',
	controls: [
		page('Doors', [
			{ ...text('Door', 'door'), is_required: true },
			repeatable('Defects', 'defects', [
				{ type: 'radio', label: 'Severity', choices: ['Low', 'High'], fieldId: 'severity' },
				{ type: 'signature', label: 'Signed', fieldId: 'signed' },
			]),
		]),
	],
});

function get(parameters: object, items = [{}]) {
	return executeNode({
		credential,
		items,
		parameters: { resource: 'template', operation: 'get', ...parameters },
	});
}

describe('Template: Get', () => {
	test('returns the template with its controls, found by an identifier in any case', async () => {
		const { items } = await get({ templateId: templateBy('fire door/7') });
		expect(items).toHaveLength(1);
		expect(items[0]?.pairedItem).toEqual({ item: 0 });
		expect(items[0]?.json).toMatchObject({
			id: template.id,
			template_id: 'FIRE DOOR/7',
			data: { control_count: 5 },
		});
	});

	test('leaves the controls out when asked to', async () => {
		const { items } = await get({
			templateId: templateById(template.id),
			includeControls: false,
		});
		expect(items[0]?.json).not.toHaveProperty('data');
	});

	test('gives one item per question, with what an answer needs', async () => {
		const { items } = await get({
			templateId: { __rl: true, mode: 'list', value: template.id },
			output: 'questions',
		});
		expect(items.map(({ json }) => json)).toEqual([
			{
				field_id: 'door',
				template_control_id: expect.any(String),
				label: 'Door',
				path: 'Doors/Door',
				type: 'text',
				required: true,
				choices: [],
				repeatable_section: null,
			},
			{
				field_id: 'severity',
				template_control_id: expect.any(String),
				label: 'Severity',
				path: 'Doors/Defects/Severity',
				type: 'radio',
				required: false,
				choices: ['Low', 'High'],
				repeatable_section: { field_id: 'defects', label: 'Defects', path: 'Doors/Defects' },
			},
		]);
	});

	test('takes a template per item, each output paired to its input', async () => {
		const other = sandbox.store.addTemplate({ name: 'Other', controls: [] });
		const { items } = await get({ templateId: templateById('={{ $json.template }}') }, [
			{ template: template.id },
			{ template: other.id },
			{ template: template.id },
		]);
		expect(items.map(({ json }) => json.name)).toEqual(['Fire door', 'Other', 'Fire door']);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});

	test.each([
		[{ mode: 'id', value: 'nope' }, /"nope" is not a template ID.*By Identifier/],
		[{ mode: 'identifier', value: 'x'.repeat(21) }, /at most 20 characters \(it has 21\)/],
		[{ mode: 'list', value: '' }, /nothing is chosen/],
	])('refuses %j before asking the service', async (locator, message) => {
		await expect(get({ templateId: { __rl: true, ...locator } })).rejects.toThrow(message);
		expect(sandbox.requests.count()).toBe(0);
	});

	test('names the item whose template is gone', async () => {
		const failure = get({ templateId: templateById('={{ $json.template }}') }, [
			{ template: template.id },
			{ template: '00000000-0000-4000-8000-000000000000' },
		]);
		await expect(failure).rejects.toMatchObject({ httpCode: '404', context: { itemIndex: 1 } });
	});

	test('with continue-on-fail a bad item costs only itself', async () => {
		const { items } = await executeNode({
			credential,
			onError: 'continueRegularOutput',
			items: [{ t: 'nope' }, { t: template.id }],
			parameters: {
				resource: 'template',
				operation: 'get',
				templateId: templateById('={{ $json.t }}'),
			},
		});
		expect(items[0]?.json.error).toMatch(/"nope" is not a template ID/);
		expect(items[0]?.pairedItem).toEqual({ item: 0 });
		expect(items[1]?.json.name).toBe('Fire door');
	});
});
