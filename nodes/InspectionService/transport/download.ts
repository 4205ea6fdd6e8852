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
import {
	type ByteStream,
	firstBytes,
	type OpenResponse,
	openResponse,
	readText,
} from './responseBody';
import { MIN_FILE_BYTES, MIN_REQUEST_MS } from './timeLimits';

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

/**
 * Downloads a file once. `requestUrl` requests its signed URL immediately before the download starts, because signed
 * URLs expire. The API key isn't sent, because the server of a signed URL can belong to anyone.
 */
export async function fetchFile<Result>(
	connection: Connection,
	file: WantedFile,
	consume: FileConsumer<Result>,
	requestUrl: () => Promise<{ url: string }>,
): Promise<Result> {
	const { deadline } = connection;
	const info: RequestInfo = { operation: 'downloadFile', baseUrl: '', path: '' };
	if (deadline.isOver()) throw timeUp(info);
	const { url } = await requestUrl();
	info.baseUrl = storageOrigin(url);
	let counted = 0;
	const count = (bytes: number) => {
		counted += bytes;
		return file.count?.(bytes);
	};
	try {
		return await receiveFile(connection, info, { ...file, url, count }, consume);
	} catch (error) {
		count(-counted);
		const needsUrl = error instanceof RequestFailure && error.facts.needsNewUrl === true;
		// The poll has too little time left to request a new URL. The next poll does that.
		throw needsUrl && !deadline.allows(MIN_REQUEST_MS) ? timeUp(info).withoutRetries() : error;
	}
}

type CountedFile = WantedFile & Required<Pick<WantedFile, 'count'>> & { url: string };

async function receiveFile<Result>(
	connection: Connection,
	info: RequestInfo,
	file: CountedFile,
	consume: FileConsumer<Result>,
): Promise<Result> {
	const { deadline, redact } = connection;
	const { url } = file;
	const underway = () => ({ isCancelled: deadline.isCancelled(), redact });
	const abort = new AbortController();
	const opened = await openFile(connection, url, abort).catch((error: unknown) => {
		throw thrownFailure(info, error, underway());
	});
	const { status, headers, body } = opened;
	const breakages: Error[] = [];
	// Add this listener immediately, because an error event without a listener would end n8n's process.
	body.on('error', (cause) => breakages.push(cause));
	// A decompressor can still have megabytes to unpack when its source ends.
	abort.signal.addEventListener('abort', () => body.destroy());
	// If the storage compresses the file, this is the compressed length.
	const announced = Number(textOf(headers['content-length'])) || 0;
	watch(body, abort, info, { file, announced, timing: deadline.timing });
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
		throw cutOff(info, `${String(result.bytes)} of ${String(announced)} bytes arrived`);
	}
	// The download itself succeeded, so the error comes from `consume`. For example, the disk is full.
	if (breakage === undefined) throw result.error;
	const failure = thrownFailure(info, breakage, { ...underway(), hasBegun: true });
	const isEndedHere = deadline.isCancelled() || failure.facts.httpCode !== undefined;
	throw isEndedHere ? failure : cutOff(info, redact(breakage.message));
}

async function openFile({ context, deadline }: Connection, url: string, abort: AbortController) {
	const timeout = deadline.timeoutMs('openFile');
	const timer = deadline.timing.timeoutSignal(timeout);
	const stop = () => {
		abort.abort(timer.reason);
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
		abortSignal: AbortSignal.any([abort.signal, deadline.downloadSignal()]),
	});
	const full: unknown = await request.finally(() => {
		timer.removeEventListener('abort', stop);
	});
	return openResponse(full);
}

/** Creates the error for a file that didn't arrive, or not completely. Another attempt can succeed. */
function broken(info: RequestInfo, message: string, fix: string): RequestFailure {
	const description = `The node tried again, but kept no part of the file. ${fix}`;
	return failureOf(info, 'fileBroken', { message, description });
}

/** Creates the error for a response that isn't the file. `sent` is what `replacementOf` returns. */
function notTheFile(info: RequestInfo, sent: string): RequestFailure {
	const fix =
		sent === 'a web page'
			? `Something between n8n and the storage, such as a proxy, might require a sign-in. Make sure that n8n's server can reach ${info.baseUrl} without a sign-in.`
			: 'This is usually an error of the file storage: try again later. If this continues, check whether you can open the file in the Inspection Service.';
	return broken(info, `The file storage sent ${sent} instead of the file`, fix);
}

function cutOff(info: RequestInfo, detail: string): RequestFailure {
	return broken(
		info,
		`The file from ${info.baseUrl} was cut off: ${cleanLine(detail, 300)}`,
		'Try again later. If this continues, check the network between n8n and the file storage.',
	);
}

/**
 * Creates the error for a file that is longer than announced: the storage compressed it, although the request didn't
 * allow that. Then it's impossible to check whether the file is complete. n8n (1.100.1 and 2.41.1) decompresses with
 * `Z_SYNC_FLUSH`, which accepts a truncated file. It provides access to neither the decompressor nor
 * `Content-Encoding`.
 */
function compressed(info: RequestInfo): RequestFailure {
	return broken(
		info,
		`The file from ${info.baseUrl} was sent compressed, so the node can't check whether the file is complete`,
		'If this continues, turn off compression in the file storage, or in the proxy between n8n and the storage.',
	);
}

/** Creates the error for a file that is too large, or takes too long for its size. No attempt can succeed. */
function tooLarge(info: RequestInfo, message: string): RequestFailure {
	const description =
		"The node kept no part of the file. To get the file, use the operation 'Get URL'.";
	return failureOf(info, 'fileTooLarge', { message, description });
}

/**
 * Watches a download without reading its body. If the file is too large or too few bytes arrive, aborts the download
 * with the error as the reason.
 */
function watch(
	body: ByteStream,
	abort: AbortController,
	info: RequestInfo,
	{ file, announced, timing }: { file: CountedFile; announced: number; timing: Timing },
): void {
	const { maxBytes = MAX_FILE_BYTES, count } = file;
	const startedAt = timing.now();
	let bytes = 0;
	const checkSize = (size: number) => {
		if (size <= maxBytes) return;
		const megabytes = (maxBytes / 1024 / 1024).toLocaleString('en');
		abort.abort(tooLarge(info, `The file is larger than ${megabytes} MB after decompression`));
	};
	checkSize(announced);
	const push = body.push.bind(body);
	// Override `push` to count the bytes after decompression. The announced length is the number before decompression.
	body.push = (chunk: Buffer | null, encoding) => {
		const arriving = chunk?.length ?? 0;
		bytes += arriving;
		if (announced > 0 && bytes > announced) abort.abort(compressed(info));
		checkSize(bytes);
		const refusal = count(arriving);
		if (refusal !== undefined) abort.abort(refusal);
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
			if (timing.now() - startedAt >= timing.limits.wholeFile) {
				const what = `The file from ${info.baseUrl} was cut off`;
				abort.abort(tooLarge(info, `${what}: it didn't arrive within an hour`));
			} else if (bytes - seenBytes >= MIN_FILE_BYTES) {
				waitForBytes(bytes);
			} else {
				abort.abort(cutOff(info, 'the storage stopped sending, or sends too slowly'));
			}
		};
		const stop = () => {
			timer.removeEventListener('abort', check);
		};
		timer.addEventListener('abort', check);
		body.once('close', stop);
	};
	waitForBytes(0);
}
