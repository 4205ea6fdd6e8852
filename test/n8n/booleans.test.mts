/** Booleans by expression: what a sheet or another node gives is a text or a number. All words: test/unit/field. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import { text } from '#harness/controls.mts';
import { triggerPolls } from '#harness/inspectionNodes.mts';
import { getManyParameters, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	...{ identifier: 'WALK', name: 'Walk', controls: [text('Area', 'area')] },
}).id;
for (let count = 0; count < 2; count++) sandbox.store.addInspection({ template });

const GIVEN = '={{ $json.given }}';
const getTemplate = { resource: 'template', operation: 'get', output: 'template' };

/** A field of each operation but Create, whose fields groupedRows and checkOnly try, with the sign that it was true. */
test.each<[string, INodeParameters, (jsons: readonly IDataObject[]) => boolean]>([
	['Return All', getManyParameters({ returnAll: GIVEN, limit: 1 }), ({ length }) => length === 2],
	[
		'Include Controls',
		{ ...getTemplate, templateId: templateBy('WALK'), includeControls: GIVEN },
		([json]) => json?.data !== undefined,
	],
])(
	'%s by expression: yes and 0 are read; another word is an error and nothing is listed',
	async (name, parameters, isTrue) => {
		const run = async (given: string | number) =>
			(await actionNode(credential)(parameters, { items: [{ given }] })).jsons;
		await expect(run('perhaps')).rejects.toThrow(
			`${name}: "perhaps" is neither true nor false. Give true or false.`,
		);
		expect(sandbox.requests.count('listInspections')).toBe(0);
		expect(isTrue(await run('yes'))).toBe(true);
		expect(isTrue(await run(0))).toBe(false);
	},
);

test('the trigger reads them too', async () => {
	const options = { oncePerInspection: 'perhaps' };
	const poll = await triggerPolls({ credential, parameters: { options } }, 'manual');
	await expect(poll()).rejects.toThrow('Once per Inspection: "perhaps" is neither true nor false.');
});
