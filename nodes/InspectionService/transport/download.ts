import { storageOrigin } from '../domain/file/file';
import { type ListedFile, replacementOf } from '../domain/file/fileName';
import { FIRST_BYTES } from '../domain/file/fileType';
import { cleanLine } from '../domain/formatting';
import { textOf } from '../domain/json';
import { thrownFailure, timeUp } from '../domain/request/networkFailure';
import { failureOf, RequestFailure } from '../domain/request/requestFailure';
import type { RequestInfo } from '../domain/request/requestInfo';
import { statusFailure } from '../domain/request/statusFailure';
import type { Connection } from './connection';
import type { Timing } from './deadline';
import { firstBytes } from './firstBytes';
import { RequestQueue } from './requestQueue';
import { type ByteStream, type OpenResponse, openResponse, readText } from './responseBody';
import { MIN_FILE_BYTES, MIN_REQUEST_MS } from './timeLimits';

/**
 * Maximum concurrent downloads. Chosen: enough for many small files to be fast, and few enough for a large file to have
 * enough bandwidth.
 */
const MAX_DOWNLOADS = 6;
/** Maximum redirects of a download. One or two are usual. More than five are probably a loop. */
const MAX_REDIRECTS = 5;
/**
 * Statuses of a response with the whole file. Not 202, which means that the file isn't ready, and not 206, which means
 * a part of the file.
 */
const WHOLE = new Set([200, 203]);
const REFUSAL_LIMITS = { bytes: 4_000 };
/**
 * Maximum bytes of an unpacked file. 2,000 MB are about 15 minutes of a phone's video in Full HD, and any server that
 * stores files has more disk space.
 */
const MAX_FILE_BYTES = 2_000 * 1024 * 1024;

/** A file to download. */
export interface WantedFile extends ListedFile {
	readonly inspectionId: string;
	readonly fileId: string;
	/** The size limit. The default is `MAX_FILE_BYTES`. */
	readonly maxBytes?: number;
	/** Counts bytes that arrive. Returns the error that ends the download. A negative number drops counted bytes. */
	readonly count?: (bytes: number) => Error | undefined;
}

/** Reads and stores an open file. Returns the result and the number of bytes. */
export type FileConsumer<Result> = (
	file: OpenResponse & { url: string; firstBytes: Uint8Array },
) => Promise<{ value: Result; bytes: number }>;

interface UrlSource {
	getFileUrl(inspectionId: string, fileId: string): Promise<{ url: string }>;
}

/** Downloads files over one connection, at most `MAX_DOWNLOADS` at the same time. */
export class Downloads {
	private readonly connection: Connection;
	private readonly queue: RequestQueue;

	constructor(connection: Connection) {
		this.connection = connection;
		this.queue = new RequestQueue(connection.deadline, MAX_DOWNLOADS);
	}

	/** Returns how long downloads have waited because the file storage asked for it, in ms. */
	requestedWaitMs(): number {
		return this.queue.requestedWaitMs();
	}

	/**
	 * Downloads a file. Each attempt requests a new signed URL immediately before it starts, because signed URLs expire.
	 */
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
					// The queue for requests to the service has already retried this request.
					throw error instanceof RequestFailure ? error.withoutRetries() : error;
				});
			info = { ...info, baseUrl: storageOrigin(url) };
			let counted = 0;
			const count = (bytes: number) => {
				counted += bytes;
				return file.count?.(bytes);
			};
			return await fetchFile(this.connection, info, { ...file, url, consume, count }).catch(
				(error: unknown) => {
					count(-counted);
					throw error;
				},
			);
		};
		return await this.queue.run(attempt).catch((error: unknown) => {
			const needsUrl = error instanceof RequestFailure && error.facts.needsNewUrl === true;
			// The poll has too little time left to request a new URL. The next poll does that.
			throw needsUrl && !deadline.allows(MIN_REQUEST_MS) ? timeUp(info) : error;
		});
	}
}

