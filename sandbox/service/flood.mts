import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

/** Blanks per chunk: 64 KiB is the usual chunk of a stream; a compressed chunk of 16 MiB takes 16 kB. */
const CHUNK_BYTES = { plain: 64 * 1024, gzip: 16 * 1024 * 1024 };

function* parts(bytes: number, chunkBytes: number): Generator<Buffer> {
	const blanks = Buffer.alloc(chunkBytes, ' ');
	yield Buffer.from('{"data":[');
	for (let left = bytes; left > 0; left -= chunkBytes) {
		yield left < chunkBytes ? blanks.subarray(0, left) : blanks;
	}
	yield Buffer.from(']}');
}

/** Every part is a gzip member of its own: one after the other they are one gzip stream. */
function* compressed(bytes: number): Generator<Buffer> {
	const blanks = gzipSync(Buffer.alloc(CHUNK_BYTES.gzip, ' '));
	for (const part of parts(bytes, CHUNK_BYTES.gzip)) {
		yield part.length === CHUNK_BYTES.gzip ? blanks : gzipSync(part);
	}
}

/** A JSON body that is too long: an empty list with so many bytes of blanks in it, Infinity for no end. */
export function flood(bytes: number, isGzip: boolean): Readable {
	const chunks = isGzip ? compressed(bytes) : parts(bytes, CHUNK_BYTES.plain);
	return Readable.from(chunks, { objectMode: false });
}
