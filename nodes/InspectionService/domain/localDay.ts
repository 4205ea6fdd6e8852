import { DateTime } from 'luxon';

const MS_PER_DAY = 86_400_000;

/**
 * Returns the calendar day (such as `2026-05-31`) that an instant without an offset represents, or undefined for an
 * instant with a time of day. `ms` is the instant in ms since 1970. Create and the outputs use these same rules, so
 * that a day stays the same in both directions:
 *
 * 1. Midnight UTC is the day in UTC, because the service stores days like this, and parsers read `2026-05-31` like
 *    this.
 * 2. The first instant of a day in `timeZone` (IANA, the workflow's) is that day, because databases return days like
 *    this.
 * 3. Any other instant has a time of day.
 */
export function dayOfInstant(ms: number, timeZone: string): string | undefined {
	const zone = ms % MS_PER_DAY === 0 ? 'utc' : timeZone;
	const moment = DateTime.fromMillis(ms, { zone });
	// A day can begin at 01:00, if the clocks of its zone skip the hour after midnight.
	const isFirst = moment.isValid && moment.toMillis() === moment.startOf('day').toMillis();
	return isFirst ? (moment.toISODate() ?? undefined) : undefined;
}
