import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { ServiceClock } from './clock.mts';
import { CONTROL_PREFIX } from './controlPrefix.mts';
import type { Fault, FaultBoard, FaultHit, FaultMoment } from './faultBoard.mts';
import { flood } from './flood.mts';
import type { Operation } from './model.mts';
import { publishRequest } from './requestCheck.mts';
import type { LoggedRequest, RequestLog } from './requestLog.mts';
import { errorAnswer, htmlPage } from './serviceError.mts';
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

const never = (): Promise<never> => new Promise(() => undefined);

function reset(request: FastifyRequest): void {
	request.raw.socket.resetAndDestroy();
}

function retryAfterHeader(
	fault: Extract<Fault, { kind: 'rateLimit' }>,
	waitMs: number,
	clock: ServiceClock,
): Record<string, string> {
	const seconds = fault.retryAfterSeconds ?? Math.max(1, Math.ceil(waitMs / 1000));
	switch (fault.retryAfter ?? 'seconds') {
		case 'seconds':
			return { 'retry-after': String(seconds) };
		case 'date':
			return { 'retry-after': new Date(clock.date().getTime() + seconds * 1000).toUTCString() };
		case 'none':
			return {};
	}
}

interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string | Readable;
}

/** The answer that a fault gives in the place of the service's own; null where it gives none. */
function answerOf<Target>(
	{ fault, waitMs }: FaultHit<Target>,
	{ clock, settings }: HookContext<Target>,
): Answer | null {
	const error = (status: number, message: string) =>
		errorAnswer(status, message, settings.errorBody);
	switch (fault.kind) {
		case 'status': {
			const { contentType, body } =
				fault.body === undefined
					? error(fault.status, 'The service could not do what was asked')
					: typeof fault.body === 'string'
						? { contentType: 'text/plain; charset=utf-8', body: fault.body }
						: { contentType: 'application/json; charset=utf-8', body: JSON.stringify(fault.body) };
			return {
				status: fault.status,
				headers: { 'content-type': contentType, ...fault.headers },
				body,
			};
		}
		case 'html': {
			const { contentType, body } = htmlPage(fault.status);
			return { status: fault.status, headers: { 'content-type': contentType }, body };
		}
		case 'redirect':
			return { status: fault.status ?? 307, headers: { location: fault.location }, body: '' };
		case 'rateLimit': {
			const { contentType, body } = error(429, 'Too many requests');
			const headers = retryAfterHeader(fault, waitMs, clock);
			return { status: 429, headers: { 'content-type': contentType, ...headers }, body };
		}
		case 'flood': {
			const isGzip = fault.gzip ?? false;
			return {
				status: 200,
				headers: {
					'content-type': 'application/json; charset=utf-8',
					...(isGzip ? { 'content-encoding': 'gzip' } : {}),
				},
				body: flood(fault.bytes ?? Infinity, isGzip),
			};
		}
		default:
			return null;
	}
}

/** When a fault plays; those without a moment of their own leave the work alone and spoil the response. */
function momentOf<Target>(fault: Fault<Target>): FaultMoment {
	if (fault.kind === 'resetAfter') return 'after';
	if (fault.kind === 'resetWhile') return 'while';
	return ('when' in fault ? fault.when : undefined) ?? 'before';
}

/** Plays the faults that come before the request is served. True where it has been dealt with. */
async function playBefore<Target>(
	hits: readonly FaultHit<Target>[],
	{ request, reply }: { request: FastifyRequest; reply: FastifyReply },
	context: HookContext<Target>,
): Promise<boolean> {
	for (const hit of hits) {
		const { fault } = hit;
		if (momentOf(fault) !== 'before') continue;
		if (fault.kind === 'latency') await wait(fault.ms, undefined, { ref: false });
		if (fault.kind === 'run') await fault.run(context.target());
		if (fault.kind === 'hang') await never();
		if (fault.kind === 'resetBefore') {
			reply.hijack();
			reset(request);
			return true;
		}
		const answer = answerOf(hit, context);
		if (answer === null) continue;
		await reply.code(answer.status).headers(answer.headers).send(answer.body);
		return true;
	}
	return false;
}

/** Lets half of the bytes through, then breaks off. */
function breakingOff(length: number): Transform {
	let left = Math.floor(length / 2);
	const stream = new Transform({
		transform(chunk: Buffer, _encoding, done) {
			const part = chunk.subarray(0, left);
			left -= part.length;
			this.push(part);
			if (left > 0) done();
			else setImmediate(() => done(new Error('Broken off on purpose')));
		},
	});
	// Fastify listens no more where the client is gone before: an error that nobody hears ends the process.
	stream.on('error', () => undefined);
	return stream;
}

