import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';

import { scatter } from './guid.mts';
import type { FileRecord } from './model.mts';
import samples from './sampleFiles.json' with { type: 'json' };

/**
 * Photos of a construction site, by file name. `npm run pictures` renders each from the SVG file with the same name.
 */
const PHOTOS = new Map(
	['board.png', 'extinguisher.png', 'trench.png'].map((name) => [
		name,
		readFileSync(new URL(`photos/${name}`, import.meta.url)),
	]),
);

/** Returns the photo with this file name. If no photo has this name, the seed selects one. */
export function photo(name: string, seed = name): Buffer {
	const all = [...PHOTOS.values()];
	return PHOTOS.get(name) ?? all[scatter(seed) % all.length] ?? Buffer.alloc(0);
}

/** A small valid file in base64 for each kind except `image`: MP4, WAV, PDF, and PNG for signatures and instacounts. */
const SAMPLES: Readonly<Record<string, string>> = samples;

/**
 * Kinds of files that end with audio or video data. This data can have any value, so the last four bytes can be
 * replaced. For other kinds, four bytes are appended, which viewers ignore.
 */
const ENDS_IN_DATA = ['audio', 'video'];

/** Returns the sample file of a kind with four bytes derived from the seed, so that no two files are equal. */
function sample(kind: string, name: string, seed: string): Buffer {
	const own = Buffer.alloc(4);
	own.writeUInt32BE(scatter(seed));
	const bytes =
		kind === 'image'
			? photo(name, seed)
			: Buffer.from(SAMPLES[kind] ?? samples.attachment, 'base64');
	const kept = ENDS_IN_DATA.includes(kind) ? bytes.subarray(0, -own.length) : bytes;
	return Buffer.concat([kept, own]);
}

/**
 * 64 KiB, the usual chunk size of a stream. Large files repeat this chunk, so that even 1 GB takes hardly any memory.
 */
const CHUNK = Buffer.from(Array.from({ length: 65_536 }, (_, at) => (at * 31 + (at >> 8)) & 255));

function* pattern(length: number): Generator<Buffer> {
	for (let left = length; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, left);
}

/** Returns a file's size, and a function that streams its bytes. A file has the same bytes each time. */
export function fileBody({ content, kind, name }: Pick<FileRecord, 'content' | 'kind' | 'name'>) {
	if (content.form === 'pattern') {
		const { length } = content;
		return { length, stream: () => Readable.from(pattern(length)) };
	}
	const bytes =
		content.form === 'bytes'
			? Buffer.from(content.base64, 'base64')
			: sample(kind, name, content.seed);
	return { length: bytes.length, stream: () => Readable.from([bytes]) };
}
