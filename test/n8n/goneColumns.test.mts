/** A question that was mapped and is gone from the template: its mapping stays, and Create refuses it by name. */
import type { INodeParameters, ResourceMapperField } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { text } from '#harness/controls.mts';
import { executeNode, questionColumns } from '#harness/inspectionNodes.mts';
import { createParameters, mapColumns, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();

const TEMPERATURE = text('Temperature', 'temp');
const WIND = text('Wind', 'wind');
const addTemplate = (...controls: (typeof WIND)[]) =>
	sandbox.store.addTemplate({ name: 'Weather', controls }).id;
const change = (id: string, ...controls: (typeof WIND)[]) =>
	sandbox.store.updateTemplate(id, { controls });

/** Opens the node: the columns that n8n gets, and what it then saves of the mapping. */
async function open(template: string, value: INodeParameters, schema: ResourceMapperField[] = []) {
	const parameters = createParameters(templateById(template), {
		responses: { ...mapColumns(value as Record<string, string>, schema) },
	});
	const { fields } = await questionColumns({ credential, parameters });
	const kept = fields.filter(({ id }) => id in value).map(({ id }) => [id, value[id]]);
	return {
		fields,
		kept: Object.fromEntries(kept),
		names: fields.map((field) => field.displayName),
	};
}

const MAPPED = { temp: '={{ $json.t }}', wind: '={{ $json.w }}' };

test('its column comes back in front of the others and says so, however often the node is opened', async () => {
	const id = addTemplate(TEMPERATURE, WIND);
	const first = await open(id, MAPPED);
	change(id, WIND);
	const second = await open(id, MAPPED, first.fields);
	expect(second.names).toEqual(['(gone) Temperature', 'Wind']);
	expect(second.fields[0]).toMatchObject({ removed: false, required: false });
	const third = await open(id, second.kept, second.fields);
	expect(third).toEqual(second);
	expect(third.kept).toEqual(MAPPED);
});

test('when the question comes back, its mapping does too', async () => {
	const id = addTemplate(TEMPERATURE, WIND);
	const first = await open(id, MAPPED);
	change(id, WIND);
	const second = await open(id, MAPPED, first.fields);
	change(id, TEMPERATURE, WIND);
	const third = await open(id, second.kept, second.fields);
	expect(third).toEqual(first);
});

test('a column that is not mapped, and those of another template, do not come back', async () => {
	const id = addTemplate(TEMPERATURE, WIND);
	const { fields } = await open(id, MAPPED);
	const other = addTemplate(text('Colour', 'colour'));
	expect((await open(other, MAPPED, fields)).names).toEqual(['Colour']);
	change(id, WIND);
	expect((await open(id, { wind: MAPPED.wind }, fields)).names).toEqual(['Wind']);
});

test('Create names all such questions in one sentence, with what to do about both causes', async () => {
	const id = addTemplate(TEMPERATURE, WIND, text('Site', 'site'));
	const { fields } = await open(id, MAPPED);
	change(id, text('Site', 'site'));
	const responses = mapColumns({ ...MAPPED, site: 'Gate' }, fields);
	const parameters = createParameters(templateById(id), { responses });
	const create = executeNode({ credential, parameters, items: [{ t: 20, w: 3 }] });
	await expect(create).rejects.toThrow(
		'"Temperature": 20, "Wind": 3 cannot be sent, because the template has no such question; take it out under Answers or, where another template was chosen, use ⋮ → Refresh Question List there',
	);
	expect(sandbox.store.inspections()).toEqual([]);
});
