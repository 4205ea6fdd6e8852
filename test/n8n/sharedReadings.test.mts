/** Tests that an execution requests the same data only once, and never mixes up tenants. */
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { actionNode, outcomeOf } from '#harness/actionNode.mts';
import { text } from '#harness/controls.mts';
import type { Credential } from '#harness/credential.mts';
import { executeNode, type NodeRunOptions } from '#harness/inspectionNodes.mts';
import { createParameters, getManyParameters, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';

const { sandbox, credential } = await sandboxForTests();
const execute = actionNode(credential);
const controls = [text('Area', 'area')];
sandbox.store.addTemplate({ identifier: 'WALK', name: 'Site walk', controls });
for (const value of ['A', 'B', 'C']) {
	sandbox.store.addInspection({ template: 'WALK', answers: [{ control: 'area', value }] });
}

/** A credential whose API key is an expression, so n8n evaluates the key for each item. */
const OF_ITEM = { ...credential, apiKey: '={{ $json.key }}' };
const WALK = templateBy('WALK');
const GET = { resource: 'template', operation: 'get', templateId: WALK };
const READ = getManyParameters({ returnAll: true });
const ROWS = { ...READ, output: 'row', filters: { templateId: WALK } };

const items = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, item) => ({ item, Area: `A${String(item)}` }));

describe('a template', () => {
	const asked = () => sandbox.requests.count('getTemplate');

	test('is requested once for all items, each of which gets a separate copy', async () => {
		const { jsons } = await execute(GET, { items: items(50) });
		expect(asked()).toBe(1);
		expect(jsons).toHaveLength(50);
		Object.assign(jsons[0] ?? {}, { name: 'changed' });
		expect(jsons[1]?.name).toBe('Site walk');
	});

	test.each<[string, Partial<NodeRunOptions>, Partial<NodeRunOptions>]>([
		['another node', { executionId: 'one' }, { executionId: 'one', nodeId: 'another' }],
		['the next round of a loop', { executionId: 'two' }, { executionId: 'two', runIndex: 1 }],
		['a sub-workflow', { executionId: '3' }, { executionId: 'sub', parentExecutionId: '3' }],
		['another sub-workflow', { parentExecutionId: '4' }, { parentExecutionId: '4' }],
	])('is shared with %s of the same execution', async (_, first, then) => {
		await execute(GET, first);
		await execute(ROWS, then);
		await execute(createParameters(WALK), { ...then, items: items(1) });
		expect(asked()).toBe(1);
	});

	test.each([
		['an execution that waits', { executionId: 'waits' }],
		['the sub-workflows of one caller', { parentExecutionId: 'calls all day' }],
	])('is requested again by %s after a minute, because it can change', async (_, execution) => {
		const start = Date.now();
		vi.useFakeTimers({ toFake: ['Date'], now: start });
		onTestFinished(() => void vi.useRealTimers());
		for (const seconds of [0, 59, 61]) {
			vi.setSystemTime(start + seconds * 1000);
			await execute(GET, execution);
		}
		expect(asked()).toBe(2);
	});

	test('is shared only within one execution with one credential', async () => {
		await execute(GET, { executionId: 'first' });
		await execute(GET, { executionId: 'second' });
		expect(asked()).toBe(2);
		const south = { ...credential, apiKey: sandbox.keys.south };
		const other = execute(GET, { executionId: 'second', credential: south });
		await expect(other).rejects.toThrow('The template "WALK" was not found (404)');
	});
});

describe('inspections', () => {
	const asked = () => sandbox.requests.count('listInspections');

	test('requested by many items are read once, with a hint', async () => {
		await execute(READ);
		const one = asked();
		const execution = await executeNode({ credential, items: items(20), parameters: READ });
		expect(asked()).toBe(2 * one);
		expect(outcomeOf(execution).pairs).toEqual(items(20).flatMap((_, item) => [item, item, item]));
		const message = expect.stringMatching(/^19 of these items requested .* 'Execute Once'/) as string;
		expect(execution.hints).toMatchObject([{ message, type: 'warning' }]);
	});

	test('are output as copies, because the next node can change its items', async () => {
		const { jsons } = await execute({ ...READ, output: 'raw' }, { items: items(2) });
		const templates: { name?: unknown }[] = jsons.map(({ template }) => Object(template));
		Object.assign(Object(templates[0]), { name: 'changed' });
		expect(templates.filter(({ name }) => name === 'changed')).toHaveLength(1);
	});

	test('are shared only by items of one run with the same request', async () => {
		await execute(READ);
		const one = asked();
		const limits = { ...READ, returnAll: false, limit: '={{ $json.item + 1 }}' };
		const { hints, pairs } = await execute(limits, { items: items(3), executionId: 'loop' });
		expect(asked()).toBe(one + 3);
		expect(pairs).toEqual([0, 1, 1, 2, 2, 2]);
		expect(hints).toEqual([]);
		await execute(READ, { executionId: 'loop', runIndex: 0 });
		await execute(READ, { executionId: 'loop', runIndex: 1 });
		expect(asked()).toBe(one + 3 + 2 * one);
	});

	test("fail each item if they can't be read", async () => {
		const refusal = { kind: 'status', status: 403 } as const;
		sandbox.faults.add({ on: { operation: 'listInspections' }, do: refusal });
		const onError = 'continueRegularOutput';
		const { jsons } = await execute(READ, { items: items(3), onError });
		expect(asked()).toBe(1);
		const error = expect.any(String) as string;
		expect(jsons).toMatchObject([0, 1, 2].map((item) => ({ item, error })));
	});
});

