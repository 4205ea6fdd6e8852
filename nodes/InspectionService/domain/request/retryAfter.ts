import { textOf } from '../json';

const SECONDS = /^\d+(\.\d+)?$/;
/** Node's timers take no more: 24 days. */
const MAX_MS = 2 ** 31 - 1;
/** The three forms of a date in HTTP (RFC 9110, section 5.6.7): all have a time and begin with a weekday. */
const HTTP_DATE = /^[a-z]{3,9},? .*\d{2}:\d{2}:\d{2}/i;
/** `RateLimit-Reset` counts seconds (IETF draft "RateLimit header fields"), `X-RateLimit-Reset` often Unix seconds. */
const RESET_HEADERS = ['ratelimit-reset', 'x-ratelimit-reset'];
/** More seconds than this (31 years) are no wait but a point in time. */
const UNIX_SECONDS = 1_000_000_000;

/**
 * How long a response asks to wait: milliseconds from now, never negative nor more than a timer takes; undefined where
 * it says nothing. `Retry-After` counts before all. After "too many requests" (429) the end of the limit's window is
 * the next best. Header names are in lower case; `now` is in Unix ms.
 */
export function askedWaitMs(
	{ status, headers }: { status: number; headers: Readonly<Record<string, unknown>> },
	now: number,
): number | undefined {
	const clock = { respondedAt: textOf(headers.date), now };
	const asked = retryAfterMs(textOf(headers['retry-after']), clock);
	if (asked !== undefined || status !== 429) return asked;
	const resets = RESET_HEADERS.map((name) => resetMs(textOf(headers[name]), clock));
	return resets.find((wait) => wait !== undefined);
}

/** Where the service's clock is known, a point in time is measured against it: n8n's own may be wrong by days. */
interface Clock {
	/** The response's own `Date` header. */
	respondedAt?: string;
	/** Unix ms; stands in for it. */
	now: number;
}

/** A `Retry-After` header, in seconds or as a date, as milliseconds from now. */
export function retryAfterMs(header: string | undefined, clock: Clock): number | undefined {
	const text = header?.trim() ?? '';
	if (SECONDS.test(text)) return Math.min(MAX_MS, Math.round(Number(text) * 1000));
	const until = httpDate(text);
	return until === undefined ? undefined : waitUntil(until, clock);
}

function resetMs(header: string | undefined, clock: Clock): number | undefined {
	const text = header?.trim() ?? '';
	if (SECONDS.test(text) && Number(text) >= UNIX_SECONDS) {
		return waitUntil(Number(text) * 1000, clock);
	}
	return retryAfterMs(text, clock);
}

function waitUntil(time: number, { respondedAt, now }: Clock): number {
	const wait = time - (httpDate(respondedAt?.trim() ?? '') ?? now);
	return Math.min(MAX_MS, Math.max(0, wait));
}

function httpDate(text: string): number | undefined {
	if (!HTTP_DATE.test(text)) return undefined;
	const time = Date.parse(/GMT|UTC|[+-]\d{4}$/i.test(text) ? text : `${text} GMT`);
	return Number.isNaN(time) ? undefined : time;
}
