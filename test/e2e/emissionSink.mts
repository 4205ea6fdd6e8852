/** What a workflow behind the trigger hands on, counted where it arrives: outside of n8n, so that nothing is pruned. */
import fastify from 'fastify';

import { isRecord, recordsOf, textOf } from '#connector/domain/json.ts';
import { n8nNode, type PlainNode } from './connectorWorkflow.mts';

export interface EmissionSink {
	/** The nodes that go behind the trigger: each execution posts its items in one request. */
	readonly nodes: readonly PlainNode[];
	/** How often each version arrived, by `versionOf`. */
	readonly counts: ReadonlyMap<string, number>;
	/** Executions that handed something on. */
	readonly executions: number;
	/** Unix ms of the last arrival. */
	readonly lastArrival: number;
	close(): Promise<void>;
}

/** One version of an inspection: what the trigger may emit once. */
export function versionOf(id: string, updatedAt: string): string {
	return `${id} ${updatedAt}`;
}

// A backlog's poll hands on 500 inspections of some 2 kB.
const BODY_LIMIT = 32 * 1024 * 1024;

/** Listens on any free port of 127.0.0.1. */
export async function startEmissionSink(): Promise<EmissionSink> {
	const counts = new Map<string, number>();
	let executions = 0;
	let lastArrival = Date.now();
	const server = fastify({ forceCloseConnections: true, bodyLimit: BODY_LIMIT });
	server.post('/', (request, reply) => {
		const items = recordsOf(isRecord(request.body) ? request.body['items'] : undefined);
		executions += 1;
		lastArrival = Date.now();
		for (const item of items) {
			const version = versionOf(textOf(item['id']) ?? '', textOf(item['updated_at']) ?? '');
			counts.set(version, (counts.get(version) ?? 0) + 1);
		}
		return reply.send({});
	});
	const url = await server.listen({ host: '127.0.0.1', port: 0 });
	return {
		nodes: nodesPostingTo(url),
		counts,
		get executions() {
			return executions;
		},
		get lastArrival() {
			return lastArrival;
		},
		close: () => server.close(),
	};
}

function nodesPostingTo(url: string): PlainNode[] {
	const versions = '$json.data.map(({ id, updated_at }) => ({ id, updated_at }))';
	return [
		n8nNode('aggregate', 1, { aggregate: 'aggregateAllItemData', options: {} }),
		n8nNode('httpRequest', 4.2, {
			...{ method: 'POST', url, sendBody: true, specifyBody: 'json', options: {} },
			jsonBody: `={{ JSON.stringify({ items: ${versions} }) }}`,
		}),
	];
}
