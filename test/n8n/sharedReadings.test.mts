/** Within an execution nothing is asked for twice that need not be. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { describe, expect, test, vi } from 'vitest';

import { executeNode, type NodeRunOptions } from '#harness/inspectionNodes.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	identifier: 'WALK',
	name: 'Site walk',
	controls: [{ type: 'text', label: 'Area' }],
});
for (const value of ['A', 'B', 'C']) {
	sandbox.store.addInspection({
		template: 'WALK',
		answers: [{ control: template.controls[0]?.id ?? '', value }],
	});
}

const WALK = templateBy('WALK');
const items = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, item) => ({ item, Area: `A${String(item)}` }));

async function execute(parameters: INodeParameters, options: Partial<NodeRunOptions> = {}) {
	return await executeNode({
		credential,
		...options,
		parameters,
	});
}

const GET = { resource: 'template', operation: 'get', templateId: WALK, output: 'template' };
const READ = { resource: 'inspection', operation: 'getAll', returnAll: true, output: 'simplified' };
const ROWS = { ...READ, output: 'row', filters: { templateId: WALK } };
const CREATE = createParameters(WALK);

describe('a template', () => {
	const asked = () => sandbox.requests.count('getTemplate');

	test('is asked for once for all items, each of which gets its own copy', async () => {
		const { items: found } = await execute(GET, { items: items(50) });
		expect(asked()).toBe(1);
		expect(found).toHaveLength(50);
		const [first, second] = found;
		if (first === undefined || second === undefined) throw new Error('no items');
		first.json.name = 'changed';
		expect(second.json.name).toBe('Site walk');
	});

	test('is asked for once by rows that are filtered by its identifier', async () => {
		await execute(ROWS);
		expect(asked()).toBe(1);
	});

	test.each([
		['another node', { nodeId: 'another' }],
		['the next round of a loop', { runIndex: 1 }],
		['a sub-workflow', { executionId: 'called', parentExecutionId: 'caller' }],
	])('is known to %s of the same execution', async (_, other) => {
		const executionId = `caller`;
		await execute(GET, { executionId, parentExecutionId: 'caller' });
		sandbox.requests.clear();
		await execute(ROWS, { executionId, ...other });
		expect(asked()).toBe(0);
	});

	test('is asked for once by all sub-workflows of one execution', async () => {
		for (const executionId of ['sub 1', 'sub 2', 'sub 3']) {
			await execute(GET, { executionId, parentExecutionId: 'root' });
		}
		expect(asked()).toBe(1);
	});

	test.each([
		['an execution that waits', { executionId: 'waits' }],
		['the sub-workflows of one caller', { parentExecutionId: 'calls all day' }],
	])('is asked for again by %s after a minute: it may have been edited', async (_, execution) => {
		const start = Date.now();
		vi.useFakeTimers({ toFake: ['Date'], now: start });
		try {
			for (const seconds of [0, 59, 61]) {
				vi.setSystemTime(start + seconds * 1000);
				await execute(GET, execution);
			}
		} finally {
			vi.useRealTimers();
		}
		expect(asked()).toBe(2);
	});

	test('is kept for the ten executions that were busy last', async () => {
		const busy = async (number: number) => {
			await execute(GET, { executionId: `busy ${String(number)}` });
		};
		for (let number = 1; number <= 10; number++) await busy(number);
		for (const number of [1, 11, 1]) await busy(number);
		expect(asked()).toBe(11);
		await busy(2);
		expect(asked()).toBe(12);
	});

	test('is never older than the execution, nor another credential’s', async () => {
		await execute(GET, { executionId: 'first' });
		await execute(GET, { executionId: 'second' });
		expect(asked()).toBe(2);
		const credential = { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.south };
		const other = execute(GET, { executionId: 'second', credential });
		await expect(other).rejects.toThrow('The template "WALK" was not found (404)');
	});
});

describe('inspections', () => {
	/** The requests that one item's reading takes. */
	async function requestsOfOne(): Promise<number> {
		await execute(READ);
		const requests = sandbox.requests.count('listInspections');
		sandbox.requests.clear();
		return requests;
	}

	test('that many items ask for are read once, and a hint says what to do', async () => {
		const one = await requestsOfOne();
		const { items: found, hints } = await execute(READ, { items: items(20) });
		expect(sandbox.requests.count('listInspections')).toBe(one);
		expect(found.map(({ pairedItem }) => pairedItem)).toEqual(
			items(20).flatMap((_, item) => [{ item }, { item }, { item }]),
		);
		expect(hints).toMatchObject([
			{
				message: expect.stringMatching(/^19 items ask .* Execute Once/) as string,
				type: 'warning',
			},
		]);
	});

	test('come out as copies: the next node may change its items', async () => {
		const { items: found } = await execute({ ...READ, output: 'raw' }, { items: items(2) });
		const [first] = found;
		if (first === undefined) throw new Error('no items');
		(first.json.template as IDataObject).name = 'changed';
		expect(found.filter(({ json }) => (json.template as IDataObject).name === 'changed')).toEqual([
			first,
		]);
	});

	test('are read again where items ask for different ones, and by the next run', async () => {
		const one = await requestsOfOne();
		const limits = { ...READ, returnAll: false, limit: '={{ $json.item + 1 }}' };
		const { hints } = await execute(limits, { items: items(3), executionId: 'loop' });
		expect(sandbox.requests.count('listInspections')).toBe(3);
		expect(hints).toEqual([]);
		await execute(READ, { executionId: 'loop', runIndex: 0 });
		await execute(READ, { executionId: 'loop', runIndex: 1 });
		expect(sandbox.requests.count('listInspections')).toBe(3 + 2 * one);
	});

	test('that cannot be read are every item’s own error', async () => {
		sandbox.faults.add({
			on: { operation: 'listInspections' },
			do: { kind: 'status', status: 403 },
		});
		const { items: found } = await execute(READ, {
			items: items(3),
			onError: 'continueRegularOutput',
		});
		expect(sandbox.requests.count('listInspections')).toBe(1);
		expect(found.map(({ json }) => [json.item, typeof json.error])).toEqual(
			[0, 1, 2].map((item) => [item, 'string']),
		);
	});
});

test('Create and what follows it in one execution share the template', async () => {
	await execute(CREATE, { items: items(20), executionId: 'sheet' });
	const { items: found } = await execute(ROWS, { items: items(20), executionId: 'sheet' });
	expect(found).toHaveLength(20 * 23);
	expect(sandbox.requests.count('getTemplate')).toBe(1);
	expect(sandbox.requests.count()).toBeLessThanOrEqual(1 + 20 + 3);
});
