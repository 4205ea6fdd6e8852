import type { SandboxSettings } from './settings.mts';
import {
	floorTo,
	type Moment,
	stepOf,
	type Ticks,
	TICKS_PER_MS,
	ticksOf,
	ticksOfMs,
} from './timestamp.mts';

/** Microseconds are the finest that the machine's clock gives, so the last decimal is always even. */
const machineTicks = (): Ticks => ticksOfMs(performance.timeOrigin + performance.now());

/** The service's own clock: tests inject time with it, and it may differ from the machine's by days. */
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

	/** How far this clock is ahead of the machine's (negative: behind), in milliseconds. */
	setOffset(ms: number): void {
		this.offset = ticksOfMs(ms);
	}

	/** Moves the clock forward by milliseconds, frozen or not. */
	advance(ms: number): void {
		this.offset += ticksOfMs(ms);
	}

	/** Stops the clock, at the given moment or at now. `advance` still moves it. */
	freeze(at?: Moment): void {
		this.frozenAt = at === undefined ? this.now() : ticksOf(at);
		this.offset = 0n;
	}

	/** Lets a frozen clock run again, from where it stands. */
	resume(): void {
		this.offset = this.now() - machineTicks();
		this.frozenAt = null;
	}

	/** The stamp of the next write: not before now, and later than every stamp given out so far. */
	stamp(precision: SandboxSettings['timestampPrecision']): Ticks {
		const now = floorTo(this.now(), precision);
		const next = floorTo(this.last, precision) + stepOf(precision);
		this.last = now > this.last ? now : next;
		return this.last;
	}
}
