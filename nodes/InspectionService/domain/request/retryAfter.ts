import { textOf } from '../json';

const SECONDS = /^\d+(\.\d+)?$/;
/** The longest wait of Node's timers: 24 days. */
const MAX_MS = 2 ** 31 - 1;
/** `RateLimit-Reset` counts seconds (IETF draft "RateLimit header fields"), `X-RateLimit-Reset` often Unix seconds. */
const RESET_HEADERS = ['ratelimit-reset', 'x-ratelimit-reset'];
/** A larger number of seconds (31 years) is not a wait but a point in time. */
const UNIX_SECONDS = 1_000_000_000;

/**
 * How long a response asks to wait, in ms from now: from 0 to the longest wait of a timer. Undefined where the response
 * does not say. `Retry-After` counts first. Without it, after "too many requests" (429), the end of the limit's window
 * counts. Header names are in lower case; `now` is in Unix ms.
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

/** Clocks to measure a point in time against. The service's counts first, because n8n's may be wrong by days. */
interface Clock {
	/** The response's own `Date` header. */
	respondedAt?: string;
	/** n8n's clock in Unix ms, for a response without `Date`. */
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
	const wait = time - (httpDate(respondedAt) ?? now);
	return Math.min(MAX_MS, Math.max(0, wait));
}

/** Matches the three forms of a date in HTTP (RFC 9110, section 5.6.7). All begin with a weekday and have a time. */
const HTTP_DATE = /^[a-z]{3,9},? .*\d{2}:\d{2}:\d{2}/i;

/** The date in an HTTP header such as `Date`, in Unix ms; undefined for anything else. */
export function httpDate(header: string | undefined): number | undefined {
	const text = header?.trim() ?? '';
	if (!HTTP_DATE.test(text)) return undefined;
	const time = Date.parse(/GMT|UTC|[+-]\d{4}$/i.test(text) ? text : `${text} GMT`);
	return Number.isNaN(time) ? undefined : time;
}
