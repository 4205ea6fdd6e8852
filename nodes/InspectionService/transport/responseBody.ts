import { isObject } from '../domain/json';
import type { ByteStream } from './inspectionServiceClient';

/** A response whose status and headers are there, its bytes still to come. */
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

/**
 * Reads a body as text (UTF-8) until it has more than `maxBytes`, counted after decompression: no more than that is
 * ever in memory, whatever arrives. Then the connection is closed. Throws what breaks the body off.
 */
export async function readText(
	body: ByteStream,
	maxBytes: number,
): Promise<{ text: string; isWhole: boolean }> {
	const decoder = new TextDecoder();
	const texts: string[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		if (!(chunk instanceof Uint8Array)) continue;
		bytes += chunk.length;
		if (bytes > maxBytes) return { text: texts.join(''), isWhole: false };
		texts.push(decoder.decode(chunk, { stream: true }));
	}
	texts.push(decoder.decode());
	return { text: texts.join(''), isWhole: true };
}

function isByteStream(value: unknown): value is ByteStream {
	return isObject(value) && typeof value.pipe === 'function' && typeof value.destroy === 'function';
}
