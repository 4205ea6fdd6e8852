import type { IHttpRequestOptions } from 'n8n-workflow';

import { type JsonRecord, textOf } from '../domain/json';
import { thrownFailure } from '../domain/request/networkFailure';
import type { RequestInfo } from '../domain/request/requestInfo';
import { isSuccess, unusableResponse, valueOf } from '../domain/request/serviceResponse';
import { httpDate } from '../domain/request/statusFailure';
import { type Timestamp, timestampOfMs } from '../domain/timestamp';
import type { Connection } from './connection';
import { openResponse, readText, withinBudget } from './responseBody';

/**
 * Decompressed size: four times a page of 100 inspections with 500 answers of 300 bytes each. A byte limit alone
 * isn't enough, because three bytes (`{},`) take 200 bytes in memory.
 */
const SUCCESS_LIMITS = { bytes: 64 * 1024 * 1024, values: 1_000_000 };
const TOO_LARGE = {
	bytes: 'it is larger than 64 MB',
	values: 'it contains more than 1 million values',
};
const REQUEST_LESS =
	'Request less: choose an output without answers, such as Simplified, set a limit, or add filters.';
/** The explanation in an error response is at its beginning (`serviceMessage`). */
const ERROR_LIMITS = { bytes: 100_000 };

export interface ServiceRequest<Value> extends Omit<RequestInfo, 'baseUrl'> {
	body?: JsonRecord;
	/** Parses the JSON. `sentAt` parses the response's `Date` header. Throws if the shape is wrong. */
	read(json: unknown, sentAt: () => Timestamp | undefined): Value;
}

/** Sends a request once, through n8n's own helper so that n8n's proxy and TLS settings apply. */
export async function sendToService<Value>(
	connection: Connection,
	request: ServiceRequest<Value>,
): Promise<Value> {
	const { context, baseUrl, credential, deadline, redact } = connection;
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
		return await withinBudget(async (reserve) => {
			const limits = isSuccess(status) ? SUCCESS_LIMITS : ERROR_LIMITS;
			const { text, exceeded } = await readText(body, limits, reserve);
			if (exceeded !== undefined && isSuccess(status)) {
				const tooLarge = unusableResponse(info, status, TOO_LARGE[exceeded]);
				throw tooLarge.with({ description: REQUEST_LESS, isTooLarge: true });
			}
			const response = { status, headers, body: text };
			const sentAt = () => {
				const date = httpDate(textOf(headers.date));
				return date === undefined ? undefined : timestampOfMs(date);
			};
			const now = deadline.timing.now();
			return valueOf(info, response, { redact, now }, (json) => request.read(json, sentAt));
		}, signal);
	} catch (error) {
		throw thrownFailure(info, error, { isCancelled: deadline.isCancelled(), hasBegun, redact });
	}
}

/**
 * Keeps n8n from throwing for an error status, because n8n resends a request after a thrown 401. Doesn't follow
 * redirects, because they would receive the API key. `timeout` only ends a request that receives no bytes. The signal
 * ends any request.
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
		// n8n doesn't limit the size of responses that it reads itself.
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout,
		get abortSignal() {
			return signal;
		},
		set abortSignal(_) {
			// In an execution, n8n assigns its own signal here, which has no time limit. Ignore it, because `signal`
			// already includes it.
		},
	};
}
