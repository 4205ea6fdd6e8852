import {
	CANCELLED_BEFORE,
	heldBack,
	holdsBackAll,
	RequestFailure,
	retryWaitMs,
} from '../domain/request/requestFailure';
import { RequestRate } from '../domain/request/requestRate';
import type { Deadline } from './deadline';

/** A request that waits for its turn. */
interface Waiting {
	/** `now` in Unix ms. */
	start(now: number): void;
	fail(failure: RequestFailure): void;
}

/** A response that has asked for a pause, and its request. */
interface Pause {
	failure: RequestFailure;
	startedAt: number;
	waitMs: number;
}

/**
 * Sends the requests of one connection, at most so many at once, no faster than their common rate allows. It has the only
 * loop of retries.
 */
export class RequestQueue {
	private readonly deadline: Deadline;
	private readonly rate: RequestRate;
	/** Retries start before new requests, because otherwise new ones could keep a retry waiting for ever. */
	private readonly retries: Waiting[] = [];
	private readonly waiting: Waiting[] = [];
	private isSleeping = false;
	/** The last response that asked for a pause. */
	private refusal = CANCELLED_BEFORE;

	constructor(deadline: Deadline, maxActive: number) {
		this.deadline = deadline;
		this.rate = new RequestRate(maxActive);
		void deadline.cancelled.then(() => {
			this.failWaiting(CANCELLED_BEFORE);
		});
	}

	/** Sends until it succeeds, or the failure, the time or a cancellation ends it. Throws what `send` has thrown last. */
	async run<Value>(send: () => Promise<Value>): Promise<Value> {
		const { deadline } = this;
		for (let attempt = 1; ; attempt++) {
			const startedAt = await this.turn(attempt > 1 ? this.retries : this.waiting);
			const outcome = await send().then(
				(value) => ({ value }),
				(error: unknown) => ({ error }),
			);
			if ('value' in outcome) {
				this.end({ success: true });
				return outcome.value;
			}
			const { error } = outcome;
			if (!(error instanceof RequestFailure)) {
				this.end({ success: false });
				throw error;
			}
			const random = deadline.timing.random();
			const waitMs = retryWaitMs(error, { attempt, random });
			const pauses = holdsBackAll(error);
			// Before the end of this request, because that starts the next one.
			if (pauses)
				this.pause({ failure: error, startedAt, waitMs: waitMs ?? error.facts.retryAfterMs ?? 0 });
			this.end({ success: false });
			if (waitMs === undefined || !deadline.allows(waitMs)) throw error;
			// A pause holds back all requests, so the queue keeps it: the next attempt waits there.
			if (!pauses) await deadline.wait(waitMs);
			if (deadline.isCancelled()) throw error;
		}
	}

	/**
	 * Waits until a request may be sent, and gives the time of its start. Throws where the execution is cancelled, and
	 * where the service asks for a longer pause than there is time for. Each start is followed by one call of `end`.
	 */
	private async turn(line: Waiting[]): Promise<number> {
		return await new Promise<number>((start, fail) => {
			line.push({ start, fail });
			this.startNext();
		});
	}

	private end(result: { success: boolean }): void {
		this.rate.end(result);
		this.startNext();
	}

	private pause({ failure, startedAt, waitMs }: Pause): void {
		this.refusal = failure;
		this.rate.slowDown({ startedAt, now: this.deadline.timing.now(), waitMs });
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
			this.failWaiting(heldBack(this.refusal, waitMs));
			return;
		}
		this.isSleeping = true;
		void this.deadline.wait(waitMs).then(() => {
			this.isSleeping = false;
			this.startNext();
		});
	}

	private failWaiting(failure: RequestFailure): void {
		for (const { fail } of [...this.retries.splice(0), ...this.waiting.splice(0)]) fail(failure);
	}
}
