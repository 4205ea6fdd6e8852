import { Readable, Transform } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Sandbox } from './sandbox.mts';
import { errorBody, htmlPage, JSON_TYPE } from './serviceError.mts';

/**
 * before: the request has no effect. while: a create adds its inspection but no task. after: it took effect, and only
 * its response suffers.
 */
export type FaultMoment = 'before' | 'while' | 'after';

/** What a fault can access. */
export interface Scene {
	request: FastifyRequest;
	sandbox: Sandbox;
}

/** A response that replaces the service's. */
export type FaultResponse = ReturnType<typeof answer>;

/** Default: before. */
type Timed = Partial<Record<'when', FaultMoment>>;

/** Every fault with its parameters. Times are in ms. sandbox/README.md explains each one. */
interface Faults {
	latency: Timed & { ms: number };
	/** `body`: text as is, anything else as JSON. Default: the service's error body. */
	status: Timed & { status: number; headers?: Record<string, string>; body?: unknown };
	html: Timed & { status: number };
	truncate: { reset?: boolean };
	malformed: object;
	empty: object;
	body: { body: unknown };
	reset: Timed;
	hang: Timed;
	redirect: { location: string; status?: number };
	run: Timed & { run: (sandbox: Sandbox) => void | Promise<void> };
}

export type Fault = { [Kind in keyof Faults]: { kind: Kind } & Faults[Kind] }[keyof Faults];

/** How a fault behaves. */
interface FaultEntry<Parameters> {
	/**
	 * Holds the request up, forever if nothing else should happen. Resolves to undefined for the service's own
	 * response.
	 */
	act?(
		fault: Parameters,
		scene: Scene,
	): Promise<FaultResponse | undefined> | FaultResponse | undefined;
	/** Replaces the response body. */
	spoil?(fault: Parameters, payload: unknown, reply: FastifyReply): unknown;
}

const forEver = () => new Promise<never>(() => undefined);

function reset(_fault: unknown, { request }: Scene): Promise<never> {
	request.raw.socket.resetAndDestroy();
	return forEver();
}

const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

function answer(status: number, contentType: string, body: string, others = {}) {
	const headers: Record<string, string> = { 'content-type': contentType, ...others };
	return { status, headers, body };
}

/** Passes half of the bytes, then breaks off. */
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
	// Fastify stops listening if the client disconnects first, and an unhandled error event ends the process.
	stream.on('error', () => undefined);
	return stream;
}

/** Half of a body, with the length of the whole body or its own. A stream always breaks off. */
function truncated(payload: unknown, isReset: boolean, reply: FastifyReply): unknown {
	if (payload instanceof Readable) {
		return payload.pipe(breakingOff(Number(reply.getHeader('content-length') ?? 64)));
	}
	const bytes = Buffer.from(typeof payload === 'string' ? payload : '');
	const half = bytes.subarray(0, Math.floor(bytes.length / 2));
	reply.header('content-length', isReset ? bytes.length : half.length);
	return isReset ? Readable.from([bytes]).pipe(breakingOff(bytes.length)) : half;
}

export const FAULTS: { [Kind in keyof Faults]: FaultEntry<Faults[Kind]> } = {
	latency: { act: ({ ms }) => wait(ms, undefined, { ref: false }) },
	status: {
		act({ status, headers, body }) {
			if (body === undefined) {
				const refusal = errorBody(status, 'The service could not do what was asked');
				return answer(status, JSON_TYPE, refusal, headers);
			}
			const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : JSON_TYPE;
			return answer(status, type, textOf(body), headers);
		},
	},
	html: { act: ({ status }) => answer(status, 'text/html; charset=utf-8', htmlPage(status)) },
	truncate: {
		spoil: ({ reset: isReset = false }, payload, reply) => truncated(payload, isReset, reply),
	},
	malformed: { spoil: (_fault, payload) => `${String(payload).slice(0, -1)},"oops":}` },
	empty: { spoil: () => '' },
	body: { spoil: ({ body }) => textOf(body) },
	reset: { act: reset },
	hang: { act: forEver },
	redirect: {
		act: ({ location, status = 307 }) => ({ status, headers: { location }, body: '' }),
	},
	run: {
		async act({ run }, { sandbox }) {
			await run(sandbox);
			return undefined;
		},
	},
};

/** The behavior of a fault. It takes the parameters of its kind. */
export const entryOf = ({ kind }: Fault): FaultEntry<unknown> => FAULTS[kind];

/** When a fault acts. Faults without `when` leave the work alone and spoil the response. */
export const momentOf = (fault: Fault): FaultMoment =>
	('when' in fault ? fault.when : undefined) ?? 'before';
