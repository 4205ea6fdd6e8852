import { cleanLine } from '../formatting';
import { textOf } from '../json';
import { explanationOf } from './explanation';
import { failureOf, type RequestFailure } from './requestFailure';
import type { RequestInfo } from './requestInfo';
import { eventOfStatus, isServiceFailure } from './retryPolicy';
import { isHtml, serviceMessage } from './serviceMessage';

/** A response with an error status. */
export interface Refusal {
	status: number;
	headers: Readonly<Record<string, unknown>>;
	body: string;
	/**
	 * Replaces the API key in text for an error. Not needed for responses of the file storage, because the storage never
	 * receives the key.
	 */
	redact?: (text: string) => string;
}

export function statusFailure(info: RequestInfo, refusal: Refusal, now: number): RequestFailure {
	const { status } = refusal;
	const { operation } = info;
	const isRedirect = status >= 300 && status < 400 && operation !== 'downloadFile';
	const mayWait = status === 429 || isServiceFailure(status);
	const retryAfterMs = mayWait ? requestedWaitMs(refusal, now) : undefined;
	return failureOf(info, eventOfStatus(operation, status, retryAfterMs), {
		...(isRedirect ? explainRedirect(info, refusal) : explainStatus(info, refusal, retryAfterMs)),
		retryAfterMs,
		httpCode: String(status),
	});
}

function explainStatus(
	{ operation, template }: RequestInfo,
	{ status, body, redact }: Refusal,
	retryAfterMs: number | undefined,
) {
	const { what, fix } = explanationOf(operation, status, retryAfterMs);
	// Name the template, because each row can have a different one.
	const named = template === undefined ? '' : ` "${cleanLine(template, 60)}"`;
	const cause = what.replace(/^The template\b/, `The template${named}`);
	const detail = serviceMessage(body, redact);
	const isWebPage = operation !== 'downloadFile' && isHtml(body);
	return {
		message: `${cause} (${String(status)})${detail === undefined ? '' : `: ${detail}`}`,
		description: isWebPage ? `${fix} ${WEB_PAGE}` : fix,
	};
}

const WEB_PAGE =
	"The response was a web page: the base URL in the credential might not lead to the service's API.";

function explainRedirect(
	{ baseUrl, path }: RequestInfo,
	{ status, headers, redact = (text) => text }: Refusal,
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
/** A larger number of seconds is a point in time (Unix time), not a wait: this many seconds are 31 years. */
const UNIX_SECONDS = 1_000_000_000;
/** Matches the three date formats of HTTP (RFC 9110, section 5.6.7): a weekday, and later a time. */
const HTTP_DATE = /^[a-z]{3,9},? .*\d{2}:\d{2}:\d{2}/i;

/**
 * Returns how long a response asks clients to wait, in ms from now. Reads `Retry-After`, and after a 429 also the
 * headers with the end of the rate limit (IETF draft "RateLimit header fields"). A point in time is compared with the
 * `Date` header of the same response, because n8n's clock can be wrong by days.
 */
export function requestedWaitMs(
	{ status, headers }: Omit<Refusal, 'body'>,
	now: number,
): number | undefined {
	const names = ['retry-after', ...(status === 429 ? WINDOW_ENDS : [])];
	const clock = httpDate(textOf(headers.date)) ?? now;
	const waits = names.map((name) => waitMs(textOf(headers[name])?.trim() ?? '', clock));
	return waits.find((wait) => wait !== undefined);
}

function waitMs(text: string, clock: number): number | undefined {
	const ms = SECONDS.test(text) ? Math.round(Number(text) * 1000) : undefined;
	if (ms !== undefined && ms < UNIX_SECONDS * 1000) return Math.min(MAX_MS, ms);
	const until = ms ?? httpDate(text);
	return until === undefined ? undefined : Math.min(MAX_MS, Math.max(0, until - clock));
}

export function httpDate(header: string | undefined): number | undefined {
	const text = header?.trim() ?? '';
	if (!HTTP_DATE.test(text)) return undefined;
	const time = Date.parse(/GMT|UTC|[+-]\d{4}$/i.test(text) ? text : `${text} GMT`);
	return Number.isNaN(time) ? undefined : time;
}
