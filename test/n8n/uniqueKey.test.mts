/** Create with the option Unique Key: an inspection that exists already is returned and not made again. */
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { failureOf } from '#harness/failure.mts';
import { executeNode, type NodeRunOptions } from '#harness/inspectionNodes.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
for (const tenant of ['north', 'south'] as const) {
	sandbox.store.addTemplate({
		identifier: 'WALK',
		name: 'Site walk',
		teamId: sandbox.tenants[tenant].teams[0]?.id ?? '',
		controls: [{ type: 'text', label: 'Area' }],
	});
}
sandbox.store.addTemplate({
	identifier: 'TOUR',
	name: 'Tour',
	controls: [{ type: 'text', label: 'Area' }],
});

interface Run extends Partial<NodeRunOptions> {
	/** Beside the key of each item, its column "Order". */
	options?: IDataObject;
	hasKey?: boolean;
	additionalFields?: IDataObject;
}

async function create(
	items: IDataObject[],
	{ options = {}, hasKey = true, additionalFields = {}, parameters = {}, ...others }: Run = {},
) {
	return await executeNode({
		credential,
		items,
		...others,
		parameters: createParameters(templateBy('WALK'), {
			additionalFields: { name: '={{ "Walk " + $json.Area }}', ...additionalFields },
			options: { ...(hasKey ? { uniqueKey: '={{ $json.Order }}' } : {}), ...options },
			output: 'raw',
			...parameters,
		}),
	});
}

const MS_PER_DAY = 86_400_000;
const ROWS = ['a', 'b', 'c'].map((order) => ({ Order: order, Area: `Area ${order}` }));
const creates = () => sandbox.requests.count('createInspection');

describe('a run that is repeated', () => {
	test('returns what the first one has made, in the same order and under the same IDs', async () => {
		const first = await create(ROWS);
		const second = await create(ROWS);
		const ids = first.items.map(({ json }) => json.id);
		expect(second.items.map(({ json }) => json.id)).toEqual(ids);
		expect(first.items.map(({ json }) => json.already_existed)).toEqual([false, false, false]);
		expect(second.items.map(({ json }) => json.already_existed)).toEqual([true, true, true]);
		expect(creates()).toBe(3);
	});

	test('makes what is new beside it, with one reading of the list', async () => {
		await create(ROWS.slice(0, 1));
		sandbox.requests.clear();
		const { items } = await create(ROWS);
		expect(items.map(({ json }) => json.already_existed)).toEqual([true, false, false]);
		expect(creates()).toBe(2);
		expect(sandbox.requests.count('listInspections')).toBeLessThanOrEqual(3);
	});

	test('looks as many days back as it is told', async () => {
		const at = new Date(Date.now() - 10 * MS_PER_DAY);
		const customFields = [{ name: 'Unique key', value: 'a' }];
		sandbox.store.addInspection({ template: 'WALK', customFields }, { at });
		await create(ROWS.slice(1, 2));
		const { items } = await create(ROWS.slice(0, 1), { options: { uniqueKeyDays: 20 } });
		expect(items[0]?.json.already_existed).toBe(true);
		const { items: again } = await create(ROWS.slice(0, 1), { options: { uniqueKeyDays: 5 } });
		expect(again[0]?.json.already_existed).toBe(false);
	});
});

describe('two items with one key', () => {
	test('are told of where they differ: the inspection has nothing of the second', async () => {
		const rows = ['one', 'one', 'two'].map((Area) => ({ Order: 'a', Area, seen: Math.random() }));
		const { items } = await create([...rows, { Order: 'b', Area: 'one' }]);
		expect(items.map(({ json }) => json.warnings)).toEqual([
			[expect.stringMatching(/nothing of row 3, which has the unique key "a" as well/)],
			[],
		]);
		const { items: again } = await create(rows);
		expect(again.map(({ json }) => json.warnings)).toEqual([[]]);
	});

	test('make one inspection from the first of them, paired to it', async () => {
		const { items } = await create([...ROWS, { Order: ' a ', Area: 'Another' }]);
		expect(items.map(({ json }) => json.name)).toEqual([
			'Walk Area a',
			'Walk Area b',
			'Walk Area c',
		]);
		expect(items[0]?.pairedItem).toEqual({ item: 0 });
		expect(creates()).toBe(3);
	});

	test('make two where they belong to two tenants', async () => {
		const items = (['north', 'south'] as const).map((tenant) => ({
			key: sandbox.keys[tenant],
			Order: 'a',
			Area: tenant,
		}));
		const credential = { baseUrl: sandbox.apiUrl, apiKey: '={{ $json.key }}' };
		expect((await create(items, { credential })).items).toHaveLength(2);
	});
});

