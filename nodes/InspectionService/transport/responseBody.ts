import { isObject } from '../domain/json';
import type { ByteStream } from './inspectionServiceClient';

/** A response whose status and headers have come, and whose bytes have not. */
export interface OpenResponse {
	status: number;
	/** Names in lower case, as Node hands them over. */
	headers: Record<string, unknown>;
	body: ByteStream;
}

/** What n8n's request helper gives for `encoding: 'stream'` and `returnFullResponse`. */
export function openResponse(full: unknown): OpenResponse {
	const { statusCode, headers, body } = isObject(full) ? full : {};
	if (typeof statusCode !== 'number' || !isByteStream(body)) {
		throw new TypeError('n8n gave no stream for the response');
	}
	return { status: statusCode, headers: isObject(headers) ? headers : {}, body };
}

/** How much of a body is read. */
export interface BodyLimits {
	/** Counted after decompression. */
	bytes: number;
	/** See JsonValueCount. */
	values: number;
}

/**
 * Reads a body as text (UTF-8). It stops and closes the connection where the body has more than a limit allows, which
 * `exceeded` names then: no more than that is ever held in memory. Before it reads on, `take` is asked for the bytes that
 * came. Throws the error that broke the body off.
 */
export async function readText(
	body: ByteStream,
	limits: BodyLimits,
	take?: (bytes: number) => Promise<void>,
): Promise<{ text: string; exceeded?: keyof BodyLimits }> {
	const decoder = new TextDecoder();
	const texts: string[] = [];
	const count = new JsonValueCount();
	let bytes = 0;
	for await (const chunk of body) {
		if (!(chunk instanceof Uint8Array)) continue;
		bytes += chunk.length;
		if (bytes > limits.bytes) return { text: texts.join(''), exceeded: 'bytes' };
		count.add(chunk);
		if (count.values > limits.values) return { text: texts.join(''), exceeded: 'values' };
		texts.push(decoder.decode(chunk, { stream: true }));
		await take?.(chunk.length);
	}
	texts.push(decoder.decode());
	return { text: texts.join('') };
}

function isByteStream(value: unknown): value is ByteStream {
	return isObject(value) && typeof value.pipe === 'function' && typeof value.destroy === 'function';
}

const [QUOTE, BACKSLASH, COLON, COMMA, ARRAY, OBJECT, ZERO, NINE] = Buffer.from('"\\:,[{09');

/**
 * What an object's key counts that looks like an integer. Measured on Node 24: `{"400":0}` takes 5 kB of memory, because
 * such keys are kept as an array is, and 100 times as much as most values. No documented key begins like one.
 */
const INTEGER_KEY = 50;

/**
 * Counts the values of a JSON text while it arrives, without texts in it: commas and opening brackets, of which JSON has
 * one before every value but the outermost. It counts bytes, because in UTF-8 no part of another character looks like
 * one of these.
 */
class JsonValueCount {
	values = 0;
	private isText = false;
	/** Whether the next byte is the first one of a text. It may come in another chunk than the quote before it. */
	private isBeginning = false;
	private isEscaped = false;
	/** Whether the latest text may be an integer. A backslash may stand for a digit. */
	private mayBeInteger = false;

	add(chunk: Uint8Array): void {
		for (let at = 0; at < chunk.length; ) {
			at = this.isText ? this.readText(chunk, at) : this.readToText(chunk, at);
		}
	}

	/** Reads to the end of the text, or behind a backslash in it. Gives where to go on. */
	private readText(chunk: Uint8Array, from: number): number {
		if (this.isBeginning) this.beginText(chunk[from]);
		if (this.isEscaped) {
			this.isEscaped = false;
			return from + 1;
		}
		let at = from;
		while (at < chunk.length && chunk[at] !== QUOTE && chunk[at] !== BACKSLASH) at += 1;
		if (chunk[at] === QUOTE) this.isText = false;
		if (chunk[at] === BACKSLASH) this.isEscaped = true;
		return at + 1;
	}

	/** Reads to behind the quote that opens the next text. Gives where to go on. */
	private readToText(chunk: Uint8Array, from: number): number {
		let at = from;
		for (; at < chunk.length && chunk[at] !== QUOTE; at++) {
			const byte = chunk[at];
			if (byte === COMMA || byte === ARRAY || byte === OBJECT) this.values += 1;
			else if (byte === COLON && this.mayBeInteger) this.values += INTEGER_KEY;
		}
		this.isText = at < chunk.length;
		this.isBeginning = this.isText;
		return at + 1;
	}

	private beginText(first = 0): void {
		this.isBeginning = false;
		this.mayBeInteger = first === BACKSLASH || (first >= (ZERO ?? 0) && first <= (NINE ?? 0));
	}
}
