import {
	CANCELLED_BEFORE,
	hasStatus,
	rateLimitedFailure,
	RequestFailure,
} from '../domain/request/requestFailure';
import { RequestRate } from '../domain/request/requestRate';
import { retryWaitMs } from '../domain/request/retryPolicy';
import type { Deadline } from './deadline';

interface Waiting {
	start: (now: number) => void;
	fail: (failure: RequestFailure) => void;
}

/**
 * Sends the requests of one connection. Limits how many run at once and how fast they start. Only this class retries
 * requests.
 */
export class RequestQueue {
	private readonly deadline: Deadline;
	private readonly rate: RequestRate;
	/** Waiting retries. They start before new requests, which could otherwise delay them forever. */
	private readonly retries: Waiting[] = [];
	private readonly waiting: Waiting[] = [];
	private isSleeping = false;
	private refusal = CANCELLED_BEFORE;
	private limitedMs = 0;

	constructor(deadline: Deadline, maxActive: number) {
		this.deadline = deadline;
		this.rate = new RequestRate(maxActive);
		void deadline.cancelled.then(() => {
			this.failWaiting(CANCELLED_BEFORE);
		});
	}

	/** Sends a request, with retries. Throws the error of the last attempt, or the reason why the request wasn't sent. */
	async run<Value>(send: () => Promise<Value>): Promise<Value> {
		const { deadline } = this;
		for (let attempt = 1; ; attempt++) {
			const line = attempt > 1 ? this.retries : this.waiting;
			const startedAt = await new Promise<number>((start, fail) => {
				line.push({ start, fail });
				this.startNext();
			});
			const outcome = await send().then(
				(value) => ({ value }),
				(error: unknown) => ({ error }),
			);
			if ('value' in outcome) {
				this.rate.end({ success: true });
				this.startNext();
				return outcome.value;
			}
			const { error } = outcome;
			const failure = error instanceof RequestFailure ? error : undefined;
			const waitMs = failure && retryWaitMs(failure, { attempt, random: deadline.timing.random() });
			const pauses = failure?.facts.pausesAllRequests === true;
			// Slow down first, because `startNext` below can start another request.
			if (pauses) {
				this.refusal = failure;
				const pauseMs = waitMs ?? failure.facts.retryAfterMs ?? 0;
				this.rate.slowDown({ startedAt, now: deadline.timing.now(), waitMs: pauseMs });
			}
			this.rate.end({ success: false });
			this.startNext();
			if (waitMs === undefined || !deadline.allows(waitMs)) throw error;
			// If all requests are paused, `startNext` waits before this request starts again, so don't wait twice.
			if (!pauses) await deadline.wait(waitMs);
			if (deadline.isCancelled()) throw error;
		}
	}

	/** Returns the total time in which no request could start because of 429 responses, in ms. */
	rateLimitedMs(): number {
		return this.limitedMs;
	}

	private startNext(): void {
		if (this.deadline.isCancelled()) this.failWaiting(CANCELLED_BEFORE);
		while (!this.isSleeping && this.retries.length + this.waiting.length > 0) {
			const startAt = this.rate.nextStart();
			if (startAt === undefined) return;
			const now = this.deadline.timing.now();
			if (startAt > now) {
				this.sleepFor(startAt - now);
				return;
			}
			this.rate.start(now);
			(this.retries.shift() ?? this.waiting.shift())?.start(now);
		}
	}

	private sleepFor(waitMs: number): void {
		if (!this.deadline.allows(waitMs)) {
			this.failWaiting(rateLimitedFailure(this.refusal, waitMs));
			return;
		}
		this.isSleeping = true;
		if (hasStatus(this.refusal, 429)) this.limitedMs += waitMs;
		void this.deadline.wait(waitMs).then(() => {
			this.isSleeping = false;
			this.startNext();
		});
	}

	private failWaiting(failure: RequestFailure): void {
		for (const { fail } of [...this.retries.splice(0), ...this.waiting.splice(0)]) fail(failure);
	}
}
