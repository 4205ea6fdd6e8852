import { storageOrigin } from '../domain/file/file';
import { textOf } from '../domain/json';
import { thrownFailure, timeUp } from '../domain/request/networkFailure';
import { type Asked, ATTEMPTS, failureOf, RequestFailure } from '../domain/request/requestFailure';
import { statusFailure } from '../domain/request/statusFailure';
import { cleanLine } from '../domain/shownText';
import type { Connection, InspectionServiceClient } from './inspectionServiceClient';
import { RequestQueue } from './requestQueue';
import { type ByteStream, openResponse, readText } from './responseBody';
import { MIN_REQUEST_MS } from './timeLimits';

/** Many small files stay quick, and a large one shares the line with few. */
const MAX_DOWNLOADS = 6;
const MAX_REDIRECTS = 5;
/** 202 says that the file is not ready, 206 that it is only a part. */
const WHOLE = new Set([200, 203]);
const REFUSAL_LIMITS = { bytes: 4_000, values: Infinity };

export interface FileToDownload {
	inspectionId: string;
	fileId: string;
	maxBytes: number;
}

interface FileStream {
	body: ByteStream;
	/** Names in lower case. */
	headers: Readonly<Record<string, unknown>>;
	url: string;
}

export type FileTaker<Taken> = (file: FileStream) => Promise<{ taken: Taken; bytes: number }>;

/**
 * Hands the file to `take`, which may be called again, and throws what it throws. Each attempt has another signed URL; who
 * waits for a turn has none yet, because it expires.
 */
export function downloadThrough(
	connection: Connection,
	sign: InspectionServiceClient['getFileUrl'],
): InspectionServiceClient['download'] {
	const { deadline } = connection;
	const queue = new RequestQueue(deadline, MAX_DOWNLOADS);
	return async ({ inspectionId, fileId, maxBytes }, take) => {
		let asked: Asked = { operation: 'downloadFile', baseUrl: '', path: '' };
		const download = async () => {
			if (deadline.isOver()) throw timeUp(asked);
			const { url } = await sign(inspectionId, fileId).catch((error: unknown) => {
				// The service's own retries are over.
				throw error instanceof RequestFailure ? error.with({ attempts: undefined }) : error;
			});
			asked = { ...asked, baseUrl: storageOrigin(url) };
			return await fetchFile(connection, asked, { url, maxBytes, take });
		};
		return await queue.run(download).catch((error: unknown) => {
			const needsUrl = error instanceof RequestFailure && error.facts.attempts === ATTEMPTS.url;
			// At the end of a poll there is no time for another URL: the next poll asks for it.
			throw needsUrl && !deadline.allows(MIN_REQUEST_MS) ? timeUp(asked) : error;
		});
	};
}

/** Opens the file once. The API key is not sent along: the URL is signed, and may lead to any server. */
async function fetchFile<Taken>(
	connection: Connection,
	asked: Asked,
	{ url, maxBytes, take }: { url: string; maxBytes: number; take: FileTaker<Taken> },
): Promise<Taken> {
	const { deadline, redact } = connection;
	const underway = () => ({ isCancelled: deadline.isCancelled(), redact });
	const watch = new FileWatch(maxBytes, deadline.timing.limits.idleFile);
	const opened = await openFile(connection, url, watch.signal).catch((error: unknown) => {
		throw thrownFailure(asked, error, underway());
	});
	const { status, headers, body } = opened;
	// Where the storage compresses the file, it is the compressed length.
	const length = textOf(headers['content-length']) ?? '';
	const announced = /^\d+$/.test(length) ? Number(length) : 0;
	watch.follow(body, announced);
	if (!WHOLE.has(status)) {
		const refusal = await readText(body, REFUSAL_LIMITS).catch(() => ({ text: '' }));
		// Below 300 the body is a part of the file, not an explanation: it must not appear in an error.
		const words = status < 300 ? '' : redact(refusal.text);
		throw statusFailure(asked, { status, headers, body: words }, deadline.timing.now());
	}
	const result = await take({ body, headers, url }).catch((error: unknown) => ({ error }));
	const { breakage } = watch;
	body.destroy();
	if (watch.isTooLarge) throw fileTooLarge(asked, maxBytes);
	if (!('error' in result)) {
		checkWhole(asked, announced, result.bytes);
		return result.taken;
	}
	// The download was fine, so the error is that of `take`: the disk may be full.
	if (breakage === undefined) throw result.error;
	const failure = thrownFailure(asked, breakage, { ...underway(), hasBegun: true });
	const isEndedHere = deadline.isCancelled() || failure.facts.httpCode !== undefined;
	throw isEndedHere ? failure : brokenOff(asked, redact(breakage.message));
}

