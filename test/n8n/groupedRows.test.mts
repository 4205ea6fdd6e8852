/** Create with Group Rows By: several rows of a sheet make one inspection. */
import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { failureOf } from '#harness/failure.mts';
import { executeNode } from '#harness/inspectionNodes.mts';
import {
	createParameters,
	mapColumns,
	templateBy,
	templateById,
} from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [
		{ type: 'text', label: 'Site', is_required: true },
		{ type: 'date', label: 'Day' },
		{
			type: 'section',
			label: 'Finding',
			is_repeatable: true,
			children: [
				{ type: 'text', label: 'Room', is_required: true },
				{ type: 'number', label: 'Costs' },
			],
		},
	],
}); /** Field ids by label. */
const fields = Object.fromEntries(template.controls.map(({ label, fieldId }) => [label, fieldId]));

interface Given {
	onError?: OnError;
	options?: INodeParameters;
	parameters?: INodeParameters;
}

async function create(items: IDataObject[], { onError, options, parameters }: Given = {}) {
	return await executeNode({
		credential,
		items,
		onError,
		parameters: createParameters(templateBy('WALK'), {
			options: { groupRowsBy: 'No', ...options },
			...parameters,
		}),
	});
}

async function refusalOf(...given: Parameters<typeof create>) {
	const { message, description } = await failureOf(create(...given));
	return { message, description: description ?? '' };
}

/** What the service holds: `label:order=value` of each inspection's answers, by inspection. */
const stored = () =>
	sandbox.store.inspections().map(({ name, answers }) => ({
		name,
		answers: answers.map(({ controlId, order, value }) => {
			const control = template.controls.find(({ id }) => id === controlId);
			const place = control?.repeatableId === null ? '' : `:${String(order)}`;
			return `${String(control?.label)}${place}=${String(value)}`;
		}),
	}));

const FINDINGS = [
	{ No: 1, Site: 'Gate 4', Room: 'A', Costs: 5 },
	{ No: 2, Site: 'Roof', Room: 'X' },
	{ No: 1, Site: '', Room: 'B', Costs: null },
	{ No: 1, Site: 'Gate 4', Room: 'C', Costs: '7.5' },
];

const columns = (value: Record<string, string>) => ({ responses: mapColumns(value) });
/** The three ways of mapping, for rows as above. */
const WAYS: [string, () => INodeParameters][] = [
	['automatically', () => ({})],
	[
		'by columns',
		() =>
			columns({
				[fields.Site ?? '']: '={{ $json.Site }}',
				[fields.Room ?? '']: '={{ $json.Room }}',
				[fields.Costs ?? '']: '={{ $json.Costs }}',
			}),
	],
	[
		'by the section’s list',
		() =>
			columns({
				[fields.Site ?? '']: '={{ $json.Site }}',
				[`section:${fields.Finding ?? ''}`]: '={{ [{ Room: $json.Room, Costs: $json.Costs }] }}',
			}),
	],
];

describe.each(WAYS)('rows mapped %s', (_, parametersOf) => {
	test('become the instances of their inspection, each output paired to the first of its rows', async () => {
		const name = { additionalFields: { name: '={{ "Walk " + $json.No }}' } };
		const { items } = await create(FINDINGS, { parameters: { ...parametersOf(), ...name } });
		expect(items.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
			['Walk 1', { item: 0 }],
			['Walk 2', { item: 1 }],
		]);
		expect(items.every(({ json }) => json.unstored_responses === '')).toBe(true);
		expect(stored().toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
			{
				name: 'Walk 1',
				answers: ['Site=Gate 4', 'Room:1=A', 'Room:2=B', 'Room:3=C', 'Costs:1=5', 'Costs:3=7.5'],
			},
			{ name: 'Walk 2', answers: ['Site=Roof', 'Room:1=X'] },
		]);
	});

	test(
		'10,000 of them become 500 inspections with one request for the template',
		{ timeout: 300_000 },
		async () => {
			const rows = Array.from({ length: 10_000 }, (__, row) => ({
				No: `W${String(row % 500)}`,
				Site: row < 500 ? `Site ${String(row)}` : '',
				Room: `R${String(row)}`,
				Costs: row,
			}));
			const { items } = await create(rows, { parameters: parametersOf() });
			expect(items).toHaveLength(500);
			expect(sandbox.requests.count('getTemplate')).toBe(1);
			expect(sandbox.requests.count('createInspection')).toBe(500);
			const walks = new Map(
				stored().map(({ answers }) => [
					answers[0],
					answers.filter((text) => text.startsWith('Room')),
				]),
			);
			for (const walk of [0, 7, 499]) {
				const rooms = Array.from({ length: 20 }, (__, at) => {
					return `Room:${String(at + 1)}=R${String(at * 500 + walk)}`;
				});
				expect(walks.get(`Site=Site ${String(walk)}`)).toEqual(rooms);
				expect(items[walk]?.pairedItem).toEqual({ item: walk });
			}
		},
	);
});

