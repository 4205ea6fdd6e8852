/** Booleans by expression: what a sheet or another node gives is a text or a number. */
import type { INodeExecutionData, INodeParameters, OnError } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { required, text } from '#harness/controls.mts';
import { createForTests } from '#harness/createForTests.mts';
import { executeNode, triggerPolls } from '#harness/inspectionNodes.mts';
import {
	createParameters,
	getManyParameters,
	mapColumns,
	templateBy,
} from '#harness/nodeParameters.mts';

const { sandbox, credential, template, stored } = await createForTests([
	required(text('Area', 'area')),
]);
for (let number = 0; number < 60; number++) {
	sandbox.store.addInspection({
		template: template.id,
		answers: [{ control: 'area', value: 'North', flagged: number === 7 }],
		files: number === 7 ? [{ kind: 'image' }] : [],
	});
}

const GIVEN = '={{ $json.given }}';
const createWith = (columns: Record<string, string>, others: INodeParameters) =>
	createParameters(templateBy('WALK'), { responses: mapColumns(columns), ...others });
const getTemplate = {
	...{ resource: 'template', operation: 'get', output: 'template', templateId: templateBy('WALK') },
};

type Items = readonly INodeExecutionData[];

/** Each field with the sign that it was true. */
const FIELDS: [string, INodeParameters, (items: Items) => boolean][] = [
	['Return All', getManyParameters({ returnAll: GIVEN }), ({ length }) => length === 60],
	[
		'Flagged Items Only',
		getManyParameters({ filters: { flaggedItemsOnly: GIVEN } }),
		({ length }) => length === 1,
	],
	[
		'Download Files',
		getManyParameters({ filters: { flaggedItemsOnly: true }, options: { downloadFiles: GIVEN } }),
		([item]) => item?.binary?.['file_0'] !== undefined,
	],
	[
		'Create Task',
		createWith({ area: 'South' }, { createTask: GIVEN }),
		([item]) => item?.json.task_id !== null,
	],
	[
		'Validate Responses',
		createWith({}, { options: { validateResponses: GIVEN } }),
		([item]) => item?.json.error !== undefined,
	],
	[
		'Include Controls',
		{ ...getTemplate, includeControls: GIVEN },
		([item]) => item?.json.data !== undefined,
	],
];

describe.each(FIELDS)('%s', (name, parameters, isTrue) => {
	const run = async (given: string | number, onError?: OnError) =>
		(await executeNode({ credential, parameters, items: [{ given }], onError })).items;

	test.each([
		[true, 'true', 'TRUE', 1, 'yes'],
		[false, 'false', 'FALSE', 0, 'no'],
	])('is %j with %j, %j, %j and %j', async (meant, ...words) => {
		for (const word of words) {
			expect(isTrue(await run(word as string | number, 'continueRegularOutput'))).toBe(meant);
		}
	});

	test('is an input error with anything else, and nothing is created or listed', async () => {
		await expect(run('perhaps')).rejects.toThrow(
			`${name}: "perhaps" is neither true nor false. Give true or false.`,
		);
		expect(sandbox.requests.all().filter(({ operation }) => operation !== 'getTemplate')).toEqual(
			[],
		);
		expect(stored()).toHaveLength(60);
	});
});

test.each([
	['Download Files', { downloadFiles: 'perhaps' }],
	['Once per Inspection', { oncePerInspection: 'perhaps' }],
])('the trigger: %s', async (name, options) => {
	const poll = await triggerPolls({ credential, parameters: { options } }, 'manual');
	await expect(poll()).rejects.toThrow(`${name}: "perhaps" is neither true nor false.`);
});
