/** Matches the three forms of a date in HTTP (RFC 9110, section 5.6.7). All begin with a weekday and have a time. */
const HTTP_DATE = /^[a-z]{3,9},? .*\d{2}:\d{2}:\d{2}/i;

/** The date in an HTTP header such as `Date`, in Unix ms; undefined for anything else. */
export function httpDate(header: string | undefined): number | undefined {
	const text = header?.trim() ?? '';
	if (!HTTP_DATE.test(text)) return undefined;
	const time = Date.parse(/GMT|UTC|[+-]\d{4}$/i.test(text) ? text : `${text} GMT`);
	return Number.isNaN(time) ? undefined : time;
}
