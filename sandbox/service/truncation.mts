import { Readable, Transform } from 'node:stream';

import type { FastifyReply } from 'fastify';

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

/** Half of a body: announced as the whole of it, or as what it is. A stream breaks off in any case. */
export function truncated(payload: unknown, isReset: boolean, reply: FastifyReply): unknown {
	if (payload instanceof Readable) {
		return payload.pipe(breakingOff(Number(reply.getHeader('content-length') ?? 64)));
	}
	const bytes = Buffer.from(typeof payload === 'string' ? payload : '');
	const half = bytes.subarray(0, Math.floor(bytes.length / 2));
	reply.header('content-length', isReset ? bytes.length : half.length);
	return isReset ? Readable.from([bytes]).pipe(breakingOff(bytes.length)) : half;
}
