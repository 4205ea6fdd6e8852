/**
 * Checks in a real n8n what test/trigger/pollEngines.mts assumes about n8n's poll engines. A polling node's static data
 * is checked after polls that emit, return null, or throw. It's also checked after kill -9, and after the node was
 * renamed.
 */
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ENGINE_ENV, POLL_ENGINES, type PollEngine } from '#harness/pollEngine.mts';
import { startN8n } from '#sandbox/demo/n8nServer.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { chain, KEEP } from './connectorWorkflow.mts';
import {
	installProbe,
	type Orders,
	probeNode,
	type Report,
	startOrderServer,
} from './pollProbe.mts';

const MINUTES = 60_000;

/** The orders for the polls, in sequence. Before these, the poll at activation writes the value 1. */
const ORDERS: readonly Orders[] = [
	{ write: 2, then: 'null' },
	{ write: 3, then: 'throw' },
	{ write: 4, then: 'emit' },
	{ write: 5, then: 'null' },
	{ then: 'null' },
];
/**
 * The static data that each poll finds. The first five values belong to the polls of `ORDERS`. The sixth poll runs
 * after kill -9, and the seventh after the node was renamed.
 */
const FOUND: Record<PollEngine, Record<'node' | 'global', (number | null)[]>> = {
	memory: { node: [1, 2, 3, 4, 5, 4, null], global: [1, 2, 3, 4, 5, 4, 4] },
	scheduler: { node: [1, 1, 1, 4, 4, 4, null], global: [1, 1, 1, 4, 4, 4, 4] },
	durableCursors: { node: [null, 2, 2, 4, 5, 5, 5], global: [1, 1, 1, 4, 4, 4, 4] },
};

test.concurrent.for(POLL_ENGINES)(
	'%s keeps the static data that the model of poll engines expects',
	{ timeout: 8 * MINUTES },
	async (pollEngine, { onTestFinished }) => {
		const userFolder = join(RUNS, 'poll-rules', pollEngine);
		const extensions = join(RUNS, 'poll-rules', `${pollEngine}-extensions`);
		const env = { ...ENGINE_ENV[pollEngine], ...(await installProbe(extensions)) };
		const { url, next, close } = await startOrderServer();
		onTestFinished(close);
		const probe = (name: string) => {
			const workflow = chain('Probe', [probeNode(name, url), KEEP]);
			// n8n stores static data by the node's ID or its name. This test changes only the name.
			return {
				...workflow,
				nodes: workflow.nodes.map((one, index) => ({ ...one, id: `node-${index}` })),
			};
		};

		let n8n = await startN8n({ userFolder, env, fresh: true });
		onTestFinished(async () => await n8n.kill());
		const { id } = await n8n.client.createWorkflow(probe('Probe'));
		const first = next({ write: 1, then: 'null' });
		await n8n.client.activate(id);
		expect((await first).activation).toBe('activate');

		const found: Report[] = [];
		for (const orders of ORDERS) found.push(await next(orders));
		await n8n.kill();
		const afterKill = next({ then: 'null' });
		n8n = await startN8n({ userFolder, env });
		found.push(await afterKill);
		await n8n.client.request('PATCH', `/workflows/${id}?forceSave=true`, probe('Renamed'));
		await n8n.client.activate(id);
		found.push(await next({ then: 'null' }));
		const [node, global] = [found.map((one) => one.node), found.map((one) => one.global)];
		expect({ node, global }).toEqual(FOUND[pollEngine]);
		// The in-memory engine passes the same object to every poll. Only the first poll after the kill gets a new object,
		// because it runs in a new process.
		const isLive = found.map((_, index) => pollEngine === 'memory' && index !== ORDERS.length);
		expect(found.map((one) => one.isLive)).toEqual(isLive);
	},
);
