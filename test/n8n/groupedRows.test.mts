/** Create with Group Rows By: several rows of a sheet make one inspection. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { number, repeatable, required, text } from '#harness/controls.mts';
import { createForTests, type CreateRun } from '#harness/createForTests.mts';

const {
	sandbox,
	stored,
	creates,
	create: createAny,
	told: toldAny,
} = await createForTests([
	required(text('Site', 'site')),
	{ type: 'date', label: 'Day', fieldId: 'day' },
	repeatable('Finding', 'finding', [required(text('Room', 'room')), number('Costs', 'costs')]),
]);

const byNo = ({ options, ...run }: CreateRun): CreateRun => ({
	...run,
	options: { groupRowsBy: 'No', ...options },
});
const create = async (items: IDataObject[], run: CreateRun = {}) =>
	await createAny(items, byNo(run));
const told = async (items: IDataObject[], run: CreateRun = {}) =>
	(await toldAny(items, byNo(run))).join('\n');

const FINDINGS = [
	{ No: 1, Site: 'Gate 4', Room: 'A', Costs: 5 },
	{ No: 2, Site: 'Roof', Room: 'X' },
	{ No: 1, Site: '', Room: 'B', Costs: null },
	{ No: 1, Site: 'Gate 4', Room: 'C', Costs: '7.5' },
];
const GATE = ['Site=Gate 4', 'Room:1=A', 'Room:2=B', 'Room:3=C', 'Costs:1=5', 'Costs:3=7.5'];

describe('rows', () => {
	test('become the instances of their inspection, each output paired to the first of its rows', async () => {
		const additionalFields = { name: '={{ "Walk " + $json.No }}' };
		const { jsons, pairs } = await create(FINDINGS, { additionalFields });
		expect(pairs).toEqual([0, 1]);
		expect(jsons).toMatchObject([
			{ name: 'Walk 1', unstored_responses: '' },
			{ name: 'Walk 2', unstored_responses: '' },
		]);
		expect(stored().toSorted()).toEqual([GATE, ['Site=Roof', 'Room:1=X']]);
	});

	test('of a long sheet become its inspections with one request for the template', async () => {
		const [walks, findings] = [50, 20];
		const rows = Array.from({ length: walks * findings }, (_, row) => ({
			No: `W${String(row % walks)}`,
			Site: row < walks ? `Site ${String(row)}` : '',
			Room: `R${String(row)}`,
		}));
		const columns = { site: '={{ $json.Site }}', room: '={{ $json.Room }}' };
		const { pairs } = await create(rows, { columns });
		expect(pairs).toEqual(Array.from({ length: walks }, (_, walk) => walk));
		expect([sandbox.requests.count('getTemplate'), creates()]).toEqual([1, walks]);
		const wanted = Array.from({ length: walks }, (_, walk) => [
			`Site=Site ${String(walk)}`,
			...Array.from(
				{ length: findings },
				(__, at) => `Room:${String(at + 1)}=R${String(at * walks + walk)}`,
			),
		]);
		expect(stored().toSorted()).toEqual(wanted.toSorted());
	});

	test('with values that differ in upper and lower case are told: two inspections, or one by mistake', async () => {
		const rows = ['Gate 4', 'Gate 5', 'gate 4', 'Gate 4'].map((No) => ({
			No,
			Site: 'A',
			Room: 'B',
		}));
		const { jsons, hints } = await create(rows);
		expect(jsons).toHaveLength(3);
		expect(hints).toEqual([
			'Group Rows By: "Gate 4" (row 1) / "gate 4" (row 3) are different inspections, because upper and lower case differ. Write the value alike in all rows of one inspection.',
		]);
	});
});

describe('rows with problems', () => {
	const BAD = [
		...FINDINGS,
		{ No: '', Site: 'Yard', Room: 'Y' },
		{ No: 2, Site: 'Cellar', Room: 'Z', Costs: 'many' },
	];

	test('keep everything from being sent, and are named by their numbers', async () => {
		const message = await told(BAD);
		expect(message).toContain('Nothing was sent.');
		expect(message).toContain('Group Rows By, row 5: no value in the column');
		expect(message).toMatch(/row 2 says (?:"|&quot;)Roof.* and row 6 says (?:"|&quot;)Cellar/);
		expect(message).toContain(', row 6 ("No" 2): ');
		expect(creates()).toBe(0);
	});

	test('come out one by one where the execution goes on', async () => {
		const { jsons, pairs } = await create(BAD, { onError: 'continueErrorOutput' });
		expect(pairs).toEqual([0, 1, 5, 4]);
		expect(jsons.map(({ error }) => typeof error)).toEqual([
			'undefined',
			...['string', 'string', 'string'],
		]);
		expect(stored()).toEqual([GATE]);
	});

	test.each<[string, CreateRun, string]>([
		[
			'Create Task',
			{ others: { createTask: '={{ $json.Wanted }}' } },
			'Row 2 ("No" a): Create Task: "perhaps" is neither true nor false',
		],
		['Template', { template: '={{ $json.Sheet }}' }, 'Row 2 ("No" a): Template'],
		[
			'Template that gives another one',
			{ template: '={{ $json.Other }}' },
			'Template, rows 1 and 2 ("No" a): row 1 says "WALK" and row 2 says "TOUR"',
		],
	])('are named where an expression in %s gives nothing of use', async (_, run, message) => {
		const rows = [
			{ No: 'a', Site: 'North', Wanted: 'true', Sheet: 'WALK', Other: 'WALK' },
			{ No: 'a', Room: 'Cellar', Wanted: 'perhaps', Sheet: '', Other: 'TOUR' },
		];
		expect(await told(rows, run)).toContain(message);
		expect(creates()).toBe(0);
	});
});

describe('what n8n evaluates for each row anew', () => {
	/** Waits in an expression, so that `$now` of two rows differs. */
	const LATER =
		'{{ (() => { const end = Date.now() + 3; while (Date.now() < end); return "" })() }}';
	const rows = ['B', 'C', 'D'].map((Room) => ({ No: 1, Room }));

	test('texts and dates with $now are one answer: that of the first row', async () => {
		await create(rows, {
			columns: {
				site: `=${LATER}Checked at {{ $now.toISO() }}`,
				day: '={{ $now }}',
				room: '={{ $json.Room }}',
			},
			additionalFields: {
				name: `=${LATER}Walk {{ $now.toISO() }}`,
				description: '={{ $now }}',
				customFields: { customField: [{ name: 'At', value: '={{ $now }}' }] },
			},
		});
		expect(stored()).toHaveLength(1);
	});

	test('times that differ by a minute are two answers', async () => {
		const timed = [0, 1].map((minute) => ({
			...{ No: 1, Site: `at 2026-05-31T14:3${String(minute)}:00Z`, Room: 'B' },
		}));
		expect(await told(timed)).toContain('row 1 says "at 2026-05-31T14:30:00Z" and row 2 says');
	});

	test('several custom fields of one name go along, as they do without groups', async () => {
		const named = (...values: string[]) => ({
			customFields: { customField: values.map((value) => ({ name: 'Tag', value })) },
		});
		const columns = { site: 'A', room: '={{ $json.Room }}' };
		await create(rows, { columns, additionalFields: named('new', 'urgent') });
		expect(sandbox.store.inspections()[0]?.customFields).toEqual(
			['new', 'urgent'].map((value) => ({ name: 'Tag', value })),
		);
		const additionalFields = named('new', '={{ $json.Room }}');
		expect(await told(rows.slice(1), { columns, additionalFields })).toContain(
			', rows 1 and 2 ("No" 1): row 1 says "C" and row 2 says "D"',
		);
	});
});
