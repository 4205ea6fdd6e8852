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
	});
}

const GIVEN = '={{ $json.given }}';
const getTemplate = {
	...{ resource: 'template', operation: 'get', output: 'template', templateId: templateBy('WALK') },
};

type Items = readonly INodeExecutionData[];

/** A field of each place that they stand in, with the sign that it was true. */
test.each<[string, INodeParameters, (items: Items) => boolean]>([
	['Return All', getManyParameters({ returnAll: GIVEN, limit: 1 }), ({ length }) => length === 2],
	[
		'Flagged Items Only',
		getManyParameters({ filters: { flaggedItemsOnly: GIVEN } }),
		({ length }) => length === 1,
	],
	[
		'Validate Responses',
		createParameters(templateBy('WALK'), {
			...{ responses: mapColumns({}), options: { validateResponses: GIVEN } },
		}),
		([item]) => item?.json.error !== undefined,
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

test('the trigger reads them too', async () => {
	const options = { oncePerInspection: 'perhaps' };
	const poll = await triggerPolls({ credential, parameters: { options } }, 'manual');
	await expect(poll()).rejects.toThrow('Once per Inspection: "perhaps" is neither true nor false.');
});
