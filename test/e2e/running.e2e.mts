/**
 * Tests what docs/admin.md says about a published workflow: failed polls, the error workflow, and publishing while the
 * service refuses the API key.
 */
import { setTimeout as pause } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { ENGINE_ENV } from '#harness/pollEngine.mts';
import { recordIn } from '#sandbox/demo/n8nExecution.mts';
import { type N8nServer, startN8n } from '#sandbox/demo/n8nServer.mts';
import { untilFound } from '#sandbox/demo/waiting.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';
import { connectedN8n, freshN8n, saveCredential } from './connectedN8n.mts';
import { chain, KEEP, n8nNode, triggerNode } from './connectorWorkflow.mts';

const POLL_SECONDS = 5;
/** Longer than two polls. */
const SOME_POLLS_MS = 12_000;
const MINUTES = 60_000;

const { n8n: inMemory } = await connectedN8n({ data: 'empty' });

/** Returns the data that started a workflow. */
const receivedBy = async ({ client }: N8nServer, workflowId: string) =>
	(await client.executions(workflowId)).flatMap(({ items }) =>
		items(KEEP.name).map(({ json }) => json),
	);

/** Publishes a workflow that starts when a different workflow fails. */
async function errorWorkflow(n8n: N8nServer, name: string) {
	const { client } = n8n;
	const nodes = [n8nNode('errorTrigger', 1, {}, 'Error Trigger'), KEEP];
	const { id } = await client.createWorkflow(chain(name, nodes));
	await client.activate(id);
	return { id, failures: async () => await receivedBy(n8n, id) };
}

/** Publishes a workflow with a trigger, and starts the service that it polls. */
async function published(n8n: N8nServer, name: string, errors?: string) {
	const { client } = n8n;
	const sandbox = await startSandbox({ data: 'empty' });
	const template = sandbox.store.addTemplate({ name: 'Fire doors', controls: [] }).id;
	const credential = await saveCredential(client, sandbox);
	const trigger = triggerNode(credential, { output: 'raw' }, POLL_SECONDS);
	const settings = { executionOrder: 'v1', errorWorkflow: errors };
	const { id } = await client.createWorkflow({ ...chain(name, [trigger, KEEP]), settings });
	await client.activate(id);

	const executions = async () => await client.executions(id);
	const publication = async () =>
		recordIn(await client.request('GET', `/workflows/${id}/publication-status`))['status'];
	return {
		id,
		executions,
		add: () => sandbox.store.addInspection({ template }).id,
		/** Lets the service reject the next `times` requests for the list of inspections. */
		refuse: (status: number, times: number) =>
			sandbox.faults.add({
				on: { operation: 'listInspections' },
				times,
				do: { kind: 'status', status },
			}),
		received: async () => await receivedBy(n8n, id),
		publish: async () => await client.activate(id),
		async unpublish() {
			await client.deactivate(id);
			await untilFound(async () => (await publication()) !== 'published', MINUTES);
		},
		/** Changes the error workflow in the settings, without publishing. */
		setErrorWorkflow: async (errorWorkflow: string) =>
			await client.request('PATCH', `/workflows/${id}?forceSave=true`, {
				settings: { ...settings, errorWorkflow },
			}),
	};
}

/** Waits until a list isn't empty. Returns the list. */
const untilAny = async <T,>(list: () => Promise<T[]>) =>
	await untilFound(async () => {
		const found = await list();
		return found.length > 0 && found;
	}, MINUTES);

test.concurrent(
	'a failed poll is an execution with an error, starts the error workflow, and loses no inspection',
	{ timeout: 3 * MINUTES },
	async () => {
		const errors = await errorWorkflow(inMemory, 'Errors');
		const { add, executions, received, refuse } = await published(inMemory, 'Doors', errors.id);
		refuse(403, 1);
		const id = add();
		expect(await untilAny(received)).toMatchObject([{ id }]);
		const ended = await executions();
		expect(ended.map(({ status }) => status)).toEqual(['error', 'success']);
		expect(ended[0]?.error?.message).toContain('(403)');
		const [failure] = await untilAny(errors.failures);
		expect(failure).toMatchObject({
			trigger: { error: { message: expect.stringContaining('(403)') as unknown } },
			workflow: { name: 'Doors' },
		});
	},
);

test.concurrent(
	'a published workflow keeps its error workflow until it is unpublished and published',
	{ timeout: 3 * MINUTES },
	async () => {
		const first = await errorWorkflow(inMemory, 'First errors');
		const second = await errorWorkflow(inMemory, 'Second errors');
		const { publish, refuse, setErrorWorkflow, unpublish } = await published(
			inMemory,
			'Gates',
			first.id,
		);
		await setErrorWorkflow(second.id);
		refuse(403, 1);
		await untilAny(first.failures);
		await unpublish();
		await publish();
		refuse(403, 1);
		await untilAny(second.failures);
		expect(await first.failures()).toHaveLength(1);
		expect(await second.failures()).toHaveLength(1);
	},
);

test.concurrent(
	'publishing fails while the service refuses the API key, and the next publication continues where the trigger stopped',
	{ timeout: 3 * MINUTES },
	async () => {
		const { add, executions, publish, received, refuse, unpublish } = await published(
			inMemory,
			'Roofs',
		);
		await unpublish();
		const id = add();
		const fault = refuse(401, 1000);
		await expect(publish()).rejects.toThrow(/refused the API key \(401\)/);
		fault.remove();
		await pause(SOME_POLLS_MS);
		expect(await executions()).toEqual([]);
		await publish();
		expect(await untilAny(received)).toMatchObject([{ id }]);
	},
);

test.concurrent(
	'with durable cursors, no poll follows a 403 until the workflow is unpublished and published',
	{ timeout: 3 * MINUTES },
	async ({ onTestFinished }) => {
		const n8n = await freshN8n('running-cursors', { env: ENGINE_ENV.durableCursors });
		onTestFinished(async () => await n8n.kill());
		const { add, executions, publish, received, refuse, unpublish } = await published(n8n, 'Walls');
		refuse(403, 1);
		const id = add();
		await untilAny(executions);
		await pause(SOME_POLLS_MS);
		expect((await executions()).map(({ status }) => status)).toEqual(['error']);
		await unpublish();
		await publish();
		expect(await untilAny(received)).toMatchObject([{ id }]);
	},
);

test.concurrent(
	'a workflow keeps running if n8n restarts while the service rejects every request',
	{ timeout: 3 * MINUTES },
	async ({ onTestFinished }) => {
		let n8n = await freshN8n('running-restarted');
		onTestFinished(async () => await n8n.kill());
		const { id: workflowId, add, refuse } = await published(n8n, 'Stairs');
		await n8n.stop();
		const id = add();
		const fault = refuse(401, 1000);
		n8n = await startN8n({ userFolder: n8n.userFolder });
		const [failed] = await untilAny(async () => await n8n.client.executions(workflowId));
		expect(failed?.error?.message).toContain('(401)');
		fault.remove();
		const received = await untilAny(async () => await receivedBy(n8n, workflowId));
		expect(received).toMatchObject([{ id }]);
	},
);
