import { storageOrigin } from '../domain/file/file';
import { type ListedFile, replacementOf } from '../domain/file/fileName';
import { guidOf } from '../domain/id';
import { InputError } from '../domain/inputError';
import { textOf } from '../domain/json';
import { thrownFailure, timeUp } from '../domain/request/networkFailure';
import { type Asked, ATTEMPTS, failureOf, RequestFailure } from '../domain/request/requestFailure';
import { pathSegment } from '../domain/request/serviceAddress';
import { fileUrlOf } from '../domain/request/serviceResponse';
import { statusFailure } from '../domain/request/statusFailure';
import { cleanLine } from '../domain/shownText';
import type { Connection } from './connection';
import type { Timing } from './deadline';
import { RequestQueue } from './requestQueue';
import { type ByteStream, type OpenResponse, openResponse, readText } from './responseBody';
import type { ServiceRequest } from './serviceRequest';
import { MIN_FILE_BYTES, MIN_REQUEST_MS } from './timeLimits';

/** Many small files stay quick, and a large one shares the line with few. */
const MAX_DOWNLOADS = 6;
/** One or two are usual; more than five look like a circle. */
const MAX_REDIRECTS = 5;
/** 202 says that the file is not ready, 206 that it is only a part. */
const WHOLE = new Set([200, 203]);
const REFUSAL_LIMITS = { bytes: 4_000 };

/** Which file is downloaded, at most so large, and what is known of it. */
export interface WantedFile extends ListedFile {
	readonly inspectionId: string;
	readonly fileId: string;
	readonly maxBytes: number;
}

/** What is done with an open file; it gives how many bytes there were. */
type FileTaker<Taken> = (
	file: OpenResponse & { url: string },
) => Promise<{ taken: Taken; bytes: number }>;

/** The calls about files. */
export function filesThrough(
	connection: Connection,
	ask: <Value>(request: ServiceRequest<Value>) => Promise<Value>,
) {
	const { deadline } = connection;
	const queue = new RequestQueue(deadline, MAX_DOWNLOADS);
	const getFileUrl = async (inspectionId: string, fileId: string) => {
		const inspection = uuidSegment('Inspection ID', inspectionId);
		const path = `/v1/inspections/${inspection}/files/${uuidSegment('File ID', fileId)}/url`;
		const signed = await ask({ operation: 'getFileUrl', path, read: fileUrlOf });
		storageOrigin(signed.url);
		return signed;
	};
	/**
	 * Hands the file to `take`, which may be called again, and throws what it throws. Each attempt has another signed URL; who
	 * waits for a turn has none yet, because it expires.
	 */
	const download = async <Taken>(file: WantedFile, take: FileTaker<Taken>): Promise<Taken> => {
		let asked: Asked = { operation: 'downloadFile', baseUrl: '', path: '' };
		const attempt = async () => {
			if (deadline.isOver()) throw timeUp(asked);
			const { url } = await getFileUrl(file.inspectionId, file.fileId).catch((error: unknown) => {
				// The service's own retries are over.
				throw error instanceof RequestFailure ? error.with({ attempts: undefined }) : error;
			});
			asked = { ...asked, baseUrl: storageOrigin(url) };
			return await fetchFile(connection, asked, { ...file, url, take });
		};
		return await queue.run(attempt).catch((error: unknown) => {
			const needsUrl = error instanceof RequestFailure && error.facts.attempts === ATTEMPTS.url;
			// At the end of a poll there is no time for another URL: the next poll asks for it.
			throw needsUrl && !deadline.allows(MIN_REQUEST_MS) ? timeUp(asked) : error;
		});
	};
	return { getFileUrl, download };
}

/** Throws InputError for what is no UUID: the service refuses it (getFileUrl of docs/service.openapi.yaml). */
function uuidSegment(name: string, id: string): string {
	if (guidOf(id) !== undefined) return pathSegment(name, id);
	throw new InputError(
		`${name} "${cleanLine(id, 100)}" is not a UUID, so that the file cannot be asked for`,
	);
}

