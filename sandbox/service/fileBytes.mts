import { Readable } from 'node:stream';
import { crc32, deflateSync } from 'node:zlib';

import { scatter } from './guid.mts';
import type { FileRecord } from './model.mts';

function pngChunk(type: string, data: Buffer): Buffer {
	const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const frame = Buffer.alloc(8);
	frame.writeUInt32BE(data.length, 0);
	frame.writeUInt32BE(crc32(body), 4);
	return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

type Pixel = [red: number, green: number, blue: number];

/** An RGB PNG, drawn point by point. */
function png(width: number, height: number, pixel: (x: number, y: number) => Pixel): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 2, 0, 0, 0], 8);
	const rows = Array.from({ length: height }, (_, y) =>
		Buffer.from([0, ...Array.from({ length: width }, (_unused, x) => pixel(x, y)).flat()]),
	);
	return Buffer.concat([
		Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
		pngChunk('IHDR', header),
		pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
		pngChunk('IEND', Buffer.alloc(0)),
	]);
}

function image(seed: number): Buffer {
	return png(32, 24, (x, y) => [(seed + x * 7) & 255, (seed >>> 8) & 255, (y * 9) & 255]);
}

function signature(seed: number): Buffer {
	const height = 30;
	const line = (x: number) => Math.round(height / 2 + 9 * Math.sin((x + (seed % 40)) / 6));
	return png(90, height, (x, y) => (Math.abs(y - line(x)) < 2 ? [20, 20, 90] : [255, 255, 255]));
}

/** Dots to be counted. */
function instacount(seed: number): Buffer {
	const isDot = (x: number, y: number) => (x % 10) - 5 < 2 && (y % 10) - 5 < 2;
	return png(60, 40, (x, y) => (isDot(x + (seed % 5), y) ? [200, 60, 20] : [240, 240, 235]));
}

/** A quarter of a second of a tone: PCM, 8 kHz, mono, 8 bits. */
function wav(seed: number): Buffer {
	const samples = Buffer.from(
		Array.from({ length: 2000 }, (_, at) =>
			Math.round(128 + 60 * Math.sin((at * Math.PI * (220 + (seed % 440))) / 4000)),
		),
	);
	const header = Buffer.alloc(44);
	header.write('RIFF', 0, 'latin1');
	header.writeUInt32LE(36 + samples.length, 4);
	header.write('WAVEfmt ', 8, 'latin1');
	header.writeUInt32LE(16, 16);
	header.writeUInt16LE(1, 20);
	header.writeUInt16LE(1, 22);
	header.writeUInt32LE(8000, 24);
	header.writeUInt32LE(8000, 28);
	header.writeUInt16LE(1, 32);
	header.writeUInt16LE(8, 34);
	header.write('data', 36, 'latin1');
	header.writeUInt32LE(samples.length, 40);
	return Buffer.concat([header, samples]);
}

function mp4Box(type: string, content: Buffer): Buffer {
	const head = Buffer.alloc(8);
	head.writeUInt32BE(8 + content.length, 0);
	head.write(type, 4, 'latin1');
	return Buffer.concat([head, content]);
}

/** The frame of an MP4 file (ftyp, moov with its header, mdat): enough to be recognised, without a picture. */
function mp4(seed: number): Buffer {
	const movieHeader = Buffer.alloc(100);
	movieHeader.writeUInt32BE(1000, 12);
	movieHeader.writeUInt32BE(1000, 16);
	movieHeader.writeUInt32BE(0x00010000, 20);
	movieHeader.writeUInt32BE(1, 96);
	const media = Buffer.alloc(4096, seed & 255);
	return Buffer.concat([
		mp4Box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1')),
		mp4Box('moov', mp4Box('mvhd', movieHeader)),
		mp4Box('mdat', media),
	]);
}

/** A page with one line of text, its cross-reference table in order. */
function pdf(seed: number): Buffer {
	const stream = `BT /F1 18 Tf 40 100 Td (Inspection attachment ${String(seed)}) Tj ET`;
	const objects = [
		'<< /Type /Catalog /Pages 2 0 R >>',
		'<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
		'<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
		`<< /Length ${String(stream.length)} >>\nstream\n${stream}\nendstream`,
		'<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
	];
	let text = '%PDF-1.4\n';
	const offsets = objects.map((object, index) => {
		const offset = text.length;
		text += `${String(index + 1)} 0 obj\n${object}\nendobj\n`;
		return offset;
	});
	const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
	const size = String(objects.length + 1);
	return Buffer.from(
		`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${String(text.length)}\n%%EOF\n`,
		'latin1',
	);
}

const SAMPLES: Record<string, (seed: number) => Buffer> = {
	image,
	video: mp4,
	audio: wav,
	attachment: pdf,
	signature,
	instacount,
};

/** 64 KiB: the usual chunk of a stream. A pattern repeats it, so that a gigabyte costs no memory. */
const CHUNK = Buffer.from(Array.from({ length: 65_536 }, (_, at) => (at * 31 + (at >> 8)) & 255));

/** The byte at a place of a `pattern` file: lets a test check what it received without holding it. */
export const patternByte = (at: number): number => CHUNK[at % CHUNK.length] ?? 0;

function* pattern(length: number): Generator<Buffer> {
	for (let left = length; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, left);
}

export interface FileBody {
	length: number;
	stream: () => Readable;
}

/** A file's bytes: their number, and a stream of them. The same file always has the same bytes. */
export function fileBody({ content, kind }: Pick<FileRecord, 'content' | 'kind'>): FileBody {
	if (content.form === 'pattern') {
		const { length } = content;
		return { length, stream: () => Readable.from(pattern(length)) };
	}
	const bytes =
		content.form === 'bytes'
			? Buffer.from(content.base64, 'base64')
			: (SAMPLES[kind] ?? pdf)(scatter(content.seed));
	return { length: bytes.length, stream: () => Readable.from([bytes]) };
}
