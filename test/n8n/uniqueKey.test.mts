/** Create with the option Unique Key: an inspection that exists already is returned and not made again. */
import type { IDataObject, IPairedItemData, NodeApiError } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { executeNode, type NodeRunOptions } from '../harness/inspectionNodes.mts';
import { createParameters, templateBy } from '../harness/nodeParameters.mts';
import { sandboxForTests } from '../harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
for (const tenant of ['north', 'south'] as const) {
	sandbox.store.addTemplate({
		identifier: 'WALK',
		name: 'Site walk',
		teamId: sandbox.tenants[tenant].teams[0]?.id ?? '',
		controls: [{ type: 'text', label: 'Area' }],
	});
}

interface Run extends Partial<NodeRunOptions> {
	/** Beside the key of each item, its column "Order". */
	options?: IDataObject;
	hasKey?: boolean;
	additionalFields?: IDataObject;
}

async function create(
	items: IDataObject[],
	{ options = {}, hasKey = true, additionalFields = {}, ...others }: Run = {},
) {
	return await executeNode({
		credential,
		items,
		...others,
		parameters: createParameters(templateBy('WALK'), {
			additionalFields: { name: '={{ "Walk " + $json.Area }}', ...additionalFields },
			options: { ...(hasKey ? { uniqueKey: '={{ $json.Order }}' } : {}), ...options },
		}),
	});
}

const MS_PER_DAY = 86_400_000;
const ROWS = ['a', 'b', 'c'].map((order) => ({ Order: order, Area: `Area ${order}` }));
const creates = () => sandbox.requests.count('createInspection');
const pairs = (pairedItem: unknown) =>
	[pairedItem].flat().map((pair) => (pair as IPairedItemData).item);

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

	test('make one inspection from the first of them, paired to both', async () => {
		const { items } = await create([...ROWS, { Order: ' a ', Area: 'Another' }]);
		expect(items.map(({ json }) => json.name)).toEqual([
			'Walk Area a',
			'Walk Area b',
			'Walk Area c',
		]);
		expect(pairs(items[0]?.pairedItem)).toEqual([0, 3]);
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

test('with Group Rows By the key of a group is that of its first row', async () => {
	const rows = [
		{ Walk: 'north', Order: 'a', Area: 'Area a' },
		{ Walk: 'north', Order: '', Area: '' },
		{ Walk: 'south', Order: 'b', Area: 'Area b' },
	];
	const options = { groupRowsBy: 'Walk' };
	const additionalFields = { name: '={{ $json.Walk }}' };
	const first = await create(rows, { options, additionalFields });
	const second = await create(rows, { options, additionalFields });
	expect(first.items.map(({ json }) => json.name)).toEqual(['north', 'south']);
	expect(first.items.map(({ json }) => json.warnings)).toEqual([[], []]);
	expect(pairs(first.items[0]?.pairedItem)).toEqual([0, 1]);
	expect(second.items.map(({ json }) => json.id)).toEqual(first.items.map(({ json }) => json.id));
	expect(creates()).toBe(2);
});

describe('input that cannot be used', () => {
	test('an empty key is an error that names the row, and nothing is sent', async () => {
		const rows = [...ROWS, { Order: ' ', Area: 'x' }];
		await expect(create(rows)).rejects.toThrow(/Nothing was sent.*row 4.*Unique Key is empty/s);
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
