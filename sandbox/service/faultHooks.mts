import { channel } from 'node:diagnostics_channel';

import type { FastifyInstance, FastifyRequest } from 'fastify';

import { CONTROL_PREFIX } from './controlRoutes.mts';
import { entryOf, type Fault, type FaultResponse, momentOf, type Scene } from './faults.mts';
import type { Operation } from './model.mts';
import type { LoggedRequest } from './requestLog.mts';
import type { Sandbox } from './sandbox.mts';

declare module 'fastify' {
	interface FastifyContextConfig {
		operation?: Operation;
	}
	interface FastifyRequest {
		/** The request's log entry, or null for a request that controls the sandbox itself. */
		entry: LoggedRequest | null;
		/** The faults that affect the request. Undefined if a fault has already responded. */
		hits?: Fault[];
	}
}

/**
 * The Node diagnostics channel on which the sandbox publishes each request for an operation or a file. It publishes the
 * request before validation, because validation adds defaults and converts text to numbers.
 */
export const REQUEST_CHANNEL = 'inspection-sandbox:request';
const listeners = channel(REQUEST_CHANNEL);

function tell({ params, query }: FastifyRequest, { operation, url, headers, body }: LoggedRequest) {
	if (!listeners.hasSubscribers || operation === null) return;
	const key = headers['access-token'];
	listeners.publish(structuredClone({ operation, url, key, params, query, body }));
}

const isBefore = (fault: Fault) => momentOf(fault) === 'before';

/** Whether a fault makes a create request stop before it creates its task. The inspection is created anyway. */
export const isCutShort = ({ hits = [] }: FastifyRequest): boolean =>
	hits.some((fault) => momentOf(fault) === 'while');

/** Applies faults in order until one of them responds. Returns that fault's response. */
async function play(hits: readonly Fault[], scene: Scene): Promise<FaultResponse | undefined> {
	for (const fault of hits) {
		const response = await entryOf(fault).act?.(fault, scene);
		if (response) return response;
	}
	return undefined;
}

/** Makes a server log every request and apply the active faults. */
export function installHooks(
	server: FastifyInstance,
	sandbox: Sandbox,
	origin: LoggedRequest['origin'],
): void {
	server.decorateRequest('entry', null);
	server.decorateRequest('hits');

	server.addHook('onRequest', async (request, reply) => {
		if (request.raw.url?.startsWith(`${CONTROL_PREFIX}/`) === true) return;
		const { operation = null } = request.routeOptions.config;
		const entry = sandbox.requests.open(request.raw, { operation, origin });
		request.entry = entry;
		reply.raw.once('close', () => sandbox.requests.close(entry));
		if (sandbox.settings.dateHeader) reply.header('date', sandbox.clock.date().toUTCString());
		else reply.raw.sendDate = false;
	});

	playEarlyFaults(server, sandbox);
	playLateFaults(server, sandbox);
}

/** Applies faults that act before the request has an effect, and sends their response if there is one. */
function playEarlyFaults(server: FastifyInstance, sandbox: Sandbox): void {
	server.addHook('preValidation', async (request, reply) => {
		const { entry, body } = request;
		if (entry === null) return undefined;
		entry.body = typeof body === 'string' ? body : '';
		tell(request, entry);
		const hits = sandbox.faults.hits(entry);
		const response = await play(hits.filter(isBefore), { request, sandbox });
		if (response === undefined) {
			request.hits = hits;
			return undefined;
		}
		return reply.code(response.status).headers(response.headers).send(response.body);
	});
}

/** Applies faults that act after the request took effect, and those that change the response body. */
function playLateFaults(server: FastifyInstance, sandbox: Sandbox): void {
	server.addHook('onSend', async (request, reply, own) => {
		const { hits = [], entry } = request;
		const late = hits.filter((hit) => !isBefore(hit));
		const response = await play(late, { request, sandbox });
		if (response !== undefined) {
			reply.code(response.status).headers(response.headers).removeHeader('content-length');
		}
		// A response with status 204 would have no body, so the changed body needs a different status.
		if (hits.some((fault) => entryOf(fault).spoil) && reply.statusCode === 204) reply.code(200);
		const payload = hits.reduce<unknown>(
			(body, fault) => entryOf(fault).spoil?.(fault, body, reply) ?? body,
			response?.body ?? own,
		);
		if (entry !== null) entry.status = reply.statusCode;
		return payload;
	});
}
