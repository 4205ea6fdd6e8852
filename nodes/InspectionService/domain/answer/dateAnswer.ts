import { DateTime } from 'luxon';

import { isObject } from '../json';
import { withPlainDigits } from '../normalizeText';
import { dateInFormat } from './dateFormat';
import { spreadsheetMs } from './spreadsheetDate';

export interface DateContext {
	/** The workflow's time zone (IANA), which applies to text without a zone. */
	timeZone: string;
	/** False if the question asks only for the day. */
	showTime: boolean;
	/** The format of dates, in Luxon's tokens. ISO 8601 is also accepted. */
	dateFormat?: string | undefined;
}

const DATE_ONLY = /^\d{4}(?:-?\d{2}-?\d{2}|-\d{1,2}-\d{1,2})$/;
/** Matches text that begins with a day in ISO 8601, with one or two digits for the month and the day. */
const ISO_DAY = /^\d{4}-\d{1,2}-\d{1,2}(?=[T ]|$)/;
/** Matches a month, day, or hour of one digit, as people and programs write it: `2026-5-31 9:30`. */
const LONE_DIGIT = /(?<=^\d{4}-(?:\d\d?-)?)\d(?=[-T ]|$)|(?<=[T ])\d(?=:)/g;
const STARTS_AS_DATE = /^\d{4}-?\d{2}-?\d{2}(?!\d)/;
const LONG_FRACTION = /:\d{2}[.,](\d{4,})/;
/** Maximum characters of a date. The longest supported form has about 60. */
const MAX_DATE_LENGTH = 100;
/** Matches milliseconds since 1970, which have 13 digits from September 2001 to 2286. */
const EPOCH_MS = /^[1-9]\d{12}$/;
/**
 * Reads a date and returns it as ISO 8601 in UTC, as `Response` in docs/service.openapi.yaml recommends. Accepts Luxon
 * and JavaScript dates, milliseconds since 1970, and a spreadsheet's day number. Accepts text in ISO 8601, SQL, RFC
 * 2822, HTTP, or `dateFormat`. Rejects text with an ambiguous order of day and month (`05/01/2024`).
 * Without `showTime`, only the calendar day in the value's own zone counts. If that day differs from the day in UTC, the
 * result is that day at midnight UTC. For a value without an offset, `dayOfInstant` finds the day.
 */
export function utcDateOf(value: unknown, context: DateContext): string | undefined {
	const found = givenDate(value, context);
	if (found === undefined) return undefined;
	const { date, isDay, given } = found;
	const utc = date.toUTC();
	if (!context.showTime) {
		const ownDay = date.toISODate();
		const isOtherDay = utc.toISODate() !== ownDay;
		const instantDay = isInstant(given, date)
			? dayOfInstant(date.toMillis(), context.timeZone)
			: undefined;
		const day = instantDay ?? (isDay || isOtherDay ? ownDay : undefined);
		if (typeof day === 'string') return `${day}T00:00:00.000Z`;
	}
	// Check the year again: the last evening of 9999 in New York is in the year 10000 in UTC.
	if (!hasFourDigitYear(utc)) return undefined;
	const fraction = typeof given === 'string' ? LONG_FRACTION.exec(given)?.[1] : undefined;
	const iso = utc.toISO() ?? undefined;
	return fraction === undefined ? iso : `${String(iso).slice(0, 19)}.${fraction}Z`;
}

/** Whether the value's original zone is unknown. This includes values in UTC, because JSON stores dates in UTC. */
function isInstant(given: unknown, date: DateTime): boolean {
	return isDate(given) || EPOCH_MS.test(String(given)) || date.zoneName === 'UTC';
}

/** Whether the year is from 1000 to 9999. An earlier year is most likely a two-digit year such as 26. */
function hasFourDigitYear({ year }: DateTime): boolean {
	return year >= 1000 && year <= 9999;
}

/**
 * Returns the end of a date as ISO 8601 in UTC: the end of the day if the date has no time, otherwise the exact time.
 */
export function utcEndOf(
	value: unknown,
	context: Omit<DateContext, 'showTime'>,
): string | undefined {
	const moment = { ...context, showTime: true };
	const found = givenDate(value, moment);
	if (found?.isDay !== true) return utcDateOf(value, moment);
	const end = found.date.endOf('day').toUTC();
	return hasFourDigitYear(end) ? (end.toISO() ?? undefined) : undefined;
}

function givenDate(
	value: unknown,
	{ timeZone, showTime, dateFormat }: DateContext,
): { date: DateTime; isDay: boolean; given: unknown } | undefined {
	const given = typeof value === 'string' ? plainDate(value, showTime) : value;
	if (typeof given === 'string' && given.length > MAX_DATE_LENGTH) return undefined;
	const formatted = formattedDate(given, dateFormat, timeZone);
	// A day without a time is the same in every zone, and Luxon (3.7) parses it five times as fast in UTC.
	const isPlainDay = !showTime && dateFormat === undefined && namesDay(given);
	const date = formatted
		? earlierDstInstant(formatted.date)
		: dateTimeOf(given, isPlainDay ? 'utc' : timeZone);
	if (date?.isValid !== true || !hasFourDigitYear(date)) return undefined;
	return { date, isDay: formatted?.isDay ?? namesDay(given), given };
}

