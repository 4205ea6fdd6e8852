import { setTimeout as wait } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Sandbox } from './sandbox.mts';
import { errorAnswer, htmlPage, JSON_TYPE } from './serviceError.mts';
import { truncated } from './truncation.mts';

/**
 * Before: the request has no effect. While: a create makes its inspection and no task. After: it took effect, only
 * its response suffers.
 */
export type FaultMoment = 'before' | 'while' | 'after';

/** What a fault may look at. */
export interface Scene {
	request: FastifyRequest;
	sandbox: Sandbox;
}

/** A response in the place of the service's own. */
export interface FaultResponse {
	status: number;
	headers: Record<string, string>;
	body: string;
}

/** What a fault does; times are milliseconds. */
export interface FaultEntry<Parameters> {
	/** Holds the request up, for ever where nothing more is to happen. */
	hold?(fault: Parameters, scene: Scene): Promise<unknown>;
	/** Undefined: the service's own response. */
	respond?(fault: Parameters, scene: Scene): FaultResponse | undefined;
	/** Makes of the body that was to be sent another one. */
	spoil?(fault: Parameters, payload: unknown, reply: FastifyReply): unknown;
}

interface Timed {
	when?: FaultMoment;
}

interface StatusFault extends Timed {
	status: number;
	headers?: Record<string, string>;
	/** Text as it is, anything else as JSON; default: the service's error body. */
	body?: unknown;
}

interface RateLimit {
	perSecond: number;
	/** Seconds unless told otherwise. */
	retryAfter?: 'seconds' | 'date' | 'none';
	retryAfterSeconds?: number;
}

const fault = <Parameters = unknown,>(entry: FaultEntry<Parameters>) => entry;

const forEver = () => new Promise<never>(() => undefined);

function reset(_fault: unknown, { request }: Scene): Promise<never> {
	request.raw.socket.resetAndDestroy();
	return forEver();
}

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

const answer = (status: number, contentType: string, body: string, headers = {}) => ({
	status,
	headers: { 'content-type': contentType, ...headers },
	body,
});

function refusal(status: number, message: string, { sandbox }: Scene, headers = {}) {
	const { contentType, body } = errorAnswer(status, message, sandbox.settings.errorBody);
	return answer(status, contentType, body, headers);
}

/** When each rate limit let requests through, in the last second. */
const passed = new WeakMap<RateLimit, number[]>();

/** Milliseconds until a rate limit lets the next request through; null where this one may pass. */
function waitFor(limit: RateLimit): number | null {
	const now = performance.now();
	const starts = (passed.get(limit) ?? []).filter((start) => now - start < 1000);
	passed.set(limit, starts);
	if (starts.length >= limit.perSecond) return (starts[0] ?? now) + 1000 - now;
	starts.push(now);
	return null;
}

function retryAfter(limit: RateLimit, waitMs: number, sandbox: Sandbox): Record<string, string> {
	const seconds = limit.retryAfterSeconds ?? Math.max(1, Math.ceil(waitMs / 1000));
	const date = new Date(sandbox.clock.date().getTime() + seconds * 1000).toUTCString();
	if (limit.retryAfter === 'none') return {};
	return { 'retry-after': limit.retryAfter === 'date' ? date : String(seconds) };
}

/** Every fault: its parameters, and what it does. sandbox/README.md says what each is for. */
export const FAULTS = {
	latency: fault<Timed & { ms: number }>({
		hold: ({ ms }) => wait(ms, undefined, { ref: false }),
	}),
	status: fault<StatusFault>({
		respond({ status, headers, body }, scene) {
			const message = 'The service could not do what was asked';
			if (body === undefined) return refusal(status, message, scene, headers);
			const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : JSON_TYPE;
			return answer(status, type, textOf(body), headers);
		},
	}),
	html: fault<Timed & { status: number }>({
		respond: ({ status }) => answer(status, 'text/html; charset=utf-8', htmlPage(status)),
	}),
	truncate: fault<{ reset?: boolean }>({
		spoil: ({ reset = false }, payload, reply) => truncated(payload, reset, reply),
	}),
	malformed: fault({ spoil: (_fault, payload) => `${String(payload).slice(0, -1)},"oops":}` }),
	empty: fault({ spoil: () => '' }),
	body: fault<{ body: unknown }>({ spoil: ({ body }) => textOf(body) }),
	resetBefore: fault({ hold: reset }),
	resetWhile: fault({ hold: reset }),
	resetAfter: fault({ hold: reset }),
	hang: fault<Timed>({ hold: forEver }),
	redirect: fault<{ location: string; status?: number }>({
		respond: ({ location, status = 307 }) => ({ status, headers: { location }, body: '' }),
	}),
	rateLimit: fault<RateLimit>({
		respond(limit, scene) {
			const waitMs = waitFor(limit);
			if (waitMs === null) return undefined;
			const headers = retryAfter(limit, waitMs, scene.sandbox);
			return refusal(429, 'Too many requests', scene, headers);
		},
	}),
	run: fault<{ run: (sandbox: Sandbox) => void | Promise<void> }>({
		hold: async ({ run }, { sandbox }) => run(sandbox),
	}),
};

type Entries = typeof FAULTS;
type ParametersOf<Kind extends keyof Entries> =
	Entries[Kind] extends FaultEntry<infer Parameters> ? Parameters : never;

/** What can go wrong with a request: a kind of FAULTS with its parameters. */
export type Fault = {
	[Kind in keyof Entries]: { kind: Kind } & (unknown extends ParametersOf<Kind>
		? unknown
		: ParametersOf<Kind>);
}[keyof Entries];

/** What a fault does; its parameters are those of its kind. */
export const entryOf = ({ kind }: Fault): FaultEntry<unknown> => FAULTS[kind];

/** When a fault plays; those without a moment of their own leave the work alone and spoil the response. */
export function momentOf(fault: Fault): FaultMoment {
	if (fault.kind === 'resetAfter') return 'after';
	if (fault.kind === 'resetWhile') return 'while';
	return ('when' in fault ? fault.when : undefined) ?? 'before';
}
