/** Booleans by expression: what a sheet or another node gives is a text or a number. All words: test/unit/field. */
import type { INodeExecutionData, INodeParameters, OnError } from 'n8n-workflow';
import { expect, test } from 'vitest';

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
for (const flagged of [true, false]) {
	sandbox.store.addInspection({
		template: template.id,
		answers: [{ control: 'area', value: 'North', flagged }],
		files: flagged ? [{ kind: 'image' }] : [],
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
test.each<[string, INodeParameters, (items: Items) => boolean]>([
	['Return All', getManyParameters({ returnAll: GIVEN, limit: 1 }), ({ length }) => length === 2],
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
		'Check Only',
		createWith({ area: 'South' }, { options: { checkOnly: GIVEN } }),
		([item]) => item?.json.ok === true,
	],
	[
		'Include Controls',
		{ ...getTemplate, includeControls: GIVEN },
		([item]) => item?.json.data !== undefined,
	],
])(
	'%s by expression: yes and 0 are read; another word is an error and nothing is created or listed',
	async (name, parameters, isTrue) => {
		const run = async (given: string | number, onError?: OnError) =>
			(await executeNode({ credential, parameters, items: [{ given }], onError })).items;
		await expect(run('perhaps')).rejects.toThrow(
			`${name}: "perhaps" is neither true nor false. Give true or false.`,
		);
		expect(sandbox.requests.count(({ operation }) => operation !== 'getTemplate')).toBe(0);
		expect(stored()).toHaveLength(2);
		expect(isTrue(await run('yes', 'continueRegularOutput'))).toBe(true);
		expect(isTrue(await run(0, 'continueRegularOutput'))).toBe(false);
	},
);

test.each([
	['Download Files', { downloadFiles: 'perhaps' }],
	['Once per Inspection', { oncePerInspection: 'perhaps' }],
])('the trigger: %s', async (name, options) => {
	const poll = await triggerPolls({ credential, parameters: { options } }, 'manual');
	await expect(poll()).rejects.toThrow(`${name}: "perhaps" is neither true nor false.`);
});
