import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { ServiceClock } from './clock.mts';
import { CONTROL_PREFIX } from './controlPrefix.mts';
import type { FaultBoard, FaultHit } from './faultBoard.mts';
import { type FaultResponse, FAULTS, holdUp, momentOf, responseOf, spoilt } from './faults.mts';
import type { Operation } from './model.mts';
import { publishRequest } from './requestCheck.mts';
import type { LoggedRequest, RequestLog } from './requestLog.mts';
import type { SandboxSettings } from './settings.mts';

export interface HookContext<Target> {
	origin: 'api' | 'files';
	log: RequestLog;
	faults: FaultBoard<Target>;
	clock: ServiceClock;
	settings: SandboxSettings;
	operationOf: (method: string, path: string) => Operation | null;
	/** What a `run` fault gets. */
	target: () => Target;
	onAnswered: (entry: LoggedRequest) => void;
}

export interface InstalledHooks {
	entryOf: (request: FastifyRequest) => LoggedRequest | undefined;
	/** Whether a fault ends the work of a create between the inspection and its task. */
	isCutShort: (request: FastifyRequest) => boolean;
}

interface Exchange {
	request: FastifyRequest;
	reply: FastifyReply;
}

const reset = ({ request }: Exchange): void => {
	request.raw.socket.resetAndDestroy();
};

const responseTo = <Target,>(
	{ fault, waitMs }: FaultHit<Target>,
	{ settings, clock }: HookContext<Target>,
): FaultResponse | undefined => responseOf(fault, { settings, date: () => clock.date(), waitMs });

/** Plays the faults that come before the request is served. True where it has been dealt with. */
async function playBefore<Target>(
	hits: readonly FaultHit<Target>[],
	exchange: Exchange,
	context: HookContext<Target>,
): Promise<boolean> {
	const { reply } = exchange;
	for (const hit of hits) {
		const { fault } = hit;
		if (momentOf(fault) !== 'before') continue;
		await holdUp(fault);
		if (fault.kind === 'run') await fault.run(context.target());
		if (FAULTS[fault.kind].resets) {
			reply.hijack();
			reset(exchange);
			return true;
		}
		const response = responseTo(hit, context);
		if (response === undefined) continue;
		await reply.code(response.status).headers(response.headers).send(response.body);
		return true;
	}
	return false;
}

/** Plays the faults that come after the request took effect; gives the body to send. */
async function playAfter<Target>(
	hits: readonly FaultHit<Target>[],
	{ payload: own, ...exchange }: Exchange & { payload: unknown },
	context: HookContext<Target>,
): Promise<unknown> {
	const { reply } = exchange;
	let payload = own;
	for (const hit of hits) {
		const { fault } = hit;
		if (momentOf(fault) !== 'before') {
			await holdUp(fault);
			if (FAULTS[fault.kind].resets) {
				reset(exchange);
				await new Promise(() => undefined);
			}
			const response = responseTo(hit, context);
			if (response !== undefined) {
				reply.code(response.status).headers(response.headers).removeHeader('content-length');
				payload = response.body;
				if (typeof payload === 'string') reply.header('content-length', Buffer.byteLength(payload));
			}
		}
		payload = spoilt(fault, payload, reply);
	}
	return payload;
}

/** Opens the log's entry of a request and closes it when the response is out. */
function logged<Target>({ request, reply }: Exchange, context: HookContext<Target>): LoggedRequest {
	const [path = '', query = ''] = request.raw.url?.split('?', 2) ?? [];
	const entry = context.log.open({
		operation: context.operationOf(request.method, path),
		origin: context.origin,
		method: request.method,
		url: request.raw.url ?? '',
		path,
		query: new URLSearchParams(query),
		headers: request.headers,
		body: '',
	});
	reply.raw.once('close', () => {
		context.log.close(entry);
		context.onAnswered(entry);
		publishRequest(entry, context.settings);
	});
	return entry;
}

/** Logs every request of a server and plays the faults that were asked for. */
export function installHooks<Target>(
	server: FastifyInstance,
	context: HookContext<Target>,
): InstalledHooks {
	const entries = new WeakMap<FastifyRequest, LoggedRequest>();
	/** What hits a request; nothing more where it has been answered. */
	const struck = new WeakMap<FastifyRequest, FaultHit<Target>[]>();

	server.addHook('onRequest', async (request, reply) => {
		if (request.raw.url?.startsWith(`${CONTROL_PREFIX}/`) === true) return;
		entries.set(request, logged({ request, reply }, context));
		reply.header('date', context.clock.date().toUTCString());
	});

	server.addHook('preValidation', async (request, reply) => {
		const entry = entries.get(request);
		if (entry === undefined) return undefined;
		entry.body = typeof request.body === 'string' ? request.body : '';
		const hits = context.faults.hits(entry);
		if (await playBefore(hits, { request, reply }, context)) return reply;
		struck.set(request, hits);
		return undefined;
	});

	server.addHook('onSend', async (request, reply, payload) => {
		const hits = struck.get(request) ?? [];
		const spoiled = await playAfter(hits, { request, reply, payload }, context);
		const entry = entries.get(request);
		if (entry !== undefined) entry.status = reply.statusCode;
		return spoiled;
	});

	return {
		entryOf: (request) => entries.get(request),
		isCutShort: (request) =>
			struck.get(request)?.some(({ fault }) => momentOf(fault) === 'while') ?? false,
	};
}
