/** Tests the outputs of Create: simplified, row, and raw, also with Group Rows By. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import { number, radio, repeatable, text } from '#harness/controls.mts';
import { createForTests, type CreateRun } from '#harness/createForTests.mts';
import { getManyParameters } from '#harness/nodeParameters.mts';

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

const FIRST = ['id', 'name', 'status', 'already_existed', 'warnings', 'unstored_responses'];

test("simplified is the default: flat fields, the template's name even if the service only sends its ID, and text for a cell", async () => {
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
		already_existed: false,
	});
});

test("simplified and a hint both list answers that weren't stored", async () => {
	const data = { items: [{ field_id: 'area', response: { value: 'A' } }] };
	const id = '00000000-0000-4000-8000-000000000001';
	failCreate({ kind: 'body', body: { id, data } });
	const row = { Area: 'A', Visitors: 3, Room: 'X', 'Room:2': 'Y' };
	const { jsons, hints } = await create([row]);
	expect(jsons[0]?.unstored_responses).toBe('"Visitors": 3; "Room": "X"; "Room:2": "Y"');
	const told = '1 of 1 inspection: the service didn\'t store the answers to "Visitors", "Room"';
	expect(hints).toEqual([told]);
});

describe('row', () => {
	const ROW: CreateRun = { others: { output: 'row' } };

	test("matches Get Many's row followed by the keys of a create, with one header for all rows", async () => {
		const rows = [{ Area: 'A' }, { Area: 'B', Visitors: '3', Room: 'X', 'Room:2': 'Y' }];
		const { jsons } = await create(rows, ROW);
		const behind = { task_id: null, warnings: '', unstored_responses: '', already_existed: false };
		const headers = ['Area', 'Visitors', 'Weather', 'Room', 'Room:2', ...Object.keys(behind)];
		expect(jsons.map((json) => Object.keys(json).slice(10))).toEqual([headers, headers]);
		expect(jsons[1]).toMatchObject(behind);
		const many = getManyParameters({ output: 'row', returnAll: true });
		const read = await actionNode(credential)(many);
		const own = jsons.map((json) => Object.fromEntries(Object.entries(json).slice(0, -4)));
		const byArea = (a: IDataObject, b: IDataObject) => String(a.Area).localeCompare(String(b.Area));
		expect(read.jsons.toSorted(byArea)).toEqual(own);
	});

	test("has the template's columns even if the response doesn't contain the template", async () => {
		failCreate({ kind: 'body', body: { id: '00000000-0000-4000-8000-000000000001' } });
		const json = await created({ Area: 'A' }, ROW);
		expect(json).toMatchObject({ template: 'Site walk', Area: null, Weather: null });
	});

	test('of a form whose questions share those keys recreates the same answers', async () => {
		const odd = { ...ROW, template: 'ODD', options: { groupRowsBy: 'No' } };
		const made = await created({ No: 1, g: 'G', w: 'W', t: 'T' }, odd);
		expect(made).toMatchObject({ g: 'G', w: 'W', t: 'T', group: 1, warnings: '', task_id: null });
		const { hints } = await create([made], { ...ROW, template: 'ODD' });
		const [first, second] = sandbox.store.inspections().map(({ answers }) => answers);
		expect(second).toEqual(first);
		expect(JSON.stringify(hints)).not.toMatch(/already_existed|unstored|warnings|group/);
		// Without Group Rows By, `group` is an ordinary column that can answer a question of that name.
		expect((await created({ group: 'G' }, { ...ROW, template: 'ODD' })).g).toBe('G');
	});

	test('reports missing answers, and how to get them', async () => {
		const uniqueKey = '={{ $json.Area }}';
		await create([{ Area: 'A' }], { ...ROW, uniqueKey });
		const { jsons, hints } = await create([{ Area: 'A' }], { ...ROW, uniqueKey });
		expect(jsons).toMatchObject([{ already_existed: true, Area: null }]);
		expect(hints[0]).toMatch(/^1 row has no answers, because the service didn't send them/);
	});
});

test.each(['simplified', 'row', 'raw'])(
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
