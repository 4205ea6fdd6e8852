import { storageOrigin } from '../domain/file/file';
import { type ListedFile, replacementOf } from '../domain/file/fileName';
import { cleanLine } from '../domain/formatting';
import { textOf } from '../domain/json';
import { thrownFailure, timeUp } from '../domain/request/networkFailure';
import { failureOf, RequestFailure } from '../domain/request/requestFailure';
import type { RequestInfo } from '../domain/request/requestInfo';
import { statusFailure } from '../domain/request/statusFailure';
import type { Connection } from './connection';
import type { Timing } from './deadline';
import { RequestQueue } from './requestQueue';
import { type ByteStream, type OpenResponse, openResponse, readText } from './responseBody';
import { MIN_FILE_BYTES, MIN_REQUEST_MS } from './timeLimits';

/** Chosen: keeps many small files fast, and a large file shares the bandwidth with only a few others. */
const MAX_DOWNLOADS = 6;
/** One or two are usual. More than five suggest a loop. */
const MAX_REDIRECTS = 5;
/** Excludes 202 (the file isn't ready) and 206 (only part of the file). */
const WHOLE = new Set([200, 203]);
const REFUSAL_LIMITS = { bytes: 4_000 };

/** A file to download, the details known about it, and its size limit in bytes. */
export interface WantedFile extends ListedFile {
	readonly inspectionId: string;
	readonly fileId: string;
	readonly maxBytes: number;
}

/** Consumes an open file. Returns its size in bytes. */
export type FileConsumer<Result> = (
	file: OpenResponse & { url: string },
) => Promise<{ value: Result; bytes: number }>;

interface UrlSource {
	getFileUrl(inspectionId: string, fileId: string): Promise<{ url: string }>;
}

/** Downloads files of one connection, a few at a time. */
export class Downloads {
	private readonly connection: Connection;
	private readonly queue: RequestQueue;

	constructor(connection: Connection) {
		this.connection = connection;
		this.queue = new RequestQueue(connection.deadline, MAX_DOWNLOADS);
	}

	/** Each attempt requests a new signed URL only when its turn comes, because signed URLs expire. */
	async download<Result>(
		file: WantedFile,
		consume: FileConsumer<Result>,
		urls: UrlSource,
	): Promise<Result> {
		const { deadline } = this.connection;
		let info: RequestInfo = { operation: 'downloadFile', baseUrl: '', path: '' };
		const attempt = async () => {
			if (deadline.isOver()) throw timeUp(info);
			const { url } = await urls
				.getFileUrl(file.inspectionId, file.fileId)
				.catch((error: unknown) => {
					// The requests to the service were already retried.
					throw error instanceof RequestFailure ? error.withoutRetries() : error;
				});
			info = { ...info, baseUrl: storageOrigin(url) };
			return await fetchFile(this.connection, info, { ...file, url, consume });
		};
		return await this.queue.run(attempt).catch((error: unknown) => {
			const needsUrl = error instanceof RequestFailure && error.facts.needsNewUrl === true;
			// Too little time is left in the poll for another URL, so the next poll requests it.
			throw needsUrl && !deadline.allows(MIN_REQUEST_MS) ? timeUp(info) : error;
		});
	}
}

/** Fetches the file once. Doesn't send the API key: the URL is signed and can lead to any server. */
async function fetchFile<Result>(
	connection: Connection,
	info: RequestInfo,
	{ consume, ...file }: WantedFile & { url: string; consume: FileConsumer<Result> },
): Promise<Result> {
	const { deadline, redact } = connection;
	const { url, maxBytes } = file;
	const underway = () => ({ isCancelled: deadline.isCancelled(), redact });
	const abort = new AbortController();
	const opened = await openFile(connection, info, file, abort.signal).catch((error: unknown) => {
		throw thrownFailure(info, error, underway());
	});
	const { status, headers, body } = opened;
	const breakages: Error[] = [];
	// Listens immediately, because an unhandled error event would end n8n's process.
	body.on('error', (cause) => breakages.push(cause));
	// The compressed length if the storage compresses the file.
	const length = textOf(headers['content-length']) ?? '';
	const announced = /^\d+$/.test(length) ? Number(length) : 0;
	watch(body, abort, info, { announced, maxBytes, timing: deadline.timing });
	if (!WHOLE.has(status)) {
		const refusal = await readText(body, REFUSAL_LIMITS).catch(() => ({ text: '' }));
		// Below 300, the body is part of the file, not an explanation, so it must not appear in an error.
		const words = status < 300 ? '' : redact(refusal.text);
		throw statusFailure(info, { status, headers, body: words }, deadline.timing.now());
	}
	const result = await consume({ ...opened, url }).catch((error: unknown) => ({ error }));
	const [breakage] = breakages;
	body.destroy();
	abort.signal.throwIfAborted();
	if (!('error' in result)) {
		if (announced === 0 || announced === result.bytes) return result.value;
		throw lengthDiffers(info, announced, result.bytes);
	}
	// The download succeeded, so the error comes from `consume`. For example, the disk can be full.
	if (breakage === undefined) throw result.error;
	const failure = thrownFailure(info, breakage, { ...underway(), hasBegun: true });
	const isEndedHere = deadline.isCancelled() || failure.facts.httpCode !== undefined;
	throw isEndedHere ? failure : brokenOff(info, redact(breakage.message));
}

