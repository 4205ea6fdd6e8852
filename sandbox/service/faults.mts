import { setTimeout as wait } from 'node:timers/promises';

import type { FastifyReply } from 'fastify';

import { flood } from './flood.mts';
import { type Answerable, errorAnswer, htmlPage, JSON_TYPE } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import { truncated } from './truncation.mts';

/**
 * Before: the request has no effect. While: a create makes its inspection and no task. After: it took effect, only
 * its response suffers.
 */
export type FaultMoment = 'before' | 'while' | 'after';

/** What can go wrong with a request; FAULTS says what each is for. Times are milliseconds. */
export type Fault<Target = unknown> =
	| { kind: 'latency'; ms: number; when?: FaultMoment }
	| {
			kind: 'status';
			status: number;
			headers?: Record<string, string>;
			/** Text as it is, anything else as JSON; default: the service's error body. */
			body?: unknown;
			when?: FaultMoment;
	  }
	| { kind: 'html'; status: number; when?: FaultMoment }
	| { kind: 'truncate'; reset?: boolean }
	| { kind: 'malformed' }
	| { kind: 'empty' }
	| { kind: 'contentType'; contentType: string }
	| { kind: 'body'; body: unknown }
	| { kind: 'resetBefore' }
	| { kind: 'resetWhile' }
	| { kind: 'resetAfter' }
	| { kind: 'hang'; when?: FaultMoment }
	| { kind: 'flood'; bytes?: number; gzip?: boolean; when?: FaultMoment }
	| { kind: 'redirect'; location: string; status?: number }
	| {
			kind: 'rateLimit';
			perSecond: number;
			retryAfter?: 'seconds' | 'date' | 'none';
			retryAfterSeconds?: number;
	  }
	| { kind: 'run'; run: (sandbox: Target) => void | Promise<void> };

export type FaultKind = Fault['kind'];
type FaultOf<Kind extends FaultKind> = Extract<Fault<never>, { kind: Kind }>;

/** What a fault may look at. */
export interface Scene {
	settings: SandboxSettings;
	/** Now, by the service's clock. */
	date: () => Date;
	/** Milliseconds until a rate limit lets the next request through. */
	waitMs: number;
}

/** A response in the place of the service's own. */
export interface FaultResponse {
	status: number;
	headers: Record<string, string>;
	body: Answerable['body'] | ReturnType<typeof flood>;
}

interface Entry<Kind extends FaultKind> {
	what: string;
	/** Holds the request up. */
	hold?: (fault: FaultOf<Kind>) => Promise<unknown>;
	respond?: (fault: FaultOf<Kind>, scene: Scene) => FaultResponse;
	/** Makes of the body that was to be sent another one. */
	spoil?: (fault: FaultOf<Kind>, payload: unknown, reply: FastifyReply) => unknown;
	/** The connection is reset. */
	resets?: true;
}

const answer = (
	status: number,
	{ contentType, body }: Answerable,
	headers = {},
): FaultResponse => ({
	status,
	headers: { 'content-type': contentType, ...headers },
	body,
});

function put(text: string, reply: FastifyReply): string {
	reply.header('content-length', Buffer.byteLength(text));
	return text;
}

function retryAfter(fault: FaultOf<'rateLimit'>, { waitMs, date }: Scene): Record<string, string> {
	const seconds = fault.retryAfterSeconds ?? Math.max(1, Math.ceil(waitMs / 1000));
	switch (fault.retryAfter ?? 'seconds') {
		case 'seconds':
			return { 'retry-after': String(seconds) };
		case 'date':
			return { 'retry-after': new Date(date().getTime() + seconds * 1000).toUTCString() };
		case 'none':
			return {};
	}
}

function statusBody({ status, body }: FaultOf<'status'>, { settings }: Scene): Answerable {
	const message = 'The service could not do what was asked';
	if (body === undefined) return errorAnswer(status, message, settings.errorBody);
	if (typeof body === 'string') return { contentType: 'text/plain; charset=utf-8', body };
	return { contentType: JSON_TYPE, body: JSON.stringify(body) };
}

