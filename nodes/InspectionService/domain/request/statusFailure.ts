import { cleanLine, durationText } from '../formatting';
import { EXAMPLE_ID } from '../id';
import { textOf } from '../json';
import { failureOf, type RequestFailure } from './requestFailure';
import type { RequestInfo, ServiceOperation, ServiceResponse } from './requestInfo';
import { eventOfStatus, isServerError, type RequestEvent } from './retryPolicy';
import { isHtml, serviceMessage } from './serviceMessage';

/** Creates the error for a response with an error status. */
export function statusFailure(info: RequestInfo, response: ServiceResponse): RequestFailure {
	const { status } = response;
	const { operation } = info;
	const isStorage = operation === 'downloadFile';
	const mayWait = status === 429 || isServerError(status);
	const retryAfterMs = mayWait ? requestedWaitMs(response) : undefined;
	// The service sends JSON, so a web page is from a gateway, a proxy, or a wrong address.
	const isPage = !isStorage && isHtml(response.body);
	const event =
		isPage && status === 403 ? 'blocked' : eventOfStatus(operation, status, retryAfterMs);
	const isRedirect = status >= 300 && status < 400 && !isStorage;
	return failureOf(info, event, {
		...(isRedirect
			? explainRedirect(info, response)
			: explainStatus(info, response, { event, isPage, retryAfterMs: retryAfterMs ?? 0 })),
		retryAfterMs,
		httpCode: String(status),
	});
}

function explainStatus(
	{ operation, template }: RequestInfo,
	{ status, body, redact }: ServiceResponse,
	{ event, isPage, retryAfterMs }: { event: RequestEvent; isPage: boolean; retryAfterMs: number },
) {
	const ofStatus = operation === 'downloadFile' ? operation : status;
	const cases = [event, `${operation} ${status}`, ofStatus, 'other'] as const;
	const explained = cases.map((one) => EXPLANATIONS[one]).find((text) => text !== undefined);
	const wait = retryAfterMs > 0 ? durationText(retryAfterMs) : 'a while';
	const [what = '', fix = ''] = explained?.replace('WAIT', wait).split(/\. (.*)/s) ?? [];
	// Name the template, because each row can have a different one.
	const named = template === undefined ? '' : ` "${cleanLine(template, 60)}"`;
	const cause = what.replace(/^The template\b/, `The template${named}`);
	const detail = serviceMessage(body, redact);
	const isRefusedCreate =
		operation === 'createInspection' && status >= 400 && status < 500 && status !== 408;
	// Gateways send web pages if the service fails, and proxies if they refuse, even for a correct base URL.
	const isElsewhere = isPage && EXPLANATIONS[event] === undefined && status !== 407;
	const fixes = [
		isRefusedCreate && 'The inspection was not created.',
		fix,
		isElsewhere && WEB_PAGE,
	];
	return {
		message: `${cause} (${String(status)})${detail === undefined ? '' : `: ${detail}`}`,
		description: fixes.filter(Boolean).join(' '),
	};
}

const WEB_PAGE =
	"The response was a web page: the base URL in the credential might not lead to the service's API.";

function explainRedirect(
	{ baseUrl, path }: RequestInfo,
	{ status, headers, redact }: ServiceResponse,
) {
	const location = redact(textOf(headers.location) ?? '');
	const base = baseUrl + path;
	const target = location && URL.canParse(location, base) ? new URL(location, base) : undefined;
	const isWeb = target?.protocol === 'https:' || target?.protocol === 'http:';
	// Leave out the query string, because it can contain secrets.
	const to = isWeb ? ` to ${target.origin}${target.pathname}` : '';
	return {
		message: `The service redirects requests (${String(status)}). The redirect isn't followed, because it would pass on the API key${to}`,
		description: `Set the base URL in the credential to the address of the Inspection Service itself, instead of ${baseUrl}. Enter a different host only if you know that it's yours. Never enter an http address instead of https, because others could then read the API key.`,
	};
}

const WINDOW_ENDS = ['ratelimit-reset', 'x-ratelimit-reset'];
const SECONDS = /^\d+(?:\.\d+)?$/;
const MAX_MS = 2 ** 31 - 1;
/** Larger numbers of seconds are points in time (Unix time), not waits. This many seconds are 31 years. */
const UNIX_SECONDS = 1_000_000_000;
/** Points in time from this number on aren't in seconds. As seconds, this is the year 5138. As ms, it is 1973. */
const MAX_UNIX_SECONDS = 100_000_000_000;
/** Matches the three date formats of HTTP (RFC 9110, section 5.6.7), which begin with a weekday and contain a time. */
const HTTP_DATE = /^[a-z]{3,9},? .*\d{2}:\d{2}:\d{2}/i;

/**
 * Returns how long a response asks clients to wait, in ms from now. Reads `Retry-After`, and after a 429 also the
 * headers with the end of the rate limit (IETF draft "RateLimit header fields"). A point in time is compared with the
 * `Date` header of the same response, because n8n's clock can be wrong by days.
 */
export function requestedWaitMs({
	status,
	headers,
	receivedAt,
}: Pick<ServiceResponse, 'status' | 'headers' | 'receivedAt'>): number | undefined {
	const names = ['retry-after', ...(status === 429 ? WINDOW_ENDS : [])];
	const clock = httpDate(textOf(headers.date)) ?? receivedAt;
	const ends = names.map((name) => endOfWait(textOf(headers[name])?.trim() ?? '', clock));
	const end = ends.find((time) => time !== undefined);
	return end === undefined ? undefined : Math.min(MAX_MS, Math.max(0, Math.round(end - clock)));
}

