import { describe, expect, test } from 'vitest';

import { page, repeatable, text } from '#harness/controls.mts';
import { executeNode } from '#harness/inspectionNodes.mts';
import { createParameters, templateBy, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

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
		await expect(failure).rejects.toMatchObject({
			httpCode: '404',
			message: expect.stringMatching(/^Row 2: /) as string,
			context: { itemIndex: undefined },
		});
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

describe('Template: Get, as an empty row', () => {
	/** Labels that are hard to name a column by: twice, an own column of rows, a number, with an instance in it. */
	const odd = sandbox.store.addTemplate({
		identifier: 'ODD',
		name: 'Odd labels',
		controls: [
			page('One', [text('Remarks', 'a'), text('name', 'b'), text('7', 'c')]),
			page('Two', [text('Remarks', 'd'), text('Part:2', 'e'), text('Part', 'f')]),
			repeatable('Rooms', 'rooms', [
				text('Room', 'g'),
				text('Remarks', 'h'),
				{ type: 'page', label: 'Inner', children: [text('Room', 'i')] },
			]),
			{ type: 'signature', label: 'Signed' },
		],
	});
	const emptyRow = async (templateId: string, instances?: unknown) => {
		const parameters = { templateId: templateById(templateId), output: 'emptyRow', instances };
		return await get(instances === undefined ? { ...parameters, instances: 1 } : parameters);
	};

	test('has the columns of the form in its order, all empty, and those of sections once', async () => {
		const { items } = await emptyRow(template.id);
		expect(items.map(({ json }) => json)).toEqual([{ Door: '', Severity: '' }]);
	});

	test('has each question of a section as often as asked for', async () => {
		const { items } = await emptyRow(template.id, 3);
		expect(Object.keys(items[0]?.json ?? {})).toEqual([
			'Door',
			'Severity',
			'Severity:2',
			'Severity:3',
		]);
	});

	test.each([1, 2, 5])('Create takes every column, with %i instances', async (instances) => {
		const [item] = (await emptyRow(odd.id, instances)).items;
		const filled = Object.fromEntries(
			Object.keys(item?.json ?? {}).map((key) => [key, `in ${key}`]),
		);
		const { hints } = await executeNode({
			credential,
			items: [filled],
			parameters: createParameters(templateById(odd.id)),
		});
		expect(hints).toEqual([]);
		const [made] = sandbox.store.inspections();
		const values = made?.answers.map(({ value }) => value) ?? [];
		expect(values).toHaveLength(6 + 3 * instances);
		expect(values.toSorted()).toEqual(Object.values(filled).toSorted());
	});

	test.each([0, 51, 1.5, 'many'])('%s instances are refused', async (instances) => {
		await expect(emptyRow(odd.id, instances)).rejects.toThrow(
			/^Instances: .* is not a whole number from 1 to 50/,
		);
	});
});
