import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';

/** 64 KiB of blanks: the usual chunk of a stream. */
const BLANKS = Buffer.alloc(64 * 1024, ' ');

function* parts(bytes: number): Generator<Buffer> {
	yield Buffer.from('{"data":[');
	for (let left = bytes; left > 0; left -= BLANKS.length) yield BLANKS.subarray(0, left);
	yield Buffer.from(']}');
}

/** A JSON body that is too long: an empty list with so many bytes of blanks in it, Infinity for no end. */
export function flood(bytes: number, isGzip: boolean): NodeJS.ReadableStream {
	const blanks = Readable.from(parts(bytes), { objectMode: false });
	return isGzip ? blanks.pipe(createGzip({ level: 1 })) : blanks;
}
