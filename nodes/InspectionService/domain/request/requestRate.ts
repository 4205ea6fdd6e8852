/** How much the rate grows in one second of successful requests: by 4%, so the rate doubles in about 18 seconds. */
const RATE_GROWTH_PER_SECOND = 0.04;
const FREE_SPACING_MS = 1;
/** The longest time between the starts of two requests, in ms. A service that needs a longer time sends Retry-After. */
const MAX_SPACING_MS = 2_000;
/**
 * If more time than this passes between two requests, the workflow paused. Only this much of the pause counts as busy
 * time, in ms.
 */
const IDLE_MS = 1_000;

/**
 * Limits how many requests of a connection run at once, and when the next request can start. The rate is unlimited
 * until a response has status 429. Then all requests wait. Afterwards, half as many requests run at once, at the rate
 * that the service accepted before. Each success raises both limits a little.
 */
export class RequestRate {
	private readonly maxActive: number;
	private active = 0;
	/** How many requests can run at once. After as many successes as this number, the number grows by one. */
	private window: number;
	private spacingMs = 0;
	/** No request starts before this time (ms since 1970). */
	private notBefore = 0;
	private lastStartAt = 0;
	/**
	 * When the rate was last reduced (ms since 1970). A rejection of a request that started earlier doesn't reduce the
	 * rate again.
	 */
	private slowedAt = 0;
	/**
	 * The number of requests that succeeded since the last rejection, and the time that they took, in ms. The new rate
	 * after a rejection is based on both.
	 */
	private accepted = { count: 0, busyMs: 0 };

	constructor(maxActive: number) {
		this.maxActive = maxActive;
		this.window = maxActive;
	}

	/**
	 * Returns when the next request can start, in ms since 1970. Returns undefined if the maximum number of requests is
	 * running.
	 */
	nextStart(): number | undefined {
		return this.active < Math.floor(this.window) ? this.notBefore : undefined;
	}

	start(now: number): void {
		this.active += 1;
		this.accepted.busyMs += Math.max(0, Math.min(now - this.lastStartAt, IDLE_MS));
		this.lastStartAt = now;
		// If this request started late, the next request can start earlier. Otherwise, late timers would reduce the rate.
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

	/**
	 * Reduces the rate after a 429 response to the request that started at `startedAt`. The service accepts no requests
	 * for `waitMs`.
	 */
	slowDown({ startedAt, now, waitMs }: { startedAt: number; now: number; waitMs: number }): void {
		this.notBefore = Math.max(this.notBefore, now + waitMs);
		if (startedAt <= this.slowedAt) return;
		const { count, busyMs } = this.accepted;
		this.slowedAt = now;
		this.window = Math.max(1, this.window / 2);
		this.spacingMs = Math.min(MAX_SPACING_MS, (busyMs + waitMs) / Math.max(1, count));
		// Keep half of the counted requests and time. Otherwise, another rejection soon after this one would reduce the
		// rate to almost nothing.
		this.accepted = { count: count / 2, busyMs: (busyMs + waitMs) / 2 };
	}
}
