/** Tests the outputs of Create: simplified and raw, also with Group Rows By. */
import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { number, radio, repeatable, text } from '#harness/controls.mts';
import { createForTests, type CreateRun } from '#harness/createForTests.mts';

const { sandbox, credential, create, failCreate } = await createForTests([
	text('Area', 'area'),
	number('Visitors', 'visitors'),
	radio('Weather', 'weather', 'Dry', 'Wet'),
	repeatable('Findings', 'findings', [text('Room', 'room')]),
]);
sandbox.store.addTemplate({
	identifier: 'ODD',
	name: 'Odd names',
	controls: [text('group', 'g'), text('warnings', 'w'), text('task_id', 't')],
});

const created = async (row: IDataObject, run?: CreateRun) =>
	(await create([row], run)).jsons[0] ?? {};

const FACTS = [
	'already_existed',
	'warnings',
	'unstored_responses',
	'changed_responses',
	'unused_columns',
];
const FIRST = ['id', 'name', 'status', ...FACTS];

test('the default output is simplified: flat fields whose values fit into a cell', async () => {
	sandbox.settings.templateShape = 'idString';
	const json = await created({ Area: 'Gate 4' });
	expect(Object.keys(json)).toEqual([...FIRST, 'template', 'team', 'created_at', 'task_id']);
	expect(json).toMatchObject({
		id: sandbox.store.inspections()[0]?.id,
		status: 'new',
		task_id: null,
		template: 'Site walk',
		warnings: '',
		unstored_responses: '',
		changed_responses: '',
		unused_columns: '',
		already_existed: false,
	});
});

test('each item lists the columns of its rows that match no question', async () => {
	const rows = [
		{ No: 1, Order: 7, Area: 'A', Remark: 'x', Colour: '' },
		{ No: 1, Area: 'A', Inspector: 'Kim', Room: 'R' },
		{ No: 2, Area: 'B', Colour: 'red' },
	];
	const run = { options: { groupRowsBy: 'No' }, uniqueKey: '={{ $json.Order ?? "B" }}' };
	const { jsons } = await create(rows, run);
	expect(jsons.map((json) => json.unused_columns)).toEqual(['"Remark"; "Inspector"', '"Colour"']);
	const raw = await create(rows, { ...run, others: { output: 'raw' } });
	expect(raw.jsons).toMatchObject([
		{ already_existed: true, unused_columns: ['Remark', 'Inspector'] },
		{ already_existed: true, unused_columns: ['Colour'] },
	]);
});

test("answers that weren't stored are listed in the simplified output as well as in a hint", async () => {
	const data = { items: [{ field_id: 'area', response: { value: 'A' } }] };
	const id = '00000000-0000-4000-8000-000000000001';
	failCreate({ kind: 'body', body: { id, data } });
	const row = { Area: 'A', Visitors: 3, Room: 'X', 'Room:2': 'Y' };
	const { jsons, hints } = await create([row]);
	expect(jsons[0]?.unstored_responses).toBe('"Visitors": 3; "Room": "X"; "Room:2": "Y"');
	const told = '1 of 1 inspection: the service didn\'t store the answers to "Visitors", "Room".';
	expect(hints).toEqual([told]);
});

test('the fields that Create adds answer no question of the same name in another Create', async () => {
	const odd = { template: 'ODD', options: { groupRowsBy: 'No' } };
	const made = await created({ No: 1, g: 'G', w: 'W', t: 'T' }, odd);
	expect(made).toMatchObject({ group: 1, warnings: '', task_id: null });
	const { hints } = await create([{ ...made, g: 'G', w: 'W', t: 'T' }], { template: 'ODD' });
	const [first, second] = sandbox.store.inspections().map(({ answers }) => answers);
	expect(second).toEqual(first);
	expect(JSON.stringify(hints)).not.toMatch(/already_existed|unstored|warnings|group/);
});

test('an ordinary column can have the name of a field that Create adds', async () => {
	await created({ group: 'G' }, { template: 'ODD' });
	expect(sandbox.store.inspections()[0]?.answers).toMatchObject([{ value: 'G' }]);
});

test.each(['simplified', 'raw'])(
	'with Group Rows By, each output has its group as in the sheet, without extra spaces: %s',
	async (output) => {
		const findings = [7, ' W  8 ', '7'].map((No, row) => ({ No, Area: 'A', Room: `R${row}` }));
		const options = { groupRowsBy: 'No' };
		const { jsons, pairs } = await create(findings, { options, others: { output } });
		expect(jsons.map(({ group }) => group)).toEqual([7, 'W 8']);
		expect(pairs).toEqual([0, 1]);
		expect(await created({ Area: 'A' }, { others: { output } })).not.toHaveProperty('group');
	},
);

test("the service's warnings are shown without the API key", async () => {
	const id = '00000000-0000-4000-8000-000000000001';
	const warnings = [`The key ${String(credential.apiKey)} expires`];
	failCreate({ kind: 'body', body: { id, warnings, data: { items: [] } } });
	const { hints } = await create([{ Area: '' }], { columns: {}, name: 'Walk' });
	expect(hints.join()).toMatch(/warnings: The key (?!.*test).* expires/);
	expect(hints.join()).not.toContain(String(credential.apiKey));
});
