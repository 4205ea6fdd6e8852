/**
 * Tests that texts from the service and from items are a single harmless line everywhere in n8n. test/unit/shownText
 * tests the conversion itself.
 */
import type { INodeParameters } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { builtNode } from '#harness/builtPackage.mts';
import { failureOf } from '#harness/failure.mts';
import { executeNode, oneNodeWorkflow, searchList } from '#harness/inspectionNodes.mts';
import { createParameters, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { executionClient, failureOfCall, FIRST_PAGE } from './serviceClient.mts';

const HOSTILE = '<img src="https://bad.example/x.png">\u001b[2J\nERROR\u202e forged line\u0000';

const { sandbox, credential } = await sandboxForTests();

const expectHarmless = (shown: string | null | undefined) =>
	expect(shown).not.toMatch(/<img|[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);

test("an error shows the service's message without its markup", async () => {
	sandbox.faults.add({ do: { kind: 'status', status: 400, body: { message: HOSTILE } } });
	const error = await failureOfCall((await executionClient(credential)).list(FIRST_PAGE));
	expect(error.message).toContain('‹img src="https://bad.example/x.png"> [2J ERROR');
	expectHarmless(error.message);
	expectHarmless(error.description);
});

test('no message of an execution has markup, whatever the items contain', async () => {
	const choice = { type: 'radio', label: 'Safe?', choices: ['Yes', 'No'] } as const;
	const { id } = sandbox.store.addTemplate({ name: 'Ladder', controls: [choice] });
	const parameters = createParameters(templateById(id));
	const create = async (item: Record<string, string>) =>
		await executeNode({ credential, items: [item], parameters });
	const error = await failureOf(create({ 'Safe?': HOSTILE }));
	expect(error.message).toContain('forged line');
	expectHarmless(error.message);

	const [hint] = (await create({ 'Safe?': 'Yes', [HOSTILE]: 'x' })).hints;
	expect(hint).toMatchObject({ type: 'info', location: 'outputPane' });
	expect(hint?.message).toContain('&lt;img src=');
	expectHarmless(hint?.message);
});

test('a name is one short clean line in every list of the editor', async () => {
	const name = `Gate\u202egpj.exe\u001b[2J\nsecond\u200bline\u0000${'😀'.repeat(300)}`;
	const { id: template, teamId } = sandbox.store.addTemplate({ name, controls: [] });
	const team = sandbox.store.teams.get(teamId);
	if (team !== undefined) sandbox.store.teams.set(teamId, { ...team, name });
	const { id } = sandbox.store.addInspection({ template, name, files: [{ kind: 'image', name }] });
	const parameters = { inspectionId: { __rl: true as const, mode: 'list', value: id } };
	const asked = { parameters, credential };
	for (const list of ['searchTemplates', 'searchTeams', 'searchInspections', 'searchFiles']) {
		const shown = (await searchList(asked, list)).results[0]?.name;
		expect(shown, list).toMatch(/^Gate gpj\.exe \[2J second ?line ?😀{5}/u);
		expect(shown?.length).toBeLessThanOrEqual(200);
		expectHarmless(shown);
	}
	const typed = `${name}${'y'.repeat(500)}`;
	const [nothing] = (await searchList(asked, 'searchTeams', { filter: typed })).results;
	expect(nothing?.name).toMatch(/^No team matches ".*…"/);
	expectHarmless(nothing?.name);
});

test('the subtitle of a node has the names that the editor shows', async () => {
	const { description } = builtNode('inspectionService');
	const shown = async (parameters: INodeParameters) => {
		const given = { credential, parameters };
		const { workflow, node } = await oneNodeWorkflow('inspectionService', given);
		const { subtitle } = description;
		return workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {});
	};
	const operations = description.properties.filter(({ name }) => name === 'operation');
	for (const option of operations.flatMap(({ options = [] }) => options)) {
		if (!('value' in option)) throw new Error('no operation');
		const operation = String(option.value);
		expect(await shown({ resource: 'file', operation })).toBe(`${option.name}: file`);
	}
	const templateId = { __rl: true as const, mode: 'list', value: 'x', cachedResultName: 'Walk' };
	const create = { resource: 'inspection', operation: 'create', templateId };
	expect(await shown(create)).toBe('Create: Walk');
});
