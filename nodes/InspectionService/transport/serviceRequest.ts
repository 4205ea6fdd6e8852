import type { IHttpRequestOptions } from 'n8n-workflow';

import { MAX_DATA_ITEMS } from '../domain/create/checkDraft';
import { type JsonRecord, textOf } from '../domain/json';
import { MAX_PAGE_SIZE } from '../domain/list/inspectionQuery';
import { thrownFailure } from '../domain/request/networkFailure';
import type { Asked } from '../domain/request/requestFailure';
import { httpDate } from '../domain/request/retryAfter';
import { isSuccess, readResponse, unusableResponse } from '../domain/request/serviceResponse';
import { statusFailure } from '../domain/request/statusFailure';
import { type Timestamp, timestampOfMs } from '../domain/timestamp';
import type { Connection } from './inspectionServiceClient';
import {
	type BodyLimits,
	type OpenResponse,
	openResponse,
	readText,
	withinBudget,
} from './responseBody';

/**
 * Largest response that is read (bytes, unpacked): four times a page of 100 inspections with 500 answers of 300 bytes
 * each.
 */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
/**
 * Values of the largest response: a page of inspections that each have as many answers as a create takes. An answer has
 * nine (StoredItem of docs/service.openapi.yaml). Bytes alone are no limit: three of them (`{},`) become 200 in memory.
 * Measured with Node 24: the response that takes most, of objects with a key of their own each, takes 0.4 GB more while
 * it is read, and ten of them at once 2.4 GB.
 */
const MAX_RESPONSE_VALUES = 10 * MAX_PAGE_SIZE * MAX_DATA_ITEMS;
/** How many bytes are read of an error response. A web page may have long styles before the words that explain it. */
const MAX_ERROR_BYTES = 100_000;

const SUCCESS_LIMITS: BodyLimits = { bytes: MAX_RESPONSE_BYTES, values: MAX_RESPONSE_VALUES };
const ERROR_LIMITS: BodyLimits = { bytes: MAX_ERROR_BYTES, values: Infinity };

export interface ServiceRequest<Value> extends Omit<Asked, 'baseUrl'> {
	/** A create's body; without it the request is a GET. */
	body?: JsonRecord;
	/**
	 * Takes the value out of the response's JSON. `sentAt` is the time in its `Date` header. Throws where the shape is
	 * wrong.
	 */
	read(json: unknown, sentAt: Timestamp | undefined): Value;
}

/**
 * Sends a request once, with the API key. It goes through n8n's own helper, so that n8n's proxy and TLS settings apply.
 * Cancelling the execution ends the request. Throws RequestFailure.
 */
export async function sendToService<Value>(
	connection: Connection,
	request: ServiceRequest<Value>,
): Promise<Value> {
	const { context, baseUrl, credential, deadline, redact } = connection;
	let hasBegun = false;
	try {
		const full: unknown = await context.helpers.httpRequestWithAuthentication.call(
			context,
			'inspectionServiceApi',
			optionsOf(connection, request),
			{ credentialsDecrypted: credential },
		);
		const opened = openResponse(full);
		hasBegun = true;
		return await withinBudget(async (take) => await valueOf(opened, take, connection, request));
	} catch (error) {
		const underway = { isCancelled: deadline.isCancelled(), hasBegun, redact };
		throw thrownFailure({ ...request, baseUrl }, error, underway);
	}
}

async function valueOf<Value>(
	opened: OpenResponse,
	take: (bytes: number) => Promise<void>,
	{ baseUrl, deadline, redact }: Connection,
	request: ServiceRequest<Value>,
): Promise<Value> {
	const { status, headers } = opened;
	const asked = { ...request, baseUrl };
	const limits = isSuccess(status) ? SUCCESS_LIMITS : ERROR_LIMITS;
	const { text, exceeded } = await readText(opened.body, limits, take);
	const body = redact(text);
	if (!isSuccess(status)) {
		const location = redact(textOf(headers.location) ?? '');
		throw statusFailure(
			asked,
			{ status, headers: { ...headers, location }, body },
			deadline.timing.now(),
		);
	}
	if (exceeded !== undefined) throw unusableResponse(asked, status, TOO_LARGE[exceeded]);
	const date = httpDate(textOf(headers.date));
	const sentAt = date === undefined ? undefined : timestampOfMs(date);
	return readResponse(asked, { status, body }, (json) => request.read(json, sentAt));
}

const TOO_LARGE = {
	bytes: `it is larger than ${String(MAX_RESPONSE_BYTES / 1024 / 1024)} MB`,
	values: `it holds more than ${String(MAX_RESPONSE_VALUES / 1_000_000)} million values`,
};

/**
 * n8n must not throw for an error status, because it sends a request again after a thrown 401. It must not follow
 * redirects, because it would send the API key along to any server. `timeout` ends a request only while no byte comes;
 * the signal also ends a response that comes too slowly.
 */
function optionsOf(
	{ baseUrl, deadline }: Connection,
	{ path, body }: { path: string; body?: JsonRecord },
): IHttpRequestOptions {
	const isCreate = body !== undefined;
	const timeout = deadline.timeoutMs(isCreate ? 'create' : 'read');
	const abortSignal = deadline.requestSignal(timeout);
	return {
		method: isCreate ? 'POST' : 'GET',
		url: baseUrl + path,
		...(isCreate ? { body } : {}),
		json: true,
		// n8n sets no limit for the size of a response that it reads itself.
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout,
		get abortSignal() {
			return abortSignal;
		},
		set abortSignal(_) {
			// In an execution n8n writes its own signal here, which has no time limit. Ours contains n8n's signal already.
		},
	};
}
