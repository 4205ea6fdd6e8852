import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';

import { scatter } from './guid.mts';
import type { FileRecord } from './model.mts';
import samples from './sampleFiles.json' with { type: 'json' };

/** Photos of a site, by file name. `npm run pictures` renders them from the SVG files of the same name. */
const PHOTOS = new Map(
	['board.png', 'extinguisher.png', 'trench.png'].map((name) => [
		name,
		readFileSync(new URL(`photos/${name}`, import.meta.url)),
	]),
);

/** The photo with this file name, or else one that the seed selects. */
export function photo(name: string, seed = name): Buffer {
	const all = [...PHOTOS.values()];
	return PHOTOS.get(name) ?? all[scatter(seed) % all.length] ?? Buffer.alloc(0);
}

/** A small valid file of every other kind: MP4, WAV, PDF, PNG. */
const SAMPLES: Readonly<Record<string, string>> = samples;

/**
 * Kinds whose last bytes are audio or video data, so any bytes will do. Other formats allow a few bytes after their
 * end.
 */
const ENDS_IN_DATA = ['audio', 'video'];

/** A kind's sample with four bytes derived from the seed, so that no two files are the same. */
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

/** 64 KiB, the usual chunk of a stream. Repeated for large files, so that a gigabyte needs no memory. */
const CHUNK = Buffer.from(Array.from({ length: 65_536 }, (_, at) => (at * 31 + (at >> 8)) & 255));

function* pattern(length: number): Generator<Buffer> {
	for (let left = length; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, left);
}

/** A file's size and a stream of its bytes. The same file always has the same bytes. */
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
