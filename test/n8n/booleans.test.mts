import { describe, expect, test } from 'vitest';

import { executeNode, type NodeOptions, triggerPolls } from '#harness/inspectionNodes.mts';
import {
	createParameters,
	getManyParameters,
	mapColumns,
	templateBy,
} from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

// Booleans by expression: what a sheet or another node gives is text or a number.

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [{ type: 'text', label: 'Area', is_required: true, fieldId: 'area' }],
});
for (let number = 0; number < 60; number++) {
	sandbox.store.addInspection({
		template: template.id,
		name: `Walk ${number}`,
		answers: [{ control: 'area', value: 'North', flagged: number === 7 }],
		files: number === 7 ? [{ kind: 'image' }] : [],
	});
}

type Parameters = NodeOptions['parameters'];

const create = (parameters: Parameters) =>
	createParameters(templateBy('WALK'), {
		responses: mapColumns({ area: 'South' }),
		...parameters,
	});

async function itemsOf(parameters: Parameters, given: string | number) {
	const { items } = await executeNode({ credential, parameters, items: [{ given }] });
	return items;
}

const GIVEN = '={{ $json.given }}';

describe.each(['true', 'TRUE', 1, 'yes'])('%j means true', (given) => {
	test('Return All', async () => {
		expect(await itemsOf(getManyParameters({ returnAll: GIVEN }), given)).toHaveLength(
			sandbox.store.inspections().length,
		);
	});

	test('Flagged Items Only', async () => {
		const items = await itemsOf(getManyParameters({ filters: { flaggedItemsOnly: GIVEN } }), given);
		expect(items.map(({ json }) => json.name)).toEqual(['Walk 7']);
	});

	test('Download Files', async () => {
		const filters = { flaggedItemsOnly: true };
		const [item] = await itemsOf(
			getManyParameters({ filters, options: { downloadFiles: GIVEN } }),
			given,
		);
		expect(item?.binary).toHaveProperty('file_0');
	});

	test('Create Task', async () => {
		const [item] = await itemsOf(create({ createTask: GIVEN }), given);
		expect(item?.json.task_id).toEqual(expect.any(String));
	});
});

describe.each(['false', 'FALSE', 0, 'no'])('%j means false', (given) => {
	test('Include Controls', async () => {
		const parameters = {
			resource: 'template',
			operation: 'get',
			templateId: templateBy('WALK'),
			output: 'template',
			includeControls: GIVEN,
		};
		const [item] = await itemsOf(parameters, given);
		expect(item?.json).not.toHaveProperty('data');
	});

	test('Validate Responses', async () => {
		const parameters = create({
			responses: mapColumns({}),
			options: { validateResponses: GIVEN },
		});
		const [item] = await itemsOf(parameters, given);
		expect(item?.json.id).toEqual(expect.any(String));
	});
});

test.each<[string, Parameters]>([
	['Return All', getManyParameters({ returnAll: GIVEN })],
	['Flagged Items Only', getManyParameters({ filters: { flaggedItemsOnly: GIVEN } })],
	['Download Files', getManyParameters({ options: { downloadFiles: GIVEN } })],
	['Create Task', create({ createTask: GIVEN })],
	['Validate Responses', create({ options: { validateResponses: GIVEN } })],
	[
		'Include Controls',
		{
			resource: 'template',
			operation: 'get',
			templateId: templateBy('WALK'),
			output: 'template',
			includeControls: GIVEN,
		},
	],
])(
	'%s: anything else is an input error, and nothing is created or listed',
	async (name, parameters) => {
		await expect(itemsOf(parameters, 'perhaps')).rejects.toThrow(
			`${name}: "perhaps" is neither true nor false. Give true or false.`,
		);
		expect(sandbox.requests.all('createInspection')).toEqual([]);
		expect(sandbox.requests.all('listInspections')).toEqual([]);
	},
);

test.each<[string, Parameters]>([
	['Download Files', { downloadFiles: 'perhaps' }],
	['Once per Inspection', { oncePerInspection: 'perhaps' }],
])('the trigger: %s', async (name, options) => {
	const poll = await triggerPolls({ credential, parameters: { options } }, 'manual');
	await expect(poll()).rejects.toThrow(`${name}: "perhaps" is neither true nor false.`);
});
