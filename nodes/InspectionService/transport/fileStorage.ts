import { textOf } from '../domain/json';
import type { RequestFailure, RequestResult } from '../domain/request/requestFailure';
import { askedWaitMs } from '../domain/request/retryAfter';
import type { Connection } from './connection';
import type { ByteStream, FileStream } from './inspectionServiceClient';
import { type OpenResponse, openResponse, readText } from './responseBody';
import { thrownFailure } from './thrownFailure';

/** A storage may redirect to one of its other servers. One or two are usual; more than five look like a circle. */
const MAX_REDIRECTS = 5;
/** Statuses of a response that holds the whole file. 202 says that it is not ready, 206 that it is only a part. */
const WHOLE = new Set([200, 203]);
/** How storages refuse a signature that has expired (Google Cloud Storage: 400) or is no longer known. */
const REFUSES_URL = new Set([400, 401, 403, 404, 410]);
/** How much is read of the text that comes with a refusal. A storage's own errors take a few hundred bytes. */
const MAX_REFUSAL_BYTES = 4_000;

/** A file whose bytes are on their way. */
export interface OpenFile extends FileStream {
	status: number;
	/** The response's Content-Length, in bytes. Where the storage compresses the file, it is the compressed length. */
	length?: number;
	/** The error that broke the file off; undefined where none has. */
	breakage(): Error | undefined;
	maxBytes: number;
	/** Whether more than `maxBytes` have come. */
	isTooLarge(): boolean;
}

/**
 * Opens the file at a signed URL, once. The API key is not sent along: the signature in the URL is the permission, and the
 * URL may lead to any server.
 */
export async function openFile(
	connection: Connection,
	url: string,
	maxBytes: number,
): Promise<RequestResult<OpenFile>> {
	const { context, deadline } = connection;
	const watch = new BodyWatch(deadline.timing.limits.idleFile, maxBytes);
	let response: OpenResponse;
	try {
		const full: unknown = await context.helpers.httpRequest({
			url,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			maxRedirects: MAX_REDIRECTS,
			timeout: deadline.timeoutMs('openFile'),
			// A compressed response could not be compared with its Content-Length.
			headers: { 'accept-encoding': 'identity' },
			abortSignal: AbortSignal.any([watch.signal, ...deadline.downloadSignals()]),
		});
		response = openResponse(full);
	} catch (error) {
		return { failure: thrownFailure(error, connection) };
	}
	const { status, body } = response;
	const headers = headerTexts(response.headers);
	watch.follow(body, announcedLength(headers));
	if (WHOLE.has(status)) {
		return { value: { status, body, headers, ...watched(body, headers, watch), url } };
	}
	return { failure: await refusal(response, connection) };
}

/**
 * Listens for errors from the start: the file may break off before anybody reads it, and an error event that nobody
 * listens for would end n8n's process.
 */
function watched(
	body: ByteStream,
	headers: OpenFile['headers'],
	watch: BodyWatch,
): Pick<OpenFile, 'length' | 'breakage' | 'maxBytes' | 'isTooLarge'> {
	let error: Error | undefined;
	body.once('error', (cause) => {
		error = watch.signal.aborted ? new Error('the storage stopped sending') : cause;
	});
	return {
		breakage: () => error,
		maxBytes: watch.maxBytes,
		isTooLarge: () => watch.isTooLarge,
		length: announcedLength(headers),
	};
}

function announcedLength(headers: OpenFile['headers']): number | undefined {
	const length = headers['content-length'] ?? '';
	return /^\d+$/.test(length) ? Number(length) : undefined;
}

function headerTexts(headers: OpenResponse['headers']): Record<string, string | undefined> {
	const entries = Object.entries(headers);
	return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), textOf(value)]));
}

async function refusal(
	{ status, headers, body }: OpenResponse,
	{ deadline, redact }: Connection,
): Promise<RequestFailure> {
	const words = redact(await beginningOf(body));
	return {
		kind: 'status',
		status,
		// Below 300 the body is a part of the file, not an explanation: it must not appear in an error.
		body: status < 300 ? '' : words,
		retryAfterMs: askedWaitMs({ status, headers }, deadline.timing.now()),
		refusesUrl: REFUSES_URL.has(status),
	};
}

/** Reads the beginning of a body as text, and drops the rest. Empty where that fails. */
async function beginningOf(body: ByteStream): Promise<string> {
	try {
		return (await readText(body, { bytes: MAX_REFUSAL_BYTES, values: Infinity })).text;
	} catch {
		// The error needs the status; it can do without the storage's text.
		return '';
	}
}

/**
 * Ends a download that is too large, or that stops in the middle of a file: n8n sets no limit for a response that it hands
 * over as a stream. The timers are AbortSignals, because these keep no process alive.
 */
class BodyWatch {
	readonly maxBytes: number;
	private readonly idleMs: number;
	private bytes = 0;
	private readonly controller = new AbortController();
	private hasProgressed = false;
	private isOver = false;

	constructor(idleMs: number, maxBytes: number) {
		this.idleMs = idleMs;
		this.maxBytes = maxBytes;
	}

	/** Aborted when the body is too large or no byte has come for `idleMs`; at the latest after twice that time. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** More bytes than `maxBytes` have come, or will. Those of a compressed body are counted when they are unpacked. */
	get isTooLarge(): boolean {
		return this.bytes > this.maxBytes;
	}

	/** Notices each chunk of the body as it arrives. The body stays unread, for others to read. */
	follow(body: ByteStream, announced = 0): void {
		this.bytes = announced > this.maxBytes ? announced : 0;
		if (this.isTooLarge) this.controller.abort();
		const push = body.push.bind(body);
		body.push = (...chunk) => {
			this.hasProgressed = true;
			this.bytes += chunk[0]?.length ?? 0;
			if (this.isTooLarge) this.controller.abort();
			return push(...chunk);
		};
		for (const end of ['end', 'error', 'close']) {
			body.once(end, () => {
				this.isOver = true;
			});
		}
		this.wait();
	}

	private wait(): void {
		AbortSignal.timeout(this.idleMs).addEventListener('abort', () => {
			if (this.isOver) return;
			if (!this.hasProgressed) {
				this.controller.abort();
				return;
			}
			this.hasProgressed = false;
			this.wait();
		});
	}
}
