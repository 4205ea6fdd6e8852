/** A moment of the service: 100-nanosecond steps since 1970-01-01T00:00:00Z. */
export type Ticks = bigint;

/** What callers may write where a moment is wanted: ticks, a Date or ISO 8601 text. */
export type Moment = Ticks | Date | string;

/** Fractional digits of a timestamp: 3, 6 or 7 (how many is x-assumed in Timestamp of the document). */
export type TimestampPrecision = 'ms' | 'us' | '100ns';

/** How exactly the service reads a date filter: what is finer is cut off before it compares. */
export type FilterPrecision = 'full' | 'ms' | 's';

export const TICKS_PER_MS = 10_000n;
export const TICKS_PER_SECOND = 10_000_000n;

const DIGITS: Record<TimestampPrecision, number> = { ms: 3, us: 6, '100ns': 7 };
const STEP: Record<TimestampPrecision, bigint> = { ms: TICKS_PER_MS, us: 10n, '100ns': 1n };
const FILTER_STEP: Record<FilterPrecision, bigint> = {
	full: 1n,
	ms: TICKS_PER_MS,
	s: TICKS_PER_SECOND,
};

/** The smallest difference that a timestamp of this precision can show, in ticks. */
export const stepOf = (precision: TimestampPrecision): bigint => STEP[precision];

export const floorTo = (ticks: Ticks, step: bigint): Ticks => ticks - (ticks % step);

export const floorToFilter = (ticks: Ticks, precision: FilterPrecision): Ticks =>
	floorTo(ticks, FILTER_STEP[precision]);

/** ISO 8601 UTC with 3, 6 or 7 fractional digits; finer parts are cut off. */
export function formatTimestamp(ticks: Ticks, precision: TimestampPrecision): string {
	const seconds = ticks / TICKS_PER_SECOND;
	const fraction = (ticks % TICKS_PER_SECOND).toString().padStart(7, '0');
	const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
	return `${whole}.${fraction.slice(0, DIGITS[precision])}Z`;
}

const ISO =
	/^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

function offsetMinutes(zone: string | undefined): number {
	if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
	const digits = zone.slice(1).replace(':', '');
	const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
	return zone.startsWith('-') ? -minutes : minutes;
}

/**
 * ISO 8601 text to ticks, null where it is none. Text without a zone counts as UTC; fractional digits beyond the
 * seventh are cut off.
 */
export function parseTimestamp(text: string): Ticks | null {
	const match = ISO.exec(text);
	if (match === null) return null;
	const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match;
	const [h, m, s] = [Number(hour), Number(minute), Number(second)];
	if (h > 23 || m > 59 || s > 59) return null;
	const midnight = new Date(`${String(year)}-${String(month)}-${String(day)}T00:00:00Z`);
	if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day)) return null;
	const ms = midnight.getTime() + (h * 60 + m - offsetMinutes(zone)) * 60_000 + s * 1000;
	return BigInt(ms) * TICKS_PER_MS + BigInt(fraction.slice(0, 7).padEnd(7, '0'));
}

/** Ticks of any way to write a moment; text that is no timestamp is a mistake of the calling test. */
export function ticksOf(moment: Moment): Ticks {
	if (typeof moment === 'bigint') return moment;
	if (moment instanceof Date) return BigInt(moment.getTime()) * TICKS_PER_MS;
	const ticks = parseTimestamp(moment);
	if (ticks === null) throw new TypeError(`Not an ISO 8601 timestamp: ${moment}`);
	return ticks;
}
