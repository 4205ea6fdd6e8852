import { InputError } from '../domain/inputError';
import { textOf } from '../domain/json';
import type { RequestFailure } from '../domain/request/requestFailure';
import type { RequestResult } from '../domain/request/requestResult';
import { askedWaitMs } from '../domain/request/retryAfter';
import type { Connection } from './connection';
import { IdleWatch } from './idleWatch';
import type { ByteStream, FileStream } from './inspectionServiceClient';
import { persistentRequest } from './persistentRequest';
import { RequestQueue } from './requestQueue';
import { type OpenResponse, openResponse, readText } from './responseBody';
import { thrownFailure } from './thrownFailure';

/** Requests to the storage that wait for the beginning of their response at once. */
const MAX_OPENING = 6;
/** A signed URL may lead to the next storage node, not round in circles. */
const MAX_REDIRECTS = 5;
/** Statuses that a whole file comes with; others say that it is not ready (202), or only a part (206). */
const WHOLE = new Set([200, 203]);
/** Of the storage's words on a refusal so much is read: its own errors are a few hundred bytes. */
const MAX_REFUSAL_BYTES = 4_000;

/** A file whose bytes are on their way. */
export interface OpenFile extends FileStream {
	status: number;
	/** How many bytes were announced: of the compressed form, where there is one. */
	length?: number;
	/** Why the bytes broke off; undefined while they have not. */
	breakage(): Error | undefined;
}

/**
 * Opens files at signed URLs. Nothing of the credential is sent: the URL itself is the permission, and
 * it may lead anywhere. Throws InputError for anything but http and https.
 */
export function openStorage(
	connection: Connection,
): (url: string) => Promise<RequestResult<OpenFile>> {
	const { deadline } = connection;
	const queue = new RequestQueue({ maxActive: MAX_OPENING, deadline });
	return async (url) => {
		storageOrigin(url);
		return await persistentRequest(
			{ safe: true, send: async () => await openOnce(connection, url) },
			{ queue, deadline },
		);
	};
}

/** The address without its path and query string, where the signature is. Throws InputError where it is no web address. */
export function storageOrigin(url: string): string {
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	if (parsed?.protocol === 'https:' || parsed?.protocol === 'http:') return parsed.origin;
	const scheme = parsed === undefined ? '' : ` It begins with "${parsed.protocol}".`;
	throw new InputError(
		`The download URL that the service gave is not a web address (http or https), so it is not opened.${scheme}`,
	);
}

async function openOnce(connection: Connection, url: string): Promise<RequestResult<OpenFile>> {
	const { context, deadline } = connection;
	const idle = new IdleWatch(deadline.timing.limits.idleFile);
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
			abortSignal: AbortSignal.any([idle.signal, ...deadline.downloadSignals()]),
		});
		response = openResponse(full);
	} catch (error) {
		return { failure: thrownFailure(error, connection) };
	}
	const { status, body } = response;
	idle.follow(body);
	if (WHOLE.has(status)) {
		const headers = headerTexts(response.headers);
		return { value: { status, body, headers, ...watched(body, headers, idle), url } };
	}
	return { failure: await refusal(response, connection) };
}

/** Listens from the start: bytes may break off before anybody reads them, and an error unheard would end n8n. */
function watched(
	body: ByteStream,
	headers: OpenFile['headers'],
	idle: IdleWatch,
): Pick<OpenFile, 'length' | 'breakage'> {
	let error: Error | undefined;
	body.once('error', (cause) => {
		error = idle.signal.aborted ? new Error('the storage stopped sending') : cause;
	});
	const announced = headers['content-length'] ?? '';
	return {
		breakage: () => error,
		...(/^\d+$/.test(announced) ? { length: Number(announced) } : {}),
	};
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
		// Of a part of the file nothing is shown.
		body: status < 300 ? '' : words,
		retryAfterMs: askedWaitMs({ status, headers }, deadline.timing.now()),
	};
}

/** Reads a little text and lets go of the rest. */
async function beginningOf(body: ByteStream): Promise<string> {
	try {
		return (await readText(body, MAX_REFUSAL_BYTES)).text;
	} catch {
		// The status is what counts; its words got lost.
		return '';
	}
}
