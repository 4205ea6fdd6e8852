// @module-tag slow
/** Tests that lists, searches, and unique keys miss no inspection, whatever the service does at the end of a list. */
import { describe, expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import { text } from '#harness/controls.mts';
import { searchList } from '#harness/inspectionNodes.mts';
import { listEnds } from '#harness/listEnds.mts';
import { createParameters, getManyParameters, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const { sandbox, credential } = await sandboxForTests();
sandbox.store.addTemplate({ identifier: 'WALK', name: 'Walk', controls: [text('Area', 'area')] });
const run = actionNode(credential);

/** Adds inspections one hour apart, the last one a day ago. Each has a unique key. Returns their IDs, oldest first. */
function addInspections(count: number): string[] {
	const last = sandbox.clock.date().getTime() - DAY_MS;
	return Array.from({ length: count }, (_, index) => {
		const at = new Date(last - (count - 1 - index) * HOUR_MS).toISOString();
		const customFields = [{ name: 'Unique key', value: `key ${String(index)}` }];
		const spec = { template: 'WALK', name: `Walk ${String(index)}`, customFields, createdAt: at };
		return sandbox.store.addInspection(spec, { at }).id;
	});
}

const idsOf = ({ jsons }: Awaited<ReturnType<typeof run>>) => jsons.map(({ id }) => String(id));

const ENDS = [...listEnds(1_000), { pageCap: 10, afterLastPage: 'repeated' as const }];

describe.each(ENDS)('a service with %j', (settings) => {
	test.each([0, 5, 100, 250, 1_000, 1_250])('lists all of %i inspections', async (count) => {
		const ids = addInspections(count);
		Object.assign(sandbox.settings, settings);
		const all = await run(getManyParameters({ returnAll: true }));
		expect(idsOf(all).toSorted()).toEqual(ids.toSorted());
		const limited = await run(getManyParameters({ limit: 200 }));
		expect(idsOf(limited)).toEqual(ids.toReversed().slice(0, 200));
	});

	test('hides neither the oldest nor the newest inspection from Create or Get', async () => {
		const ids = addInspections(1_250);
		Object.assign(sandbox.settings, settings);
		const items = ['key 0', 'key 1249'].map((Key) => ({ Key, Area: 'Roof' }));
		const uniqueKey = '={{ $json.Key }}';
		const options = { uniqueKeyDays: 0 };
		const parameters = { output: 'raw', uniqueKey, options };
		const created = await run(createParameters(templateBy('WALK'), parameters), {
			items,
		});
		expect(created.jsons.map((json) => json.already_existed)).toEqual([true, true]);
		const get = { resource: 'inspection', operation: 'get', inspectionId: '={{ $json.id }}' };
		const wanted = [ids[0], ids[1_249]].map((id) => ({ id }));
		expect(idsOf(await run(get, { items: wanted }))).toEqual(wanted.map(({ id }) => id));
	});

	test('offers each inspection once in the editor', async () => {
		addInspections(30);
		Object.assign(sandbox.settings, settings);
		const { results } = await searchList({ parameters: {}, credential }, 'searchInspections', {});
		const values = results.map(({ value }) => value);
		expect(new Set(values).size).toBe(values.length);
	});
});

test("an error for page 1 isn't treated as an empty list", async () => {
	const refuse = { kind: 'status', status: 404 } as const;
	sandbox.faults.add({ on: { operation: 'listInspections' }, do: refuse });
	await expect(run(getManyParameters({ returnAll: true }))).rejects.toThrow(/404|not found/i);
});

test('editor lists reach 1,000 inspections under a page cap of 10', async () => {
	const ids = addInspections(1_000);
	sandbox.settings.pageCap = 10;
	const found: unknown[] = [];
	let token: string | undefined;
	do {
		const { results, paginationToken } = await searchList(
			{ parameters: {}, credential },
			'searchInspections',
			{ token },
		);
		found.push(...results.map(({ value }) => value));
		token = paginationToken;
	} while (token !== undefined);
	expect(new Set(found)).toEqual(new Set(ids));
});
