/** Template → Get: the template itself, its questions, or the empty row of a sheet for it. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import { page, repeatable, text } from '#harness/controls.mts';
import type { NodeRunOptions } from '#harness/inspectionNodes.mts';
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
/** Labels that are hard to name a column by: twice, an own column of rows, a number, with an instance in it. */
const odd = sandbox.store.addTemplate({
	identifier: 'ODD',
	name: 'Odd labels',
	controls: [
		page('One', [text('Remarks', 'a'), text('name', 'b'), text('7', 'c'), text('Part:2', 'd')]),
		repeatable('Rooms', 'rooms', [text('Remarks', 'e'), page('Inner', [text('Part', 'f')])]),
	],
});

const EACH = templateById('={{ $json.t }}');
const GONE = '00000000-0000-4000-8000-000000000000';

const run = actionNode(credential);
const get = async (parameters: IDataObject, how?: Partial<NodeRunOptions>) =>
	await run({ resource: 'template', operation: 'get', ...parameters }, how);

test('gives the template, with its controls unless these are not wanted, found by an identifier in any case', async () => {
	const templateId = templateBy('fire door/7');
	const found = { id: template.id, template_id: 'FIRE DOOR/7' };
	const whole = { ...found, data: { control_count: 5 } };
	expect((await get({ templateId })).jsons).toMatchObject([whole]);
	const [bare] = (await get({ templateId, includeControls: '={{ 0 }}' })).jsons;
	expect([bare, bare?.data]).toMatchObject([found, undefined]);
	const unclear = get({ templateId, includeControls: '={{ "perhaps" }}' });
	await expect(unclear).rejects.toThrow('Include Controls: "perhaps" is neither true nor false.');
});

test('gives one item per question, with what an answer needs', async () => {
	const templateId = { __rl: true, mode: 'list', value: template.id };
	const [door, severity, ...others] = (await get({ templateId, output: 'questions' })).jsons;
	expect(door).toEqual({
		...{ field_id: 'door', template_control_id: expect.any(String), label: 'Door' },
		...{ path: 'Doors/Door', type: 'text', required: true, choices: [], repeatable_section: null },
	});
	expect(severity).toMatchObject({
		...{ label: 'Severity', path: 'Doors/Defects/Severity', choices: ['Low', 'High'] },
		repeatable_section: { field_id: 'defects', label: 'Defects', path: 'Doors/Defects' },
	});
	expect(others).toEqual([]);
});

test.each([
	[{ mode: 'id', value: 'nope' }, /"nope" is not a template ID.*By Identifier/],
	[{ mode: 'identifier', value: 'x'.repeat(21) }, /at most 20 characters \(it has 21\)/],
	[{ mode: 'list', value: '' }, /nothing is chosen/],
])('refuses %j before asking the service', async (locator, message) => {
	await expect(get({ templateId: { __rl: true, ...locator } })).rejects.toThrow(message);
	expect(sandbox.requests.count()).toBe(0);
});

test('says so where a template has no questions', async () => {
	const bare = sandbox.store.addTemplate({ name: 'Bare', controls: [] });
	for (const output of ['questions', 'emptyRow', 'template']) {
		const { hints } = await get({ templateId: templateById(bare.id), output });
		const said = [expect.stringMatching(/^This template has no questions that can be answered/)];
		expect(hints).toEqual(output === 'template' ? [] : said);
	}
});

test('names the row whose template is gone', async () => {
	const items = [{ t: template.id }, { t: GONE }];
	await expect(get({ templateId: EACH }, { items })).rejects.toMatchObject({
		httpCode: '404',
		message: expect.stringMatching(/^Row 2: /) as string,
		context: { itemIndex: undefined },
	});
});

describe('as an empty row', () => {
	const emptyRow = async (id: string, instances: unknown = 1) =>
		(await get({ templateId: templateById(id), output: 'emptyRow', instances } as IDataObject))
			.jsons[0];

	test('is a row whose columns Create takes, whatever the questions are called', async () => {
		const columns = Object.keys((await emptyRow(odd.id, 3)) ?? {});
		const filled = Object.fromEntries(columns.map((key) => [key, `in ${key}`]));
		const { hints } = await run(createParameters(templateById(odd.id)), { items: [filled] });
		expect(hints).toEqual([]);
		const values = sandbox.store.inspections()[0]?.answers.map(({ value }) => value) ?? [];
		expect(values).toHaveLength(4 + 2 * 3);
		expect(values.toSorted()).toEqual(Object.values(filled).toSorted());
	});

	test('has at most 50 instances', async () => {
		const refusal = 'Instances: 51 is not a whole number from 1 to 50';
		await expect(emptyRow(odd.id, 51)).rejects.toThrow(refusal);
	});
});
