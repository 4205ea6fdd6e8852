/** Tests Create with a sheet that has one column for each choice of a question, as survey tools export them. */
import type { IDataObject } from 'n8n-workflow';
import { beforeEach, expect, test } from 'vitest';

import { repeatable, required, text } from '#harness/controls.mts';
import { createForTests } from '#harness/createForTests.mts';
import type { ControlSpec } from '#sandbox/service/specs.mts';

const PPE: ControlSpec = {
	...required({ type: 'checkbox', label: 'DPI', fieldId: 'dpi' }),
	choices: ['Casco', 'Guanti', 'Imbracatura'],
};
const DEFECTS: ControlSpec = {
	type: 'checkbox',
	label: 'Defects',
	fieldId: 'defects',
	choices: ['Crack', 'Rust'],
};
const { sandbox, reset, create, errorLines, stored, creates } = await createForTests([
	text('Area', 'area'),
	PPE,
	repeatable('Findings', 'findings', [text('Finding', 'finding'), DEFECTS]),
]);
beforeEach(reset);

const ROWS: IDataObject[] = [
	{ Nr: 'V-1', Area: 'Gate', Casco: 'X', Guanti: '', Imbracatura: 'x', Finding: 'Wall', Crack: 1 },
	{ Nr: '', Area: '', Casco: '', Guanti: '', Imbracatura: '', Finding: 'Roof', Rust: 'yes' },
	{ Nr: 'V-2', Area: 'Hall', Casco: false, Guanti: true, Imbracatura: 0, Finding: '', Crack: 'no' },
];
const GROUPED = { groupRowsBy: 'Nr', fillDown: 'Nr' };
const ANSWERS = [
	[
		'Area=Gate',
		'DPI=Casco,Imbracatura',
		'Finding:1=Wall',
		'Finding:2=Roof',
		'Defects:1=Crack',
		'Defects:2=Rust',
	],
	['Area=Hall', 'DPI=Guanti'],
];

test('columns for each choice answer their question, even in instances or groups', async () => {
	const { jsons, hints } = await create(ROWS, { options: GROUPED, uniqueKey: '={{ $json.Nr }}' });
	expect(jsons).toMatchObject([{ unstored_responses: '' }, { unstored_responses: '' }]);
	expect(stored()).toEqual(ANSWERS);
	expect(hints.join()).not.toContain('match');
});

test('the unique key reads the cell of a choice, not the choices', async () => {
	const { jsons } = await create(ROWS.slice(0, 1), {
		uniqueKey: '={{ $json.Nr }} {{ $json.Casco }}',
	});
	expect(sandbox.store.find(String(jsons[0]?.id))?.customFields).toMatchObject([
		{ value: 'V-1 X' },
	]);
});

test('Check Only shows the same answers in its request', async () => {
	const { jsons } = await create(ROWS, {
		options: { ...GROUPED, checkOnly: true },
		others: { output: 'raw' },
	});
	expect(jsons).toMatchObject([{ ok: true }, { ok: true }]);
	expect(jsons[0]?.request).toContain('"response":{"value":["Casco","Imbracatura"]}');
	expect(creates()).toBe(0);
});

test('a changed X of an existing inspection is a changed answer', async () => {
	const run = { uniqueKey: '={{ $json.Nr }}' };
	const [row = {}] = ROWS;
	await create([row], run);
	const { jsons } = await create([{ ...row, Guanti: 'X' }], run);
	expect(jsons).toMatchObject([
		{
			already_existed: true,
			changed_responses: '"DPI": ["Casco","Imbracatura"] → ["Casco","Guanti","Imbracatura"]',
		},
	]);
});

test('a required question without any X is reported', async () => {
	expect(await errorLines([{ Area: 'Gate', Casco: 'no', Guanti: '' }])).toEqual([
		expect.stringContaining('"DPI": required, but has no answer'),
	]);
});

test('a sheet that has only columns for choices needs no other column', async () => {
	await create([{ Casco: 'X' }, { Guanti: 'X' }]);
	expect(stored()).toEqual([['DPI=Casco'], ['DPI=Guanti']]);
});

test('a question with a column that also has columns for choices is one problem for all rows', async () => {
	const rows = ['Casco', 'Guanti', 'Guanti'].map((DPI) => ({ DPI, Casco: 'X', Guanti: 'X' }));
	const lines = await errorLines(rows);
	expect(lines.slice(1, -1)).toEqual([
		`"DPI" is answered twice, by the columns "DPI", "Casco", "Guanti". Keep one column for the question or one for each choice, or choose 'Map Each Column Manually'.`,
	]);
	expect(creates()).toBe(0);
});

test('manual mapping reads no columns for choices', async () => {
	const columns = { area: '={{ $json.Area }}', dpi: '={{ ["Guanti"] }}' };
	const { hints } = await create(ROWS.slice(0, 1), { columns });
	expect(stored()).toEqual([['Area=Gate', 'DPI=Guanti']]);
	expect(hints).toEqual([]);
});
