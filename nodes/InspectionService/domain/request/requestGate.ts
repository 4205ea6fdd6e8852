/**
 * How many requests may be under way and when the next may start, shared by all requests of one connection.
 * Free until the service says "too many requests" (429). Then all of them wait; after that, fewer run at once
 * and their starts are spaced by the rate that the service had just let through. Each success allows a little
 * more (additive increase, multiplicative decrease, as in TCP). Values are replaced, never changed.
 */
export interface RequestGate {
	readonly maxActive: number;
	readonly active: number;
	/** Requests at once for now; grows by one per round of successes. */
	readonly window: number;
	/** Milliseconds between two starts for now; 0 is free. */
	readonly spacingMs: number;
	/** Unix ms; nothing starts before. */
	readonly pausedUntil: number;
	readonly nextStartAt: number;
	readonly lastStartAt: number;
	/** A refusal of a request that started before this belongs to a wave that was answered already. */
	readonly slowedAt: number;
	/** What was let through since the last refusal, and in how much time: the rate to go on with. */
	readonly accepted: number;
	readonly busyMs: number;
}

/** By how much the rate may grow within one second of successes, as a part of itself. */
const RATE_GROWTH_PER_SECOND = 0.04;
/** Spacing that no longer matters: the request itself takes longer. */
const FREE_SPACING_MS = 1;
/** Never slower than this on its own: the service's Retry-After asks for more where it must be. */
const MAX_SPACING_MS = 2_000;
/** A pause of the workflow between two requests says nothing about the service's rate. */
const IDLE_MS = 1_000;

export function openGate(maxActive: number): RequestGate {
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

export function isFull(gate: RequestGate): boolean {
	return gate.active >= Math.floor(gate.window);
}

/** Unix ms from when a request may start, if the gate is not full. */
export function nextStart(gate: RequestGate): number {
	return Math.max(gate.pausedUntil, gate.nextStartAt);
}

export function started(gate: RequestGate, now: number): RequestGate {
	const gap = Math.min(now - gate.lastStartAt, IDLE_MS);
	return {
		...gate,
		active: gate.active + 1,
		lastStartAt: now,
		busyMs: gate.busyMs + Math.max(0, gap),
		// A start that came late may be made up for by one, so that timers' lateness does not slow the rate.
		nextStartAt: Math.max(gate.nextStartAt, now - gate.spacingMs) + gate.spacingMs,
	};
}

export function ended(gate: RequestGate): RequestGate {
	return { ...gate, active: gate.active - 1 };
}

export function accepted(gate: RequestGate): RequestGate {
	const spacingMs = gate.spacingMs / (1 + (RATE_GROWTH_PER_SECOND * gate.spacingMs) / 1000);
	return {
		...gate,
		accepted: gate.accepted + 1,
		window: Math.min(gate.maxActive, gate.window + 1 / gate.window),
		spacingMs: spacingMs < FREE_SPACING_MS ? 0 : spacingMs,
	};
}

/** A request that started at `startedAt` was refused as one too many; the service wants `waitMs` of quiet. */
export function throttled(
	gate: RequestGate,
	{ startedAt, now, waitMs }: { startedAt: number; now: number; waitMs: number },
): RequestGate {
	const paused = { ...gate, pausedUntil: Math.max(gate.pausedUntil, now + waitMs) };
	if (startedAt <= gate.slowedAt) return paused;
	const busyMs = gate.busyMs + waitMs;
	return {
		...paused,
		slowedAt: now,
		window: Math.max(1, gate.window / 2),
		spacingMs: Math.min(MAX_SPACING_MS, busyMs / Math.max(1, gate.accepted)),
		// Half of what was seen is remembered, so that a second refusal right after the first does not stop it all.
		accepted: gate.accepted / 2,
		busyMs: busyMs / 2,
	};
}
