/**
 * How many requests may be under way, and when the next one may start. All requests of one connection share it.
 * The rate is unlimited until the service says "too many requests" (429). Then all requests wait. After the wait fewer
 * run at once, and the time between two starts is the one that the service has just let through. Each success allows
 * a little more (additive increase, multiplicative decrease, as in TCP). A new value replaces the old one.
 */
export interface RequestRate {
	readonly maxActive: number;
	readonly active: number;
	/** How many requests may run at once for now. It grows by one with each round of successes. */
	readonly window: number;
	/** Milliseconds between two starts for now; 0 for no limit. */
	readonly spacingMs: number;
	/** Unix ms. No request starts before. */
	readonly pausedUntil: number;
	readonly nextStartAt: number;
	readonly lastStartAt: number;
	/** When the rate was last slowed (Unix ms). Refusals of requests that started earlier do not slow it again. */
	readonly slowedAt: number;
	/** How many requests have succeeded since the last refusal, and in how many ms: the rate to go on with. */
	readonly accepted: number;
	readonly busyMs: number;
}

/** How much the rate may grow within one second of successes: by 4% of itself, so that it doubles in some 18 s. */
const RATE_GROWTH_PER_SECOND = 0.04;
/** A spacing below this counts as none, because each request takes longer than that. */
const FREE_SPACING_MS = 1;
/** The longest spacing that the node sets by itself. A service that needs more says so in Retry-After. */
const MAX_SPACING_MS = 2_000;
/** The longest gap between two starts that counts for the rate. A longer one is a pause of the workflow. */
const IDLE_MS = 1_000;

export function unlimitedRate(maxActive: number): RequestRate {
	return {
		maxActive,
		active: 0,
		window: maxActive,
		spacingMs: 0,
		pausedUntil: 0,
		nextStartAt: 0,
		lastStartAt: 0,
		slowedAt: 0,
		accepted: 0,
		busyMs: 0,
	};
}

/** Whether as many requests are under way as are allowed for now. */
export function isFull(rate: RequestRate): boolean {
	return rate.active >= Math.floor(rate.window);
}

/** When the next request may start (Unix ms), unless as many as allowed are under way. */
export function nextStart(rate: RequestRate): number {
	return Math.max(rate.pausedUntil, rate.nextStartAt);
}

export function started(rate: RequestRate, now: number): RequestRate {
	const gap = Math.min(now - rate.lastStartAt, IDLE_MS);
	return {
		...rate,
		active: rate.active + 1,
		lastStartAt: now,
		busyMs: rate.busyMs + Math.max(0, gap),
		// A start that came late lets the next one come early, so that late timers do not slow the rate.
		nextStartAt: Math.max(rate.nextStartAt, now - rate.spacingMs) + rate.spacingMs,
	};
}

export function ended(rate: RequestRate): RequestRate {
	return { ...rate, active: rate.active - 1 };
}

export function accepted(rate: RequestRate): RequestRate {
	const spacingMs = rate.spacingMs / (1 + (RATE_GROWTH_PER_SECOND * rate.spacingMs) / 1000);
	return {
		...rate,
		accepted: rate.accepted + 1,
		window: Math.min(rate.maxActive, rate.window + 1 / rate.window),
		spacingMs: spacingMs < FREE_SPACING_MS ? 0 : spacingMs,
	};
}

/** The service has refused the request of `startedAt` as one too many (429). It wants no request for `waitMs`. */
export function throttled(
	rate: RequestRate,
	{ startedAt, now, waitMs }: { startedAt: number; now: number; waitMs: number },
): RequestRate {
	const paused = { ...rate, pausedUntil: Math.max(rate.pausedUntil, now + waitMs) };
	if (startedAt <= rate.slowedAt) return paused;
	const busyMs = rate.busyMs + waitMs;
	return {
		...paused,
		slowedAt: now,
		window: Math.max(1, rate.window / 2),
		spacingMs: Math.min(MAX_SPACING_MS, busyMs / Math.max(1, rate.accepted)),
		// Half of the count is kept, so that a second refusal right after the first does not bring the rate down to nothing.
		accepted: rate.accepted / 2,
		busyMs: busyMs / 2,
	};
}
