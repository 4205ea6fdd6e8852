import { trimmedEnd } from './normalizeText';

/**
 * A time in UTC as ISO 8601 text in one canonical form, such as `2023-04-05T20:41:42.8660001Z`. A Date would keep only
 * three digits of the fraction, so the trigger would repeat or skip changes. Don't compare timestamps with `<`, because
 * `.` is sorted before `Z`.
 */
export type Timestamp = string & { readonly [kind]: 'Timestamp' };
declare const kind: unique symbol;

const ISO =
	/^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?:(:\d{2})(?:[.,](\d{1,20}))?)?(?:Z|([+-])([01]\d|2[0-3]):?([0-5]\d)?)?$/i;
/**
 * Matches the format in the service's responses, except on February 29. Parsing a timestamp with Date takes ten times
 * as long, and each timestamp in a long list is parsed twice.
 */
const PLAIN_UTC =
	/^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,20})?Z$/;
/** Characters of a timestamp without its fraction and `Z`, such as `2023-04-05T20:41:42`. */
const WHOLE_SECOND_LENGTH = 19;
const MS_PER_MINUTE = 60_000;
/** Maximum digits of a fraction: more than any clock has, and few enough for a checkpoint with 50,000 changes. */
const MAX_DIGITS = 20;

/** A time before all inspections, for a list that is read from its beginning. */
export const BEGINNING_OF_TIME = withFraction('0001-01-01T00:00:00', '');

/**
 * Parses ISO 8601 text with a date and a time. Seconds are optional. Text without a zone is in UTC (Timestamp of
 * docs/service.openapi.yaml). Returns undefined for any other value.
 */
export function timestampOf(value: unknown): Timestamp | undefined {
	if (typeof value !== 'string') return undefined;
	if (PLAIN_UTC.test(value)) return withoutTrailingZeros(value);
	const parts = ISO.exec(value.trim());
	if (parts === null) return undefined;
	const [, day = '', minute = '', second = ':00', fraction = '', sign, hours = '0', minutes = '0'] =
		parts;
	const local = Date.parse(`${day}T${minute}${second}Z`);
	// `Date.parse` reads February 31 as March 3. So if parsing changes the day, the given day doesn't exist.
	if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(day)) return undefined;
	const offset = (Number(hours) * 60 + Number(minutes)) * MS_PER_MINUTE;
	return fromWholeSecond(sign === '-' ? local + offset : local - offset, fraction);
}

/**
 * Compares two timestamps exactly, with all digits. Returns a negative number if `a` is earlier, 0 if they're equal,
 * and a positive number if `a` is later.
 */
export function compareTimestamps(a: Timestamp, b: Timestamp): number {
	if (a === b) return 0;
	// In strings of equal length, `Z` is at the same position and has no effect on the comparison.
	const isEarlier = a.length === b.length ? a < b : a.slice(0, -1) < b.slice(0, -1);
	return isEarlier ? -1 : 1;
}

export function isLater(moment: Timestamp, than: Timestamp): boolean {
	return compareTimestamps(moment, than) > 0;
}

export function laterOf(a: Timestamp, b: Timestamp): Timestamp {
	return isLater(b, a) ? b : a;
}

export function earlierOf(a: Timestamp, b: Timestamp): Timestamp {
	return isLater(b, a) ? a : b;
}

export function earliestOf(moments: readonly (Timestamp | undefined)[]): Timestamp | undefined {
	return moments.reduce((a, b) => (a && b ? earlierOf(a, b) : (a ?? b)), undefined);
}

export function floorToMs(moment: Timestamp): Timestamp {
	return withFraction(wholeSecondOf(moment), fractionOf(moment).slice(0, 3));
}

export function floorToSecond(moment: Timestamp): Timestamp {
	return withFraction(wholeSecondOf(moment), '');
}

/** Truncates a moment to as many digits of a second as `text` has, a timestamp from a response. */
export function floorToDigitsOf(text: string, moment: Timestamp): Timestamp {
	const [, fraction = ''] = /[.,](\d{1,20})/.exec(text) ?? [];
	return withFraction(wholeSecondOf(moment), fractionOf(moment).slice(0, fraction.length));
}

/** Returns the next possible timestamp: no other timestamp is between the two. */
export function justAfter(moment: Timestamp): Timestamp {
	const next = BigInt(fractionOf(moment).padEnd(MAX_DIGITS, '0')) + 1n;
	const fraction = String(next).padStart(MAX_DIGITS, '0');
	if (fraction.length > MAX_DIGITS) return secondAfter(floorToSecond(moment));
	return withFraction(wholeSecondOf(moment), fraction);
}

export function secondAfter(second: Timestamp): Timestamp {
	return addSeconds(second, 1) ?? second;
}

export function msSinceEpoch(moment: Timestamp): number {
	return wholeSecondMs(moment) + Number(fractionOf(moment).slice(0, 3).padEnd(3, '0'));
}

/** Converts ms since 1970 to a timestamp, rounded down to a whole ms. Undefined outside the years 0 to 9999. */
export function timestampOfMs(ms: number): Timestamp | undefined {
	const whole = Math.floor(ms);
	const rest = ((whole % 1000) + 1000) % 1000;
	return fromWholeSecond(whole - rest, String(rest).padStart(3, '0'));
}

/** Adds a number of seconds, rounded toward zero. Undefined outside the years 0 to 9999. */
export function addSeconds(moment: Timestamp, seconds: number): Timestamp | undefined {
	return fromWholeSecond(wholeSecondMs(moment) + Math.trunc(seconds) * 1000, fractionOf(moment));
}

function wholeSecondOf(moment: string): string {
	return moment.slice(0, WHOLE_SECOND_LENGTH);
}

function wholeSecondMs(moment: Timestamp): number {
	return Date.parse(`${wholeSecondOf(moment)}Z`);
}

function fractionOf(moment: Timestamp): string {
	return moment.slice(WHOLE_SECOND_LENGTH + 1, -1);
}

/**
 * Builds a timestamp from a whole second (ms since 1970) and the digits of the fraction. Uses Date only for the whole
 * second, because Date keeps only three digits of a fraction.
 */
function fromWholeSecond(ms: number, fraction: string): Timestamp | undefined {
	if (Number.isNaN(ms) || Math.abs(ms) > Date.UTC(9999, 11, 31, 23, 59, 59)) return undefined;
	const text = new Date(ms).toISOString();
	return /^\d{4}-/.test(text) ? withFraction(wholeSecondOf(text), fraction) : undefined;
}

/**
 * Removes zeros from the end of the fraction. If there are none, returns the same string, because copies would cost
 * time and memory in a long list.
 */
function withoutTrailingZeros(plain: string): Timestamp {
	const isCanonical = plain.length === WHOLE_SECOND_LENGTH + 1 || plain.at(-2) !== '0';
	const known = plain as Timestamp;
	return isCanonical ? known : withFraction(wholeSecondOf(known), fractionOf(known));
}

function withFraction(wholeSecond: string, fraction: string): Timestamp {
	const digits = trimmedEnd(fraction, '0');
	return `${wholeSecond}${digits && `.${digits}`}Z` as Timestamp;
}
