/**
 * Checks the rules behind the model of n8n's poll engines (test/trigger/pollEngines.mts) in a real n8n: what a
 * polling node finds in its static data after polls that emit, return null, or throw, after kill -9, and after
 * renaming the node.
 */
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import fastify from 'fastify';
import { expect, test } from 'vitest';

import { ENGINE_ENV, POLL_ENGINES, type PollEngine } from '#harness/pollEngine.mts';
import { pollEvery } from '#sandbox/demo/exampleWorkflow.mts';
import { startN8n } from '#sandbox/demo/n8nServer.mts';
import { RUNS } from '#scripts/projectPaths.mts';
import { chain, KEEP } from './connectorWorkflow.mts';

const MINUTES = 60_000;

/** Orders for a poll: leave a value in the node's and the global data, then end in the given way. */
interface Orders {
	write?: number;
	then: 'emit' | 'null' | 'throw';
}

/** The static data that a poll found. */
interface Report {
	node: number | null;
	global: number | null;
	/** Whether an earlier poll of the process got the same data object. */
	isLive: boolean;
	activation: string;
}

/** The server that the probe node calls. It hands out orders, one per poll, and reports what each poll found. */
async function openDesk() {
	let orders: Orders = { then: 'null' };
	let found: (report: Report) => void = () => undefined;
	const server = fastify({ forceCloseConnections: true });
	server.post<{ Body: Report }>('/', (request, reply) => {
		const given = orders;
		orders = { then: 'null' };
		found(request.body);
		return reply.send(given);
	});
	return {
		url: await server.listen({ host: '127.0.0.1', port: 0 }),
		close: () => server.close(),
		/** Gives orders to the next poll. Resolves with what it found before. */
		async next(next: Orders): Promise<Report> {
			orders = next;
			return await new Promise((resolve) => (found = resolve));
		},
	};
}

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
		await rm(extensions, { recursive: true, force: true });
		await mkdir(extensions, { recursive: true });
		await cp(join(import.meta.dirname, 'pollProbe'), extensions, { recursive: true });
		const env = { ...ENGINE_ENV[pollEngine], N8N_CUSTOM_EXTENSIONS: extensions };
		const { url, next, close } = await openDesk();
		onTestFinished(close);
		const probe = (name: string) => {
			const parameters = { pollTimes: pollEvery(5), url };
			const node = { name, type: 'CUSTOM.pollProbe', typeVersion: 1, parameters };
			const workflow = chain('Probe', [node, KEEP]);
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
