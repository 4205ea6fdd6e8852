import type {
	RequestFailure,
	RequestResult,
	StatusFailure,
} from '../domain/request/requestFailure';
import {
	accepted,
	ended,
	isFull,
	nextStart,
	type RequestRate,
	started,
	throttled,
	unlimitedRate,
} from '../domain/request/requestRate';
import { isThrottle, retryWaitMs } from '../domain/request/retryPolicy';
import type { Deadline } from './deadline';

/** A request that may be sent now: `startedAt` in Unix ms. */
interface StartedRequest {
	startedAt: number;
}
type StartOrFailure = StartedRequest | RequestFailure;

interface QueueOptions {
	/** Requests under way at once while the service does not object. */
	maxActive: number;
	deadline: Deadline;
}

/** What is to be sent until it succeeds. */
interface RequestPlan<Value> {
	/** True for a request that changes nothing. */
	safe: boolean;
	/** Sends it once. What it throws is not tried again. */
	send(): Promise<RequestResult<Value>>;
}

/** Starts the requests of one connection in order, no faster than their common rate allows. */
export class RequestQueue {
	private readonly options: QueueOptions;
	private rate: RequestRate;
	/** Retries start before new requests, because otherwise new ones could keep a retry waiting for ever. */
	private waitingRetries: ((start: StartOrFailure) => void)[] = [];
	private waiting: ((start: StartOrFailure) => void)[] = [];
	private isSleeping = false;
	/** The last response that asked for a pause. */
	private refusal: StatusFailure = { kind: 'status', status: 429, body: '' };

	constructor(options: QueueOptions) {
		this.options = options;
		this.rate = unlimitedRate(options.maxActive);
		options.deadline.signal?.addEventListener('abort', () => {
			this.failWaiting({ kind: 'cancelled', sent: false });
		});
	}

	/** Sends a request until it succeeds, or the retry policy, the time or a cancellation ends it. */
	async run<Value>({ safe, send }: RequestPlan<Value>): Promise<RequestResult<Value>> {
		const { deadline } = this.options;
		for (let attempt = 1; ; attempt++) {
			const start = await this.start({ isRetry: attempt > 1 });
			if ('kind' in start) return { failure: start };

			const result = await send().catch((error: unknown) => ({ error }));
			if (!('failure' in result)) {
				this.finish({ success: 'value' in result });
				if ('error' in result) throw result.error;
				return result;
			}
			const { failure } = result;
			const waitMs = retryWaitMs({ safe, attempt, failure, random: deadline.timing.random() });
			const pauses = wantsPause(failure);
			if (pauses) this.slowDown(start, failure, waitMs);
			this.finish({ success: false });
			if (waitMs === undefined || waitMs > deadline.longestWaitMs()) return result;
			// A pause holds back all requests, so the queue keeps it: the next attempt waits there.
			if (!pauses) await deadline.wait(waitMs);
			if (deadline.isCancelled()) return result;
		}
	}

	/**
	 * Waits until a request may be sent. Resolves with a failure where the execution is cancelled, and where the
	 * service asks for a longer pause than there is time for. Each start is followed by one call of `finish`.
	 */
	private async start({ isRetry }: { isRetry: boolean }): Promise<StartOrFailure> {
		return await new Promise<StartOrFailure>((resolve) => {
			(isRetry ? this.waitingRetries : this.waiting).push(resolve);
			this.startNext();
		});
	}

	/** The request is over. A success lets the rate recover. */
	private finish({ success }: { success: boolean }): void {
		this.rate = ended(success ? accepted(this.rate) : this.rate);
		this.startNext();
	}

	/** The response to this request asked for a pause of `waitMs`. To be called before `finish`. */
	private slowDown(
		{ startedAt }: StartedRequest,
		refusal: StatusFailure,
		waitMs = refusal.retryAfterMs ?? 0,
	): void {
		this.refusal = refusal;
		const now = this.options.deadline.timing.now();
		this.rate = throttled(this.rate, { startedAt, now, waitMs });
	}

	private startNext(): void {
		if (this.options.deadline.isCancelled()) this.failWaiting({ kind: 'cancelled', sent: false });
		while (!this.isSleeping && !isFull(this.rate) && this.hasWaiting()) {
			const now = this.options.deadline.timing.now();
			const waitMs = nextStart(this.rate) - now;
			if (waitMs > 0) {
				this.sleepFor(waitMs);
				return;
			}
			this.rate = started(this.rate, now);
			(this.waitingRetries.shift() ?? this.waiting.shift())?.({ startedAt: now });
		}
	}

	private hasWaiting(): boolean {
		return this.waitingRetries.length + this.waiting.length > 0;
	}

	private sleepFor(waitMs: number): void {
		if (waitMs > this.options.deadline.longestWaitMs()) {
			this.failWaiting({ kind: 'throttled', by: { ...this.refusal, retryAfterMs: waitMs } });
			return;
		}
		this.isSleeping = true;
		void this.options.deadline.wait(waitMs).then(() => {
			this.isSleeping = false;
			this.startNext();
		});
	}

	private failWaiting(failure: RequestFailure): void {
		const waiting = [...this.waitingRetries.splice(0), ...this.waiting.splice(0)];
		for (const resolve of waiting) resolve(failure);
	}
}

/** Whether a response holds back all requests: 429 (too many requests), or 503 with a time to come back. */
function wantsPause(failure: RequestFailure): failure is StatusFailure {
	if (failure.kind !== 'status') return false;
	return isThrottle(failure) || (failure.status === 503 && (failure.retryAfterMs ?? 0) > 0);
}
