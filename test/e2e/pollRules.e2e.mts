/**
 * Checks the rules behind the model of n8n's poll engines (test/trigger/pollEngines.mts) in a real n8n: what a
 * polling node finds in its static data after polls that emit, return null, or throw, after kill -9, and after
 * renaming the node.
 */
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ENGINE_ENV, POLL_ENGINES, type PollEngine } from '#harness/pollEngine.mts';
import { startN8n } from '#sandbox/demo/n8nServer.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { chain, KEEP } from './connectorWorkflow.mts';
import { installProbe, openDesk, type Orders, probeNode, type Report } from './pollProbe.mts';

const MINUTES = 60_000;

/** Orders for the polls after the activation's poll, which wrote 1. */
const ORDERS: readonly Orders[] = [
	{ write: 2, then: 'null' },
	{ write: 3, then: 'throw' },
	{ write: 4, then: 'emit' },
	{ write: 5, then: 'null' },
	{ then: 'null' },
];
/** What these polls find, in order, then the first poll after kill -9, and the one after renaming. */
const FOUND: Record<PollEngine, Record<'node' | 'global', (number | null)[]>> = {
	memory: { node: [1, 2, 3, 4, 5, 4, null], global: [1, 2, 3, 4, 5, 4, 4] },
	scheduler: { node: [1, 1, 1, 4, 4, 4, null], global: [1, 1, 1, 4, 4, 4, 4] },
	durableCursors: { node: [null, 2, 2, 4, 5, 5, 5], global: [1, 1, 1, 4, 4, 4, 4] },
};

test.concurrent.for(POLL_ENGINES)(
	'%s keeps what the model expects',
	{ timeout: 8 * MINUTES },
	async (pollEngine, { onTestFinished }) => {
		const userFolder = join(RUNS, 'poll-rules', pollEngine);
		const extensions = join(RUNS, 'poll-rules', `${pollEngine}-extensions`);
		const env = { ...ENGINE_ENV[pollEngine], ...(await installProbe(extensions)) };
		const { url, next, close } = await openDesk();
		onTestFinished(close);
		const probe = (name: string) => {
			const workflow = chain('Probe', [probeNode(name, url), KEEP]);
			// n8n keeps the node's data by its ID or its name. Only the name changes here.
			return {
				...workflow,
				nodes: workflow.nodes.map((one, at) => ({ ...one, id: `node-${at}` })),
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
		// In memory, every poll after the activation's gets the same object. The start after the kill activates again.
		const isLive = found.map((_, index) => pollEngine === 'memory' && index !== ORDERS.length);
		expect(found.map((one) => one.isLive)).toEqual(isLive);
	},
);