/** Matches the end of a day. ISO 8601 allows 24:00, which is the same instant as 00:00 of the next day. */
const END_OF_DAY = /(?:T|,? )24:00(?::00(?:[.,]0{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/**
 * Replaces the narrow and non-breaking spaces that JavaScript's `toLocaleString` writes, and unusual digits. For a
 * question without a time, removes 24:00, because it's the end of the day in the text.
 */
export function plainDate(value: string, showTime: boolean): string {
	const plain = withPlainDigits(value);
	const text = ISO_DAY.test(plain) ? plain.replace(LONE_DIGIT, '0$&') : plain;
	return showTime ? text : text.replace(END_OF_DAY, '');
}

/**
 * Reads text or a whole number in a date format. A number can lack leading zeros: 1052026 in `ddMMyyyy` is May 1, and
 * 20526 in `ddMMyy` is May 2. A spreadsheet's day number for a date from 2018 to 2036 isn't valid in these formats, so
 * it's never read this way.
 */
function formattedDate(given: unknown, format: string | undefined, timeZone: string) {
	if (format === undefined) return undefined;
	if (typeof given === 'string') return dateInFormat(given, format, timeZone);
	if (typeof given !== 'number' || !Number.isInteger(given)) return undefined;
	const read = dateInFormat(String(given).padStart(format.length, '0'), format, timeZone);
	// Reject early years: 41231 in `yyyyMMdd` would be a day in the year 4.
	return read !== undefined && hasFourDigitYear(read.date) ? read : undefined;
}

export function namesDay(given: unknown): boolean {
	if (typeof given === 'string') return DATE_ONLY.test(given.trim());
	return Number.isInteger(given) && !EPOCH_MS.test(String(given));
}

function dateTimeOf(given: unknown, zone: string): DateTime | undefined {
	if (isDate(given)) return DateTime.fromJSDate(given, { zone });
	if (isLuxon(given)) {
		return DateTime.fromMillis(given.toMillis(), { zone: given.zoneName ?? zone });
	}
	if (typeof given !== 'string' && typeof given !== 'number') return undefined;
	if (EPOCH_MS.test(String(given))) return DateTime.fromMillis(Number(given), { zone });
	if (typeof given === 'number') {
		const ms = spreadsheetMs(given);
		if (ms === undefined) return undefined;
		const local = DateTime.fromMillis(ms, { zone: 'utc' });
		return earlierDstInstant(local.setZone(zone, { keepLocalTime: true }));
	}
	if (STARTS_AS_DATE.test(given)) {
		const iso = DateTime.fromISO(given, { zone, setZone: true });
		return earlierDstInstant(iso.isValid ? iso : DateTime.fromSQL(given, { zone, setZone: true }));
	}
	const mail = DateTime.fromRFC2822(given, { setZone: true });
	return mail.isValid ? mail : DateTime.fromHTTP(given, { setZone: true });
}

/**
 * When clocks go back, a local time occurs twice: returns the earlier instant. Luxon (3.7) returns the earlier or the
 * later instant, depending on whether n8n runs in summer or in winter.
 */
function earlierDstInstant(date: DateTime): DateTime {
	const offsetBefore = date.minus({ days: 1 }).offset;
	const first = date.plus({ minutes: date.offset - offsetBefore });
	return first.offset === offsetBefore ? first : date;
}

/** True for a JavaScript date from any realm, because n8n can evaluate expressions in a separate realm. */
export function isDate(value: unknown): value is Date {
	return Object.prototype.toString.call(value) === '[object Date]';
}

/** True for a DateTime from any copy of Luxon: n8n doesn't use the copy imported here. A Duration has no `zoneName`. */
function isLuxon(value: unknown): value is { toMillis(): number; zoneName: string | null } {
	if (!isObject(value) || !('zoneName' in value)) return false;
	return typeof value.toMillis === 'function';
}

const MS_PER_DAY = 86_400_000;

/**
 * Returns the calendar day that an instant without an offset represents, such as `2026-05-31`. Undefined if the instant
 * has a time of day. `ms` is the instant in ms since 1970. Create and the outputs use the same rules, so a day stays
 * the same in both directions:
 *
 * 1. Midnight UTC is the day in UTC, because the service stores days as midnight UTC, and parsers read `2026-05-31` as
 *    midnight UTC.
 * 2. The first instant of a day in `timeZone` (IANA, the workflow's) is that day, because databases return days as this
 *    instant.
 * 3. Any other instant has a time of day.
 */
export function dayOfInstant(ms: number, timeZone: string): string | undefined {
	const zone = ms % MS_PER_DAY === 0 ? 'utc' : timeZone;
	const moment = DateTime.fromMillis(ms, { zone });
	// A day can begin at 01:00, if the clocks of its zone skip the hour after midnight.
	const isFirst = moment.isValid && moment.toMillis() === moment.startOf('day').toMillis();
	return isFirst ? (moment.toISODate() ?? undefined) : undefined;
}

/**
 * Returns the days that text such as `11/13/2026` can mean, in ISO 8601. The reading with the day first comes first.
 */
export function isoDays(given: unknown): string[] {
	const text = typeof given === 'string' ? given.replace(/[/-]/g, '.') : '';
	const days = ['d.M.yyyy', 'M.d.yyyy'].flatMap((format) => {
		const read = dateInFormat(text, format, 'utc');
		return read?.isDay === true ? (read.date.toISODate() ?? []) : [];
	});
	return [...new Set(days)];
}

/** Returns the day that text such as `11/13/2026` means, in ISO 8601. Undefined if day and month could be swapped. */
export function onlyDay(given: unknown): string | undefined {
	const [day, another] = isoDays(given);
	return another === undefined ? day : undefined;
}
