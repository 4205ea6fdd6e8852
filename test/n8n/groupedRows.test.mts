/**
 * Tests Create with Group Rows By, which creates one inspection from several rows. test/unit/groupRows tests how rows
 * are grouped.
 */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { number, repeatable, required, text } from '#harness/controls.mts';
import { createForTests, type CreateRun } from '#harness/createForTests.mts';

const { sandbox, stored, creates, ...made } = await createForTests([
	required(text('Site', 'site')),
	{ type: 'date', label: 'Day', fieldId: 'day' },
	repeatable('Finding', 'finding', [required(text('Room', 'room')), number('Costs', 'costs')]),
]);

const byNo = ({ options, ...run }: CreateRun = {}): CreateRun => ({
	...run,
	options: { groupRowsBy: 'No', ...options },
});
const create = async (rows: IDataObject[], run?: CreateRun) => await made.create(rows, byNo(run));
const told = async (rows: IDataObject[], run?: CreateRun) =>
	String(await made.errorLines(rows, byNo(run)));

const FINDINGS = [
	{ No: 'a', Site: 'Gate 4', Room: 'A', Costs: 5 },
	{ No: 'A', Site: 'Roof', Room: 'X' },
	{ No: 'a', Site: '', Room: 'B', Costs: null },
	{ No: 'a', Site: 'Gate 4', Room: 'C', Costs: '7.5' },
];
const GATE = ['Site=Gate 4', 'Room:1=A', 'Room:2=B', 'Room:3=C', 'Costs:1=5', 'Costs:3=7.5'];

test('rows of one group become the instances of one inspection, paired to the first of them', async () => {
	const name = '={{ "Walk " + $json.No }}';
	const { jsons, names, pairs, hints } = await create(FINDINGS, { name });
	expect(names).toEqual(['Walk a', 'Walk A']);
	expect(pairs).toEqual([0, 1]);
	expect(jsons.map((json) => json.unstored_responses)).toEqual(['', '']);
	expect(hints).toEqual([
		expect.stringMatching(
			/look alike, but are different inspections: "a" \(row 1\) and "A" \(row 2\)\. If/,
		),
	]);
	expect(stored().toSorted()).toEqual([GATE, ['Site=Roof', 'Room:1=X']]);
	expect(sandbox.requests.count('getTemplate')).toBe(1);
});

const MERGED = [
	{ No: 'V-1', Site: 'Gate', Day: '2026-05-31', Room: 'A' },
	{ No: '', Site: null, Day: '', Room: 'B' },
	{ Room: 'C' },
	{ No: 'V-2', Site: 'Roof', Day: '2026-06-01', Room: 'X' },
];

test.each([
	['automatically', undefined],
	['manually', { site: '=At {{ $json.Site }}', room: '={{ $json.Room || "none" }}' }],
])('text from merged cells applies to all rows of an inspection, mapped %s', async (_, columns) => {
	const customField = [{ name: 'Order', value: '=A-{{ $json.No }}' }];
	const { jsons } = await create(MERGED, {
		columns,
		name: '=Walk {{ $json.Site }}',
		uniqueKey: '={{ $json.No }}-{{ $json.Day }}',
		options: { fillDown: 'No, Site, Day' },
		additionalFields: { customFields: { customField } },
	});
	expect(jsons).toMatchObject([{ name: 'Walk Gate' }, { name: 'Walk Roof' }]);
	const prefix = columns === undefined ? '' : 'At ';
	expect(stored().map((answers) => answers.filter((one) => !one.startsWith('Day')))).toEqual([
		[`Site=${prefix}Gate`, 'Room:1=A', 'Room:2=B', 'Room:3=C'],
		[`Site=${prefix}Roof`, 'Room:1=X'],
	]);
	expect(sandbox.store.inspections().map(({ customFields }) => customFields)).toEqual([
		[{ name: 'Order', value: 'A-V-1' }, expect.objectContaining({ value: 'V-1-2026-05-31' })],
		[{ name: 'Order', value: 'A-V-2' }, expect.objectContaining({ value: 'V-2-2026-06-01' })],
	]);
});