describe('with Group Rows By', () => {
	const options = { groupRowsBy: 'Walk' };

	test('the key of a group is its first that is not empty', async () => {
		const rows = [
			{ Walk: 'north', Order: '', Area: '' },
			{ Walk: 'north', Order: 'a', Area: 'Area a' },
			{ Walk: 'south', Order: 'b', Area: 'Area b' },
			{ Walk: 'south', Order: ' b ', Area: '' },
		];
		const additionalFields = { name: '={{ $json.Walk }}' };
		const first = await create(rows, { options, additionalFields });
		const second = await create(rows, { options, additionalFields });
		expect(first.items.map(({ json }) => json.name)).toEqual(['north', 'south']);
		expect(first.items.map(({ json }) => json.warnings)).toEqual([[], []]);
		expect(first.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(second.items.map(({ json }) => json.id)).toEqual(first.items.map(({ json }) => json.id));
		expect(creates()).toBe(2);
	});

	test.each([
		[
			'two keys in one group',
			[
				{ Walk: 'north', Order: 'a', Area: 'A' },
				{ Walk: 'north', Order: 'b', Area: 'A' },
			],
			/Unique Key, rows 1 and 2 .*: row 1 says "a" and row 2 says "b"; the rows of one inspection give one key\./,
		],
		[
			'two groups with one key',
			[
				{ Walk: 'north', Order: 'a', Area: 'A' },
				{ Walk: 'south', Order: ' a', Area: 'A' },
			],
			/Unique Key, .*row 1 .*row 2 .*: rows 1 and 2 belong to two inspections and both say "a"; give each inspection a key of its own\./,
		],
		[
			'a group without a key',
			[
				{ Walk: 'north', Order: '', Area: 'A' },
				{ Walk: 'north', Order: ' ', Area: 'A' },
			],
			/Rows 1 and 2 .*: Unique Key is empty/,
		],
		[
			'a row without a group, with the key of one',
			[
				{ Walk: 'north', Order: 'a', Area: 'A' },
				{ Walk: '', Order: 'a', Area: 'B' },
			],
			/Group Rows By, row 2.*: no value in the column "Walk"/,
		],
	])('%s: an error that names the rows, and nothing is sent', async (_, rows, told) => {
		const { message } = await failureOf(create(rows, { options, additionalFields: { name: '' } }));
		expect(message).toMatch(told);
		expect(creates()).toBe(0);
	});
});

describe('a key counts within its template', () => {
	const template = (identifier: string) => ({
		templateId: { __rl: true as const, mode: 'identifier', value: identifier },
	});

	test.each(['full', 'idName', 'idOnly', 'idString'] as const)(
		'two nodes with one key make one inspection each, where the service tells of the template as %s',
		async (templateShape) => {
			sandbox.settings.templateShape = templateShape;
			await create(ROWS, { executionId: templateShape });
			const node = { executionId: templateShape, nodeId: 'another' };
			const tours = await create(ROWS, { ...node, parameters: template('TOUR') });
			expect(tours.items.map(({ json }) => json.already_existed)).toEqual([false, false, false]);
			const again = await create(ROWS, { parameters: template('TOUR') });
			expect(again.items.map(({ json }) => json.id)).toEqual(
				tours.items.map(({ json }) => json.id),
			);
			expect(creates()).toBe(6);
		},
	);

	test('rows with one key and two templates make two inspections', async () => {
		const rows = ['WALK', 'TOUR'].map((form) => ({ Order: 'a', Area: 'A', form }));
		const { items } = await create(rows, { parameters: template('={{ $json.form }}') });
		expect(items.map(({ json }) => json.warnings)).toEqual([[], []]);
		expect(creates()).toBe(2);
	});

	test('the identifier and the GUID of a template are one template', async () => {
		const [{ id = '' } = {}] = [...sandbox.store.templates.values()].filter(
			({ name }) => name === 'Tour',
		);
		const rows = ['tour', id, 'TOUR'].map((form) => ({ Order: 'a', Area: 'A', form }));
		const { items } = await create(rows, { parameters: template('={{ $json.form }}') });
		expect(items).toHaveLength(1);
		expect(creates()).toBe(1);
	});

	test('a canceled inspection counts, and the output says that it is canceled', async () => {
		await create(ROWS.slice(0, 1));
		const [made] = sandbox.store.inspections();
		sandbox.store.updateInspection(made?.id ?? '', { status: 'canceled' });
		const { items } = await create(ROWS.slice(0, 1));
		expect(items[0]?.json).toMatchObject({
			already_existed: true,
			warnings: [
				'The inspection with the unique key "a" is canceled, and none was created in its place. Give another key to create one.',
			],
		});
		expect(creates()).toBe(1);
	});
});

describe('the rounds of a loop', () => {
	const lists = () => sandbox.requests.count('listInspections');

	test('read the list once, and see what the rounds before have made', async () => {
		for (let at = 0; at < 260; at++) {
			const customFields = [{ name: 'Unique key', value: `old ${String(at)}` }];
			const created = new Date(Date.now() - at * 60_000);
			sandbox.store.addInspection({ template: 'WALK', customFields }, { at: created });
		}
		await create(ROWS, { executionId: 'loop' });
		const afterFirst = lists();
		const second = await create([...ROWS, { Order: 'd', Area: 'D' }], {
			executionId: 'loop',
			runIndex: 1,
		});
		expect(second.items.map(({ json }) => json.already_existed)).toEqual([true, true, true, false]);
		expect(lists()).toBe(afterFirst);

		// A key that no round has asked for before takes the one request that shows its inspection.
		const old = { Order: 'old 7', Area: 'x' };
		const third = await create([old], { executionId: 'loop', runIndex: 2 });
		expect(third.items[0]?.json).toMatchObject({ already_existed: true });
		expect(lists()).toBe(afterFirst + 1);
		expect(creates()).toBe(4);
	});

	test('read it again in another execution, and after a reading that failed', async () => {
		sandbox.faults.add({
			on: { operation: 'listInspections' },
			times: 1,
			do: { kind: 'status', status: 403 },
		});
		await expect(create(ROWS, { executionId: 'fails' })).rejects.toThrow(/403/);
		expect(creates()).toBe(0);
		await create(ROWS, { executionId: 'fails', runIndex: 1 });
		await create(ROWS, { executionId: 'another' });
		expect(creates()).toBe(3);
	});
});

test('keys that differ in blanks, Unicode forms or the zone of a date only are one key', async () => {
	const same = (await create([{ Order: 'Ä 1', Area: 'A' }])).items[0]?.json.id;
	const { items } = await create([{ Order: ' A\u0308 \u00a0 1', Area: 'A' }]);
	expect(items[0]?.json).toMatchObject({ id: same, already_existed: true });
	const at = { options: { uniqueKey: '={{ DateTime.fromISO($json.Order) }}' } };
	const rows = [{ Order: '2026-05-31T12:00:00Z', Area: 'A' }];
	await create(rows, at);
	const there = await create(rows, { ...at, timezone: 'America/New_York' });
	expect(there.items[0]?.json.already_existed).toBe(true);
	expect(keysOf(there.items[0]?.json)).toEqual(['2026-05-31T12:00:00.000Z']);
});

const keysOf = (json: IDataObject | undefined) =>
	(json?.custom_fields as { value: string }[]).map(({ value }) => value);

describe('input that cannot be used', () => {
	test('an empty key is an error that names the row, and nothing is sent', async () => {
		const rows = [...ROWS, { Order: ' ', Area: 'x' }];
		await expect(create(rows)).rejects.toThrow(/Nothing was sent.*row 4.*Unique Key is empty/is);
		expect(creates()).toBe(0);
	});

	test('a custom field of the key’s name', async () => {
		const customFields = { customField: [{ name: 'Unique key', value: 'mine' }] };
		await expect(create(ROWS.slice(0, 1), { additionalFields: { customFields } })).rejects.toThrow(
			/"Unique key" is where Unique Key is kept/,
		);
		const { items } = await create(ROWS.slice(0, 1), {
			additionalFields: { customFields },
			options: { uniqueKeyField: 'Order' },
		});
		expect(items[0]?.json.custom_fields).toEqual([
			{ name: 'Unique key', value: 'mine' },
			{ name: 'Order', value: 'a' },
		]);
	});
});

describe('a create in doubt', () => {
	test('comes out as created where its key is found, and says that its warnings are unknown', async () => {
		sandbox.faults.add({
			on: { operation: 'createInspection', nth: 2 },
			do: { kind: 'reset', when: 'after' },
		});
		const { items } = await create(ROWS);
		expect(items.map(({ json }) => json.already_existed)).toEqual([false, false, false]);
		const warned = items.flatMap(({ json }) => json.warnings as string[]);
		expect(warned).toEqual([expect.stringMatching(/found by its unique key/)]);
		expect(creates()).toBe(3);
	});

	test('without a key: the error names the inspection of that name with its ID and time', async () => {
		sandbox.faults.add({
			on: { operation: 'createInspection' },
			do: { kind: 'reset', when: 'after' },
		});
		const failure = await create(ROWS.slice(0, 1), { hasKey: false }).catch(
			(error: unknown) => error,
		);
		const [made] = sandbox.store.inspections();
		expect(failure).toMatchObject({
			message: expect.stringMatching(/may have been created/) as string,
			description: expect.stringContaining(
				`"Walk Area a" (${made?.id ?? ''}), created at 2`,
			) as string,
		});
	});

	test('without a key: the error says that none is to be seen yet', async () => {
		sandbox.faults.add({ on: { operation: 'createInspection' }, do: { kind: 'reset' } });
		await expect(create(ROWS.slice(0, 1), { hasKey: false })).rejects.toMatchObject({
			description: expect.stringContaining('shows no such inspection yet') as string,
		});
	});
});

test('a service that drops custom fields is noticed and said', async () => {
	sandbox.settings.customFields = 'dropped';
	const { items, hints } = await create(ROWS.slice(0, 1));
	expect(items[0]?.json.warnings).toEqual([expect.stringMatching(/did not keep the custom field/)]);
	expect(JSON.stringify(hints)).toMatch(/did not keep|warnings/);
});

test('with On Error = Continue a row without a key costs only itself', async () => {
	const { items } = await create([...ROWS, { Order: '', Area: 'x' }], {
		onError: 'continueRegularOutput',
	});
	expect(items).toHaveLength(4);
	expect(items[3]?.json).toMatchObject({
		error: expect.stringMatching(/Unique Key is empty/) as string,
	});
	expect(creates()).toBe(3);
});

test.each([true, false])(
	'a create that was refused is no create in doubt; with a key: %s',
	async (hasKey) => {
		sandbox.faults.add({
			on: { operation: 'createInspection' },
			do: { kind: 'status', status: 400 },
		});
		const refused = create(ROWS.slice(0, 1), { hasKey });
		const { description } = (await refused.catch((error: unknown) => error)) as NodeApiError;
		expect(description).not.toMatch(/to be seen|again is safe|shows/);
		expect(sandbox.requests.all().at(-1)?.operation).toBe('createInspection');
	},
);

test('with On Error = Continue a row that failed keeps its fields and its files', async () => {
	const photo = { data: 'aGVsbG8=', mimeType: 'image/png', fileName: 'door.png' };
	const input = [
		{ json: { Order: '', Area: 'x' }, binary: { photo } },
		{ json: { Order: '', Area: 'y' } },
	];
	const { items } = await create([], { input, onError: 'continueRegularOutput' });
	expect(items.map(({ json }) => json.Area)).toEqual(['x', 'y']);
	expect(items[0]?.binary).toEqual({ photo });
	expect(items[1]).not.toHaveProperty('binary');
});
