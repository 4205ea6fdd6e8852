/** The service's timestamps and its clock. */
import { DateTime } from 'luxon';

import type { SandboxSettings } from './settings.mts';

/** A timestamp of the service, in 100-nanosecond steps since 1970-01-01T00:00:00Z. */
export type Ticks = bigint;

/** What callers can pass as a moment: ticks, a Date, or ISO 8601 text. */
export type Moment = Ticks | Date | string;

export const TICKS_PER_MS = 10_000n;
export const TICKS_PER_SECOND = 10_000_000n;

/** The smallest difference that each precision distinguishes, in ticks. */
const STEPS = { s: TICKS_PER_SECOND, ms: TICKS_PER_MS, us: 10n, '100ns': 1n, full: 1n };

/** Fractional digits of a timestamp in responses (x-assumed under Timestamp in docs/service.openapi.yaml). */
const DIGITS = { ms: 3, us: 6, '100ns': 7 };

type Precision = keyof typeof STEPS;

/** Truncates to the precision. */
export const floorTo = (ticks: Ticks, precision: Precision): Ticks =>
	ticks - (ticks % STEPS[precision]);

export const ticksOfMs = (ms: number): Ticks => BigInt(Math.round(ms * Number(TICKS_PER_MS)));

/** ISO 8601 UTC, truncated to the precision. */
export function formatTimestamp(ticks: Ticks, precision: keyof typeof DIGITS): string {
	const fraction = (ticks % TICKS_PER_SECOND).toString().padStart(7, '0');
	const whole = new Date(Number(ticks / TICKS_PER_MS)).toISOString().slice(0, 19);
	return `${whole}.${fraction.slice(0, DIGITS[precision])}Z`;
}

/** The format. Luxon checks the numbers, except for hour 24, which it accepts. */
const FORM =
	/^\d{4}-\d{2}-\d{2}(?:[T ](?!24)\d{2}:\d{2}(?::\d{2}(?:\.(\d{1,9}))?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Parses ISO 8601 text to ticks, or null if it isn't valid. Text without a zone counts as UTC. Digits beyond the
 * seventh are cut off.
 */
export function parseTimestamp(text: string): Ticks | null {
	const match = FORM.exec(text);
	if (match === null) return null;
	const [, fraction = ''] = match;
	const seconds = text.toUpperCase().replace(' ', 'T').replace(`.${fraction}`, '');
	const whole = DateTime.fromISO(seconds, { zone: 'utc' });
	if (!whole.isValid) return null;
	return ticksOfMs(whole.toMillis()) + BigInt(fraction.slice(0, 7).padEnd(7, '0'));
}

/** Converts any notation of a moment to ticks. Invalid text is a mistake of the calling test. */
export function ticksOf(moment: Moment): Ticks {
	if (typeof moment === 'bigint') return moment;
	if (moment instanceof Date) return ticksOfMs(moment.getTime());
	const ticks = parseTimestamp(moment);
	if (ticks === null) throw new TypeError(`Not an ISO 8601 timestamp: ${moment}`);
	return ticks;
}

/** The machine's clock has microseconds at best, so the last decimal is always even. */
const machineTicks = (): Ticks => ticksOfMs(performance.timeOrigin + performance.now());

/** The service's clock. Tests set its time, so it can differ from the machine's by days. */
export class ServiceClock {
	private offset = 0n;
	private frozenAt: Ticks | null = null;
	private last = 0n;

	now(): Ticks {
		return (this.frozenAt ?? machineTicks()) + this.offset;
	}

	/** Now as a Date (milliseconds). */
	date(): Date {
		return new Date(Number(this.now() / TICKS_PER_MS));
	}

	/** How far this clock is ahead of the machine's (negative: behind it), in ms. */
	setOffset(ms: number): void {
		this.offset = ticksOfMs(ms);
	}

	/** Moves the clock forward by `ms`, even if it's frozen. */
	advance(ms: number): void {
		this.offset += ticksOfMs(ms);
	}

	/** Stops the clock at the given moment, or now. `advance` still moves it. */
	freeze(at?: Moment): void {
		this.frozenAt = at === undefined ? this.now() : ticksOf(at);
		this.offset = 0n;
	}

	/** For tests: returns a function that restores the clock and the last timestamp. */
	save(): () => void {
		const { offset, frozenAt, last } = this;
		return () => void Object.assign(this, { offset, frozenAt, last });
	}

	/** The timestamp of the next write: not before now, and later than every previous timestamp. */
	stamp(precision: SandboxSettings['timestampPrecision']): Ticks {
		const now = floorTo(this.now(), precision);
		const next = floorTo(this.last, precision) + STEPS[precision];
		this.last = now > this.last ? now : next;
		return this.last;
	}
}
