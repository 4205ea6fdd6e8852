/**
 * Tests queue mode, in which a main process handles the editor's requests and the polls, and workers run the
 * executions.
 */
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { CREDENTIAL_TYPE } from '#harness/credential.mts';
import { binaryContent, mapperColumns, testCredential } from '#harness/n8nEditor.mts';
import { createParameters, templateBy } from '#harness/nodeParameters.mts';
import { recordIn } from '#sandbox/demo/n8nExecution.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import { recordsOf } from '#sandbox/json.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { missingServices } from './backingServices.mts';
import { connect, type ConnectedN8n, packedTarball } from './connectedN8n.mts';
import { actionNode, chain, KEEP, n8nNode, splitNode, triggerNode } from './connectorWorkflow.mts';
import { installProbe, probeNode, type Report, startOrderServer } from './pollProbe.mts';
import { type QueueCluster, startQueueCluster } from './queueCluster.mts';

const SITE_SAFETY = templateBy('SITE-SAFETY');
/**
 * The number of rows in an execution whose worker is asked to stop. A busy machine takes about ten seconds for the
 * remaining rows. After 20 seconds, `stop` would kill the worker.
 */
const ROWS_WHILE_STOPPING = 150;
/** Create's default concurrency, which is the highest number of open requests when a worker dies. */
const IN_FLIGHT = 10;

const missing = missingServices();
if (missing.length > 0) {
	console.warn(
		`Queue mode is not tested here: install ${missing.join(' and ')} (Debian packages).`,
	);
}

