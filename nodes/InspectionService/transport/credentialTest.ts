import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { messageText, withoutCanceled } from '../domain/formatting';
import { isObject } from '../domain/json';
import { inspectionPageOf, leftOutWarnings } from '../domain/list/inspectionPage';
import { redactorOf } from '../domain/request/apiKey';
import { thrownFailure, timeUp } from '../domain/request/networkFailure';
import { RequestFailure } from '../domain/request/requestFailure';
import type { RequestInfo } from '../domain/request/requestInfo';
import { valueOf } from '../domain/request/serviceResponse';
import { UnexpectedResponseError } from '../domain/unexpectedResponse';
import { settingsOf } from './connection';
import { REAL_TIMING, type Timing } from './deadline';
import { openResponse, readText } from './responseBody';
import { EDITOR_BUDGET_MS } from './timeLimits';

const PAGE_SIZE = 1;
const PATH = `/v1/inspections?page_size=${String(PAGE_SIZE)}`;
const MAX_BYTES = 1_000_000;

/**
 * Tests a credential by requesting one inspection. Returns an error message of this package if the request fails.
 *
 * n8n's own `test` request (2.41) can't replace this. It reports success if a web page or other JSON responds at a wrong
 * address. Users would get only "ENOTFOUND" or "Moved Permanently" as a message, and wait a minute for a silent server.
 */
export async function testCredential(
	context: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
	timing: Pick<Timing, 'sleep'> = REAL_TIMING,
): Promise<INodeCredentialTestResult> {
	try {
		const { apiKey, baseUrl } = settingsOf(data);
		const info = { operation: 'testCredential', baseUrl, path: PATH } as const;
		const abort = new AbortController();
		const overtime = timing.sleep(EDITOR_BUDGET_MS).then(() => {
			abort.abort();
			throw timeUp(info);
		});
		await Promise.race([requestPage(context, info, apiKey, abort.signal), overtime]);
		return { status: 'OK', message: 'The service accepts the API key' };
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		const fix = error instanceof RequestFailure ? `. ${error.facts.description}` : '';
		return { status: 'Error', message: withoutCanceled(messageText(message + fix)) };
	}
}

/**
 * Requests one inspection. Redirects aren't followed, because they could send the API key to any server. `signal` closes
 * the connection. It's an option of the agent, because n8n's helper passes on no other signal (1.100.1 and 2.41.1).
 */
async function requestPage(
	{ helpers }: ICredentialTestFunctions,
	info: RequestInfo,
	apiKey: string,
	signal: AbortSignal,
): Promise<void> {
	const redact = redactorOf(apiKey);
	const agentOptions: Record<string, unknown> = { signal };
	try {
		const full: unknown = await helpers.request({
			method: 'GET',
			url: info.baseUrl + info.path,
			headers: { 'access-token': apiKey, accept: 'application/json' },
			useStream: true,
			resolveWithFullResponse: true,
			simple: false,
			followRedirect: false,
			timeout: EDITOR_BUDGET_MS,
			agentOptions,
		});
		const response = await wholeResponse(full);
		valueOf(info, { ...response, receivedAt: Date.now(), redact }, (json) => {
			const { inspections } = inspectionPageOf(json, undefined, PAGE_SIZE);
			// A list of things without IDs is probably a different API.
			const [warning] = leftOutWarnings(inspections);
			if (warning !== undefined) throw new UnexpectedResponseError(warning);
		});
	} catch (error) {
		throw signal.aborted
			? timeUp(info)
			: thrownFailure(info, error, { isCancelled: false, redact });
	}
}

/**
 * Reads the whole response. n8n's helper returns the body of a successful response as a stream, and any other body as
 * text.
 */
async function wholeResponse(full: unknown) {
	const { statusCode, headers, body } = isObject(full) ? full : {};
	if (typeof statusCode !== 'number' || typeof body !== 'string') {
		const opened = openResponse(full);
		return { ...opened, body: (await readText(opened.body, { bytes: MAX_BYTES })).text };
	}
	return { status: statusCode, headers: isObject(headers) ? headers : {}, body };
}