test.each([
	['automatically', undefined],
	['manually', { site: '=At {{ $json.Site }}', room: '={{ $json.Room || "none" }}', costs: '7' }],
])(
	'a heading row, in which only the group column has a value, provides it to expressions, mapped %s',
	async (_, columns) => {
		const rows = [
			{ No: 'V-1', Site: '', Room: '' },
			{ No: '', Site: 'Gate', Room: 'A' },
			{ No: '', Site: '', Room: 'B' },
			{ No: 'V-2' },
			{ Site: 'Roof', Room: 'X' },
			{ No: 'V-3', Site: null, Room: '' },
		];
		const customField = [{ name: 'Order', value: '=A-{{ $json.No }}' }];
		const { jsons, names, hints } = await create(rows, {
			columns,
			name: '=Visit {{ $json.No }}',
			uniqueKey: '={{ $json.No }}',
			additionalFields: {
				description: '=At {{ $json.Site }}',
				customFields: { customField },
			},
			options: { fillDown: 'No' },
		});
		expect(names).toEqual(['Visit V-1', 'Visit V-2']);
		expect(jsons.map(({ warnings }) => warnings)).toEqual(['', '']);
		const orders = sandbox.store.inspections().map(({ customFields }) => customFields[0]?.value);
		expect(orders.toSorted()).toEqual(['A-V-1', 'A-V-2']);
		const descriptions = sandbox.store.inspections().map(({ description }) => description);
		expect(descriptions.toSorted()).toEqual(['At Gate', 'At Roof']);
		const [place, more] = columns === undefined ? ['', false] : ['At ', true];
		expect(stored().toSorted()).toEqual([
			[`Site=${place}Gate`, 'Room:1=A', 'Room:2=B', ...(more ? ['Costs:1=7', 'Costs:2=7'] : [])],
			[`Site=${place}Roof`, 'Room:1=X', ...(more ? ['Costs:1=7'] : [])],
		]);
		expect(hints).toEqual([
			`Skipped row 6, because only the column of 'Group Rows By' has a value ("V-3").`,
		]);
	},
);

test('text that a later row fills in part is still a conflict', async () => {
	const name = '=Walk {{ $json.Site }} {{ $json.Room }}';
	expect(await told(MERGED, { options: { fillDown: 'No, Site, Day' }, name })).toMatch(
		/Name, rows 1 to 3 .*: row 1 has "Walk Gate A" and row 2 has "Walk B"/,
	);
});

test.each<[string, CreateRun]>([
	['Check Only', { options: { groupRowsBy: undefined, checkOnly: true } }],
	['On Error: Continue', { options: { groupRowsBy: undefined }, onError: 'continueErrorOutput' }],
])('with merged cells, %s has a hint with the advice to group the rows', async (_, run) => {
	const { hints } = await create([...MERGED, { No: '', Site: '', Room: 'Y' }], run);
	expect(hints.join()).toContain(
		'All rows with the same "No" seem to belong to one inspection. To combine them, set the option \'Group Rows By\' to "No"',
	);
});

test('with merged cells, following the messages to Fill Empty Cells From Above creates the inspections', async () => {
	const rows = [...MERGED, { No: '', Site: '', Room: 'Y' }];
	expect(await told(rows, { options: { groupRowsBy: undefined } })).toContain(
		'set the option \'Group Rows By\' to "No" and the option \'Fill Empty Cells From Above\' to "No".',
	);
	expect(await told(rows)).toMatch(
		/Group Rows By, rows 2, 3 and 5: no value in the column "No"\. .* set the option 'Fill Empty Cells From Above' to "No"/,
	);
	// A row that has only a number is the heading of the rows below.
	const more = [{ No: 7 }, { No: '', Site: 'Yard', Room: 'E' }];
	const { jsons, pairs } = await create([...rows, ...more], {
		options: { fillDown: 'No' },
	});
	expect(jsons.map(({ group }) => group)).toEqual(['V-1', 'V-2', 7]);
	expect(pairs).toEqual([0, 3, 6]);
	expect(stored().map((answers) => answers.length)).toEqual([5, 4, 2]);
});

test('a required answer that is missing below a filled cell leads to Fill Empty Cells From Above', async () => {
	const rows = MERGED.map(({ Site, Room }) => ({ Site: Site ?? '', Room }));
	expect(String(await made.errorLines(rows))).toContain(
		'"Site" is empty in rows 2 and 3, below a filled cell. If these cells are merged in the sheet, set the option \'Fill Empty Cells From Above\' to "Site".',
	);
	await made.create(rows, { options: { fillDown: 'Site' } });
	expect(
		stored()
			.map(([site]) => site)
			.toSorted(),
	).toEqual(['Site=Gate', 'Site=Gate', 'Site=Gate', 'Site=Roof']);
});

