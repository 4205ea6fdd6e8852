import { setTimeout as wait } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { flood } from './flood.mts';
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
	/** Milliseconds until a rate limit lets the next request through. */
	waitMs: number;
}

/** A response in the place of the service's own. */
export interface FaultResponse {
	status: number;
	headers: Record<string, string>;
	body: string | NodeJS.ReadableStream;
}

/** What a fault is for and what it does; times are milliseconds. */
export interface FaultEntry<Parameters> {
	what: string;
	/** Holds the request up, for ever where nothing more is to happen. */
	hold?(fault: Parameters, scene: Scene): Promise<unknown> | undefined;
	respond?(fault: Parameters, scene: Scene): FaultResponse;
	/** Makes of the body that was to be sent another one. */
	spoil?(fault: Parameters, payload: unknown, reply: FastifyReply): unknown;
}

interface Timed {
	when?: FaultMoment;
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

const answer = (
	status: number,
	contentType: string,
	body: FaultResponse['body'],
	headers = {},
) => ({
	status,
	headers: { 'content-type': contentType, ...headers },
	body,
});

function refusal(status: number, message: string, { sandbox }: Scene, headers = {}) {
	const { contentType, body } = errorAnswer(status, message, sandbox.settings.errorBody);
	return answer(status, contentType, body, headers);
}

function retryAfter(fault: RateLimit, { waitMs, sandbox }: Scene): Record<string, string> {
	const seconds = fault.retryAfterSeconds ?? Math.max(1, Math.ceil(waitMs / 1000));
	const date = new Date(sandbox.clock.date().getTime() + seconds * 1000).toUTCString();
	if (fault.retryAfter === 'none') return {};
	return { 'retry-after': fault.retryAfter === 'date' ? date : String(seconds) };
}

/** Every fault: its parameters, what it is for, and what it does. */
export const FAULTS = {
	latency: fault<Timed & { ms: number }>({
		what: 'the request takes so many milliseconds longer',
		hold: ({ ms }) => wait(ms, undefined, { ref: false }),
	}),
	status: fault<
		Timed & {
			status: number;
			headers?: Record<string, string>;
			/** Text as it is, anything else as JSON; default: the service's error body. */
			body?: unknown;
		}
	>({
		what: 'another status, with headers and a body if wanted',
		respond({ status, headers, body }, scene) {
			const message = 'The service could not do what was asked';
			if (body === undefined) return refusal(status, message, scene, headers);
			const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : JSON_TYPE;
			return answer(status, type, textOf(body), headers);
		},
	}),
	html: fault<Timed & { status: number }>({
		what: 'a page as a proxy in front of the service sends it',
		respond: ({ status }) => answer(status, 'text/html; charset=utf-8', htmlPage(status)),
	}),
	truncate: fault<{ reset?: boolean }>({
		what: 'half of the body; reset announces the whole and breaks the connection off (always so for downloads)',
		spoil: ({ reset = false }, payload, reply) => truncated(payload, reset, reply),
	}),
	malformed: fault({
		what: 'the whole body with its JSON broken',
		spoil: (_fault, payload) => `${String(payload).slice(0, -1)},"oops":}`,
	}),
	empty: fault({
		what: 'no body under the right status',
		spoil: () => '',
	}),
	contentType: fault<{ contentType: string }>({
		what: 'the right body under another Content-Type',
		spoil({ contentType }, payload, reply) {
			reply.header('content-type', contentType);
			return payload;
		},
	}),
	body: fault<{ body: unknown }>({
		what: 'another body, JSON or text, under the right status',
		spoil: ({ body }) => textOf(body),
	}),
	resetBefore: fault({ what: 'the connection is reset, nothing happened', hold: reset }),
	resetWhile: fault({
		what: 'the connection is reset, a create made its inspection only',
		hold: reset,
	}),
	resetAfter: fault({ what: 'the connection is reset, and all has happened', hold: reset }),
	hang: fault<Timed>({ what: 'no response, ever', hold: forEver }),
	flood: fault<Timed & { bytes?: number; gzip?: boolean }>({
		what: 'a body of blanks in {"data":[]}: so many bytes or without end, gzip sends a thousandth of them',
		respond: ({ bytes = Infinity, gzip = false }) =>
			answer(200, JSON_TYPE, flood(bytes, gzip), gzip ? { 'content-encoding': 'gzip' } : {}),
	}),
	redirect: fault<{ location: string; status?: number }>({
		what: 'leads to a path of this origin or to an address of another one, by 307 unless told otherwise',
		respond: ({ location, status = 307 }) => ({ status, headers: { location }, body: '' }),
	}),
	rateLimit: fault<RateLimit>({
		what: '429 beyond so many requests in a second, with Retry-After as seconds, as a date, or without',
		respond: (limit, scene) => refusal(429, 'Too many requests', scene, retryAfter(limit, scene)),
	}),
	run: fault<{ run: (sandbox: Sandbox) => void | Promise<void> }>({
		what: 'calls a function before the request is served: an update between two pages',
		hold: async ({ run }, { sandbox }) => run(sandbox),
	}),
};

type Entries = typeof FAULTS;
export type FaultKind = keyof Entries;
type ParametersOf<Kind extends FaultKind> =
	Entries[Kind] extends FaultEntry<infer Parameters> ? Parameters : never;

/** What can go wrong with a request: a kind of FAULTS with its parameters. */
export type Fault = {
	[Kind in FaultKind]: { kind: Kind } & (unknown extends ParametersOf<Kind>
		? unknown
		: ParametersOf<Kind>);
}[FaultKind];

/** What a fault does; its parameters are those of its kind. */
export const entryOf = ({ kind }: Fault): FaultEntry<unknown> => FAULTS[kind];

/** When a fault plays; those without a moment of their own leave the work alone and spoil the response. */
export function momentOf(fault: Fault): FaultMoment {
	if (fault.kind === 'resetAfter') return 'after';
	if (fault.kind === 'resetWhile') return 'while';
	return ('when' in fault ? fault.when : undefined) ?? 'before';
}
