import {
	floorTo,
	type Moment,
	stepOf,
	type Ticks,
	TICKS_PER_MS,
	ticksOf,
	type TimestampPrecision,
} from './timestamp.mts';

/** Microseconds are the finest that the machine's clock gives, so the last decimal is always even. */
function machineTicks(): Ticks {
	return BigInt(Math.round((performance.timeOrigin + performance.now()) * Number(TICKS_PER_MS)));
}

/** The service's own clock: tests inject time with it, and it may differ from the machine's by days. */
export class ServiceClock {
	private offset = 0n;
	private frozenAt: Ticks | null = null;
	private last = 0n;

	/** Now, in 100-ns ticks since 1970. */
	now(): Ticks {
		return (this.frozenAt ?? machineTicks()) + this.offset;
	}

	/** Now as a Date (milliseconds). */
	date(): Date {
		return new Date(Number(this.now() / TICKS_PER_MS));
	}

	/** How far this clock is ahead of the machine's (negative: behind), in milliseconds. */
	setOffset(ms: number): void {
		this.offset = BigInt(Math.round(ms * Number(TICKS_PER_MS)));
	}

	/** Moves the clock forward, frozen or not. */
	advance(ms: number): void {
		this.offset += BigInt(Math.round(ms * Number(TICKS_PER_MS)));
	}

	/** Stops the clock, at the given moment or at now. `advance` still moves it. */
	freeze(at?: Moment): void {
		this.frozenAt = at === undefined ? this.now() : ticksOf(at);
		this.offset = 0n;
	}

	/** Lets a frozen clock run again, from where it stands. */
	resume(): void {
		const now = this.now();
		this.frozenAt = null;
		this.offset = now - machineTicks();
	}

	/** The stamp of the next write: not before now, and later than every stamp given out so far. */
	stamp(precision: TimestampPrecision): Ticks {
		const step = stepOf(precision);
		const now = floorTo(this.now(), step);
		const next = floorTo(this.last, step) + step;
		this.last = now > this.last ? now : next;
		return this.last;
	}
}
