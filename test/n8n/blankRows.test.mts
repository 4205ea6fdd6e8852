/** Tests which items become inspections. Blank rows don't, and neither do rows with an error of a previous node. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { repeatable, text } from '#harness/controls.mts';
import { createForTests, type CreateRun } from '#harness/createForTests.mts';
import { mapColumns } from '#harness/nodeParameters.mts';

const { create, errorLines, stored, creates } = await createForTests([
	text('Area', 'area'),
	text('Note', 'note'),
	repeatable('Findings', 'findings', [text('Finding', 'finding')]),
]);

const AREA: CreateRun = { columns: { area: '={{ $json.Area }}' } };
const BY_HAND: CreateRun = { columns: { ...AREA.columns, note: '=Seen: {{ $json["Note"] }}' } };
const NO = [{ name: 'No', value: '={{ $json.No }}' }];

test.each<[string, CreateRun]>([
	['automatically', {}],
	['manually', BY_HAND],
	['manually, together with fixed values', { columns: { ...BY_HAND.columns, area: 'Gate' } }],
])('blank rows are skipped with one hint, mapped %s', async (_, how) => {
	const withoutCells = [{}, { Area: '', Note: ' ', Other: null }, { row_number: 3, Area: '' }];
	const rows = [...withoutCells, { Findings: [{ Finding: '' }] }, { Findings: [null] }];
	const { pairs, hints } = await create(rows, how);
	const told = 'Skipped rows 1 to 5, because no cell has a value.';
	expect([pairs, hints, creates()]).toEqual([[], [told], 0]);
	const mixed = await create([...rows, { Area: 'A' }], how);
	expect(mixed.pairs).toEqual([5]);
	expect(mixed.hints).toContain(told);
});

test('Google Sheets rows with only unticked checkboxes are blank, even below merged cells', async () => {
	const below = [4, 5].map((row_number) => ({ row_number, Area: '', Done: false }));
	const rows = [{ row_number: 2, Area: 'A', Note: 'x', Done: false }, ...below];
	const blank = 'Skipped rows 4 and 5, because no cell has a value.';
	for (const options of [{}, { groupRowsBy: 'Area', fillDown: 'Area' }]) {
		const { pairs, hints } = await create(rows, { options });
		expect([pairs, hints]).toEqual([[0], [blank, expect.stringContaining('"Done"')]]);
	}
	expect((await create([{ Note: false }])).pairs).toEqual([0]);
});

const PHOTO = { data: '', mimeType: 'image/png', fileName: 'door.png' };

describe('a row (mapped manually unless noted)', () => {
	test.each<[string, IDataObject[], CreateRun, string[][]]>([
		[
			'creates one as mapped if it only has other cells',
			[{ Note: '', Site: 'x' }, { Note: 'wet' }],
			{ columns: { area: 'Gate', note: '={{ $json.Note }}' } },
			[['Area=Gate'], ['Area=Gate', 'Note=wet']],
		],
		[
			'creates one if the name or a custom field comes from it',
			[{ No: 7 }, {}],
			{ ...BY_HAND, additionalFields: { customFields: { customField: NO } } },
			[[]],
		],
		[
			'creates nothing if it is blank except for its group, like all rows of its group',
			[{ No: 1 }, { No: 1, Area: 'A' }, { No: 2, Area: '' }],
			{ ...AREA, options: { groupRowsBy: 'No' } },
			[['Area=A']],
		],
		[
			'creates one without instances if its list is empty',
			[{ Findings: [] }],
			{ columns: { 'section:findings': '={{ $json.Findings }}' } },
			[[]],
		],
		['creates one if its list is mapped automatically, but empty', [{ Findings: [] }], {}, [[]]],
		[
			'creates one without any mapping',
			[{ No: 1 }],
			{ others: { responses: mapColumns(null) } },
			[[]],
		],
	])('%s', async (_, rows, run, made) => {
		await create(rows, run);
		expect(stored()).toEqual(made);
	});

	test('fails if no question has a value, even if other rows have one', async () => {
		const lines = await errorLines([{ Other: 1 }, { Area: 'A' }], AREA);
		expect(lines).toContain(
			'Row 1 ("1"): No question that is mapped under \'Answers\' has a value. Fill in a cell, or remove the row with a Filter node before this one.',
		);
		expect(creates()).toBe(0);
	});

	test('creates an inspection if it has a file but no cell', async () => {
		const input = [{ json: {}, binary: { photo: PHOTO } }];
		await create([], { input, columns: { area: '={{ $binary.photo.fileName }}' } });
		expect(stored()).toEqual([['Area=door.png']]);
	});

	test.each<[string, Record<string, string>, string[]]>([
		['fixed values', { area: 'Gate' }, ['Area=Gate']],
		['no values', {}, []],
		['the time', { area: '={{ $now.year > 1 ? "Gate" : "" }}' }, ['Area=Gate']],
	])('creates an inspection with %s, whatever the item contains', async (_, columns, answers) => {
		await create([{}, { error: 'no such page' }], { columns });
		expect(stored()).toEqual([answers, answers]);
	});

	test('fails with the names of the existing columns if no row has a value', async () => {
		const columns = { area: '={{ $json.Area }}', note: '={{ $json["Remark"] }}' };
		const rows = [{ Areas: 'A' }, { Zone: 'B', Areas: 'C', Note: '' }];
		const message =
			'No row has a value for any mapped question: "Area" ({{ $json.Area }}, did you mean "Areas"?), "Note" ({{ $json["Remark"] }}). The rows have the columns "Areas", "Zone", "Note": map the questions to these columns, or choose \'Map Automatically\'';
		expect(await errorLines(rows, { columns })).toContain(`${message}.`);
		const onError = 'continueRegularOutput';
		const { jsons, hints } = await create(rows, { columns, onError });
		expect(jsons).toEqual(rows.map((row) => ({ ...row, error: `${message}.` })));
		expect([hints, creates()]).toEqual([[], 0]);
	});

	test('suggests checking the previous node if its items have only files', async () => {
		const input = [{ json: {}, binary: { photo: PHOTO } }];
		const columns = { area: '={{ $json.Area }}' };
		const lines = await errorLines([], { input, columns });
		expect(lines.join()).toContain('The rows have no columns: check the node before this one.');
	});
});

test.each([{}, AREA])(
	'a row with an error only affects itself if the execution continues: %j',
	async (how) => {
		const onError = 'continueRegularOutput';
		const rows = [{ error: 'no such page', Area: 'A' }, { Area: 'B' }];
		const { jsons } = await create(rows, { ...how, onError });
		expect(jsons[0]?.error).toMatch(/^The row has an error from a previous node: "no such page"/);
		expect(stored()).toEqual([['Area=B']]);
	},
);

test('a row with an error becomes an inspection if an answer uses the error', async () => {
	await create([{ error: 'no such page' }], { columns: { area: '={{ $json.error }}' } });
	expect(stored()).toEqual([['Area=no such page']]);
});

test('a list whose field names match no question fails with the likely cause', async () => {
	const [message] = await errorLines([{ Area: 'A', Findings: [{ Fnding: 'q' }, {}] }]);
	expect(message).toContain(
		'is named "Findings/Fnding" (did you mean "Finding"?). Enter a list in square brackets',
	);
	expect(creates()).toBe(0);
});
