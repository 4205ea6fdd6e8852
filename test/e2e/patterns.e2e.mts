/**
 * The patterns of larger workflows, each in a real n8n: what exists in the service afterwards, how often it was asked, and
 * that n8n still knows which row each item comes from.
 */
import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, describe, expect, it } from 'vitest';

import { isRecord, type JsonRecord, recordsOf } from '#connector/domain/json.ts';
import { hintsOf } from '#harness/n8nEditor.mts';
import { createParameters, getManyParameters, templateBy } from '#harness/nodeParameters.mts';
import type { WorkflowFile } from '#sandbox/demo/n8nClient.mts';
import type { Execution } from '#sandbox/demo/n8nExecution.mts';
import type { Sandbox } from '#sandbox/service/sandbox.mts';
import { connectedN8n } from './connectedN8n.mts';
import {
	actionNode,
	chain,
	condition,
	CREDENTIAL_TYPE,
	itemsNodes,
	type PlainNode,
	START,
	wired,
} from './connectorWorkflow.mts';

/** 5,000 rows take half a minute on two idle cores, several times that on busy ones. */
const PATIENCE_MS = 300_000;

type Settings = Record<string, unknown>;

/** Says of each item which row n8n takes it to come from. */
const LINK: PlainNode = {
	name: 'Link',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'raw',
		jsonOutput: "={{ { row: $('Items').item.json.Area, name: $json.name } }}",
		options: {},
	},
};

const rows = (count: number, more: (row: number) => JsonRecord = () => ({})): JsonRecord[] =>
	Array.from({ length: count }, (_, row) => ({ Area: `A${String(row)}`, ...more(row) }));

const CREATE: JsonRecord = createParameters(templateBy('PATTERN'), {
	additionalFields: { name: '={{ $json.Area }}' },
});

const READ: JsonRecord = getManyParameters({
	returnAll: true,
	output: 'simplified',
});

const { sandbox, n8n, credential } = await connectedN8n('patterns', { data: 'empty' });
for (const tenant of ['north', 'south'] as const) {
	sandbox.store.addTemplate({
		identifier: 'PATTERN',
		name: 'Pattern',
		teamId: sandbox.tenants[tenant].teams[0]?.id ?? '',
		controls: [{ type: 'text', label: 'Area', is_required: true }],
	});
}
/** The key of each row, which says whose row it is. */
const keyOfRow = await n8n.client.createCredential('By item', CREDENTIAL_TYPE, {
	baseUrl: sandbox.apiUrl,
	apiKey: '={{ $json.key }}',
});