/** Returns the point in time that a header contains, in Unix ms. Services send seconds, ms, µs, or ns. */
function endOfWait(text: string, clock: number): number | undefined {
	if (!SECONDS.test(text)) return httpDate(text);
	const number = Number(text);
	if (number < UNIX_SECONDS) return clock + number * 1000;
	const unit = [1, 1e3, 1e6, 1e9].find((perSecond) => number / perSecond < MAX_UNIX_SECONDS) ?? 1;
	return (number / unit) * 1000;
}

export function httpDate(header: string | undefined): number | undefined {
	const text = header?.trim() ?? '';
	if (!HTTP_DATE.test(text)) return undefined;
	const time = Date.parse(/GMT|UTC|[+-]\d{4}$/i.test(text) ? text : `${text} GMT`);
	return Number.isNaN(time) ? undefined : time;
}

export const CHECK_ADDRESS =
	'Check that the base URL in the credential leads to the Inspection Service.';
/**
 * The fix if the file storage refuses a download. Doesn't mention the credential, because the service provides the
 * address of the storage.
 */
const CHECK_FILE =
	'Check that the file still exists in the inspection. If it does, ask the service administrator.';
const FAILED =
	"The service couldn't process the request. Wait WAIT before the next run. If this continues, ask the service administrator.";

type ExplainedCase =
	| RequestEvent
	| `${ServiceOperation} ${number}`
	| number
	| ServiceOperation
	| 'other';

/**
 * What happened, and the fix. The first of these is used: the explanation of an event, of a status of an operation, and
 * of a status or of the storage. `WAIT` becomes the time that the service asked for.
 */
const EXPLANATIONS: Readonly<Partial<Record<ExplainedCase, `${string}. ${string}`>>> = {
	rateLimited:
		'The service is receiving too many requests. Wait WAIT before the next run. If this happens often, make the workflow request less at a time, or less often.',
	serviceFailed: FAILED,
	serviceFailedUntil: FAILED,
	notSupported: FAILED,
	blocked:
		"A proxy or filter blocked the request. Ask the n8n administrator to allow the service's address in the proxy, firewall, or web filter between n8n and the service.",
	urlRejected: `The storage refused the signed download URL. The storage also refused a new URL. ${CHECK_FILE}`,
	// Only the storage, because such a status of the service is a success or a redirect.
	statusUnclear: `The service responded in an unexpected way. ${CHECK_FILE}`,
	'getTemplate 400':
		"The service refused the template ID or identifier. Enter a template's ID, or its identifier of at most 20 characters.",
	'getTemplate 404':
		"The template was not found. Check the template's ID or identifier. The template might be deleted, or belong to an organization other than the API key's. If all of this is right, check the base URL in the credential.",
	'createInspection 400':
		'The service refused the inspection. Check the template, the answers (at most 1000, each to a question of the template), and the assignees (at most 50).',
	'createInspection 403':
		"The API key doesn't have permission to create this inspection. Give the user of the API key permission to create inspections, and access to the team.",
	'createInspection 404': `The template was not found, or belongs to a different team. The template must be in the API key's organization, be published, and not be disabled. Leave the team empty to use the template's team. If all of this is right, check the base URL and 'Create Path' in the credential.`,
	'createInspection 405': `Inspections can't be created at this address. Check the base URL and 'Create Path' in the credential.`,
	'listInspections 400': `The service refused the filters of the list. Check the dates, team, statuses, and question IDs in the filters. If they're right and you filter by questions, change 'Data Filter Format' in the credential (Advanced Settings).`,
	'listInspections 404':
		'The list of inspections was not found. Check the team in the filters and the base URL in the credential. The base URL must not contain /v1 or the path of a page that you open in a browser.',
	'getFileUrl 400': `The service refused the inspection ID or file ID. Take both IDs from Get Many, with 'Output' set to 'Files'. An ID looks like ${EXAMPLE_ID}. The type of the file must be image, video, audio, attachment, signature, or instacount.`,
	'getFileUrl 403':
		"The API key doesn't have permission to read files. Give the user of the API key the permission inspections:read (Inspections, Read).",
	'getFileUrl 404':
		"The inspection or the file was not found. Check both IDs: the file must belong to the inspection. Take both IDs from Get Many, with 'Output' set to 'Files'. If both IDs are right, check the base URL in the credential.",
	'testCredential 403':
		"The API key is valid, but doesn't have permission to list inspections. Give the user of the API key permission to read inspections.",
	'testCredential 404': `Nothing responds at /v1/inspections below this base URL. Check the base URL. Enter the address of the API, without "/v1" and without the path of a page that you open in a browser.`,
	downloadFile: `The service refused the request. ${CHECK_FILE}`,
	401: 'The service refused the API key. Check the API key in the credential. The key might be mistyped or expired, or its organization might not be valid. The organization might also lack the public API feature, or access to the requested data.',
	403: "The API key doesn't have permission for this. Give the user of the API key the permission in the Inspection Service, or use a different user's key.",
	404: "The service doesn't have this address. Check the base URL in the credential.",
	407: "The proxy between n8n and the service requires a login. Check the proxy settings of n8n's server.",
	413: 'The request is larger than the service accepts. Send shorter text or fewer answers.',
	other:
		"The service refused the request. Compare the values in the node with the service's message.",
};
