import { DateTime } from 'luxon';

const MS_PER_DAY = 86_400_000;

/**
 * Returns the calendar day, such as `2026-05-31`, that an instant (ms since 1970) without an offset represents.
 * Undefined for an instant with a time of day. Create and the outputs share this rule, so that a day survives both
 * directions:
 *
 * 1. Midnight UTC is the UTC day, because the service stores days like that, and parsers read `2026-05-31` like that.
 * 2. The first moment of a day in `timeZone` (IANA, the workflow's) is that day: databases return local days like that.
 * 3. Any other instant keeps its time.
 */
export function dayOfInstant(ms: number, timeZone: string): string | undefined {
	const zone = ms % MS_PER_DAY === 0 ? 'utc' : timeZone;
	const moment = DateTime.fromMillis(ms, { zone });
	// In some zones, a day can begin at 01:00, when clocks skip the hour after midnight.
	const isFirst = moment.isValid && moment.toMillis() === moment.startOf('day').toMillis();
	return isFirst ? (moment.toISODate() ?? undefined) : undefined;
}
