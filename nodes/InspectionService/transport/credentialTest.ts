import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { isObject, textOf } from '../domain/json';
import { inspectionPageOf } from '../domain/list/inspectionPage';
import { normaliseApiKey, redactorOf } from '../domain/request/apiKey';
import { reportOf } from '../domain/request/failureReport';
import type { RequestResult } from '../domain/request/requestFailure';
import { askedWaitMs } from '../domain/request/retryAfter';
import { normaliseBaseUrl, normaliseCreatePath } from '../domain/request/serviceAddress';
import { isSuccess, readResponse } from '../domain/request/serviceResponse';
import { messageText } from '../domain/shownText';
import { type BodyLimits, openResponse, readText } from './responseBody';
import { thrownFailure } from './thrownFailure';
import { EDITOR_BUDGET_MS } from './timeLimits';
import { REAL_TIMING, type Timing } from './timing';

/** What is asked for: the first page of the list, with one inspection (listInspections of docs/service.openapi.yaml). */
const PATH = '/v1/inspections?page_size=1';
/** How much of a page with one inspection is read: some hundred times what an inspection without answers has. */
const LIMITS: BodyLimits = { bytes: 1_000_000, values: 100_000 };

/**
 * The test of a credential, when it is saved in the editor: asks for one inspection. An empty list is fine. Otherwise it
 * says what is wrong and what to do about it, in the words of the nodes' own errors.
 */
export async function testCredential(
	context: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
	timing: Pick<Timing, 'sleep'> = REAL_TIMING,
): Promise<INodeCredentialTestResult> {
	try {
		const apiKey = normaliseApiKey(data.apiKey);
		const baseUrl = normaliseBaseUrl(data.baseUrl);
		normaliseCreatePath(data.createPath);
		const result = await Promise.race([ask(context, { apiKey, baseUrl }), timeUp(timing)]);
		if ('value' in result) return { status: 'OK', message: 'The service accepts the API key' };
		const request = { operation: 'testCredential', baseUrl, path: PATH } as const;
		const { message, description } = reportOf(request, result.failure);
		return { status: 'Error', message: messageText(`${message}. ${description}`) };
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		return { status: 'Error', message: messageText(message) };
	}
}

async function timeUp({ sleep }: Pick<Timing, 'sleep'>): Promise<RequestResult<never>> {
	await sleep(EDITOR_BUDGET_MS);
	return { failure: { kind: 'timeUp' } };
}

/**
 * Sends the request with the only helper that n8n has for the test of a credential. It must not follow redirects,
 * because it would send the API key along to any server.
 */
async function ask(
	{ helpers }: ICredentialTestFunctions,
	{ apiKey, baseUrl }: { apiKey: string; baseUrl: string },
): Promise<RequestResult<unknown>> {
	const redact = redactorOf(apiKey);
	try {
		const full: unknown = await helpers.request({
			method: 'GET',
			url: baseUrl + PATH,
			headers: { 'access-token': apiKey, accept: 'application/json' },
			useStream: true,
			resolveWithFullResponse: true,
			simple: false,
			followRedirect: false,
			timeout: EDITOR_BUDGET_MS,
		});
		const { status, headers, body } = await wholeResponse(full);
		const text = redact(body);
		if (isSuccess(status)) {
			return readResponse({ status, body: text }, (json) =>
				inspectionPageOf(json, { page: 1, pageSize: 1 }, undefined),
			);
		}
		const retryAfterMs = askedWaitMs({ status, headers }, Date.now());
		const location = redact(textOf(headers.location) ?? '');
		return { failure: { kind: 'status', status, body: text, retryAfterMs, location } };
	} catch (error) {
		return { failure: thrownFailure(error, { deadline: { isCancelled: () => false }, redact }) };
	}
}

/** The helper gives the body of a success as a stream, and that of any other status as text. */
async function wholeResponse(
	full: unknown,
): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
	const { statusCode, headers, body } = isObject(full) ? full : {};
	if (typeof statusCode !== 'number' || typeof body !== 'string') {
		const opened = openResponse(full);
		return { ...opened, body: (await readText(opened.body, LIMITS)).text };
	}
	return { status: statusCode, headers: isObject(headers) ? headers : {}, body };
}
