/** The service's timestamps and its clock. */
import { DateTime } from 'luxon';

import type { SandboxSettings } from './settings.mts';

/** A timestamp of the service: the number of 100-nanosecond steps since 1970-01-01T00:00:00Z. */
export type Ticks = bigint;

/** A time in any form that this module converts: ticks, a Date, or ISO 8601 text. */
export type Moment = Ticks | Date | string;

export const TICKS_PER_MS = 10_000n;
export const TICKS_PER_SECOND = 10_000_000n;

/** The smallest difference between two times at each precision, in ticks. */
const STEPS = { s: TICKS_PER_SECOND, ms: TICKS_PER_MS, us: 10n, '100ns': 1n, full: 1n };

/**
 * The number of digits after the point in a response's timestamps (x-assumed under Timestamp in
 * docs/service.openapi.yaml).
 */
const DIGITS = { s: 0, ms: 3, us: 6, '100ns': 7 };

type Precision = keyof typeof STEPS;

/** Truncates a timestamp to a precision. */
export const floorTo = (ticks: Ticks, precision: Precision): Ticks =>
	ticks - (ticks % STEPS[precision]);

export const ticksOfMs = (ms: number): Ticks => BigInt(Math.round(ms * Number(TICKS_PER_MS)));

/** Returns the precision of timestamps in responses, which can be lower than the precision of stored timestamps. */
export const shownPrecisionOf = ({
	shownPrecision,
	timestampPrecision,
}: Pick<SandboxSettings, 'shownPrecision' | 'timestampPrecision'>) =>
	shownPrecision === 'as stored' ? timestampPrecision : shownPrecision;

/** Formats a timestamp as ISO 8601 in UTC, truncated to a precision. */
export function formatTimestamp(ticks: Ticks, precision: keyof typeof DIGITS): string {
	const fraction = (ticks % TICKS_PER_SECOND).toString().padStart(7, '0');
	const whole = new Date(Number(ticks / TICKS_PER_MS)).toISOString().slice(0, 19);
	return precision === 's' ? `${whole}Z` : `${whole}.${fraction.slice(0, DIGITS[precision])}Z`;
}

/**
 * The format of ISO 8601 text. Luxon checks the ranges of the numbers, but accepts hour 24, so the pattern excludes
 * hour 24.
 */
const FORM =
	/^\d{4}-\d{2}-\d{2}(?:[T ](?!24)\d{2}:\d{2}(?::\d{2}(?:\.(\d{1,9}))?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Parses ISO 8601 text to ticks. Returns null if the text isn't valid. Text without a zone is in UTC. Only the first
 * seven digits after the point count.
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

/** Converts a time in any form to ticks. @throws if the text isn't valid, which means that the calling test is wrong */
export function ticksOf(moment: Moment): Ticks {
	if (typeof moment === 'bigint') return moment;
	if (moment instanceof Date) return ticksOfMs(moment.getTime());
	const ticks = parseTimestamp(moment);
	if (ticks === null) throw new TypeError(`Not an ISO 8601 timestamp: ${moment}`);
	return ticks;
}

/**
 * Returns the machine's time in ticks. The result is always even, because a number above 2 ** 53 can't represent odd
 * integers.
 */
const machineTicks = (): Ticks => ticksOfMs(performance.timeOrigin + performance.now());

/** The service's clock. Tests can set it, so it can be days ahead of the machine's clock or behind it. */
export class ServiceClock {
	private offset = 0n;
	private frozenAt: Ticks | null = null;
	private last = 0n;

	now(): Ticks {
		return (this.frozenAt ?? machineTicks()) + this.offset;
	}

	/** Returns the service's time, truncated to ms. */
	date(): Date {
		return new Date(Number(this.now() / TICKS_PER_MS));
	}

	/** Sets how many ms the service's clock is ahead of the machine's clock. A negative number means that it's behind. */
	setOffset(ms: number): void {
		this.offset = ticksOfMs(ms);
	}

	/** Moves the clock forward by `ms`, even if the clock is frozen. */
	advance(ms: number): void {
		this.offset += ticksOfMs(ms);
	}

	/** Stops the clock at the given time or, by default, now. `advance` can still move it. */
	freeze(at?: Moment): void {
		this.frozenAt = at === undefined ? this.now() : ticksOf(at);
		this.offset = 0n;
	}

	/** Returns a function that restores the clock's current state, so that a test can undo its changes. */
	save(): () => void {
		const { offset, frozenAt, last } = this;
		return () => void Object.assign(this, { offset, frozenAt, last });
	}

	/**
	 * Returns the timestamp of the next write: now, or slightly later if the previous timestamp isn't earlier than now.
	 */
	stamp(precision: SandboxSettings['timestampPrecision']): Ticks {
		const now = floorTo(this.now(), precision);
		const next = floorTo(this.last, precision) + STEPS[precision];
		this.last = now > this.last ? now : next;
		return this.last;
	}
}
