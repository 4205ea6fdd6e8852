import type { IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../domain/json';

/**
 * The type of Node's `Readable`. It's taken from one of n8n's types, because n8n doesn't allow packages to import
 * `stream`.
 */
export type ByteStream = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

export interface OpenResponse {
	status: number;
	/** The headers. Their names are in lowercase. */
	headers: Record<string, unknown>;
	body: ByteStream;
}

export function openResponse(full: unknown): OpenResponse {
	const { statusCode, headers, body } = isObject(full) ? full : {};
	const isStream = (value: unknown): value is ByteStream =>
		isObject(value) && typeof value.pipe === 'function' && typeof value.destroy === 'function';
	if (typeof statusCode !== 'number' || !isStream(body)) {
		throw new TypeError('n8n gave no stream for the response');
	}
	return { status: statusCode, headers: isObject(headers) ? headers : {}, body };
}

/**
 * Returns the first `count` bytes of a body, or all bytes if it's shorter. Puts them back, so that who reads the body
 * afterwards gets all bytes. If the body breaks, returns no bytes.
 */
export async function firstBytes(body: ByteStream, count: number): Promise<Uint8Array> {
	const isOver = () => body.readableEnded || body.destroyed;
	if (isOver()) return new Uint8Array();
	return await new Promise((resolve) => {
		const events = ['readable', 'end', 'error', 'close'];
		const look = () => {
			// Null until this many bytes have arrived, or the body has ended.
			const bytes: unknown = body.read(count);
			if (bytes === null && !isOver()) return;
			for (const event of events) body.off(event, look);
			const found = bytes instanceof Uint8Array ? bytes : new Uint8Array();
			if (found.length > 0) body.unshift(found);
			resolve(found);
		};
		for (const event of events) body.on(event, look);
	});
}

/**
 * Reads a body as text. If the body exceeds a limit, returns the kind of limit as `exceeded`. Calls `reserve` with the
 * size of each chunk.
 */
export async function readText(
	body: ByteStream,
	limits: { bytes: number; values?: number },
	reserve?: (bytes: number) => Promise<void>,
): Promise<{ text: string; exceeded?: 'bytes' | 'values' }> {
	const decoder = new TextDecoder();
	const { bytes: maxBytes, values: maxValues = Infinity } = limits;
	let text = '';
	let bytes = 0;
	let countAt = maxValues;
	for await (const chunk of body) {
		if (!(chunk instanceof Uint8Array)) continue;
		bytes += chunk.length;
		if (bytes > maxBytes) return { text, exceeded: 'bytes' };
		text += decoder.decode(chunk, { stream: true });
		// Count the values each time the text has doubled, so that an attack ends early.
		if (bytes > countAt) {
			if (hasMoreValues(text, maxValues)) return { text, exceeded: 'values' };
			countAt *= 2;
		}
		await reserve?.(chunk.length);
	}
	text += decoder.decode();
	return hasMoreValues(text, maxValues) ? { text, exceeded: 'values' } : { text };
}

const [QUOTE, BACKSLASH, COMMA, ARRAY, OBJECT] = Buffer.from('"\\,[{');

/**
 * Whether JSON has more than `limit` values. Counts the commas and opening brackets outside strings: one of them
 * precedes each value except the outermost.
 */
function hasMoreValues(text: string, limit: number): boolean {
	let values = 0;
	let isText = false;
	// A text has fewer values than characters, so small texts aren't counted.
	for (let at = 0; at < text.length && text.length > limit; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) isText = !isText;
		else if (isText && code === BACKSLASH) at += 1;
		else if (!isText && (code === COMMA || code === ARRAY || code === OBJECT)) values += 1;
		if (values > limit) return true;
	}
	return false;
}

/**
 * Maximum size of all responses of a connection that are read at the same time, in bytes. Two of the largest responses
 * have this size, and also ten pages of 100 inspections with 150 answers of 300 bytes each.
 */
const MAX_READING = 128 * 1024 * 1024;

/**
 * Limits the memory for the responses of one connection that are read at the same time. Each connection has a budget of
 * its own, because a service that goes silent must not delay another service.
 */
export class ResponseBudget {
	private readonly maxBytes: number;
	private readonly underWay = new Set<{ bytes: number }>();
	private readonly ends = new EventTarget();

	constructor(maxBytes = MAX_READING) {
		this.maxBytes = maxBytes;
	}

	/**
	 * Reads a response. `read` calls `reserve` for each chunk before it reads the next. If all responses together exceed
	 * the budget, `reserve` waits until another response ends. The oldest response never waits, so that there is no
	 * deadlock. `signal` ends the wait and the response.
	 */
	async read<Value>(
		read: (reserve: (bytes: number) => Promise<void>) => Promise<Value>,
		signal: AbortSignal,
	): Promise<Value> {
		const own = { bytes: 0 };
		this.underWay.add(own);
		const mustWait = () => {
			const [oldest] = this.underWay;
			const sum = [...this.underWay].reduce((all, { bytes }) => all + bytes, 0);
			return oldest !== own && sum > this.maxBytes && !signal.aborted;
		};
		try {
			return await read(async (bytes) => {
				own.bytes += bytes;
				while (mustWait()) await this.nextEnd(signal);
			});
		} finally {
			this.underWay.delete(own);
			this.ends.dispatchEvent(new Event('end'));
		}
	}

	/** Waits until any other response ends or the signal aborts. */
	private async nextEnd(signal: AbortSignal): Promise<void> {
		await new Promise((resolve) => {
			this.ends.addEventListener('end', resolve, { once: true, signal });
			signal.addEventListener('abort', resolve, { once: true });
		});
	}
}