/** Opens the file once. The API key is not sent along: the URL is signed, and may lead to any server. */
async function fetchFile<Taken>(
	connection: Connection,
	asked: Asked,
	{ take, ...file }: WantedFile & { url: string; take: FileTaker<Taken> },
): Promise<Taken> {
	const { deadline, redact } = connection;
	const { url, maxBytes } = file;
	const underway = () => ({ isCancelled: deadline.isCancelled(), redact });
	const abort = new AbortController();
	const opened = await openFile(connection, asked, file, abort.signal).catch((error: unknown) => {
		throw thrownFailure(asked, error, underway());
	});
	const { status, headers, body } = opened;
	const breakages: Error[] = [];
	// From the start, because an error event that nobody listens for would end n8n's process.
	body.on('error', (cause) => breakages.push(cause));
	// Where the storage compresses the file, it is the compressed length.
	const length = textOf(headers['content-length']) ?? '';
	const announced = /^\d+$/.test(length) ? Number(length) : 0;
	watch(body, abort, asked, { announced, maxBytes, timing: deadline.timing });
	if (!WHOLE.has(status)) {
		const refusal = await readText(body, REFUSAL_LIMITS).catch(() => ({ text: '' }));
		// Below 300 the body is a part of the file, not an explanation: it must not appear in an error.
		const words = status < 300 ? '' : redact(refusal.text);
		throw statusFailure(asked, { status, headers, body: words }, deadline.timing.now());
	}
	const result = await take({ ...opened, url }).catch((error: unknown) => ({ error }));
	const [breakage] = breakages;
	body.destroy();
	abort.signal.throwIfAborted();
	if (!('error' in result)) {
		if (announced === 0 || announced === result.bytes) return result.taken;
		throw lengthDiffers(asked, announced, result.bytes);
	}
	// The download was fine, so the error is that of `take`: the disk may be full.
	if (breakage === undefined) throw result.error;
	const failure = thrownFailure(asked, breakage, { ...underway(), hasBegun: true });
	const isEndedHere = deadline.isCancelled() || failure.facts.httpCode !== undefined;
	throw isEndedHere ? failure : brokenOff(asked, redact(breakage.message));
}

async function openFile(
	{ context, deadline }: Connection,
	asked: Asked,
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
		// A compressed response could not be compared with its Content-Length.
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
	const kept = 'The file was asked for twice, and nothing of it was kept.';
	const cure =
		sent === 'a web page'
			? `Something on the way may ask for a sign-in, such as a proxy. See that n8n's server reaches ${asked.baseUrl} without one.`
			: 'This is usually an error of the file storage: try again later. If it stays, check whether the service itself shows the file.';
	throw failureOf(asked, {
		message: `The file storage sent ${sent} in place of the file`,
		description: `${kept} ${cure}`,
		cause: 'temporarily-unavailable',
		attempts: ATTEMPTS.url,
	});
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

/**
 * A file of another length than the storage announced. Either bytes got lost, or the storage compressed the file although
 * it was asked not to. n8n (1.100.1 and 2.41.1) unpacks with `Z_SYNC_FLUSH`, which takes a half for a whole, and shows
 * neither the unpacker nor `Content-Encoding`: nothing tells whether a compressed file is complete.
 */
function lengthDiffers(asked: Asked, announced: number, bytes: number): RequestFailure {
	const counted = `${String(bytes)} of ${String(announced)} bytes arrived`;
	if (bytes < announced) return brokenOff(asked, counted);
	return failureOf(asked, {
		message: `The file from ${asked.baseUrl} was sent compressed, so it can't be checked whether all of it arrived`,
		description: `The file was asked for twice, uncompressed, and nothing of it was kept (${String(bytes)} bytes, of ${String(announced)} compressed ones). If it stays, have compression turned off in the file storage, or in the proxy between n8n and the storage.`,
		cause: 'temporarily-unavailable',
		attempts: ATTEMPTS.url,
	});
}

/** Aborts a download that is too large or stops in the middle: the reason is its failure. The body stays unread. */
function watch(
	body: ByteStream,
	abort: AbortController,
	asked: Asked,
	{ announced, maxBytes, timing }: { announced: number; maxBytes: number; timing: Timing },
): void {
	let bytes = 0;
	const checkSize = (size: number) => {
		if (size <= maxBytes) return;
		const tooLarge = failureOf(asked, {
			message: `The file is larger than Max Size (MB) allows: ${String(maxBytes / 1024 / 1024)} MB`,
			description: 'Nothing of it was kept. Set a larger Max Size (MB) in the options to get it.',
			cause: 'configuration-invalid',
		});
		abort.abort(tooLarge);
	};
	checkSize(announced);
	const push = body.push.bind(body);
	// Unpacked, unlike what was announced.
	body.push = (chunk: Buffer | null, encoding) => {
		bytes += chunk?.length ?? 0;
		checkSize(bytes);
		return push(chunk, encoding);
	};
	/**
	 * An AbortSignal as a timer keeps no process alive. Its listener goes with the body: it would keep 25 kB of each small file
	 * until it fires.
	 */
	const waitForBytes = (seenBytes: number) => {
		const timer = timing.timeoutSignal(timing.limits.idleFile);
		const check = () => {
			body.off('close', stop);
			if (body.readableEnded || body.destroyed) return;
			if (bytes - seenBytes >= MIN_FILE_BYTES) waitForBytes(bytes);
			else abort.abort(brokenOff(asked, 'the storage stopped sending, or sends too slowly'));
		};
		const stop = () => {
			timer.removeEventListener('abort', check);
		};
		timer.addEventListener('abort', check);
		body.once('close', stop);
	};
	waitForBytes(0);
}
