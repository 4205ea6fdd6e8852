/** Growth of the rate per second of successful requests: 4%, so the rate doubles in about 18 s. */
const RATE_GROWTH_PER_SECOND = 0.04;
const FREE_SPACING_MS = 1;
/** A service that requires more sends Retry-After. */
const MAX_SPACING_MS = 2_000;
/** A longer gap between two starts counts as a pause in the workflow. */
const IDLE_MS = 1_000;

/**
 * Limits how many requests of a connection run at once, and when the next one can start. There is no rate limit until
 * a 429. Then all requests wait. Afterwards, half as many run at once, at the rate that the service has just
 * accepted. Each success raises the limits a little.
 */
export class RequestRate {
	private readonly maxActive: number;
	private active = 0;
	/** Grows by one with each round of successes. */
	private window: number;
	private spacingMs = 0;
	/** Unix ms. No request starts before this time. */
	private notBefore = 0;
	private lastStartAt = 0;
	/** Unix ms. Rejections of requests that started earlier don't slow the rate again. */
	private slowedAt = 0;
	/**
	 * Requests that succeeded since the last rejection, and the time they took, in ms. They determine the rate to
	 * continue with.
	 */
	private accepted = { count: 0, busyMs: 0 };

	constructor(maxActive: number) {
		this.maxActive = maxActive;
		this.window = maxActive;
	}

	/**
	 * Returns when the next request can start (Unix ms). Returns undefined while the maximum number of requests is
	 * running.
	 */
	nextStart(): number | undefined {
		return this.active < Math.floor(this.window) ? this.notBefore : undefined;
	}

	start(now: number): void {
		this.active += 1;
		this.accepted.busyMs += Math.max(0, Math.min(now - this.lastStartAt, IDLE_MS));
		this.lastStartAt = now;
		// After a late start, the next one can be early, so that late timers don't slow the rate.
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

	/** Handles a 429 for the request that started at `startedAt`. The service accepts no requests for `waitMs`. */
	slowDown({ startedAt, now, waitMs }: { startedAt: number; now: number; waitMs: number }): void {
		this.notBefore = Math.max(this.notBefore, now + waitMs);
		if (startedAt <= this.slowedAt) return;
		const { count, busyMs } = this.accepted;
		this.slowedAt = now;
		this.window = Math.max(1, this.window / 2);
		this.spacingMs = Math.min(MAX_SPACING_MS, (busyMs + waitMs) / Math.max(1, count));
		// Keep half of the count, so that a second rejection right after the first doesn't reduce the rate to almost
		// nothing.
		this.accepted = { count: count / 2, busyMs: (busyMs + waitMs) / 2 };
	}
}
