/** Tests Inspection → Get with the mode By Unique Key. */
import type { IDataObject } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import { text } from '#harness/controls.mts';
import type { NodeRunOptions } from '#harness/inspectionNodes.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const { store } = sandbox;
const [walk, audit] = ['Walk', 'Audit'].map((name) =>
	store.addTemplate({ name, controls: [text('Site', 'site')] }),
);
const DAY_MS = 86_400_000;

function add(key: string, name: string, { template = walk?.id ?? '', daysAgo = 1 } = {}) {
	const createdAt = new Date(Date.now() - daysAgo * DAY_MS);
	const answers = [{ control: 'site', value: `Site of ${name}` }];
	const customFields = [{ name: 'Unique key', value: key }];
	const spec = { template, name, customFields, answers, createdAt };
	return store.addInspection(spec, { at: createdAt });
}

add('W-1', 'One', { daysAgo: 3 });
add('1002', 'Two', { daysAgo: 2 });
add('W-0', 'Old', { daysAgo: 100 });
add('Both', 'Walk 5');
add('Both', 'Audit 5', { template: audit?.id ?? '' });
add('Newest', 'Newest', { daysAgo: 0 });

const run = actionNode(credential);

/** Runs Get with one item for each key. */
const getEach = async (
	keys: readonly unknown[],
	others: IDataObject = {},
	how: Partial<NodeRunOptions> = {},
) => {
	const inspectionId = { __rl: true, mode: 'uniqueKey', value: '={{ $json.key }}' };
	const parameters = { resource: 'inspection', operation: 'get', inspectionId, ...others };
	return await run(parameters, { items: keys.map((key) => ({ key }) as IDataObject), ...how });
};

test('each item gets the inspection with its unique key, in one search', async () => {
	const { names, pairs } = await getEach(['W-1', 1002, ' W-1 ', 'Newest']);
	expect(names).toEqual(['One', 'Two', 'One', 'Newest']);
	expect(pairs).toEqual([0, 1, 2, 3]);
	const all = sandbox.requests.count('listInspections');
	sandbox.requests.clear();
	await getEach(['W-1']);
	expect(all - sandbox.requests.count('listInspections')).toBeLessThanOrEqual(2);
});

test('a row has the answers of the inspection with the unique key', async () => {
	const { jsons } = await getEach(['W-1'], { output: 'row' });
	expect(jsons).toMatchObject([{ name: 'One', Site: 'Site of One' }]);
});

test('the error for a unique key that no inspection has names the searched period', async () => {
	await expect(getEach(['W-9'])).rejects.toThrow(
		/^Inspection: no inspection has the unique key "W-9"\. The node searched the inspections that were created in the last 90 days before the newest one/,
	);
});

test('with On Error: Continue, only the row whose unique key is missing has an error', async () => {
	const { jsons } = await getEach(['W-9', 'W-1'], {}, { onError: 'continueRegularOutput' });
	expect(jsons).toMatchObject([
		{ key: 'W-9', error: expect.stringContaining('no inspection has the unique key') as unknown },
		{ name: 'One' },
	]);
});

test('an older inspection is found only with Unique Key Days', async () => {
	await expect(getEach(['W-0'])).rejects.toThrow('in the last 90 days');
	const { names } = await getEach(['W-0'], { options: { uniqueKeyDays: 0 } });
	expect(names).toEqual(['Old']);
	const everywhere = { options: { uniqueKeyDays: 0 } };
	await expect(getEach(['W-9'], everywhere)).rejects.toThrow('The whole list was searched');
});

test('the error for a unique key of two templates names them', async () => {
	await expect(getEach(['Both'])).rejects.toThrow('inspections of several templates');
});

test.each([['-'], ['']])(
	'the unique key %j is rejected, because it identifies nothing',
	async (key) => {
		await expect(getEach([key])).rejects.toThrow(/Unique Key|nothing is chosen/);
		expect(sandbox.requests.count('listInspections')).toBe(0);
	},
);

test('an inspection without a usable ID fails instead of becoming an item', async () => {
	const created_at = new Date().toISOString();
	const custom_fields = [{ name: 'Unique key', value: 'No ID' }];
	const data = [{ name: 'Nameless', created_at, updated_at: created_at, custom_fields }];
	sandbox.faults.add({
		on: { operation: 'listInspections', urlIncludes: 'sort_order=asc' },
		do: { kind: 'body', body: { data, has_more: false } },
	});
	await expect(getEach(['No ID'])).rejects.toThrow(/unique key without a usable ID/);
});
