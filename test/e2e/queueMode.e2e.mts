/** Queue mode: the editor's questions and the polls stay with the main, executions run on workers. */
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { isRecord, recordsOf } from '#connector/domain/json.ts';
import { binaryContent, mapperColumns, searchList, testCredential } from '#harness/n8nEditor.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import type { Execution } from '#sandbox/demo/n8nExecution.mts';
import type { N8nProcess } from '#sandbox/demo/n8nServer.mts';
import { packConnector } from '#sandbox/demo/packedConnector.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { missingServices } from './backingServices.mts';
import {
	ACTION_TYPE,
	actionNode,
	chain,
	CREDENTIAL_TYPE,
	credentialsOf,
	downloadNode,
	KEEP,
	type SavedCredential,
	SPLIT_ROWS,
	START,
	triggerNode,
	webhookNode,
} from './connectorWorkflow.mts';
import { type QueueCluster, startQueueCluster } from './queueCluster.mts';

const FOLDER = join(RUNS, 'e2e', 'queue-mode');
const missing = await missingServices();
if (missing.length > 0) {
	console.warn(
		`Queue mode is not tested here: install ${missing.join(' and ')} (Debian packages).`,
	);
}

describe.skipIf(missing.length > 0)('queue mode: a main and two workers', () => {
	let sandbox: Sandbox;
	let cluster: QueueCluster;
	let credential: SavedCredential;

	beforeAll(async () => {
		sandbox = await startSandbox({ data: 'demo', demoInspections: 40 });
		const { path: tarball } = await packConnector(FOLDER);
		cluster = await startQueueCluster({ folder: join(FOLDER, 'cluster'), tarball });
		credential = await cluster.main.client.createCredential('North', CREDENTIAL_TYPE, {
			baseUrl: sandbox.apiUrl,
			apiKey: sandbox.keys.north,
		});
	});

	afterAll(async () => {
		await cluster?.stop();
		await sandbox?.close();
	});

	it('answers credential test, template list and columns without any worker', async () => {
		const { client } = cluster.main;
		const question = {
			nodeType: ACTION_TYPE,
			parameters: { resource: 'inspection', operation: 'create', templateId: SITE_SAFETY },
			credentials: credentialsOf(credential),
		};

		const tested = await testCredential(client, CREDENTIAL_TYPE, {
			baseUrl: sandbox.apiUrl,
			apiKey: sandbox.keys.north,
		});
		const list = await searchList(client, {
			...question,
			path: 'parameters.templateId',
			methodName: 'searchTemplates',
		});
		const columns = await mapperColumns(client, {
			...question,
			path: 'parameters.responses',
			methodName: 'getQuestionColumns',
		});

		expect(tested).toMatchObject({ status: 'OK' });
		expect(list.entries.map((entry) => entry.name)).toContain('Site safety walk (SITE-SAFETY)');
		expect(columns.fields.map((field) => field['id'])).toContain('site_name');
	});

	it('polls without any worker; what it found runs as soon as there is one', async () => {
		const { client } = cluster.main;
		const workflow = await client.createWorkflow(chain('Poll', [triggerNode(credential), KEEP]));
		await client.activate(workflow.id);
		await untilFound(() => sandbox.requests.count('listInspections') > 0);
		sandbox.requests.clear();
		const name = 'Seen by the main';
		const { id } = sandbox.store.addInspection({ template: 'SITE-SAFETY', name });
		const execution = await untilFound(() => newestExecution(workflow.id));
		expect(execution['status']).toBe('new');

		await cluster.addWorker();
		const over = await client.finished(String(execution['id']));
		await client.deactivate(workflow.id);

		expect(over.items(KEEP.name).map(({ json }) => json['id'])).toEqual([id]);
		expect(await cluster.workerOf(over.id)).toBe(cluster.workers[0]);
	});

	describe('with two workers', () => {
		beforeAll(async () => {
			while (cluster.workers.length < 2) await cluster.addWorker();
		});

		it('downloads on a worker a file that the editor shows', async () => {
			const { client } = cluster.main;
			const content = Buffer.from('one file, read on another host');
			const download = downloadNode(credential, sandbox, content);
			const workflow = await client.createWorkflow(chain('Download', [START, download]));

			const execution = await client.run(workflow.id, START.name);

			expect(execution.error).toBeUndefined();
			expect(await cluster.workerOf(execution.id)).toBeDefined();
			const [item] = execution.items(download.name);
			expect(await binaryContent(client, item?.binary['data'])).toEqual(content);
		});

		it('makes no inspection twice when a worker dies in the middle of 500 rows', async () => {
			const { client } = cluster.main;
			const { executionId, worker } = await createInTheMiddle('Killed', 500);

			await worker.kill();
			const madeAtDeath = made('Killed').length;
			const over = await client.finished(executionId, 90_000);

			// Nothing is run again: what the service got before the worker's end is all that it ever gets.
			const names = made('Killed');
			expect(madeAtDeath).toBeLessThan(400);
			expect(names.length - madeAtDeath).toBeLessThanOrEqual(IN_FLIGHT);
			expect(new Set(names).size).toBe(names.length);
			expect(over.status).toBe('error');
			expect(over.error?.message).toContain('failed to be processed too many times');
			await stillTakesWork(client.run.bind(client));
		});

		it('makes each of 500 rows once when a worker dies in the middle and the rows come again, by their unique keys', async () => {
			const { client } = cluster.main;
			// One worker has died before this; another one has to be left to notice that this one does.
			await cluster.addWorker();
			const { executionId, worker, workflowId } = await createInTheMiddle('Keyed', 500, {
				uniqueKey: '={{ $json.reference }}',
			});

			await worker.kill();
			expect(made('Keyed').length).toBeLessThan(400);
			await client.finished(executionId, 120_000);
			const again = await postRows({
				...{ prefix: 'Keyed', count: 500, workflowId, before: executionId },
			});
			const over = await client.finished(again, 120_000);

			expect(over.status).toBe('success');
			expect(new Set(made('Keyed')).size).toBe(500);
			expect(made('Keyed')).toHaveLength(500);
		}, 300_000);

		it('finishes the rows when a worker is told to stop', async () => {
			const { executionId, worker } = await createInTheMiddle('Stopped', ROWS_WHILE_STOPPING);

			await worker.stop();
			const over = await cluster.main.client.finished(executionId);

			expect(over.status).toBe('success');
			expect(new Set(made('Stopped')).size).toBe(ROWS_WHILE_STOPPING);
			expect(made('Stopped')).toHaveLength(ROWS_WHILE_STOPPING);
		});
	});

	/** Starts an execution that creates so many inspections and waits until it is in the middle of them. */
	async function createInTheMiddle(
		prefix: string,
		count: number,
		options: Record<string, string> = {},
	): Promise<{ executionId: string; worker: N8nProcess; workflowId: string }> {
		const { client } = cluster.main;
		const create = actionNode(
			credential,
			createParameters(SITE_SAFETY, {
				additionalFields: { name: '={{ $json.reference }}' },
				options,
			}),
		);
		const workflow = await client.createWorkflow(
			chain(prefix, [webhookNode(prefix), SPLIT_ROWS, create]),
		);
		await client.activate(workflow.id);
		const slow = sandbox.faults.add({
			on: { operation: 'createInspection' },
			times: count,
			do: { kind: 'latency', ms: 40 },
		});
		const executionId = await postRows({ prefix, count, workflowId: workflow.id });
		await untilFound(() => slow.hits > count / 5);
		const worker = await untilFound(() => cluster.workerOf(executionId));
		return { executionId, worker, workflowId: workflow.id };
	}

	/** Sends the rows to the workflow's webhook; the execution that they start, another one than `before`. */
	async function postRows({ prefix, count, workflowId, before }: Posting): Promise<string> {
		const { url } = cluster.main;
		const rows = Array.from({ length: count }, (_, index) => ({
			reference: `${prefix} ${String(index + 1)}`,
			'Site name': 'Dock 4',
			Date: '2026-05-04',
			Result: 'Pass',
		}));
		await post(`${url}/webhook/${prefix}`, { rows });
		return await untilFound(async () => {
			const newest = (await newestExecution(workflowId))?.['id'];
			return newest === undefined || newest === before ? undefined : String(newest);
		});
	}

	/** Names of the inspections that the service has of these rows, each as often as it has it. */
	function made(prefix: string): string[] {
		return sandbox.store
			.inspections()
			.map(({ name }) => name)
			.filter((name) => name.startsWith(prefix));
	}

	/** The worker that is left goes on. */
	async function stillTakesWork(
		run: (id: string, from: string) => Promise<Execution>,
	): Promise<void> {
		const read = actionNode(credential, {
			resource: 'template',
			operation: 'get',
			templateId: SITE_SAFETY,
		});
		const workflow = await cluster.main.client.createWorkflow(chain('After', [START, read]));
		const execution = await run(workflow.id, START.name);
		expect(execution.error).toBeUndefined();
		expect(execution.items(read.name)).toHaveLength(1);
	}

	async function newestExecution(workflowId: string) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const list = await cluster.main.client.request('GET', `/executions?limit=1&filter=${filter}`);
		return recordsOf(isRecord(list) ? list['results'] : undefined)[0];
	}
});

interface Posting {
	prefix: string;
	count: number;
	workflowId: string;
	/** The id of the execution before this one. */
	before?: string;
}

const SITE_SAFETY = templateBy('SITE-SAFETY');
/** What is left of them takes a busy machine some ten seconds; the driver kills a worker after 20. */
const ROWS_WHILE_STOPPING = 150;
/** Create's default concurrency: so many requests are on their way when a worker dies. */
const IN_FLIGHT = 10;

async function post(url: string, body: unknown): Promise<void> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
		signal: AbortSignal.timeout(30_000),
	});
	expect(response.status, await response.text()).toBe(200);
}