async function openFile(
	{ context, deadline }: Connection,
	info: RequestInfo,
	file: WantedFile & { url: string },
	abort: AbortSignal,
) {
	const { url } = file;
	const opening = new AbortController();
	const timeout = deadline.timeoutMs('openFile');
	const timer = deadline.timing.timeoutSignal(timeout);
	const stop = () => {
		opening.abort(timer.reason);
	};
	timer.addEventListener('abort', stop);
	const request = context.helpers.httpRequest({
		url,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		maxRedirects: MAX_REDIRECTS,
		timeout,
		// The size of a compressed response can't be compared with its Content-Length.
		headers: { 'accept-encoding': 'identity' },
		abortSignal: AbortSignal.any([abort, opening.signal, deadline.downloadSignal()]),
	});
	const full: unknown = await request.finally(() => {
		timer.removeEventListener('abort', stop);
	});
	const opened = openResponse(full);
	const { status, headers, body } = opened;
	const sent = WHOLE.has(status) ? replacementOf({ ...file, headers }) : undefined;
	if (sent === undefined) return opened;
	body.destroy();
	const kept = 'The connector requested the file twice and kept nothing of it.';
	const fix =
		sent === 'a web page'
			? `Something between n8n and the storage, such as a proxy, might require a sign-in. Make sure that n8n's server reaches ${info.baseUrl} without one.`
			: 'This is usually an error of the file storage: try again later. If it continues, check whether the service itself shows the file.';
	throw failureOf(info, 'fileBroken', {
		message: `The file storage sent ${sent} instead of the file`,
		description: `${kept} ${fix}`,
	});
}

function brokenOff(info: RequestInfo, detail: string): RequestFailure {
	return failureOf(info, 'fileBroken', {
		message: `The file from ${info.baseUrl} was cut off: ${cleanLine(detail, 300)}`,
		description:
			'The connector requested the file twice and kept nothing of it. Try again later. If it continues, check the network between n8n and the file storage.',
	});
}

/**
 * Reports a file whose length differs from the announced one. Either bytes were lost, or the storage compressed the
 * file despite the request not to. n8n (1.100.1 and 2.41.1) decompresses with `Z_SYNC_FLUSH`, which accepts a
 * truncated file, and exposes neither the decompressor nor `Content-Encoding`. So it's impossible to tell whether a
 * compressed file is complete.
 */
function lengthDiffers(info: RequestInfo, announced: number, bytes: number): RequestFailure {
	const counted = `${String(bytes)} of ${String(announced)} bytes arrived`;
	if (bytes < announced) return brokenOff(info, counted);
	return failureOf(info, 'fileBroken', {
		message: `The file from ${info.baseUrl} was sent compressed, so it can't be checked whether all of it arrived`,
		description: `The connector requested the file twice, uncompressed, and kept nothing of it (${String(bytes)} bytes, of ${String(announced)} compressed ones). If it continues, turn off compression in the file storage, or in the proxy between n8n and the storage.`,
	});
}

/** Aborts a download that is too large or stalls, with its failure as the reason. Doesn't read the body. */
function watch(
	body: ByteStream,
	abort: AbortController,
	info: RequestInfo,
	{ announced, maxBytes, timing }: { announced: number; maxBytes: number; timing: Timing },
): void {
	let bytes = 0;
	const checkSize = (size: number) => {
		if (size <= maxBytes) return;
		const tooLarge = failureOf(info, 'fileTooLarge', {
			message: `The file is larger than Max Size (MB) allows: ${String(maxBytes / 1024 / 1024)} MB`,
			description: 'Nothing of it was kept. Set a larger Max Size (MB) in the options to get it.',
		});
		abort.abort(tooLarge);
	};
	checkSize(announced);
	const push = body.push.bind(body);
	// Counts decompressed bytes, unlike the announced length.
	body.push = (chunk: Buffer | null, encoding) => {
		bytes += chunk?.length ?? 0;
		checkSize(bytes);
		return push(chunk, encoding);
	};
	/**
	 * Uses an AbortSignal as a timer, because it doesn't keep the process alive. Its listener is removed when the
	 * body closes. Otherwise it would hold 25 kB per small file until it fires.
	 */
	const waitForBytes = (seenBytes: number) => {
		const timer = timing.timeoutSignal(timing.limits.idleFile);
		const check = () => {
			body.off('close', stop);
			if (body.readableEnded || body.destroyed) return;
			if (bytes - seenBytes >= MIN_FILE_BYTES) waitForBytes(bytes);
			else abort.abort(brokenOff(info, 'the storage stopped sending, or sends too slowly'));
		};
		const stop = () => {
			timer.removeEventListener('abort', check);
		};
		timer.addEventListener('abort', check);
		body.once('close', stop);
	};
	waitForBytes(0);
}