describe.skipIf(missing.length > 0)('queue mode', () => {
	let sandbox: Sandbox;
	let cluster: QueueCluster;
	let main: ConnectedN8n;

	beforeAll(async () => {
		sandbox = await startSandbox({ data: 'demo', demoInspections: 40 });
		const tarball = await packedTarball();
		const env = await installProbe(join(RUNS, 'e2e', 'queue-mode-extensions'));
		cluster = await startQueueCluster(join(RUNS, 'e2e', 'queue-mode'), { tarball, env });
		main = await connect(cluster.main, sandbox);
	});

	afterAll(async () => {
		await cluster?.stop();
		await sandbox?.close();
	});

	it('serves the editor without any worker', async () => {
		const { client } = cluster.main;
		const tested = { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north };
		expect(await testCredential(client, CREDENTIAL_TYPE, tested)).toMatchObject({ status: 'OK' });
		const create = actionNode(main.credential, createParameters(SITE_SAFETY));
		const columns = await mapperColumns(client, create);
		expect(columns.map(({ id }) => id)).toContain('site_name');
	});

	it('polls without any worker, but runs the results as soon as there is one', async () => {
		const { client } = cluster.main;
		const trigger = chain('Poll', [triggerNode(main.credential), KEEP]);
		const workflow = await client.createWorkflow(trigger);
		await client.activate(workflow.id);
		await untilFound(() => sandbox.requests.count('listInspections') > 0);
		const { id } = sandbox.store.addInspection({ template: 'SITE-SAFETY' });
		const execution = await untilFound(() => newestExecution(workflow.id));
		expect(execution['status']).toBe('new');

		await cluster.addWorker();
		const over = await client.finished(String(execution['id']));
		await client.deactivate(workflow.id);

		expect(over.items(KEEP.name).map(({ json }) => json['id'])).toEqual([id]);
		expect(await cluster.workerOf(over.id)).toBe(cluster.workers[0]);
	});

	it('gives all polls of a node the same static data in the main, as without queue mode', async () => {
		const { client } = cluster.main;
		const { url, next, close } = await startOrderServer();
		onTestFinished(close);
		const { id } = await client.createWorkflow(chain('Probe', [probeNode('Probe', url), KEEP]));
		const first = next({ write: 1, then: 'null' });
		await client.activate(id);
		const found: Report[] = [await first];
		for (const write of [2, 3]) found.push(await next({ write, then: 'null' }));
		await client.deactivate(id);
		expect(found.map(({ node, isLive }) => [node, isLive])).toEqual([
			[null, false],
			[1, true],
			[2, true],
		]);
	});

	describe('on two workers', () => {
		beforeAll(async () => {
			while (cluster.workers.length < 2) await cluster.addWorker();
		});

		it('shows a file in the editor that a worker downloaded', async () => {
			const content = Buffer.from('one file, read on another host');
			const bytes = { form: 'bytes', base64: content.toString('base64') } as const;
			const { id: inspectionId, files } = sandbox.store.addInspection({
				template: 'SITE-SAFETY',
				files: [{ kind: 'attachment', content: bytes }],
			});
			const file = { operation: 'download', inspectionId, fileId: files[0]?.id ?? '' };
			const download = actionNode(main.credential, { resource: 'file', ...file });
			const { id, error, items } = await main.run([download]);
			expect(error).toBeUndefined();
			expect(await cluster.workerOf(id)).toBeDefined();
			const [item] = items(download.name);
			expect(await binaryContent(cluster.main.client, item?.binary['data'])).toEqual(content);
		});

		it('creates each inspection once if rows are sent again after a worker died in the middle', async () => {
			const { client } = cluster.main;
			const { executionId, worker, post } = await createInTheMiddle('Killed', 500);

			await worker.kill();
			const madeAtDeath = made('Killed').length;
			const over = await client.finished(executionId, 120_000);

			// n8n doesn't run the execution again: after the worker's death, the service gets no new requests.
			expect(madeAtDeath).toBeLessThan(400);
			expect(made('Killed').length - madeAtDeath).toBeLessThanOrEqual(IN_FLIGHT);
			expect(over.status).toBe('error');
			expect(over.error?.message).toContain('failed to be processed too many times');

			const again = await client.finished(await post(), 120_000);
			expect(again.status).toBe('success');
			expect(made('Killed')).toHaveLength(500);
			expect(new Set(made('Killed')).size).toBe(500);
		}, 300_000);

		it('finishes the rows when a worker is asked to stop', async () => {
			const { executionId, worker } = await createInTheMiddle('Stopped', ROWS_WHILE_STOPPING);

			await worker.stop();
			const over = await cluster.main.client.finished(executionId);

			expect(over.status).toBe('success');
			expect(new Set(made('Stopped')).size).toBe(ROWS_WHILE_STOPPING);
			expect(made('Stopped')).toHaveLength(ROWS_WHILE_STOPPING);
		});
	});

	/**
	 * Starts an execution that creates `count` inspections with unique keys. Resolves when a fifth of them were
	 * requested.
	 */
	async function createInTheMiddle(prefix: string, count: number) {
		const { client, url } = cluster.main;
		const parameters = createParameters(SITE_SAFETY, {
			name: '={{ $json.reference }}',
			uniqueKey: '={{ $json.reference }}',
		});
		const webhook = { httpMethod: 'POST', path: prefix, responseMode: 'onReceived' };
		const workflow = await client.createWorkflow(
			chain(prefix, [
				{ ...n8nNode('webhook', 2, webhook), webhookId: prefix },
				splitNode('Rows', 'body.rows'),
				actionNode(main.credential, parameters),
			]),
		);
		await client.activate(workflow.id);
		const rows = Array.from({ length: count }, (_, index) => ({
			reference: `${prefix} ${String(index + 1)}`,
			'Site name': 'Dock 4',
			Date: '2026-05-04',
			Result: 'Pass',
		}));
		/** Sends the rows to the workflow's webhook. Returns the ID of the execution that this starts. */
		const post = async () => {
			const before = (await newestExecution(workflow.id))?.['id'];
			const body = JSON.stringify({ rows });
			const headers = { 'content-type': 'application/json' };
			const response = await fetch(`${url}/webhook/${prefix}`, { method: 'POST', headers, body });
			expect(response.status, await response.text()).toBe(200);
			return await untilFound(async () => {
				const newest = (await newestExecution(workflow.id))?.['id'];
				return newest !== before && String(newest);
			});
		};
		const slow = sandbox.faults.add({
			on: { operation: 'createInspection' },
			times: count,
			do: { kind: 'latency', ms: 40 },
		});
		const executionId = await post();
		await untilFound(() => slow.hits > count / 5);
		const worker = await untilFound(() => cluster.workerOf(executionId));
		return { executionId, worker, post };
	}

	/** Returns the names of the inspections that were created from these rows, including duplicates. */
	function made(prefix: string): string[] {
		const names = sandbox.store.inspections().map(({ name }) => name);
		return names.filter((name) => name.startsWith(prefix));
	}

	async function newestExecution(workflowId: string) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const list = await cluster.main.client.request('GET', `/executions?limit=1&filter=${filter}`);
		return recordsOf(recordIn(list)['results'])[0];
	}
});