describe('rows with problems', () => {
	const BAD = [
		...FINDINGS,
		{ No: '', Site: 'Yard', Room: 'Y' },
		{ No: 2, Site: 'Cellar', Room: 'Z', Costs: 'many' },
	];

	test('keep everything from being sent, and are named by their numbers', async () => {
		const { message, description } = await refusalOf(BAD);
		expect(message).toContain('Nothing was sent.');
		expect(description).toContain('Group Rows By, row 5: no value in the column');
		expect(description).toMatch(/row 2 says (?:"|&quot;)Roof.* and row 6 says (?:"|&quot;)Cellar/);
		expect(description).toContain(', row 6 ("No" 2): ');
		expect(sandbox.requests.count('createInspection')).toBe(0);
	});

	test('come out one by one where the execution goes on', async () => {
		const { items } = await create(BAD, { onError: 'continueErrorOutput' });
		const [good, ...others] = items;
		expect(good?.pairedItem).toEqual({ item: 0 });
		expect(others.map(({ json, pairedItem }) => [pairedItem, typeof json.error])).toEqual([
			[{ item: 1 }, 'string'],
			[{ item: 5 }, 'string'],
			[{ item: 4 }, 'string'],
		]);
		expect(stored()).toHaveLength(1);
	});

	test('are told the nearest column where there is none of that name', async () => {
		const { message, description } = await refusalOf([{ Inspection: 1, Site: 'A' }], {
			options: { groupRowsBy: 'Inspektion' },
		});
		expect(`${message} ${description}`).toContain('did you mean "Inspection"?');
	});

	test('are named where a whole row is refused', async () => {
		const rows = [...FINDINGS, { No: 1, Site: 'Gate 4', error: 'connect ECONNREFUSED' }];
		const { message } = await refusalOf(rows);
		expect(message).toMatch(
			/Nothing was sent\. Row 5 \("No" 1\): The item carries an error: "connect ECONNREFUSED"\..* 1 of 5 rows has a problem \(row 1 is the first below the header; rows that do not reach this node are not counted\)\./,
		);
	});

	test.each<[string, INodeParameters, string]>([
		[
			'Create Task',
			{ createTask: '={{ $json.Wanted }}' },
			'Row 2 ("No" a): Create Task: "perhaps" is neither true nor false',
		],
		[
			'Template',
			{ templateId: { __rl: true, mode: 'identifier', value: '={{ $json.Sheet }}' } },
			'Row 2 ("No" a): Template',
		],
	])('are named where an expression in %s gives nothing of use', async (_, parameters, told) => {
		const rows = [
			{ No: 'a', Site: 'North', Room: 'Roof', Wanted: 'true', Sheet: 'WALK' },
			{ No: 'a', Site: 'North', Room: 'Cellar', Wanted: 'perhaps', Sheet: '' },
		];
		const { message, description } = await refusalOf(rows, { parameters });
		expect(`${message} ${String(description)}`).toContain(told);
		expect(sandbox.requests.count('createInspection')).toBe(0);
	});

	test('are no rows where they are empty, as below the last line of a sheet', async () => {
		const { items } = await create([
			...FINDINGS,
			{},
			{ No: '', Site: null },
			{ No: ' ', Room: '\t' },
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
	});

	test('have none where one says no more than its inspection', async () => {
		const { items } = await create([...FINDINGS, { No: 2 }]);
		expect(items[1]?.pairedItem).toEqual({ item: 1 });
		const { message } = await refusalOf([...FINDINGS, { No: 3 }, { No: 3, Colour: 'red' }]);
		expect(message).toContain('Rows 5 and 6 ("No" 3): The column "Colour" matches no question.');
	});

	test('are told with the columns that match no question, without the one that they share', async () => {
		const { message, description } = await refusalOf([
			{ No: 1, Site: 'A', Rom: 'B', Costs: 'many' },
			{ No: 1, Costs: 'few' },
		]);
		expect(message).toMatch(
			/^Nothing was sent\. 2 of 2 rows have problems \(row 1 is the first below the header; rows that do not reach this node are not counted\)\./,
		);
		expect(`${message} ${description}`).toMatch(
			/"Rom" \(did you mean "Room"\?\) is a column that matches no question/,
		);
		const { hints } = await create([{ No: 1, Site: 'A', Room: 'B', Colour: 'red' }]);
		expect(hints.map(({ message: hint }) => hint)).toEqual([
			expect.stringMatching(/^No question of the template goes by "Colour": not sent/),
		]);
	});

	test('are told of values that differ in upper and lower case: two inspections, or one by mistake', async () => {
		const rooms = ['Gate 4', 'Gate 5', 'gate 4', 'GATE  4', 'Gate 4'];
		const { items, hints } = await create(rooms.map((No) => ({ No, Site: 'A', Room: 'B' })));
		expect(items).toHaveLength(4);
		expect(hints.map(({ message: hint }) => hint)).toEqual([
			'Group Rows By: "Gate 4" (row 1) / "gate 4" (row 3), "Gate 4" (row 1) / "GATE 4" (row 4) are different inspections, because upper and lower case differ. Write the value alike in all rows of one inspection.',
		]);
	});

	test('are told of headers that do not stand in the first line', async () => {
		const { message } = await refusalOf([{ 'Walks in May': 'No', __EMPTY: 'Site' }]);
		expect(message).toContain('Some columns have no header: it must stand in the first line');
	});

	test('give one template for each inspection', async () => {
		const templateId = templateById('={{ $json.Template }}');
		const rows = [
			{ No: 1, Template: 'WALK', Site: 'A' },
			{ No: 1, Template: 'TOUR' },
		];
		const { message, description } = await refusalOf(rows, {
			parameters: { templateId: { ...templateId, mode: 'identifier' } },
		});
		expect(`${message} ${description}`).toMatch(
			/Template, rows 1 and 2 .*: row 1 says .*WALK.* and row 2 says .*TOUR/,
		);
	});
});

describe('what n8n evaluates for each row anew', () => {
	/** Waits in an expression, so that `$now` of two rows differs. */
	const LATER =
		'{{ (() => { const end = Date.now() + 3; while (Date.now() < end); return "" })() }}';

	test.each([
		['a date', 'Day', '={{ $now }}'],
		['a text', 'Site', '={{ $now }}'],
		['a text around it', 'Site', `=${LATER}Checked at {{ $now.toISO() }}`],
	])('%s with $now is one answer: that of the first row', async (_, label, answer) => {
		const responses = mapColumns({
			[fields.Site ?? '']: 'A',
			[fields.Room ?? '']: '={{ $json.Room }}',
			[fields[label] ?? '']: answer,
		});
		const additionalFields = {
			name: `=${LATER}Walk {{ $now.toISO() }}`,
			description: '={{ $now }}',
			customFields: { customField: [{ name: 'At', value: '={{ $now }}' }] },
		};
		const rows = ['B', 'C', 'D'].map((Room) => ({ No: 1, Room }));
		await create(rows, { parameters: { responses, additionalFields } });
		expect(stored()).toHaveLength(1);
	});

	test('times that differ by a minute are two answers', async () => {
		const rows = [
			{ No: 1, Site: 'at 2026-05-31T14:30:00Z', Room: 'B' },
			{ No: 1, Site: 'at 2026-05-31T14:31:00Z', Room: 'C' },
		];
		const { message } = await refusalOf(rows);
		expect(message).toContain('row 1 says "at 2026-05-31T14:30:00Z" and row 2 says');
	});
});

test('several custom fields of one name go along, as they do without groups', async () => {
	const named = (...values: string[]) => ({
		customFields: { customField: values.map((value) => ({ name: 'Tag', value })) },
	});
	const rows = ['B', 'C'].map((Room) => ({ No: 1, Site: 'A', Room, Tag: Room }));
	await create(rows, { parameters: { additionalFields: named('new', 'urgent') } });
	expect(sandbox.store.inspections().map(({ customFields }) => customFields)).toEqual([
		['new', 'urgent'].map((value) => ({ name: 'Tag', value })),
	]);
	const additionalFields = named('new', '={{ $json.Tag }}');
	const { message } = await refusalOf(rows, { parameters: { additionalFields } });
	expect(message).toContain(', rows 1 and 2 ("No" 1): row 1 says "B" and row 2 says "C"');
});

describe('dates and numbers', () => {
	const row = { No: 1, Site: 'A', Day: '1.5.2026', Room: 'B', Costs: '1.234,5' };

	test('are read as the options say', async () => {
		await create([row], { options: { dateFormat: 'dd.MM.yyyy', decimalSeparator: 'comma' } });
		expect(stored()[0]?.answers).toEqual([
			'Site=A',
			'Day=2026-05-01T00:00:00.000Z',
			'Room:1=B',
			'Costs:1=1234.5',
		]);
	});

	test('are refused without them', async () => {
		const { description } = await refusalOf([row]);
		expect(description).toContain('set the option Date Format to dd.MM.yyyy to read 2026-05-01');
		expect(description).toContain('set the option Decimal Separator to Comma to read 1234.5');
	});

	test('are not read with a format that is none', async () => {
		const { message } = await refusalOf([row], { options: { dateFormat: 'DD.MM.YYYY' } });
		expect(message).toContain(
			'Date Format: "DD.MM.YYYY" has capital letters for day or year; write small ones, such as dd.MM.yyyy.',
		);
	});
});
