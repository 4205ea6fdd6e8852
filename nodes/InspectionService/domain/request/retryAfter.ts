const SECONDS = /^\d+(\.\d+)?$/;
/** Node's timers take no more: 24 days. */
const MAX_MS = 2 ** 31 - 1;
/** The three forms of a date in HTTP (RFC 9110, section 5.6.7): all have a time and begin with a weekday. */
const HTTP_DATE = /^[a-z]{3,9},? .*\d{2}:\d{2}:\d{2}/i;

/**
 * A `Retry-After` header as milliseconds from now, never negative nor more than a timer takes; undefined where it says nothing.
 * `respondedAt` is the response's own `Date` header: a date is measured against the service's clock, because
 * n8n's may be wrong by days. `now` (Unix ms) stands in for it.
 */
export function retryAfterMs(
	header: string | undefined,
	{ respondedAt, now }: { respondedAt?: string; now: number },
): number | undefined {
	const text = header?.trim() ?? '';
	if (SECONDS.test(text)) return Math.min(MAX_MS, Math.round(Number(text) * 1000));
	const until = httpDate(text);
	if (until === undefined) return undefined;
	const wait = until - (httpDate(respondedAt?.trim() ?? '') ?? now);
	return Math.min(MAX_MS, Math.max(0, wait));
}

function httpDate(text: string): number | undefined {
	if (!HTTP_DATE.test(text)) return undefined;
	const time = Date.parse(/GMT|UTC|[+-]\d{4}$/i.test(text) ? text : `${text} GMT`);
	return Number.isNaN(time) ? undefined : time;
}
