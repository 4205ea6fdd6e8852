// @module-tag slow
/** Creates, reads, and filters inspections on services that send templates, answers, and responses in different forms. */
import { randomUUID } from 'node:crypto';

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { actionNode, listQueries } from '#harness/actionNode.mts';
import { page, radio, repeatable, text } from '#harness/controls.mts';
import { createForTests } from '#harness/createForTests.mts';
import { triggerPolls } from '#harness/inspectionNodes.mts';
import { getManyParameters, templateBy } from '#harness/nodeParameters.mts';
import { type SandboxSettings, SETTINGS } from '#sandbox/service/settings.mts';

const CONTROLS = [
	page('Site', [
		text('Area', 'area'),
		text('Complies with ISO 9001:2015', 'iso'),
		{ type: 'checkbox', label: 'Defects', fieldId: 'defects', choices: ['Crack', 'Rust', ''] },
		{
			type: 'dropdown',
			label: 'Tools',
			fieldId: 'tools',
			choices: ['Saw', 'Drill'],
			multiple: true,
		},
		repeatable('Ratio 1:50', 'finding', [
			text('Room', 'room'),
			text('Gate:4', 'gate'),
			radio('Open', 'open', 'Yes', 'No'),
		]),
	]),
];
const { sandbox, credential, reset, create, template } = await createForTests(CONTROLS);
const run = actionNode(credential);
// Another template of the same name.
const NORTH = 'WALK-NORTH';
sandbox.store.addTemplate({ identifier: NORTH, name: template.name, controls: CONTROLS });

const ROW: IDataObject = {
	Key: 'k1',
	Area: 'Gate 4',
	'Complies with ISO 9001:2015': 'yes',
	Defects: ['', 'Rust'],
	Tools: 'Saw, Drill',
	Room: 'Hall',
	'Gate:4': 'open',
	'Room:2': 'Cellar',
	'Open:2': 'No',
};

const setting = <Name extends keyof SandboxSettings>(name: Name) => {
	const { enum: values } = SETTINGS[name] as { enum?: readonly SandboxSettings[Name][] };
	return values === undefined ? fc.constantFrom(true, false) : fc.constantFrom(...values);
};

const serviceForms = fc
	.record({
		templateShape: setting('templateShape'),
		createEnvelope: setting('createEnvelope'),
		itemOrder: setting('itemOrder'),
		itemNames: setting('itemNames'),
		plainItemOrder: setting('plainItemOrder'),
		pathIncludesLabel: setting('pathIncludesLabel'),
		storedChoices: setting('storedChoices'),
	})
	// Without an order and a path, nothing shows the instance of an answer.
	.filter(
		({ itemOrder, itemNames }) =>
			itemOrder !== 'absent' || itemNames === 'both' || itemNames === 'path',
	);

/** Returns the answers of an inspection as sorted texts. Choices that the service joined are separate. */
function answersOf(id: unknown): string[] {
	const inspection = sandbox.store.inspections().find((one) => one.id === id);
	return (inspection?.answers ?? [])
		.map(({ controlId, order, value }) => {
			const control = [...template.controls].findIndex((one) => one.id === controlId);
			const choices = Array.isArray(value) ? value : String(value).split(', ');
			return JSON.stringify([control, order, [...choices].sort()]);
		})
		.sort();
}

test('no answer is lost, or mixed between two templates of one name, in any format of the service', async () => {
	await fc.assert(
		fc.asyncProperty(serviceForms, async (forms) => {
			reset();
			Object.assign(sandbox.settings, forms);
			const hasOnlyName = forms.templateShape === 'name';
			const filters = { templateId: templateBy('WALK') };
			// A process remembers earlier polls by the node's ID and name.
			const own = { nodeId: randomUUID(), nodeName: randomUUID() };
			const poll = await triggerPolls({
				credential,
				parameters: { event: 'updated', output: 'raw', filters },
				...own,
			});
			await poll();
			sandbox.clock.advance(5_000);

			const uniqueKey = '={{ $json.Key }}';
			const others = { responses: { mappingMode: 'autoMapInputData', value: null } };
			const raw = { output: 'raw' };
			const north = hasOnlyName
				? undefined
				: await create([ROW], { uniqueKey, template: NORTH, others: { ...others, ...raw } });
			const walk = await create([ROW], { uniqueKey, others: { ...others, ...raw } });
			const again = await create([ROW], { uniqueKey, others: { ...others, ...raw } });
			expect(walk.jsons).toMatchObject([
				{ already_existed: false, unstored_responses: [], warnings: [] },
			]);
			expect(again.jsons).toMatchObject([{ already_existed: true, id: walk.jsons[0]?.id }]);
			expect(north?.jsons[0]?.id).not.toBe(walk.jsons[0]?.id);

			sandbox.clock.advance(120_000);
			expect((await poll()).map(({ json }) => json.id)).toEqual([walk.jsons[0]?.id]);

			const rows = await run(getManyParameters({ returnAll: true, output: 'row', filters }));
			expect(rows.jsons.map(({ id }) => id)).toEqual([walk.jsons[0]?.id]);
			expect(rows.hints.some((hint) => hint.includes('compared only names'))).toBe(hasOnlyName);
			const copies = await create(rows.jsons, { others: { ...others, ...raw } });
			expect(answersOf(copies.jsons[0]?.id)).toEqual(answersOf(walk.jsons[0]?.id));
			expect(copies.jsons).toMatchObject([{ unstored_responses: [] }]);
		}),
		{ numRuns: 40 },
	);
});

test('Get Many sends control IDs with the letters as given', async () => {
	const id = template.controls[1]?.id.toUpperCase() ?? '';
	await run(getManyParameters({ filters: { templateControlIds: `{${id}}` } }));
	const [query] = listQueries(sandbox);
	expect(query?.get('data_filter[template_control_ids]')).toBe(id);
});
