import { DateTime } from 'luxon';

const MS_PER_DAY = 86_400_000;

/**
 * The calendar day, such as `2026-05-31`, that an instant (ms since 1970) without an offset of its own stands for; undefined
 * for an instant with a time of day. Create and the outputs share this rule, so that a day survives both directions:
 *
 * 1. Midnight UTC is the UTC day, because the service stores days so and parsers read `2026-05-31` so.
 * 2. The first moment of a day in `timeZone` (IANA, the workflow's) is that day: databases return local days so.
 * 3. Any other instant keeps its time.
 */
export function dayOfInstant(ms: number, timeZone: string): string | undefined {
	const zone = ms % MS_PER_DAY === 0 ? 'utc' : timeZone;
	const moment = DateTime.fromMillis(ms, { zone });
	// Some zones begin a day at 01:00, when their clocks skip the hour after midnight.
	const isFirst = moment.isValid && moment.toMillis() === moment.startOf('day').toMillis();
	return isFirst ? (moment.toISODate() ?? undefined) : undefined;
}
