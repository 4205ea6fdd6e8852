/** Tests Template → Get, which returns the template, its questions, or an empty row with its columns. */
import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import { page, repeatable, text } from '#harness/controls.mts';
import { failureOf } from '#harness/failure.mts';
import type { NodeRunOptions } from '#harness/inspectionNodes.mts';
import { templateBy, templateById } from '#harness/nodeParameters.mts';
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
const run = actionNode(credential);
const get = async (parameters: IDataObject, how?: Partial<NodeRunOptions>) =>
	await run({ resource: 'template', operation: 'get', ...parameters }, how);

test('returns the template for its identifier in upper or lower case, with controls unless turned off', async () => {
	const templateId = templateBy('fire door/7');
	const found = { id: template.id, template_id: 'FIRE DOOR/7' };
	const whole = { ...found, data: { control_count: 5 } };
	expect((await get({ templateId })).jsons).toMatchObject([whole]);
	const [bare] = (await get({ templateId, includeControls: '={{ 0 }}' })).jsons;
	expect([bare, bare?.data]).toMatchObject([found, undefined]);
	const unclear = get({ templateId, includeControls: '={{ "perhaps" }}' });
	await expect(unclear).rejects.toThrow('Include Controls: "perhaps" is neither true nor false.');
});

test('returns one item per question, with everything needed to answer it', async () => {
	const templateId = { __rl: true, mode: 'list', value: template.id };
	const [door, severity, ...others] = (await get({ templateId, output: 'questions' })).jsons;
	expect(door).toEqual({
		field_id: 'door',
		template_control_id: expect.any(String),
		label: 'Door',
		path: 'Doors/Door',
		type: 'text',
		required: true,
		choices: [],
		repeatable_section: null,
	});
	expect(severity).toMatchObject({
		label: 'Severity',
		path: 'Doors/Defects/Severity',
		choices: ['Low', 'High'],
		repeatable_section: { field_id: 'defects', label: 'Defects', path: 'Doors/Defects' },
	});
	expect(others).toEqual([]);
});

test.each([
	[{ mode: 'id', value: 'nope' }, /"nope" isn't a template ID.*By Identifier/],
	[
		{ mode: 'identifier', value: 'x'.repeat(21) },
		/has 21 characters, but an identifier has at most 20/,
	],
	[{ mode: 'list', value: '' }, /nothing is chosen/],
])('rejects %j without a request', async (locator, message) => {
	await expect(get({ templateId: { __rl: true, ...locator } })).rejects.toThrow(message);
	expect(sandbox.requests.count()).toBe(0);
});

test('reports a template without questions', async () => {
	const bare = sandbox.store.addTemplate({ name: 'Bare', controls: [] });
	for (const output of ['questions', 'emptyRow', 'template']) {
		const { hints } = await get({ templateId: templateById(bare.id), output });
		const said = [expect.stringMatching(/^This template has no questions that can be answered/)];
		expect(hints).toEqual(output === 'template' ? [] : said);
	}
});

test('suggests the identifier if the name of a recent template was given', async () => {
	const walk = sandbox.store.addTemplate({ identifier: 'W-7', name: 'Site walk', controls: [] });
	sandbox.store.addInspection({ template: walk.id });
	const fixFor = async (name: string) => {
		const { message, description } = await failureOf(get({ templateId: templateBy(name) }));
		expect(message).toMatch(/^The template ".*" was not found/);
		return description;
	};
	expect(await fixFor('site  walk')).toMatch(
		/^Did you mean "W-7", the identifier of "Site walk"\?/,
	);
	expect(await fixFor('W-77')).toMatch(/^Did you mean "W-7"/);
	expect(await fixFor('Roof')).not.toContain('Did you mean');
	sandbox.faults.add({ on: { operation: 'listInspections' }, do: { kind: 'status', status: 403 } });
	expect(await fixFor('site walk')).toMatch(/^Check the template's ID/);
});

test("reports the row whose template doesn't exist", async () => {
	const items = [{ t: template.id }, { t: '00000000-0000-4000-8000-000000000000' }];
	await expect(
		get({ templateId: templateById('={{ $json.t }}') }, { items }),
	).rejects.toMatchObject({
		httpCode: '404',
		message: expect.stringMatching(/^Row 2: /) as string,
		context: { itemIndex: undefined },
	});
});

test('returns an empty row with a column for each question of at most 50 instances', async () => {
	const templateId = templateById(template.id);
	const emptyRow = async (instances: number) =>
		(await get({ templateId, output: 'emptyRow', instances })).jsons;
	const columns = ['Door', 'Severity', 'Severity:2', 'Severity:3'];
	expect(await emptyRow(3)).toEqual([Object.fromEntries(columns.map((name) => [name, '']))]);
	const refusal = 'Instances: 51 is not a whole number from 1 to 50';
	await expect(emptyRow(51)).rejects.toThrow(refusal);
});
