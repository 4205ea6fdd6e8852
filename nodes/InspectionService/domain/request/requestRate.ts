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
	/** How often in a row the service rejected requests. Requests that ran at the same time count once. */
	rejections = 0;
	/** When a rejection was last counted (ms since 1970). A request that started earlier isn't counted again. */
	private rejectedAt = -Infinity;

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

	succeed(): void {
		this.fail();
		this.window = Math.min(this.maxActive, this.window + 1 / this.window);
	}

	/** Ends a request that failed, but wasn't rejected. */
	fail(): void {
		this.active -= 1;
		this.rejections = 0;
	}

	/**
	 * Ends a request that the service rejected together with all others, for `waitMs`. Halves the window.
	 */
	reject({ startedAt, now, waitMs }: { startedAt: number; now: number; waitMs: number }): void {
		this.active -= 1;
		this.notBefore = Math.max(this.notBefore, now + waitMs);
		if (startedAt <= this.rejectedAt) return;
		this.rejectedAt = now;
		this.rejections += 1;
		this.window = Math.max(1, this.window / 2);
	}
}
