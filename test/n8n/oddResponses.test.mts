/** Responses in a shape that nobody has announced. What any other is taken for is test/unit/serviceResponse's. */
import { expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import { text } from '#harness/controls.mts';
import { createParameters, getManyParameters, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	name: 'Site walk',
	controls: [text('Area', 'area')],
});

test('Create sends nothing where the template has no list of controls', async () => {
	const body = { id: template.id, name: 'Site walk', data: { fields: [] } };
	sandbox.faults.add({ on: { operation: 'getTemplate' }, do: { kind: 'body', body } });
	const parameters = createParameters(templateById(template.id));
	const create = actionNode(credential)(parameters, { items: [{ Area: 'North' }] });
	await expect(create).rejects.toThrow(
		/template has an unknown shape: no list of controls under "data\.controls"/,
	);
	expect(sandbox.requests.all('createInspection')).toEqual([]);
});

test('an inspection nested 10,000 levels deep costs itself at most', async () => {
	const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
	const body = `[${[
		`{"id":"deep","name":"Deep","extra":${deep},"files":[{"id":"f","x":${deep}}],`,
		`"data":{"items":[{"field_id":"area","label":"Area","response":{"value":${deep}}}]}},`,
		`{"id":"fine","name":"Fine"}`,
	].join('')}]`;
	sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'body', body } });
	const { jsons } = await actionNode(credential)(getManyParameters({ output: 'raw', limit: 2 }));
	expect(jsons.map(({ id }) => id)).toEqual(['deep', 'fine']);
	structuredClone(jsons);
	expect(JSON.stringify(jsons[0])).toContain('"nested more than 200 levels deep"');
});
