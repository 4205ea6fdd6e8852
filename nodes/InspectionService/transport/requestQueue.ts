import {
	CANCELLED_BEFORE,
	pausedFailure,
	RequestFailure,
	withWait,
} from '../domain/request/requestFailure';
import { RequestRate } from '../domain/request/requestRate';
import { retryWaitMs } from '../domain/request/retryPolicy';
import type { Deadline } from './deadline';

interface Waiting {
	start: (now: number) => void;
	fail: (failure: RequestFailure) => void;
}

/**
 * Sends the requests of one connection. Limits how many run concurrently and how fast they start. Only this class retries
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
	private pausedMs = 0;

	constructor(deadline: Deadline, maxActive: number) {
		this.deadline = deadline;
		this.rate = new RequestRate(maxActive);
		void deadline.cancelled.then(() => {
			this.failWaiting(CANCELLED_BEFORE);
		});
	}

	/** Sends a request, with retries. Throws the error of the last attempt, or the reason why the request wasn't sent. */
	async run<Value>(send: () => Promise<Value>): Promise<Value> {
		for (let attempt = 1; ; attempt++) {
			const line = attempt > 1 ? this.retries : this.waiting;
			const startedAt = await new Promise<number>((start, fail) => {
				line.push({ start, fail });
				this.startNext();
			});
			try {
				const value = await send();
				this.rate.succeed();
				this.startNext();
				return value;
			} catch (error) {
				await this.waitToRetry(error, attempt, startedAt);
			}
		}
	}

	/** Ends a failed attempt, and waits for the next one. Throws the error if there is none. */
	private async waitToRetry(error: unknown, attempt: number, startedAt: number): Promise<void> {
		const { deadline, rate } = this;
		const failure = error instanceof RequestFailure ? error : undefined;
		const waitMs = failure && retryWaitMs(failure, { attempt, random: deadline.timing.random() });
		const pauses = failure?.facts.pausesAllRequests === true;
		// End the attempt first, because `startNext` can start another request.
		if (pauses) {
			this.refusal = failure;
			const pauseMs = waitMs ?? failure.facts.retryAfterMs ?? 0;
			rate.reject({ startedAt, now: deadline.timing.now(), waitMs: pauseMs });
		} else {
			rate.fail();
		}
		this.startNext();
		if (pauses && this.hasGivenUp()) throw withWait(failure, this.pausedMs);
		if (waitMs === undefined || !deadline.allows(waitMs)) throw error;
		// If all requests are paused, `startNext` waits before this request starts again, so don't wait twice.
		if (!pauses) await deadline.wait(waitMs);
		if (deadline.isCancelled()) throw error;
	}

	/** Returns how long requests have waited because the service asked for it, in ms. */
	requestedWaitMs(): number {
		return this.pausedMs;
	}

	/**
	 * Whether the service rejected requests as often in a row as a request is tried. Then the waiting requests fail too.
	 * Otherwise, each of them would wait just as long, one after the other.
	 */
	private hasGivenUp(): boolean {
		return this.rate.rejections >= (this.refusal.facts.attempts ?? Infinity);
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
			this.rate.start();
			(this.retries.shift() ?? this.waiting.shift())?.start(now);
		}
	}

	private sleepFor(waitMs: number): void {
		if (!this.deadline.allows(waitMs) || this.hasGivenUp()) {
			this.failWaiting(withWait(pausedFailure(this.refusal, waitMs), this.pausedMs));
			return;
		}
		this.isSleeping = true;
		this.pausedMs += waitMs;
		void this.deadline.wait(waitMs).then(() => {
			this.isSleeping = false;
			this.startNext();
		});
	}

	private failWaiting(failure: RequestFailure): void {
		for (const { fail } of [...this.retries.splice(0), ...this.waiting.splice(0)]) fail(failure);
	}
}
