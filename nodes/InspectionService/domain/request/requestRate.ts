/**
 * Limits how many requests of a connection run concurrently, and when the next request can start. After a response with
 * status 429, all requests wait, and then half as many run concurrently. Each success raises this number a little.
 */
export class RequestRate {
	private readonly maxActive: number;
	private active = 0;
	/** How many requests can run at the same time. After as many successes as this number, the number grows by one. */
	private window: number;
	/** No request starts before this time (ms since 1970). */
	private notBefore = 0;
	/**
	 * When the window was last halved (ms since 1970). A rejection of a request that started earlier doesn't halve it
	 * again.
	 */
	private slowedAt = 0;

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

	start(): void {
		this.active += 1;
	}

	end({ success }: { success: boolean }): void {
		this.active -= 1;
		if (success) this.window = Math.min(this.maxActive, this.window + 1 / this.window);
	}

	/**
	 * Halves the window after a 429 response to the request that started at `startedAt`. The service accepts no requests
	 * for `waitMs`.
	 */
	slowDown({ startedAt, now, waitMs }: { startedAt: number; now: number; waitMs: number }): void {
		this.notBefore = Math.max(this.notBefore, now + waitMs);
		if (startedAt <= this.slowedAt) return;
		this.slowedAt = now;
		this.window = Math.max(1, this.window / 2);
	}
}
