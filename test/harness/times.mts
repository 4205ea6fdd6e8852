import { type Timestamp, timestampOf } from '#connector/domain/timestamp.ts';

/** Parses a time. Throws if it isn't valid. */
export function timeOf(text: string): Timestamp {
	const time = timestampOf(text);
	if (time === undefined) throw new Error(`"${text}" isn't a valid time`);
	return time;
}

/** Returns the time that is `second` seconds after 10:00 on March 1, 2026. Example: `at(90.5)` is 10:01:30.5. */
export function at(second: number): Timestamp {
	return timeOf(new Date(Date.UTC(2026, 2, 1, 10) + second * 1000).toISOString());
}
