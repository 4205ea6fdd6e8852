/** Which items become inspections: not a row that gives nothing, nor one that carries an error of the node before. */
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

describe.each<[string, CreateRun]>([
	['automatically', {}],
	['by hand', BY_HAND],
])('mapped %s', (_, how) => {
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
		expect(hints).toContainEqual(
			'No inspection was made of rows 2, 4 and 5: nothing that is mapped has a value there',
		);
	});
});

describe('mapped by hand, a row', () => {
	test.each<[string, IDataObject[], CreateRun, number[]]>([
		['where other columns have values makes none', [{ Other: 1 }, { Area: 'A' }], AREA, [1]],
		[
			'makes one where its name or custom field comes from the row',
			[{ No: 7 }, {}],
			{
				...BY_HAND,
				additionalFields: {
					customFields: { customField: [{ name: 'No', value: '={{ $json.No }}' }] },
				},
			},
			[0],
		],
		[
			'of a group goes along, and a group of such rows makes none',
			[{ No: 1 }, { No: 1, Area: 'A' }, { No: 2, Area: '' }],
			{ ...AREA, options: { groupRowsBy: 'No' } },
			[0],
		],
	])('%s', async (_, rows, run, made) => {
		expect((await create(rows, run)).pairs).toEqual(made);
	});

	test.each<[string, Record<string, string>, string[]]>([
		['fixed values', { area: 'Gate' }, ['Area=Gate']],
		['no values', {}, []],
		['the time', { area: '={{ $now.year > 1 ? "Gate" : "" }}' }, ['Area=Gate']],
	])('makes one with %s, whatever the item is', async (_, columns, answers) => {
		await create([{}, { error: 'no such page' }], { columns });
		expect(stored()).toEqual([answers, answers]);
	});

	test('is told with the columns to check where no row gives anything', async () => {
		const { jsons, hints } = await create([{ Zone: 'A' }, { Zone: 'B' }], AREA);
		expect(jsons).toEqual([]);
		expect(hints).toEqual([
			expect.stringMatching(/^No row gave a value for "area" /),
			expect.stringMatching(/^No inspection was made of rows 1 and 2: /),
		]);
	});
});

describe('a row that carries an error', () => {
	test.each<[string, CreateRun]>([
		['automatically', {}],
		['by hand', BY_HAND],
	])('is an input error that shows it, and names it within its group: %s', async (_, how) => {
		const rows = [
			{ No: 1, Area: 'A' },
			{ No: 1, error: 'lost' },
		];
		expect(await told(rows, how)).toEqual([
			expect.stringMatching(/^Nothing was sent\. Row 2: The item carries an error: "lost"/),
		]);
		expect(await told(rows, { ...how, options: { groupRowsBy: 'No' } })).toEqual([
			expect.stringMatching(/^Nothing was sent\. Row 2 \("No" 1\): The item carries an error/),
		]);
		expect(creates()).toBe(0);
	});

	test('costs only itself where the execution goes on', async () => {
		const onError = 'continueRegularOutput';
		const rows = [{ error: 'no such page', Area: 'A' }, { Area: 'B' }];
		const { jsons } = await create(rows, { ...AREA, onError });
		expect(jsons[0]?.error).toMatch(/^The item carries an error: "no such page"/);
		expect(stored()).toEqual([['Area=B']]);
	});

	test('is an inspection where an answer is made of the error', async () => {
		await create([{ error: 'no such page' }], { columns: { area: '={{ $json.error }}' } });
		expect(stored()).toEqual([['Area=no such page']]);
	});
});

describe('mapped automatically', () => {
	test('rows that are all without cells, or of other columns, are an error', async () => {
		expect((await told([{}, {}])).join()).toMatch(/Rows 1 and 2: The item is empty.*2 of 2 rows/);
		const message = /^These columns match no question: "Zone", "id"/;
		expect(await told([{ Zone: 'A', id: '7' }])).toEqual([expect.stringMatching(message)]);
	});

	test.each<[string, IDataObject, CreateRun]>([
		['a question called Error', { Error: 'E4' }, { template: 'ERRORS' }],
		['a template that asks nothing', { any: 1 }, { template: 'BLANK' }],
		['questions without an answer', { Area: '' }, {}],
		['no mapping at all', { any: 1 }, { others: { responses: mapColumns(null) } }],
	])('an item is an inspection with %s', async (_, json, run) => {
		await create([json], run);
		expect(stored()).toHaveLength(1);
	});
});
