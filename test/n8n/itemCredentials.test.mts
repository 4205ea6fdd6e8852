/** A credential may hold expressions: each item is served with the credential as it reads for that item. */
import type { IDataObject, INodeParameters, IPairedItemData } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { failureOf } from '#harness/failure.mts';
import { executeNode } from '#harness/inspectionNodes.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox } = await sandboxForTests();
const walkOf = (tenant: 'north' | 'south') => {
	const teamId = sandbox.tenants[tenant].teams[0]?.id ?? '';
	sandbox.store.addTemplate({
		identifier: 'WALK',
		name: `Walk ${tenant}`,
		teamId,
		controls: [{ type: 'text', label: 'Area' }],
	});
};
walkOf('north');
walkOf('south');

/** Items of two tenants in turn: each carries its own key. */
const items = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, item) => ({
		key: item % 2 === 0 ? sandbox.keys.north : sandbox.keys.south,
		Area: `A${String(item)}`,
	}));

const execute = async (parameters: INodeParameters, count = 4) =>
	await executeNode({
		credential: { baseUrl: sandbox.apiUrl, apiKey: '={{ $json.key }}' },
		items: items(count),
		parameters,
	});

const CREATE = createParameters(templateBy('WALK'));

const areasOf = (tenant: 'north' | 'south') =>
	sandbox.store
		.inspections(sandbox.tenants[tenant].organization.id)
		.map(({ answers }) => answers[0]?.value);

test('Create makes each inspection in its own tenant, from its own template', async () => {
	await execute(CREATE);
	expect([areasOf('north'), areasOf('south')]).toEqual([
		['A0', 'A2'],
		['A1', 'A3'],
	]);
	expect(sandbox.requests.count('getTemplate')).toBe(2);
});

test('Get Many reads each tenant’s own list', async () => {
	await execute(CREATE);
	sandbox.requests.clear();
	const read = { resource: 'inspection', operation: 'getAll', returnAll: true, output: 'raw' };
	const { items: found } = await execute(read, 2);
	const idsOf = (tenant: 'north' | 'south') =>
		sandbox.store.inspections(sandbox.tenants[tenant].organization.id).map(({ id }) => id);
	const read0 = found.filter(({ pairedItem }) => (pairedItem as IPairedItemData).item === 0);
	const read1 = found.filter(({ pairedItem }) => (pairedItem as IPairedItemData).item === 1);
	expect(new Set(read0.map(({ json }) => json.id))).toEqual(new Set(idsOf('north')));
	expect(new Set(read1.map(({ json }) => json.id))).toEqual(new Set(idsOf('south')));
	expect(found).toHaveLength(4);
});

test('Group Rows By never puts rows of two tenants into one inspection', async () => {
	const grouped = {
		credential: { baseUrl: sandbox.apiUrl, apiKey: '={{ $json.key }}' },
		items: items(4).map((item, row) => ({ ...item, No: row < 2 ? 'both' : row, Area: 'A' })),
		parameters: { ...CREATE, options: { groupRowsBy: 'No' } },
	};
	const { message } = await failureOf(executeNode(grouped));
	expect(message).toMatch(
		/Nothing was sent.*Credential, rows 1 and 2 .*: row 1 and row 2 have different ones; the rows of one inspection give one credential\./,
	);
	expect(sandbox.requests.count('createInspection')).toBe(0);
	await executeNode({ ...grouped, onError: 'continueRegularOutput' });
	expect([areasOf('north'), areasOf('south')]).toEqual([['A'], ['A']]);
});
