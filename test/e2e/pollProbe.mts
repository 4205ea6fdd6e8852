/** The node of pollProbe/, which reports what n8n gives to each poll, and follows a test's orders. */
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import fastify from 'fastify';

import { pollEvery } from '#sandbox/demo/exampleWorkflow.mts';

/** Orders for a poll: leave a value in the node's and the global data, then end in the given way. */
export interface Orders {
	write?: number;
	then: 'emit' | 'null' | 'throw';
}

/** The static data that a poll found. */
export interface Report {
	node: number | null;
	global: number | null;
	/** Whether an earlier poll of the process got the same data object. */
	isLive: boolean;
	activation: string;
}

/** The server that the probe node calls. It hands out orders, one per poll, and reports what each poll found. */
export async function openDesk() {
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

/** Installs the probe in a folder, which is emptied first. Returns the environment variables for n8n. */
export async function installProbe(folder: string): Promise<Record<string, string>> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await cp(join(import.meta.dirname, 'pollProbe'), folder, { recursive: true });
	return { N8N_CUSTOM_EXTENSIONS: folder };
}

/** A probe that polls every five seconds and calls the desk at `url`. */
export function probeNode(name: string, url: string) {
	const parameters = { pollTimes: pollEvery(5), url };
	return { name, type: 'CUSTOM.pollProbe', typeVersion: 1, parameters };
}
