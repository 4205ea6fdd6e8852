/** How much the rate may grow within one second of successes: by 4% of itself, so that it doubles in some 18 s. */
const RATE_GROWTH_PER_SECOND = 0.04;
const FREE_SPACING_MS = 1;
/** A service that needs more says so in Retry-After. */
const MAX_SPACING_MS = 2_000;
/** A longer gap between two starts is a pause of the workflow. */
const IDLE_MS = 1_000;

/**
 * How many requests of a connection may be under way, and when the next one may start: without limit until a 429. Then all
 * wait; afterwards half as many run, spaced as the service has just let them through. Each success allows a little more.
 */
export class RequestRate {
	private readonly maxActive: number;
	private active = 0;
	/** It grows by one with each round of successes. */
	private window: number;
	private spacingMs = 0;
	/** Unix ms. No request starts before. */
	private notBefore = 0;
	private lastStartAt = 0;
	/** Refusals of requests that started earlier do not slow the rate again. */
	private slowedAt = 0;
	/** How many requests have succeeded since the last refusal, and in how many ms: the rate to go on with. */
	private accepted = { count: 0, busyMs: 0 };

	constructor(maxActive: number) {
		this.maxActive = maxActive;
		this.window = maxActive;
	}

	/** When the next request may start (Unix ms); undefined while as many as allowed are under way. */
	nextStart(): number | undefined {
		return this.active < Math.floor(this.window) ? this.notBefore : undefined;
	}

	start(now: number): void {
		this.active += 1;
		this.accepted.busyMs += Math.max(0, Math.min(now - this.lastStartAt, IDLE_MS));
		this.lastStartAt = now;
		// A start that came late lets the next one come early, so that late timers do not slow the rate.
		this.notBefore = Math.max(this.notBefore, now - this.spacingMs) + this.spacingMs;
	}

	end({ success }: { success: boolean }): void {
		this.active -= 1;
		if (!success) return;
		this.accepted.count += 1;
		this.window = Math.min(this.maxActive, this.window + 1 / this.window);
		this.spacingMs /= 1 + (RATE_GROWTH_PER_SECOND * this.spacingMs) / 1000;
		if (this.spacingMs < FREE_SPACING_MS) this.spacingMs = 0;
	}

	/** The service has refused the request of `startedAt` as one too many (429). It wants no request for `waitMs`. */
	slowDown({ startedAt, now, waitMs }: { startedAt: number; now: number; waitMs: number }): void {
		this.notBefore = Math.max(this.notBefore, now + waitMs);
		if (startedAt <= this.slowedAt) return;
		const { count, busyMs } = this.accepted;
		this.slowedAt = now;
		this.window = Math.max(1, this.window / 2);
		this.spacingMs = Math.min(MAX_SPACING_MS, (busyMs + waitMs) / Math.max(1, count));
		// Half of the count is kept, so that a second refusal right after the first does not bring the rate down to nothing.
		this.accepted = { count: count / 2, busyMs: (busyMs + waitMs) / 2 };
	}
}