describe('patterns of larger workflows', () => {
	afterEach(() => {
		sandbox.faults.clear();
		sandbox.requests.clear();
		for (const { id } of [...sandbox.store.inspections()]) sandbox.store.removeInspection(id);
	});

	const create = (settings: Settings = {}, name = 'Create') => ({
		...actionNode(credential, CREATE, name),
		...settings,
	});

	const made = () => sandbox.store.inspections().map(({ name }) => name);
	const areas = (items: readonly JsonRecord[]) => items.map(({ Area }) => String(Area));
	const count = (operation: 'createInspection' | 'getTemplate' | 'listInspections') =>
		sandbox.requests.count(operation);

	/** Runs the nodes one after the other behind the rows. */
	async function run(items: readonly JsonRecord[], nodes: readonly PlainNode[]) {
		return await runWorkflow(chain('Pattern', [START, ...itemsNodes(items), ...nodes]));
	}

	async function runWorkflow(workflow: WorkflowFile): Promise<Execution> {
		const { id } = await n8n.client.createWorkflow(workflow);
		return await n8n.client.run(id, START.name, PATIENCE_MS);
	}

	/** The items of all runs of a node. */
	function allItems({ data }: Execution, node: string): JsonRecord[] {
		const { resultData } = data;
		const runData = isRecord(resultData) ? resultData['runData'] : undefined;
		const runs = recordsOf(isRecord(runData) ? runData[node] : undefined);
		return runs.flatMap((one) => {
			const main = isRecord(one['data']) ? one['data']['main'] : undefined;
			const outputs: unknown[] = Array.isArray(main) ? main : [];
			return outputs.flatMap((items) =>
				recordsOf(items).flatMap(({ json }) => (isRecord(json) ? [json] : [])),
			);
		});
	}

	/** Every row is there once, and each inspection is linked to the row that it was made from. */
	function expectLinked(execution: Execution, items: readonly JsonRecord[]) {
		expect(execution.error).toBeUndefined();
		expect(made().toSorted()).toEqual(areas(items).toSorted());
		const linked = allItems(execution, 'Link');
		expect(linked.map(({ row }) => String(row)).toSorted()).toEqual(areas(items).toSorted());
		expect(linked.filter(({ row, name }) => row !== name)).toEqual([]);
	}

	it('loop: each round creates its own rows, the template is asked for once', async () => {
		const items = rows(6);
		const loop = {
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { batchSize: 2, options: {} },
		};
		const execution = await runWorkflow(
			wired(
				items,
				[loop, create(), LINK],
				[
					['Items', 0, 'Loop', 0],
					['Loop', 1, 'Create', 0],
					['Create', 0, 'Link', 0],
					['Link', 0, 'Loop', 0],
				],
			),
		);
		expectLinked(execution, items);
		expect([count('getTemplate'), count('createInspection')]).toEqual([1, 6]);
	});

	it('sub-workflow per item: all of them ask for the template once', async () => {
		const items = rows(5);
		const called = {
			name: 'When called',
			type: 'n8n-nodes-base.executeWorkflowTrigger',
			typeVersion: 1.1,
			parameters: { inputSource: 'passthrough' },
		};
		const call = {
			name: 'Call',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: {
				source: 'parameter',
				workflowJson: JSON.stringify(chain('Called', [called, create()])),
				mode: 'each',
				options: { waitForSubWorkflow: true },
			},
		};
		const execution = await run(items, [call, LINK]);
		expectLinked(execution, items);
		expect([count('getTemplate'), count('createInspection')]).toEqual([1, 5]);
	});

	it('split: a node that is reached twice with its parts of the items creates each once', async () => {
		const items = rows(6);
		const odd = condition('if', 'Odd', '={{ $itemIndex % 2 === 1 }}');
		const execution = await runWorkflow(
			wired(
				items,
				[odd, create(), LINK],
				[
					['Items', 0, 'Odd', 0],
					['Odd', 0, 'Create', 0],
					['Odd', 1, 'Create', 0],
					['Create', 0, 'Link', 0],
				],
			),
		);
		expectLinked(execution, items);
		expect([count('getTemplate'), count('createInspection')]).toEqual([1, 6]);
	});

	it('merge: the made inspections meet their rows again', async () => {
		const items = rows(4);
		const merge = {
			name: 'Merge',
			type: 'n8n-nodes-base.merge',
			typeVersion: 3,
			parameters: { mode: 'combine', combineBy: 'combineByPosition', options: {} },
		};
		const execution = await runWorkflow(
			wired(
				items,
				[create(), merge, LINK],
				[
					['Items', 0, 'Create', 0],
					['Create', 0, 'Merge', 0],
					['Items', 0, 'Merge', 1],
					['Merge', 0, 'Link', 0],
				],
			),
		);
		expectLinked(execution, items);
	});

	it('wait: what was created before it is linked after it', async () => {
		const items = rows(3);
		const wait = {
			name: 'Wait',
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			webhookId: 'patterns-wait',
			parameters: { resume: 'timeInterval', amount: 1, unit: 'seconds' },
		};
		const execution = await run(items, [create(), wait, LINK]);
		expectLinked(execution, items);
		expect(count('createInspection')).toBe(3);
	});

	it('stop on error: one wrong row among many sends nothing', async () => {
		const items = rows(50);
		items[6] = { Area: '', Reference: 'R6' };
		items[39] = { Area: '', Reference: 'R39' };
		const execution = await run(items, [create()]);
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toBe(
			'Nothing was sent. 2 of 50 rows have problems (row 1 is the first below the header; rows that do not reach this node are not counted).',
		);
		expect(execution.error?.description).toContain('"Area", rows 7 and 40: required, ');
		expect(made()).toEqual([]);
		expect(count('createInspection')).toBe(0);
	});

	it('error output: good rows are made, bad ones come out with their own columns', async () => {
		const items: JsonRecord[] = rows(4, (row) => ({ Reference: `R${String(row)}` }));
		items[1] = { Area: '', Reference: 'R1' };
		const execution = await run(items, [create({ onError: 'continueErrorOutput' }), LINK]);
		expect(made().toSorted()).toEqual(['A0', 'A2', 'A3']);
		expect(execution.items('Create', 1).map(({ json }) => json)).toEqual([
			{ Area: '', Reference: 'R1', error: expect.stringContaining('"Area": required') as string },
		]);
		expect(execution.items('Link').map(({ json }) => json['row'])).toEqual(['A0', 'A2', 'A3']);
	});

	it('an error of a node before, and Always Output Data, make no inspections', async () => {
		const filter = Object.assign(condition('filter', 'Filter', '={{ false }}'), {
			alwaysOutputData: true,
		});
		const empty = await run(rows(3), [filter, create({ onError: 'continueErrorOutput' })]);
		const failed = await run(
			[{ error: 'no such page' }],
			[create({ onError: 'continueErrorOutput' })],
		);
		expect(made()).toEqual([]);
		expect(count('createInspection')).toBe(0);
		const errors = [empty, failed].flatMap((one) => one.items('Create', 1));
		expect(errors.map(({ json }) => String(json['error']))).toContainEqual(
			expect.stringContaining('carries an error: "no such page"'),
		);
	});

	it('Create, then Get Many: read once, and once only with Execute Once', async () => {
		const items = rows(20);
		const read = actionNode(credential, READ, 'Read');
		const many = await run(items, [create(), read, LINK]);
		// A reading takes a few requests: what was created in its last second is looked at once more.
		expect(count('listInspections')).toBeLessThanOrEqual(4);
		expect(many.items('Read')).toHaveLength(400);
		expect(hintsOf(many, 'Read')).toEqual([expect.stringContaining('Execute Once')]);
		expect(many.items('Link')).toHaveLength(400);

		sandbox.requests.clear();
		const once = await run(
			[{ Area: 'last' }],
			[create(), Object.assign({}, read, { executeOnce: true })],
		);
		expect(once.items('Read')).toHaveLength(21);
		expect(hintsOf(once, 'Read')).toEqual([]);
	});

	describe('Retry On Fail', () => {
		const retried = (settings: Settings = {}) =>
			create({ retryOnFail: true, maxTries: 3, waitBetweenTries: 10, ...settings });
		const failing = (do_: Parameters<Sandbox['faults']['add']>[0]['do'], times?: number) =>
			sandbox.faults.add({
				on: { operation: 'createInspection', where: ({ body }) => body.includes('"A2"') },
				...(times === undefined ? {} : { times }),
				do: do_,
			});

		it('a refused row: the others are there once, and the error counts them', async () => {
			failing({ kind: 'status', status: 403 });
			const execution = await run(rows(6), [retried()]);
			expect(execution.error?.message).toMatch(/^Row 3: .*\(403\)/);
			expect(execution.error?.description).toContain('5 inspections were created');
			expect(made().toSorted()).toEqual(['A0', 'A1', 'A3', 'A4', 'A5']);
			// The refused row once in each try.
			expect(count('createInspection')).toBe(5 + 3);
		});

		it('a bad first row with the error output: the good rows are there once', async () => {
			const items = rows(6);
			items[0] = { Area: '', Reference: 'R0' };
			const execution = await run(items, [retried({ onError: 'continueErrorOutput' }), LINK]);
			expect(made()).toHaveLength(5);
			expect(count('createInspection')).toBe(5);
			expect(execution.items('Link').map(({ json }) => json['row'])).toEqual(areas(items.slice(1)));
		});

		it.each([
			['had not taken effect', { kind: 'status', status: 500 }, 5],
			['had taken effect', { kind: 'status', status: 500, when: 'after' }, 6],
		] as const)('a server error that %s: nothing is sent twice', async (_, fault, there) => {
			failing(fault, 1);
			const execution = await run(rows(6), [retried()]);
			expect(execution.status).toBe('error');
			expect(execution.error?.description).toContain('5 inspections were created');
			expect(made()).toHaveLength(there);
			expect(count('createInspection')).toBe(6);
		});
	});

	it('two tenants: each row goes to its own', async () => {
		const items = rows(4, (row) => ({
			key: row % 2 === 0 ? sandbox.keys.north : sandbox.keys.south,
		}));
		const byItem = actionNode(keyOfRow, CREATE, 'Create');
		const execution = await run(items, [byItem, LINK]);
		expectLinked(execution, items);
		const of = (tenant: 'north' | 'south') =>
			sandbox.store.inspections(sandbox.tenants[tenant].organization.id).map(({ name }) => name);
		expect([of('north'), of('south')]).toEqual([
			['A0', 'A2'],
			['A1', 'A3'],
		]);
		expect(count('getTemplate')).toBe(2);
	});

	it('pinned data: nothing is sent, and the rows are linked', async () => {
		const items = rows(3);
		const workflow = chain('Pinned', [START, ...itemsNodes(items), create(), LINK]);
		const pinData = { Create: items.map(({ Area }) => ({ json: { name: Area } })) };
		const execution = await runWorkflow({ ...workflow, pinData } as WorkflowFile);
		expect(execution.error).toBeUndefined();
		expect(execution.items('Link').map(({ json }) => json['row'])).toEqual(areas(items));
		expect(sandbox.requests.count()).toBe(0);
	});

	it('timeout: nothing is sent after it', async () => {
		sandbox.faults.add({ on: { operation: 'createInspection' }, do: { kind: 'latency', ms: 400 } });
		const workflow = chain('Timeout', [START, ...itemsNodes(rows(200)), create()]);
		const execution = await runWorkflow({
			...workflow,
			settings: { executionOrder: 'v1', executionTimeout: 2 },
		});
		expect(execution.status).toBe('canceled');
		await expectQuiet();
	});

	it('stop: nothing is sent after it', async () => {
		sandbox.faults.add({ on: { operation: 'createInspection' }, do: { kind: 'latency', ms: 400 } });
		const { id } = await n8n.client.createWorkflow(
			chain('Stop', [START, ...itemsNodes(rows(200)), create()]),
		);
		const running = n8n.client.run(id, START.name);
		while (count('createInspection') === 0) await pause(50);
		const list = await n8n.client.request('GET', '/executions?limit=10');
		const current = recordsOf(isRecord(list) ? list['results'] : []).find(
			(one) => one['workflowId'] === id,
		);
		await n8n.client.request('POST', `/executions/${String(current?.['id'])}/stop`);
		expect((await running).status).toBe('canceled');
		await expectQuiet();
	});

	/** What was under way when an execution ended is over after a second; then nothing comes any more. */
	async function expectQuiet() {
		await pause(1000);
		const sent = count('createInspection');
		expect(sent).toBeLessThan(200);
		await pause(1000);
		expect(count('createInspection')).toBe(sent);
	}

	it(
		'5,000 rows: each is there once and linked',
		async () => {
			const items = rows(5000);
			const execution = await run(items, [create(), LINK]);
			expectLinked(execution, items);
			expect([count('getTemplate'), count('createInspection')]).toEqual([1, 5000]);
		},
		PATIENCE_MS,
	);
});