/** Every fault: what it is for, and what it does. */
export const FAULTS: { [Kind in FaultKind]: Entry<Kind> } = {
	latency: {
		what: 'the request takes so many milliseconds longer',
		hold: ({ ms }) => wait(ms, undefined, { ref: false }),
	},
	status: {
		what: 'another status, with headers and a body if wanted',
		respond: (fault, scene) => answer(fault.status, statusBody(fault, scene), fault.headers),
	},
	html: {
		what: 'a page as a proxy in front of the service sends it',
		respond: ({ status }) => answer(status, htmlPage(status)),
	},
	truncate: {
		what: 'half of the body; reset announces the whole and breaks the connection off (always so for downloads)',
		spoil: ({ reset = false }, payload, reply) => truncated(payload, reset, reply),
	},
	malformed: {
		what: 'the whole body with its JSON broken',
		spoil: (_fault, payload, reply) => put(`${String(payload).slice(0, -1)},"oops":}`, reply),
	},
	empty: {
		what: 'no body under the right status',
		spoil: (_fault, _payload, reply) => put('', reply),
	},
	contentType: {
		what: 'the right body under another Content-Type',
		spoil: ({ contentType }, payload, reply) => {
			reply.header('content-type', contentType);
			return payload;
		},
	},
	body: {
		what: 'another body, JSON or text, under the right status',
		spoil: ({ body }, _payload, reply) =>
			put(typeof body === 'string' ? body : JSON.stringify(body), reply),
	},
	resetBefore: { what: 'the connection is reset, nothing happened', resets: true },
	resetWhile: { what: 'the connection is reset, a create made its inspection only', resets: true },
	resetAfter: { what: 'the connection is reset, and all has happened', resets: true },
	hang: {
		what: 'no response, ever',
		hold: () => new Promise(() => undefined),
	},
	flood: {
		what: 'a body of blanks in {"data":[]}: so many bytes or without end, gzip sends a thousandth of them',
		respond: ({ bytes = Infinity, gzip = false }) => ({
			...answer(
				200,
				{ contentType: JSON_TYPE, body: '' },
				gzip ? { 'content-encoding': 'gzip' } : {},
			),
			body: flood(bytes, gzip),
		}),
	},
	redirect: {
		what: 'leads to a path of this origin or to an address of another one, by 307 unless told otherwise',
		respond: ({ location, status = 307 }) => ({ status, headers: { location }, body: '' }),
	},
	rateLimit: {
		what: '429 beyond so many requests in a second, with Retry-After as seconds, as a date, or without',
		respond: (fault, scene) => {
			const refusal = errorAnswer(429, 'Too many requests', scene.settings.errorBody);
			return answer(429, refusal, retryAfter(fault, scene));
		},
	},
	run: { what: 'calls a function before the request is served: an update between two pages' },
};

const entryOf = <Kind extends FaultKind>(kind: Kind): Entry<Kind> => FAULTS[kind];

export const holdUp = async (fault: Fault<never>): Promise<void> => {
	await entryOf(fault.kind).hold?.(fault);
};

export const responseOf = (fault: Fault<never>, scene: Scene): FaultResponse | undefined =>
	entryOf(fault.kind).respond?.(fault, scene);

export function spoilt(fault: Fault<never>, payload: unknown, reply: FastifyReply): unknown {
	const { spoil } = entryOf(fault.kind);
	return spoil === undefined ? payload : spoil(fault, payload, reply);
}

/** When a fault plays; those without a moment of their own leave the work alone and spoil the response. */
export function momentOf(fault: Fault<never>): FaultMoment {
	if (fault.kind === 'resetAfter') return 'after';
	if (fault.kind === 'resetWhile') return 'while';
	return ('when' in fault ? fault.when : undefined) ?? 'before';
}