/** Fetches the file once. Doesn't send the API key, because the server of a signed URL can belong to anyone. */
async function fetchFile<Result>(
	connection: Connection,
	info: RequestInfo,
	{
		consume,
		...file
	}: WantedFile &
		Required<Pick<WantedFile, 'count'>> & { url: string; consume: FileConsumer<Result> },
): Promise<Result> {
	const { deadline, redact } = connection;
	const { url, maxBytes = MAX_FILE_BYTES, count } = file;
	const underway = () => ({ isCancelled: deadline.isCancelled(), redact });
	const abort = new AbortController();
	const opened = await openFile(connection, url, abort.signal).catch((error: unknown) => {
		throw thrownFailure(info, error, underway());
	});
	const { status, headers, body } = opened;
	const breakages: Error[] = [];
	// Add this listener immediately, because an error event without a listener would end n8n's process.
	body.on('error', (cause) => breakages.push(cause));
	// A decompressor can still have megabytes to unpack when its source ends.
	abort.signal.addEventListener('abort', () => body.destroy());
	// If the storage compresses the file, this is the compressed length.
	const length = textOf(headers['content-length']) ?? '';
	const announced = /^\d+$/.test(length) ? Number(length) : 0;
	watch(body, abort, info, { announced, maxBytes, count, timing: deadline.timing });
	if (!WHOLE.has(status)) {
		const refusal = await readText(body, REFUSAL_LIMITS).catch(() => ({ text: '' }));
		// The body of a response with a status below 300 is part of the file, not an explanation, so an error must not
		// contain it.
		const words = status < 300 ? '' : refusal.text;
		const receivedAt = deadline.timing.now();
		throw statusFailure(info, { status, headers, body: words, receivedAt, redact });
	}
	const beginning = await firstBytes(body, FIRST_BYTES);
	const sent =
		breakages.length === 0 ? replacementOf({ ...file, headers, firstBytes: beginning }) : undefined;
	if (sent !== undefined) {
		body.destroy();
		throw notTheFile(info, sent);
	}
	const result = await consume({ ...opened, url, firstBytes: beginning }).catch(
		(error: unknown) => ({ error }),
	);
	const [breakage] = breakages;
	body.destroy();
	abort.signal.throwIfAborted();
	if (!('error' in result)) {
		if (announced === 0 || announced === result.bytes) return result.value;
		throw lengthDiffers(info, announced, result.bytes);
	}
	// The download itself succeeded, so the error comes from `consume`. For example, the disk is full.
	if (breakage === undefined) throw result.error;
	const failure = thrownFailure(info, breakage, { ...underway(), hasBegun: true });
	const isEndedHere = deadline.isCancelled() || failure.facts.httpCode !== undefined;
	throw isEndedHere ? failure : brokenOff(info, redact(breakage.message));
}

async function openFile({ context, deadline }: Connection, url: string, abort: AbortSignal) {
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
		// Ask for an uncompressed file, because the size of a compressed one can't be compared with Content-Length.
		headers: { 'accept-encoding': 'identity' },
		abortSignal: AbortSignal.any([abort, opening.signal, deadline.downloadSignal()]),
	});
	const full: unknown = await request.finally(() => {
		timer.removeEventListener('abort', stop);
	});
	return openResponse(full);
}

/** Creates the error for a response that isn't the file. `sent` is what `replacementOf` returns. */
function notTheFile(info: RequestInfo, sent: string): RequestFailure {
	const kept = 'The node tried again, but kept no part of the file.';
	const fix =
		sent === 'a web page'
			? `Something between n8n and the storage, such as a proxy, might require a sign-in. Make sure that n8n's server can reach ${info.baseUrl} without a sign-in.`
			: 'This is usually an error of the file storage: try again later. If this continues, check whether you can open the file in the Inspection Service.';
	return failureOf(info, 'fileBroken', {
		message: `The file storage sent ${sent} instead of the file`,
		description: `${kept} ${fix}`,
	});
}

function brokenOff(info: RequestInfo, detail: string): RequestFailure {
	return failureOf(info, 'fileBroken', {
		message: `The file from ${info.baseUrl} was cut off: ${cleanLine(detail, 300)}`,
		description:
			'The node tried again, but kept no part of the file. Try again later. If this continues, check the network between n8n and the file storage.',
	});
}

function tooSlow(info: RequestInfo): RequestFailure {
	const slow = brokenOff(info, "it didn't arrive within an hour").withoutRetries();
	return slow.with({
		description:
			"The node kept no part of the file. Check the network between n8n and the file storage. To get the file in a different way, use the operation 'Get URL'.",
	});
}

