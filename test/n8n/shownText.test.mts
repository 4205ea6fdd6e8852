import { expect, test } from 'vitest';

import { failureOf } from '#harness/failure.mts';
import { executeNode } from '#harness/inspectionNodes.mts';
import { createParameters, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { errorOf, executionClient, FIRST_PAGE } from './serviceClient.mts';

const HOSTILE = '<img src="https://elsewhere.example/x.png">\u001b[2J\nERROR forged line';

const { sandbox, credential } = await sandboxForTests();

const expectHarmless = (shown: string | null | undefined) => {
	expect(shown).not.toMatch(/<img|\u001b|\n/);
};

test('an error shows the words of the service without its markup', async () => {
	sandbox.faults.add({ do: { kind: 'status', status: 400, body: { message: HOSTILE } } });
	const error = await errorOf((await executionClient(credential)).list(FIRST_PAGE));
	expect(error.message).toContain('‹img src="https://elsewhere.example/x.png"> [2J ERROR forged');
	expectHarmless(error.message);
	expectHarmless(error.description);
});

test('so do the errors and hints of an execution, whatever the items hold', async () => {
	const template = sandbox.store.addTemplate({
		name: 'Ladder',
		controls: [{ type: 'radio', label: 'Safe?', choices: ['Yes', 'No'] }],
	});
	const create = async (item: Record<string, string>) =>
		await executeNode({
			credential,
			items: [item],
			parameters: createParameters(templateById(template.id)),
		});
	const error = await failureOf(create({ 'Safe?': HOSTILE }));
	expect(error.message).toContain('forged line');
	expectHarmless(error.message);

	const { hints } = await create({ 'Safe?': 'Yes', [HOSTILE]: 'x' });
	const [hint] = hints;
	expect(hint?.message).toContain('&lt;img src=');
	expectHarmless(hint?.message);
});
