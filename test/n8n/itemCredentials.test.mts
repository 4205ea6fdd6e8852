/** A credential may hold expressions: each item is served with it as it reads for that item. Also: createCombinations. */
import { describe, expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import { text } from '#harness/controls.mts';
import { createForTests } from '#harness/createForTests.mts';
import type { Credential } from '#harness/credential.mts';
import { getManyParameters } from '#harness/nodeParameters.mts';

const AREA = text('Area', 'area');
const { sandbox, create } = await createForTests([AREA]);
const teamId = sandbox.tenants.south.teams[0]?.id ?? '';
sandbox.store.addTemplate({ identifier: 'WALK', name: 'Walk', teamId, controls: [AREA] });

const credential = { baseUrl: sandbox.apiUrl, apiKey: '={{ $json.key }}' };

/** Items of two tenants in turn: each carries its own key. */
const ITEMS = ['A0', 'A1', 'A2', 'A3'].map((Area, item) => ({
	key: sandbox.keys[item % 2 === 0 ? 'north' : 'south'],
	Area,
}));

const TENANTS = ['north', 'south'] as const;
const inspectionsOf = (tenant: (typeof TENANTS)[number]) =>
	sandbox.store.inspections(sandbox.tenants[tenant].organization.id);
const areasOf = (tenant: (typeof TENANTS)[number]) =>
	inspectionsOf(tenant).map(({ answers }) => answers[0]?.value);

test('Create makes each inspection in its own tenant, from its own template, and Get Many reads each tenant’s list', async () => {
	await create(ITEMS, { credential });
	expect(TENANTS.map(areasOf).map(String)).toEqual(['A0,A2', 'A1,A3']);
	expect(sandbox.requests.count('getTemplate')).toBe(2);
	const parameters = getManyParameters({ returnAll: true, output: 'raw' });
	const { jsons, pairs } = await actionNode(credential)(parameters, { items: ITEMS.slice(0, 2) });
	const found = jsons.map(({ id }, at) => [id, pairs[at]]);
	const listed = TENANTS.flatMap((of, item) => inspectionsOf(of).map(({ id }) => [id, item]));
	expect(found.toSorted()).toEqual(listed.toSorted());
});

describe('how often the credential is read', () => {
	const plain = { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north };
	/** Counts by its base URL. */
	async function readsOf(fields: Partial<Credential>): Promise<number> {
		let reads = 0;
		const { baseUrl, ...others } = { ...plain, ...fields };
		const counted: Credential = {
			get baseUrl() {
				reads++;
				return baseUrl;
			},
			...others,
		};
		await create(ITEMS, { credential: counted });
		return reads;
	}

	test('once, where none of its fields is an expression', async () => {
		expect(await readsOf({})).toBe(1);
		expect(await readsOf({ advanced: true, createPath: '/v1/inspections' })).toBe(1);
		expect(await readsOf({ createPath: '=/not shown, so n8n leaves it out' })).toBe(1);
	});

	test.each<Partial<Credential>>([
		{ baseUrl: `=${plain.baseUrl}` },
		{ apiKey: `={{ '${plain.apiKey}' }}` },
		{ advanced: true, createPath: '=/v1/inspections' },
		{ advanced: true, dataFilterFormat: "={{ 'json' }}" },
	])('for each item, where %j is an expression', async (fields) => {
		expect(await readsOf(fields)).toBeGreaterThanOrEqual(ITEMS.length);
	});

	test('for each item, where it cannot be worked out for the first', async () => {
		const [first, ...others] = ITEMS;
		const items = [{ ...first, key: { of: 'no use' } }, ...others];
		const { jsons } = await create(items, { credential, onError: 'continueRegularOutput' });
		expect(jsons.map(({ error }) => error === undefined)).toEqual([false, true, true, true]);
	});
});
