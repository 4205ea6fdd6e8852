/** Which items become inspections: not a blank row, nor one that carries an error of the node before. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { repeatable, text } from '#harness/controls.mts';
import { createForTests, type CreateRun } from '#harness/createForTests.mts';
import { mapColumns } from '#harness/nodeParameters.mts';

const { sandbox, create, told, stored, creates } = await createForTests([
	text('Area', 'area'),
	text('Note', 'note'),
	repeatable('Findings', 'findings', [text('Finding', 'finding')]),
]);
sandbox.store.addTemplate({
	...{ identifier: 'ERRORS', name: 'Machine errors' },
	controls: [text('Error', 'error text')],
});
sandbox.store.addTemplate({ identifier: 'BLANK', name: 'Blank' });

const AREA: CreateRun = { columns: { area: '={{ $json.Area }}' } };
const BY_HAND: CreateRun = {
	columns: { ...AREA.columns, note: '=Seen: {{ $json["Note"] }}' },
};

const BLANK = ': no cell has a value there';

describe.each<[string, CreateRun]>([
	['automatically', {}],
	['by hand', BY_HAND],
	['by hand, with fixed values beside', { columns: { ...BY_HAND.columns, area: 'Gate' } }],
])('mapped %s', (_, how) => {
	test.each<[string, IDataObject[]]>([
		['without cells', [{}, {}]],
		[
			'of empty cells, as Empty Row gives them',
			[{ Area: '', Note: '', Finding: '' }, { Area: ' ' }],
		],
		['of what n8n adds', [{ row_number: 1 }, { row_number: 2, Area: '' }]],
		['of lists without anything in them', [{ Findings: [{ Finding: '' }] }, { Findings: [null] }]],
	])('rows %s make no inspection, and one hint names them', async (_kind, rows) => {
		const { pairs, hints } = await create(rows, how);
		expect([pairs, creates()]).toEqual([[], 0]);
		expect(hints).toEqual([`No inspection was made of rows 1 and 2${BLANK}`]);
		const grouped = rows.map((row, No) => ({ ...row, No }));
		const { hints: again } = await create(grouped, { ...how, options: { groupRowsBy: 'No' } });
		expect([again, creates()]).toEqual([hints, 0]);
	});

	test('rows without cells, with empty ones or what n8n adds make no inspection beside others, and one hint names them', async () => {
		const rows = [
			{ Area: 'A' },
			{},
			{ Area: 'B' },
			{ Area: '', Note: ' ', Other: null },
			{ row_number: 3, Area: null },
		];
		const { pairs, hints } = await create(rows, how);
		expect(pairs).toEqual([0, 2]);
		expect(hints).toContainEqual(`No inspection was made of rows 2, 4 and 5${BLANK}`);
	});
});

describe('mapped by hand, a row', () => {
	test.each<[string, IDataObject[], CreateRun, string[][]]>([
		[
			'with other cells is made as mapped',
			[{ Note: '', Site: 'x' }, { Note: 'wet' }],
			{ columns: { area: 'Gate', note: '={{ $json.Note }}' } },
			[['Area=Gate'], ['Area=Gate', 'Note=wet']],
		],
		[
			'with no value for a question, beside one that has some, too',
			[{ Other: 1 }, { Area: 'A' }],
			AREA,
			[[], ['Area=A']],
		],
		[
			'makes one where its name or custom field comes from the row',
			[{ No: 7 }, {}],
			{
				...BY_HAND,
				additionalFields: {
					customFields: { customField: [{ name: 'No', value: '={{ $json.No }}' }] },
				},
			},
			[['Note=Seen: ']],
		],
		[
			'of a group that is blank beside gives nothing, and a group of such rows makes none',
			[{ No: 1 }, { No: 1, Area: 'A' }, { No: 2, Area: '' }],
			{ ...AREA, options: { groupRowsBy: 'No' } },
			[['Area=A']],
		],
		[
			'with an empty list is made without instances',
			[{ Findings: [] }],
			{ columns: { 'section:findings': '={{ $json.Findings }}' } },
			[[]],
		],
	])('%s', async (_, rows, run, made) => {
		await create(rows, run);
		expect(stored()).toEqual(made);
	});

	test.each<[string, Record<string, string>, string[]]>([
		['fixed values', { area: 'Gate' }, ['Area=Gate']],
		['no values', {}, []],
		['the time', { area: '={{ $now.year > 1 ? "Gate" : "" }}' }, ['Area=Gate']],
	])('makes one with %s, whatever the item is', async (_, columns, answers) => {
		await create([{}, { error: 'no such page' }], { columns });
		expect(stored()).toEqual([answers, answers]);
	});

	test('is an error with the expressions and the columns that there are, where no row gives anything', async () => {
		const columns = { area: '={{ $json.Area }}', note: '={{ $json["Remark"] }}' };
		const rows = [{ Areas: 'A' }, { Zone: 'B', Areas: 'C', Note: '' }];
		const wrong =
			'No row gives a value for a question that is mapped: "Area" ({{ $json.Area }}, did you mean "Areas"?), "Note" ({{ $json["Remark"] }}). The rows have the columns "Areas", "Zone", "Note"; map the questions to these, or choose "Map Automatically"';
		expect(await told(rows, { columns })).toEqual([
			expect.stringContaining(
				`Nothing was sent. Row 1 ("A") and row 2 ("B"): ${wrong}. 2 of 2 rows`,
			),
		]);
		expect(await told([{}, ...rows.slice(0, 1)], { columns })).toEqual([
			expect.stringMatching(/No row gives a value .* have the columns "Areas"; map/),
		]);
		const onError = 'continueRegularOutput';
		const { jsons, hints } = await create(rows, { columns, onError });
		expect(jsons).toEqual(rows.map((row) => ({ ...row, error: `${wrong}.` })));
		expect([hints, creates()]).toEqual([[], 0]);
	});

	test('is told without what reads no column, and by the names of the questions, where some give a value', async () => {
		const columns = { area: '={{ "" }}', note: '={{ $json.Remark }}', finding: '={{ $json.F }}' };
		expect((await create([{ F: 'crack' }], { columns })).hints).toEqual([
			'No row gave a value for "Note" ({{ $json.Remark }}): not sent. Check that the rows have the columns that these expressions name.',
		]);
	});
});

describe('a row that carries an error', () => {
	test.each([{}, AREA])('costs only itself where the execution goes on: %j', async (how) => {
		const onError = 'continueRegularOutput';
		const rows = [{ error: 'no such page', Area: 'A' }, { Area: 'B' }];
		const { jsons } = await create(rows, { ...how, onError });
		expect(jsons[0]?.error).toMatch(/^The item carries an error: "no such page"/);
		expect(stored()).toEqual([['Area=B']]);
	});

	test('is named within its group, which makes none', async () => {
		const rows = [{ Area: 'A' }, { error: 'lost' }].map((row) => ({ No: 1, ...row }));
		expect(await told(rows, { options: { groupRowsBy: 'No' } })).toEqual([
			expect.stringMatching(
				/^Nothing was sent\. Row 2 \("No" 1\): The item carries an error: "lost"/,
			),
		]);
		expect(creates()).toBe(0);
	});

	test('is an inspection where an answer is made of the error', async () => {
		await create([{ error: 'no such page' }], { columns: { area: '={{ $json.error }}' } });
		expect(stored()).toEqual([['Area=no such page']]);
	});
});

describe('mapped automatically', () => {
	test('a row in which nothing is a question is an error, alone and beside others', async () => {
		const message =
			/^"Findings": no question of the section goes by "Findings\/Fnding" \(did you mean "Finding"\?\); give an array/;
		const row = { Area: 'A', Findings: [{ Fnding: 'q' }, {}] };
		expect(await told([row])).toEqual([expect.stringMatching(message)]);
		expect((await told([row, { Area: 'A' }]))[0]).toMatch(/^Nothing was sent\. .*row 1/);
		expect((await told([{ Zone: 'A' }, { Area: 'A' }]))[0]).toMatch(/^Nothing was sent\. Row 1/);
		expect(creates()).toBe(0);
	});

	test.each<[string, IDataObject, CreateRun]>([
		['a question called Error', { Error: 'E4' }, { template: 'ERRORS' }],
		['a template that asks nothing', { any: 1 }, { template: 'BLANK' }],
		['a cell of no question beside empty ones', { Area: '', Zone: 'A' }, {}],
		['an empty list: no instances', { Findings: [] }, {}],
		['no mapping at all', { any: 1 }, { others: { responses: mapColumns(null) } }],
	])('an item is an inspection with %s', async (_, json, run) => {
		await create([json], run);
		expect(stored()).toHaveLength(1);
	});
});