test.each<[string, CreateRun, string]>([
	[
		'Create Task',
		{ others: { createTask: '={{ $json.Wanted }}' } },
		'Row 2 ("No" a): Create Task: "perhaps" is neither true nor false',
	],
	['Template', { template: '={{ $json.Sheet }}' }, 'Row 2 ("No" a): Template'],
	[
		'Template that differs between two rows',
		{ template: '={{ $json.Other }}' },
		'Template, rows 1 and 2 ("No" a): row 1 has "WALK" and row 2 has "TOUR"',
	],
])('reports rows for which an expression has no usable value: %s', async (_, run, message) => {
	const rows = [
		{ No: 'a', Site: 'North', Wanted: 'true', Sheet: 'WALK', Other: 'WALK' },
		{ No: 'a', Room: 'Cellar', Wanted: 'perhaps', Sheet: { gone: 1 }, Other: 'TOUR' },
	];
	expect(await told(rows, run)).toContain(message);
	expect(creates()).toBe(0);
});

test('rejects Execute Once, which keeps only one row', async () => {
	const run = { executeOnce: true };
	expect(await told(FINDINGS.slice(0, 1), run)).toContain("Turn off 'Execute Once'");
	expect(creates()).toBe(0);
});

test('rows of the same site and day become one inspection if the cells of both are merged', async () => {
	const rows = [
		{ Site: 'Gate', Day: '2026-05-04', Room: 'A' },
		{ Site: '', Day: '', Room: 'B' },
		{ Site: 'Gate', Day: '2026-05-05', Room: 'C' },
		{ Site: 'Hall', Day: '2026-05-05', Room: 'D' },
		{ Site: 'Gate', Day: '2026-05-04', Room: 'E' },
	];
	const options = { groupRowsBy: 'Site, Day', fillDown: 'Site, Day' };
	const { jsons } = await made.create(rows, { options });
	expect(jsons.map(({ group }) => group)).toEqual([
		'Gate, 2026-05-04',
		'Gate, 2026-05-05',
		'Hall, 2026-05-05',
	]);
	const day = 'Day=2026-05-04T00:00:00.000Z';
	expect(stored()).toContainEqual(['Site=Gate', day, 'Room:1=A', 'Room:2=B', 'Room:3=E']);
});

describe('rows without a unique key below a row with one', () => {
	const VISITS = [
		{ No: 'V-1', Site: 'Gate', Room: 'Hall' },
		{ No: '', Site: '', Room: 'Stairs' },
		{ No: 'V-2', Site: 'Roof', Room: 'Attic' },
		{ No: null, Site: 'Roof', Room: 'Ladder' },
		{ No: 'V-3', Site: 'Quay', Room: 'Shed' },
		{ No: 'Total', Site: '3', Room: '' },
	];
	const KEYED: CreateRun = { uniqueKey: '={{ $json.No }}', options: {} };
	const advice =
		'Unique Key: only the first row of this inspection seems to have a value in "No". To make one inspection of its rows, set the option \'Fill Empty Cells From Above\' to "No" and the option \'Group Rows By\' to "No".';

	test('fail together with the row above if the node continues on errors', async () => {
		const rows = VISITS.slice(0, 5);
		const { jsons } = await made.create(rows, { ...KEYED, onError: 'continueRegularOutput' });
		const told = expect.stringContaining(advice) as unknown;
		expect(jsons.map(({ error }) => error)).toEqual([told, told, told, told, undefined]);
		expect(stored()).toEqual([['Site=Quay', 'Room:1=Shed']]);
	});

	test('have the same advice in Check Only as in the error', async () => {
		const checked = await made.create(VISITS, { ...KEYED, options: { checkOnly: true } });
		const problems = checked.jsons.map((json) => String(json.problems).includes(advice));
		expect(problems).toEqual([true, true, true, true, false, false]);
		expect(String(await made.errorLines(VISITS, KEYED))).toContain(
			advice.replace(':', ', rows 1 to 4:'),
		);
		expect(creates()).toBe(0);
	});

	test('become one inspection each with both options', async () => {
		const options = { fillDown: 'No', groupRowsBy: 'No' };
		await made.create(VISITS.slice(0, 5), { ...KEYED, options });
		expect(creates()).toBe(3);
		expect(stored()).toContainEqual(['Site=Gate', 'Room:1=Hall', 'Room:2=Stairs']);
	});
});
