/**
 * Installs the node of pollProbe/ in n8n. At each poll, that node reports what n8n passed to it, and does what a test
 * orders.
 */
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import fastify from 'fastify';

import { pollEvery } from '#sandbox/demo/exampleWorkflow.mts';

/**
 * The orders for a poll: write a value into the node's and the global static data, then emit an item, return null, or
 * throw.
 */
export interface Orders {
	write?: number;
	then: 'emit' | 'null' | 'throw';
}

/** The data that n8n passed to a poll: the values in the static data, and the activation mode. */
export interface Report {
	node: number | null;
	global: number | null;
	/** Whether an earlier poll in the same process got the same static data object. */
	isLive: boolean;
	activation: string;
}

/** Starts the server that the probe node calls at each poll. The probe sends its report and receives its orders. */
export async function startOrderServer() {
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
		/**
		 * Gives these orders to the next poll. Resolves with that poll's report, which it sends before it follows the
		 * orders.
		 */
		async next(next: Orders): Promise<Report> {
			orders = next;
			return await new Promise((resolve) => (found = resolve));
		},
	};
}

/**
 * Empties a folder and installs the probe node in it. Returns the environment variables with which n8n loads the node.
 */
export async function installProbe(folder: string): Promise<Record<string, string>> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await cp(join(import.meta.dirname, 'pollProbe'), folder, { recursive: true });
	return { N8N_CUSTOM_EXTENSIONS: folder };
}

/** Returns a probe node that polls every five seconds. `url` is the server's address. */
export function probeNode(name: string, url: string) {
	const parameters = { pollTimes: pollEvery(5), url };
	return { name, type: 'CUSTOM.pollProbe', typeVersion: 1, parameters };
}