describe('the credential is read', () => {
	/** Runs Create and returns how often it reads the credential's base URL. */
	async function readsOf(fields: Partial<Credential>): Promise<number> {
		let reads = 0;
		const { baseUrl, ...others } = { ...credential, ...fields };
		const counted: Credential = {
			get baseUrl() {
				reads++;
				return baseUrl;
			},
			...others,
		};
		await execute(createParameters(WALK), { credential: counted, items: items(4) });
		return reads;
	}

	test('once if none of its fields is an expression', async () => {
		expect(await readsOf({})).toBe(1);
		expect(await readsOf({ advanced: true, createPath: '/v1/inspections' })).toBe(1);
		expect(await readsOf({ createPath: '=/not shown, so n8n leaves it out' })).toBe(1);
	});

	test.each<Partial<Credential>>([
		{ baseUrl: `=${credential.baseUrl}` },
		{ apiKey: `={{ '${credential.apiKey}' }}` },
		{ advanced: true, createPath: '=/v1/inspections' },
		{ advanced: true, dataFilterFormat: "={{ 'json' }}" },
	])('once per item if %j is an expression', async (fields) => {
		expect(await readsOf(fields)).toBeGreaterThanOrEqual(4);
	});

	test("once per item if it can't be evaluated for the first", async () => {
		const run = { credential: OF_ITEM, onError: 'continueRegularOutput' } as const;
		const keyed = [{ key: { of: 'no use' } }, { key: credential.apiKey }];
		const { jsons } = await execute(GET, { ...run, items: keyed });
		expect(jsons.map(({ error }) => error === undefined)).toEqual([false, true]);
	});
});

test('the list is read for each tenant if the API key is an expression', async () => {
	const teamId = sandbox.tenants.south.teams[0]?.id ?? '';
	const { id } = sandbox.store.addTemplate({ name: 'Walk', teamId, controls });
	sandbox.store.addInspection({ template: id, name: 'South' });
	const keyed = (['north', 'south'] as const).map((tenant) => ({ key: sandbox.keys[tenant] }));
	const { names, pairs } = await execute(READ, { credential: OF_ITEM, items: keyed });
	expect(names.at(-1)).toBe('South');
	expect(pairs).toEqual([0, 0, 0, 1]);
});

describe('two services whose templates share an ID, as after a restore', () => {
	const ID = '5f0e7d7e-62a4-4b0f-9c3a-0c1d2e3f4a5b';
	const OF_SERVICE = { ...credential, baseUrl: '={{ $json.service }}', apiKey: '={{ $json.key }}' };

	/**
	 * Returns one item for each of two services. The question's label is "Area" in the first service, and "Zone" in the
	 * other one.
	 */
	async function itemsOfBoth(): Promise<IDataObject[]> {
		const copy = await startSandbox({ data: 'empty' });
		onTestFinished(async () => await copy.close());
		return (
			[
				[sandbox, 'Area'],
				[copy, 'Zone'],
			] as const
		).map(([service, label]) => {
			const fieldId = label.toLowerCase();
			const controlsOfBoth = [text(label, fieldId)];
			service.store.addTemplate({
				id: ID,
				identifier: 'BOTH',
				name: 'Both',
				controls: controlsOfBoth,
			});
			const answers = [{ control: fieldId, value: `stored ${label}` }];
			service.store.addInspection({ template: ID, answers });
			return { service: service.apiUrl, key: service.keys.north, [label]: `given ${label}` };
		});
	}

	test('label each row of Get Many with its own questions', async () => {
		const filters = { templateId: templateBy('BOTH') };
		const { jsons, hints } = await execute(
			{ ...ROWS, filters },
			{ credential: OF_SERVICE, items: await itemsOfBoth() },
		);
		expect(jsons.map(({ Area, Zone }) => [Area, Zone])).toEqual([
			['stored Area', undefined],
			[undefined, 'stored Zone'],
		]);
		expect(hints.filter((hint) => hint.includes('their columns differ'))).toHaveLength(1);
	});

	test('read each row of Create with their own questions', async () => {
		const parameters = createParameters(templateBy('BOTH'), { output: 'raw', name: 'Made' });
		const both = await itemsOfBoth();
		const items = both.map(({ service, key, ...answers }) => ({ ...answers, service, key }));
		const { jsons } = await execute(parameters, { credential: OF_SERVICE, items });
		expect(jsons.map(({ data }) => JSON.stringify(data).match(/given \w+/g))).toEqual([
			['given Area'],
			['given Zone'],
		]);
	});
});