function truncated(payload: unknown, isReset: boolean, reply: FastifyReply): unknown {
	if (isPipeable(payload)) {
		return payload.pipe(breakingOff(Number(reply.getHeader('content-length') ?? 64)));
	}
	const bytes = Buffer.from(typeof payload === 'string' ? payload : '');
	const half = bytes.subarray(0, Math.floor(bytes.length / 2));
	if (!isReset) {
		reply.header('content-length', half.length);
		return half;
	}
	reply.header('content-length', bytes.length);
	const stream = breakingOff(bytes.length);
	stream.end(bytes);
	return stream;
}

function isPipeable(value: unknown): value is NodeJS.ReadableStream {
	return typeof value === 'object' && value !== null && 'pipe' in value && !Buffer.isBuffer(value);
}

/** Leaves the answer's body in another state than the service gave it. */
function spoil<Target>(fault: Fault<Target>, payload: unknown, reply: FastifyReply): unknown {
	const put = (text: string) => {
		reply.header('content-length', Buffer.byteLength(text));
		return text;
	};
	switch (fault.kind) {
		case 'truncate':
			return truncated(payload, fault.reset ?? false, reply);
		case 'malformed':
			return put(`${String(payload).slice(0, -1)},"oops":}`);
		case 'empty':
			return put('');
		case 'contentType':
			reply.header('content-type', fault.contentType);
			return payload;
		case 'body':
			return put(typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body));
		default:
			return payload;
	}
}

/** Plays the faults that come after the request took effect; gives the body to send. */
async function playAfter<Target>(
	hits: readonly FaultHit<Target>[],
	exchange: { request: FastifyRequest; reply: FastifyReply; payload: unknown },
	context: HookContext<Target>,
): Promise<unknown> {
	const { request, reply } = exchange;
	let { payload } = exchange;
	for (const hit of hits) {
		const { fault } = hit;
		if (fault.kind === 'resetAfter' || fault.kind === 'resetWhile') {
			reset(request);
			await never();
		}
		if (momentOf(fault) !== 'before') {
			if (fault.kind === 'latency') await wait(fault.ms, undefined, { ref: false });
			if (fault.kind === 'hang') await never();
			const answer = answerOf(hit, context);
			if (answer !== null) {
				reply.code(answer.status).headers(answer.headers);
				payload = answer.body;
				if (typeof payload === 'string') reply.header('content-length', Buffer.byteLength(payload));
				else reply.removeHeader('content-length');
			}
		}
		payload = spoil(fault, payload, reply);
	}
	return payload;
}

export interface InstalledHooks {
	entryOf: (request: FastifyRequest) => LoggedRequest | undefined;
	/** Whether a fault ends the work of a create between the inspection and its task. */
	isCutShort: (request: FastifyRequest) => boolean;
}

/** Logs every request of a server and plays the faults that were asked for. */
export function installHooks<Target>(
	server: FastifyInstance,
	context: HookContext<Target>,
): InstalledHooks {
	const entries = new WeakMap<FastifyRequest, LoggedRequest>();
	const struck = new WeakMap<FastifyRequest, FaultHit<Target>[]>();
	const answered = new WeakSet<FastifyRequest>();

	server.addHook('onRequest', async (request, reply) => {
		const [path = '', query = ''] = request.raw.url?.split('?', 2) ?? [];
		const method = request.method;
		if (path.startsWith(`${CONTROL_PREFIX}/`)) return;
		const entry = context.log.open({
			operation: context.operationOf(method, path),
			origin: context.origin,
			method,
			url: request.raw.url ?? '',
			path,
			query: new URLSearchParams(query),
			headers: request.headers,
			body: '',
		});
		entries.set(request, entry);
		reply.raw.once('close', () => {
			context.log.close(entry);
			context.onAnswered(entry);
			publishRequest(entry, context.settings);
		});
		reply.header('date', context.clock.date().toUTCString());
	});

	server.addHook('preValidation', async (request, reply) => {
		const entry = entries.get(request);
		if (entry === undefined) return;
		entry.body = typeof request.body === 'string' ? request.body : '';
		const hits = context.faults.hits(entry);
		if (hits.length === 0) return;
		const isDone = await playBefore(hits, { request, reply }, context);
		if (isDone) {
			answered.add(request);
			return reply;
		}
		struck.set(request, hits);
	});

	server.addHook('onSend', async (request, reply, payload) => {
		const hits = answered.has(request) ? [] : (struck.get(request) ?? []);
		const spoilt = await playAfter(hits, { request, reply, payload }, context);
		const entry = entries.get(request);
		if (entry !== undefined) entry.status = reply.statusCode;
		return spoilt;
	});

	return {
		entryOf: (request) => entries.get(request),
		isCutShort: (request) =>
			struck.get(request)?.some(({ fault }) => momentOf(fault) === 'while') ?? false,
	};
}
