/** How created inspections come out: simplified, as rows, raw, and with the group of their rows. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { page, repeatable, text } from '#harness/controls.mts';
import { executeNode, nodeRun, type NodeRunOptions } from '#harness/inspectionNodes.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [
		page('Site', [
			text('Area', 'area'),
			{ type: 'number', label: 'Visitors', fieldId: 'visitors' },
			{ type: 'radio', label: 'Weather', fieldId: 'weather', choices: ['Dry', 'Wet'] },
			repeatable('Findings', 'findings', [text('Room', 'room')]),
		]),
	],
});
sandbox.store.addTemplate({
	identifier: 'ODD',
	name: 'Odd names',
	controls: [page('P', [text('group', 'g'), text('warnings', 'w'), text('task_id', 't')])],
});

interface Given extends Partial<NodeRunOptions> {
	others?: IDataObject;
	template?: string;
}

const optionsOf = (items: IDataObject[], { others, template = 'WALK', ...run }: Given) => ({
	credential,
	items,
	...run,
	parameters: createParameters(templateBy(template), { ...others }),
});

async function create(items: IDataObject[], given: Given = {}) {
	return await executeNode(optionsOf(items, given));
}

const jsons = ({ items }: Awaited<ReturnType<typeof create>>) => items.map(({ json }) => json);

const FINDINGS = [
	{ 'Nr.': 7, Area: 'Gate 4', Room: 'A' },
	{ 'Nr.': ' W  8 ', Area: 'Roof', Room: 'X' },
	{ 'Nr.': '7', Area: '', Room: 'B' },
];
const grouped = (others: IDataObject = {}) => ({
	others: { options: { groupRowsBy: 'Nr.' }, ...others },
});

describe('simplified', () => {
	test('is the default: flat fields, the names of template and team, text for a cell', async () => {
		const [json] = jsons(await create([{ Area: 'Gate 4' }]));
		expect(Object.keys(json ?? {})).toEqual([
			'id',
			'name',
			'status',
			'task_id',
			'template',
			'team',
			'created_at',
			'warnings',
			'unstored_responses',
			'already_existed',
		]);
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

	test.each(['idOnly', 'idString', 'idName', 'full'] as const)(
		'has the name of the template whatever the service sends of it: %s',
		async (shape) => {
			sandbox.settings.templateShape = shape;
			expect(jsons(await create([{ Area: 'A' }]))[0]?.template).toBe('Site walk');
		},
	);

	test('says as text what was not stored, the instance behind the question', async () => {
		const row = { Area: 'A', Weather: 'Snow', Room: 'X', 'Room:2': { a: 1 } };
		const others = { options: { validateResponses: false } };
		const [json] = jsons(await create([row], { others }));
		expect(json?.unstored_responses).toBe('"Weather": "Snow"; "Room:2": {"a":1}');
		sandbox.settings.createAnswerData = false;
		expect(jsons(await create([{ Area: 'A' }]))[0]?.unstored_responses).toBeNull();
	});

	test('has warnings as text', async () => {
		const others = { additionalFields: { createdBy: 'nobody@example.com' } };
		const [json] = jsons(await create([{ Area: 'A' }], { others }));
		expect(json?.warnings).toMatch(/^Invalid created_by: nobody@example.com/);
	});
});

describe('row', () => {
	const row = { output: 'row' };

	test('is that of Get Many with the same keys behind, one header for all rows', async () => {
		const rows = [{ Area: 'A' }, { Area: 'B', Visitors: '3', Room: 'X', 'Room:2': 'Y' }];
		const made = jsons(await create(rows, { others: row }));
		expect(made.map((json) => Object.entries(json).slice(10))).toEqual(
			[
				['A', null, null, null, null],
				['B', 3, null, 'X', 'Y'],
			].map(([area, visitors, weather, first, second]) => [
				['Area', area],
				['Visitors', visitors],
				['Weather', weather],
				['Room', first],
				['Room:2', second],
				['task_id', null],
				['warnings', ''],
				['unstored_responses', ''],
				['already_existed', false],
			]),
		);
		const read = await executeNode({
			credential,
			parameters: { resource: 'inspection', operation: 'getAll', output: 'row', returnAll: true },
		});
		const byName = (a: IDataObject, b: IDataObject) => String(a.Area).localeCompare(String(b.Area));
		const own = made.map((json) => Object.fromEntries(Object.entries(json).slice(0, -4)));
		expect(jsons(read).toSorted(byName)).toEqual(own);
	});

	test('keeps questions that are called like the keys behind, under their field IDs', async () => {
		const given = { g: 'G', w: 'W', t: 'T' };
		const others = { ...row, options: { groupRowsBy: 'No' } };
		const [json] = jsons(await create([{ No: 1, ...given }], { template: 'ODD', others }));
		expect(json).toMatchObject({ ...given, group: 1, warnings: '', task_id: null });
	});

	test('fed back into Create makes the same answers, and no column of the create is called unknown', async () => {
		const given = { g: 'G', w: '', t: 'T' };
		const others = { ...row, options: { groupRowsBy: 'No' } };
		const made = jsons(await create([{ No: 1, ...given }], { template: 'ODD', others }));
		const { hints } = await create(made, { template: 'ODD', others: row });
		const [first, second] = sandbox.store.inspections().map(({ answers }) => answers);
		expect(second).toEqual(first);
		expect(JSON.stringify(hints)).not.toMatch(/already_existed|unstored|warnings|group/);
	});

	test('any other item may have a column "group" for the question "group"', async () => {
		const [json] = jsons(await create([{ group: 'G' }], { template: 'ODD', others: row }));
		expect(json?.g).toBe('G');
	});

	test('says where the answers did not come, and how to have them', async () => {
		const others = { ...row, options: { uniqueKey: '={{ $json.Area }}' } };
		await create([{ Area: 'A' }], { others });
		const { items, hints } = await create([{ Area: 'A' }], { others });
		expect(items[0]?.json).toMatchObject({ already_existed: true, Area: null });
		expect(hints.map(({ message }) => message)).toContainEqual(
			expect.stringMatching(/^1 row has no answers, because the service did not send them/),
		);
	});
});

describe('with Group Rows By', () => {
	test.each(['simplified', 'row', 'raw'])(
		'each output has its group, as in the sheet without needless blanks: %s',
		async (output) => {
			const { items } = await create(FINDINGS, grouped({ output }));
			expect(items.map(({ json, pairedItem }) => [json.group, pairedItem])).toEqual([
				[7, { item: 0 }],
				['W 8', { item: 1 }],
			]);
		},
	);

	test('without it there is no group', async () => {
		expect(jsons(await create([{ Area: 'A' }]))[0]).not.toHaveProperty('group');
	});

	test('on the error output every row still has its own item', async () => {
		const rows = [...FINDINGS, { 'Nr.': 7, Area: '', Visitors: 'many' }];
		const { items } = await create(rows, { ...grouped(), onError: 'continueErrorOutput' });
		expect(items.map(({ json, pairedItem }) => [json.error === undefined, pairedItem])).toEqual([
			[false, { item: 0 }],
			[false, { item: 2 }],
			[false, { item: 3 }],
			[true, { item: 1 }],
		]);
	});
});

test('another try of Retry On Fail gives what the first has made in the same form', async () => {
	sandbox.faults.add({
		on: { operation: 'createInspection', nth: 2 },
		times: 1,
		do: { kind: 'status', status: 403 },
	});
	const rows = [{ Area: 'A' }, { Area: 'B' }];
	const options = { concurrency: 1 };
	const run = await nodeRun(optionsOf(rows, { others: { options, output: 'row' } }));
	await expect(run()).rejects.toThrow();
	const { items } = await run();
	expect(items.map(({ json }) => [json.Area, json.template])).toEqual([
		['A', 'Site walk'],
		['B', 'Site walk'],
	]);
	expect(sandbox.requests.count('createInspection')).toBe(3);
});

test('a value of Output that is none is an error before anything is sent', async () => {
	await expect(create([{ Area: 'A' }], { others: { output: '={{ "table" }}' } })).rejects.toThrow(
		/Output: "table"/,
	);
	expect(sandbox.requests.count('createInspection')).toBe(0);
});
