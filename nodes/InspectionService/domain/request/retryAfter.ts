import { textOf } from '../json';

const SECONDS = /^\d+(\.\d+)?$/;
/** The longest wait of Node's timers: 24 days. */
const MAX_MS = 2 ** 31 - 1;
/** A larger number of seconds (31 years) is not a wait but a point in time. */
const UNIX_SECONDS = 1_000_000_000;
/** Matches the three forms of a date in HTTP (RFC 9110, section 5.6.7). All begin with a weekday and have a time. */
const HTTP_DATE = /^[a-z]{3,9},? .*\d{2}:\d{2}:\d{2}/i;

/**
 * How long a response asks to wait, in ms from now: from 0 to the longest wait of a timer. Undefined where it does not
 * say. `Retry-After` counts first; after "too many requests" (429) also the end of the limit's window, as the IETF draft
 * "RateLimit header fields" and many services give it. Points in time are measured by the response's own `Date`, because
 * n8n's clock (`now`, in Unix ms) may be wrong by days. Header names are in lower case.
 */
export function askedWaitMs(
	{ status, headers }: { status: number; headers: Readonly<Record<string, unknown>> },
	now: number,
): number | undefined {
	const names = [
		'retry-after',
		...(status === 429 ? ['ratelimit-reset', 'x-ratelimit-reset'] : []),
	];
	const clock = httpDate(textOf(headers.date)) ?? now;
	const waits = names.map((name) => waitMs(textOf(headers[name])?.trim() ?? '', clock));
	return waits.find((wait) => wait !== undefined);
}

function waitMs(text: string, clock: number): number | undefined {
	const isNumber = SECONDS.test(text);
	if (isNumber && Number(text) < UNIX_SECONDS)
		return Math.min(MAX_MS, Math.round(Number(text) * 1000));
	const until = isNumber ? Number(text) * 1000 : httpDate(text);
	return until === undefined ? undefined : Math.min(MAX_MS, Math.max(0, until - clock));
}

/** The date in an HTTP header such as `Date`, in Unix ms; undefined for anything else. */
export function httpDate(header: string | undefined): number | undefined {
	const text = header?.trim() ?? '';
	if (!HTTP_DATE.test(text)) return undefined;
	const time = Date.parse(/GMT|UTC|[+-]\d{4}$/i.test(text) ? text : `${text} GMT`);
	return Number.isNaN(time) ? undefined : time;
}
