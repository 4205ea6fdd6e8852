import type { IHttpRequestOptions } from 'n8n-workflow';

import { type JsonRecord, textOf } from '../domain/json';
import { thrownFailure } from '../domain/request/networkFailure';
import type { RequestInfo } from '../domain/request/requestInfo';
import { isSuccess, unusableResponse, valueOf } from '../domain/request/serviceResponse';
import { httpDate } from '../domain/request/statusFailure';
import { type Timestamp, timestampOfMs } from '../domain/timestamp';
import type { Connection } from './connection';
import { openResponse, readText } from './responseBody';

/**
 * Limits for a successful response after decompression. The number of bytes is four times a page of 100 inspections
 * with 500 answers of 300 bytes each. The number of values is limited too, because three bytes (`{},`) need 64 bytes
 * of memory or more: with a limit of 16 MB and none for values, ten responses take 2.2 GB and block n8n for seconds
 * (`test/long/responseMemory.mts`).
 */
const SUCCESS_LIMITS = { bytes: 64 * 1024 * 1024, values: 1_000_000 };
const TOO_LARGE = {
	bytes: 'it is larger than 64 MB',
	values: 'it contains more than 1 million values',
};
const REQUEST_LESS =
	"Request less at a time: choose an output without answers, such as 'Simplified'. Or set a limit, or add filters.";
/** Limits for an error response. The service's explanation is at the beginning of the response (`serviceMessage`). */
const ERROR_LIMITS = { bytes: 100_000 };

export interface ServiceRequest<Value> extends Omit<RequestInfo, 'baseUrl'> {
	body?: JsonRecord;
	/**
	 * Converts the parsed JSON of a response. `sentAt` is the time in the response's `Date` header. Throws if the JSON has
	 * an unexpected shape.
	 */
	read(json: unknown, sentAt: Timestamp | undefined): Value;
}

/** Sends a request once. Uses n8n's helper, so that n8n's proxy and TLS settings apply. */
export async function sendToService<Value>(
	connection: Connection,
	request: ServiceRequest<Value>,
): Promise<Value> {
	const { context, baseUrl, credential, deadline, reading, redact } = connection;
	const info = { ...request, baseUrl };
	const timeout = deadline.timeoutMs(request.body === undefined ? 'read' : 'create');
	const signal = deadline.requestSignal(timeout);
	let hasBegun = false;
	try {
		const full: unknown = await context.helpers.httpRequestWithAuthentication.call(
			context,
			'inspectionServiceApi',
			httpOptionsOf(baseUrl, request, { timeout, signal }),
			{ credentialsDecrypted: credential },
		);
		const { status, headers, body } = openResponse(full);
		hasBegun = true;
		return await reading.read(async (reserve) => {
			const limits = isSuccess(status) ? SUCCESS_LIMITS : ERROR_LIMITS;
			const { text, exceeded } = await readText(body, limits, reserve);
			if (exceeded !== undefined && isSuccess(status)) {
				const tooLarge = unusableResponse(info, status, TOO_LARGE[exceeded]);
				throw tooLarge.with({ description: REQUEST_LESS, isTooLarge: true });
			}
			const response = { status, headers, body: text, receivedAt: deadline.timing.now(), redact };
			const date = httpDate(textOf(headers.date));
			const sentAt = date === undefined ? undefined : timestampOfMs(date);
			return valueOf(info, response, (json) => request.read(json, sentAt));
		}, signal);
	} catch (error) {
		throw thrownFailure(info, error, { isCancelled: deadline.isCancelled(), hasBegun, redact });
	}
}

/**
 * Returns the options for n8n's request helper. `ignoreHttpStatusErrors` is set, because n8n would otherwise resend the
 * request after a 401. Redirects aren't followed, because they would pass on the API key. `timeout` only ends a request
 * that receives no bytes. `signal` ends any request.
 */
function httpOptionsOf(
	baseUrl: string,
	{ path, body }: { path: string; body?: JsonRecord },
	{ timeout, signal }: { timeout: number; signal: AbortSignal },
): IHttpRequestOptions {
	const isCreate = body !== undefined;
	return {
		method: isCreate ? 'POST' : 'GET',
		url: baseUrl + path,
		...(isCreate ? { body } : {}),
		json: true,
		// Read the response as a stream, because n8n doesn't limit the size of responses that it reads itself.
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		// There is no `agentOptions: { keepAlive: true }`: n8n (2.41) would still open a connection for each request, but close
		// none.
		timeout,
		get abortSignal() {
			return signal;
		},
		set abortSignal(_) {
			// In an execution, n8n assigns its own signal here. Ignore that signal, because it has no time limit, and
			// `signal` already includes it.
		},
	};
}