async function openFile({ context, deadline }: Connection, url: string, abort: AbortSignal) {
	const full: unknown = await context.helpers.httpRequest({
		url,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		maxRedirects: MAX_REDIRECTS,
		timeout: deadline.timeoutMs('openFile'),
		// A compressed response could not be compared with its Content-Length.
		headers: { 'accept-encoding': 'identity' },
		abortSignal: AbortSignal.any([abort, deadline.downloadSignal()]),
	});
	return openResponse(full);
}

/** n8n unpacks a compressed file in silence. 2% and 1 kB are more than any compressor adds. */
function checkWhole(asked: Asked, announced: number, bytes: number): void {
	if (announced <= bytes * 1.02 + 1024) return;
	throw brokenOff(asked, `${String(bytes)} of ${String(announced)} bytes arrived`);
}

function brokenOff(asked: Asked, detail: string): RequestFailure {
	return failureOf(asked, {
		message: `The file from ${asked.baseUrl} was cut off: ${cleanLine(detail, 300)}`,
		description:
			'The file was asked for twice, and nothing of it was kept. Try again later. If it stays, check what lies between n8n and the file storage.',
		cause: 'temporarily-unavailable',
		attempts: ATTEMPTS.url,
	});
}

function fileTooLarge(asked: Asked, maxBytes: number): RequestFailure {
	return failureOf(asked, {
		message: `The file is larger than Max Size (MB) allows: ${String(maxBytes / 1024 / 1024)} MB`,
		description: 'Nothing of it was kept. Set a larger Max Size (MB) in the options to get it.',
		cause: 'configuration-invalid',
	});
}

/** Ends a download that is too large or stops in the middle. AbortSignals as timers keep no process alive. */
class FileWatch {
	breakage: Error | undefined;
	isTooLarge = false;
	private readonly maxBytes: number;
	private readonly idleMs: number;
	private readonly controller = new AbortController();
	private bytes = 0;

	constructor(maxBytes: number, idleMs: number) {
		this.maxBytes = maxBytes;
		this.idleMs = idleMs;
	}

	/** Aborted when the body is too large, or when no byte came for `idleMs` to twice `idleMs`. */
	get signal(): AbortSignal {
		return this.controller.signal;
	}

	/** Notices each chunk as it arrives, unpacked. The body stays unread. */
	follow(body: ByteStream, announced: number): void {
		this.checkSize(announced);
		const push = body.push.bind(body);
		body.push = (...chunk) => {
			this.bytes += chunk[0]?.length ?? 0;
			this.checkSize(this.bytes);
			return push(...chunk);
		};
		// From the start, because an error event that nobody listens for would end n8n's process.
		body.once('error', (cause) => {
			this.breakage = this.signal.aborted ? new Error('the storage stopped sending') : cause;
		});
		this.waitForBytes(body, 0);
	}

	private checkSize(bytes: number): void {
		if (bytes <= this.maxBytes) return;
		this.isTooLarge = true;
		this.controller.abort();
	}

	private waitForBytes(body: ByteStream, seenBytes: number): void {
		AbortSignal.timeout(this.idleMs).addEventListener('abort', () => {
			if (body.readableEnded || body.destroyed) return;
			if (this.bytes === seenBytes) this.controller.abort();
			else this.waitForBytes(body, this.bytes);
		});
	}
}
