import type { IHttpRequestOptions } from 'n8n-workflow';

import { isObject, textOf, type JsonRecord } from '../domain/json';
import type { RequestFailure, ServiceOperation } from '../domain/request/requestFailure';
import { retryAfterMs } from '../domain/request/retryAfter';
import type { RequestResult } from '../domain/request/requestResult';
import { readResponse } from '../domain/request/serviceResponse';
import type { Connection } from './connection';
import { thrownFailure } from './thrownFailure';

export interface ServiceRequest<Value> {
	operation: ServiceOperation;
	/** Path and query string below the base URL. */
	path: string;
	/** A create's body; without it the request is a GET. */
	body?: JsonRecord;
	/** Takes the value out of the response's JSON. Throws where its shape is wrong. */
	read(json: unknown): Value;
}

/** An HTTP response, its text already without the API key. */
interface ServiceResponse {
	status: number;
	headers: Record<string, unknown>;
	body: string;
}

/**
 * Sends a request once, with the API key, through n8n's own helper: its proxy and TLS settings hold, and
 * cancelling the execution ends it. Never throws.
 */
export async function sendToService<Value>(
	connection: Connection,
	request: ServiceRequest<Value>,
): Promise<RequestResult<Value>> {
	const { context, credential, redact } = connection;
	let response: ServiceResponse;
	try {
		const full: unknown = await context.helpers.httpRequestWithAuthentication.call(
			context,
			'inspectionServiceApi',
			optionsOf(connection, request),
			{ credentialsDecrypted: credential },
		);
		response = serviceResponse(full, redact);
	} catch (error) {
		return { failure: thrownFailure(error, connection) };
	}
	if (response.status >= 200 && response.status < 300) return readResponse(response, request.read);
	return { failure: statusFailure(response, connection) };
}

/**
 * Statuses are read here rather than thrown by n8n, because it sends a request again after a thrown 401.
 * Redirects are not followed, because n8n would send the API key along to wherever they lead. `timeout` ends only a
 * silence; the signal ends an response that trickles as well.
 */
function optionsOf(
	{ address, deadline }: Connection,
	{ path, body }: { path: string; body?: JsonRecord },
): IHttpRequestOptions {
	const isCreate = body !== undefined;
	const timeout = deadline.timeoutMs(isCreate ? 'create' : 'read');
	const abortSignal = deadline.requestSignal(timeout);
	return {
		method: isCreate ? 'POST' : 'GET',
		url: address.baseUrl + path,
		...(isCreate ? { body } : {}),
		json: true,
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout,
		get abortSignal() {
			return abortSignal;
		},
		set abortSignal(_) {
			// In an execution n8n puts its own there, which knows of no time limit; it is part of this one.
		},
	};
}

function serviceResponse(response: unknown, redact: (text: string) => string): ServiceResponse {
	const { statusCode, headers, body } = isObject(response) ? response : {};
	return {
		status: typeof statusCode === 'number' ? statusCode : 0,
		headers: isObject(headers) ? headers : {},
		body: redact(typeof body === 'string' ? body : (JSON.stringify(body) ?? '')),
	};
}

function statusFailure(
	{ status, headers, body }: ServiceResponse,
	{ deadline, redact }: Connection,
): RequestFailure {
	const clock = { respondedAt: textOf(headers.date), now: deadline.timing.now() };
	return {
		kind: 'status',
		status,
		body,
		retryAfterMs: retryAfterMs(textOf(headers['retry-after']), clock),
		location: redact(textOf(headers.location) ?? ''),
	};
}
