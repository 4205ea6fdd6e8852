import { Readable, Transform } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Sandbox } from './sandbox.mts';
import { errorBody, htmlPage, JSON_TYPE } from './serviceError.mts';

/**
 * When a fault acts. `before`: the request has no effect. `while`: a create request adds its inspection but no task.
 * `after`: the request takes effect, and the fault changes only its response.
 */
export type FaultMoment = 'before' | 'while' | 'after';

/** The request that a fault affects, and the sandbox that received it. */
export interface Scene {
	request: FastifyRequest;
	sandbox: Sandbox;
}

/** A fault's response, which the client gets instead of the service's response. */
export type FaultResponse = ReturnType<typeof answer>;

/** When the fault acts. Default: `before`. */
type Timed = Partial<Record<'when', FaultMoment>>;

/** The parameters of each kind of fault. Times are in ms. sandbox/README.md explains each kind. */
interface Faults {
	latency: Timed & { ms: number };
	/** `body` is sent unchanged if it's text, else as JSON. Default: the service's own error body. */
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

/** How a kind of fault behaves. */
interface FaultEntry<Parameters> {
	/**
	 * Delays the request, changes the sandbox, or responds to the request. Returns undefined if the service should
	 * respond. Never resolves if the client must get no response.
	 */
	act?(
		fault: Parameters,
		scene: Scene,
	): Promise<FaultResponse | undefined> | FaultResponse | undefined;
	/** Returns the response body to send instead of `payload`. */
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

/** Returns a stream that passes on the first half of `length` bytes, then fails. */
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
	// If the client disconnects first, Fastify stops listening for errors. Without a listener, an error would end the
	// process.
	stream.on('error', () => undefined);
	return stream;
}

/**
 * Cuts a body in half. With `isReset`, the header Content-Length still has the size of the whole body, and the
 * connection breaks off. This always happens to a stream, even without `isReset`.
 */
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

/** Returns a fault's behavior. Its functions must be called with this same fault. */
export const entryOf = ({ kind }: Fault): FaultEntry<unknown> => FAULTS[kind];

/** Returns when a fault acts, which is `before` by default. Faults with `spoil` also change the response body later. */
export const momentOf = (fault: Fault): FaultMoment =>
	('when' in fault ? fault.when : undefined) ?? 'before';