/**
 * Creates the error for a file whose length isn't the announced one. If it's shorter, bytes were lost. If it's longer,
 * the storage compressed the file although the request didn't allow that.
 * Then it's impossible to check whether the file is complete. n8n (1.100.1 and 2.41.1) decompresses with
 * `Z_SYNC_FLUSH`, which accepts a truncated file. It provides access to neither the decompressor nor
 * `Content-Encoding`.
 */
function lengthDiffers(info: RequestInfo, announced: number, bytes: number): RequestFailure {
	const counted = `${String(bytes)} of ${String(announced)} bytes arrived`;
	if (bytes < announced) return brokenOff(info, counted);
	return failureOf(info, 'fileBroken', {
		message: `The file from ${info.baseUrl} was sent compressed, so the node can't check whether the file is complete`,
		description: `The storage announced ${String(announced)} bytes, but the file has ${String(bytes)} after decompression. The node tried again, but kept no part of the file. If this continues, turn off compression in the file storage, or in the proxy between n8n and the storage.`,
	});
}

/**
 * How many times as large a file can be as what was sent, and how many bytes more. Text is rarely compressed to less
 * than a twentieth. Without a limit, 150 kB become 150 MB of memory.
 */
const [MAX_UNPACKED_TIMES, MAX_UNPACKED_MORE] = [20, 10 * 1024 * 1024];

function unpacksTooFar(info: RequestInfo, bytes: number): RequestFailure {
	return failureOf(info, 'fileTooLarge', {
		message: `The file from ${info.baseUrl} was sent compressed, and becomes more than ${String(MAX_UNPACKED_TIMES)} times as large: over ${String(Math.floor(bytes / 1024 / 1024))} MB`,
		description:
			'The node kept no part of the file, because such files fill the memory of n8n. Ask the service administrator to turn off compression in the file storage.',
	});
}

/**
 * Returns how many bytes of a compressed body have arrived. n8n 1 returns Node's decompressor, which counts what it has
 * read. n8n 2 wraps it. But n8n 2 stores files on disk, and only n8n 1 keeps them in memory.
 */
function arrivedBytes(body: ByteStream & { bytesWritten?: unknown }): number | undefined {
	return typeof body.bytesWritten === 'number' ? body.bytesWritten : undefined;
}

/**
 * Watches a download without reading its body. If the file is too large or too few bytes arrive, aborts the download
 * with the error as the reason.
 */
function watch(
	body: ByteStream,
	abort: AbortController,
	info: RequestInfo,
	{
		announced,
		maxBytes,
		count,
		timing,
	}: { announced: number; timing: Timing } & Required<Pick<WantedFile, 'maxBytes' | 'count'>>,
): void {
	const startedAt = timing.now();
	let bytes = 0;
	const checkSize = (size: number) => {
		if (size <= maxBytes) return;
		const tooLarge = failureOf(info, 'fileTooLarge', {
			message: `The file is larger than ${(maxBytes / 1024 / 1024).toLocaleString('en')} MB after decompression`,
			description:
				"The node kept no part of the file. To get the file, use the operation 'Get URL'.",
		});
		abort.abort(tooLarge);
	};
	checkSize(announced);
	const push = body.push.bind(body);
	// Override `push` to count the bytes after decompression. The announced length is the number before decompression.
	body.push = (chunk: Buffer | null, encoding) => {
		const arriving = chunk?.length ?? 0;
		bytes += arriving;
		checkSize(bytes);
		const refusal = count(arriving);
		if (refusal !== undefined) abort.abort(refusal);
		const arrived = arrivedBytes(body) ?? (announced > 0 ? announced : Infinity);
		if (bytes > arrived * MAX_UNPACKED_TIMES + MAX_UNPACKED_MORE)
			abort.abort(unpacksTooFar(info, bytes));
		return push(chunk, encoding);
	};
	/**
	 * Waits for the next `MIN_FILE_BYTES`. Uses an AbortSignal as the timer, because it doesn't keep the process running.
	 * Removes its listener when the body closes. Otherwise, each small file would use 25 kB until the timer fires.
	 */
	const waitForBytes = (seenBytes: number) => {
		const timer = timing.timeoutSignal(timing.limits.idleFile);
		const check = () => {
			body.off('close', stop);
			if (body.readableEnded || body.destroyed) return;
			if (timing.now() - startedAt >= timing.limits.wholeFile) abort.abort(tooSlow(info));
			else if (bytes - seenBytes >= MIN_FILE_BYTES) waitForBytes(bytes);
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
