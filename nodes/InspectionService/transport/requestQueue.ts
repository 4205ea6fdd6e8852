import type { RequestFailure, StatusFailure } from '../domain/request/requestFailure';
import {
	accepted,
	ended,
	isFull,
	nextStart,
	openGate,
	started,
	throttled,
	type RequestGate,
} from '../domain/request/requestGate';
import type { Patience } from './patience';

/** A request's leave to start: `startedAt` in Unix ms. */
interface Turn {
	startedAt: number;
}
type Entry = Turn | RequestFailure;

export interface QueueOptions {
	/** Requests under way at once while the service does not object. */
	maxActive: number;
	patience: Patience;
}

/** Lets the requests of one connection start in turn, as its gate allows. */
export class RequestQueue {
	private readonly options: QueueOptions;
	private gate: RequestGate;
	/** Refused before: they go first, so that none is overtaken for ever. */
	private returning: ((entry: Entry) => void)[] = [];
	private waiting: ((entry: Entry) => void)[] = [];
	private sleeping = false;
	/** What the service last said when it wanted a pause. */
	private refusal: StatusFailure = { kind: 'status', status: 429, body: '' };

	constructor(options: QueueOptions) {
		this.options = options;
		this.gate = openGate(options.maxActive);
		options.patience.signal?.addEventListener('abort', () => {
			this.dismissAll({ kind: 'cancelled', sent: false });
		});
	}

	/**
	 * Resolves when the request may start. Resolves with a failure
	 * where the execution is cancelled, or the service wants a longer pause than may be waited for.
	 */
	async enter(again: boolean): Promise<Entry> {
		return await new Promise<Entry>((resolve) => {
			(again ? this.returning : this.waiting).push(resolve);
			this.admit();
		});
	}

	/** The request is over; `success` lets the rate recover. */
	leave(success: boolean): void {
		this.gate = ended(success ? accepted(this.gate) : this.gate);
		this.admit();
	}

	/** The service refused the request of this turn and wants a pause. To be called before `leave`. */
	slowDown({ startedAt }: Turn, refusal: StatusFailure, waitMs = refusal.retryAfterMs ?? 0): void {
		this.refusal = refusal;
		this.gate = throttled(this.gate, {
			startedAt,
			now: this.options.patience.timing.now(),
			waitMs,
		});
	}

	private admit(): void {
		if (this.options.patience.signal?.aborted) this.dismissAll({ kind: 'cancelled', sent: false });
		while (!this.sleeping && !isFull(this.gate) && this.isWanted()) {
			const now = this.options.patience.timing.now();
			const waitMs = nextStart(this.gate) - now;
			if (waitMs > 0) {
				this.waitFor(waitMs);
				return;
			}
			this.gate = started(this.gate, now);
			(this.returning.shift() ?? this.waiting.shift())?.({ startedAt: now });
		}
	}

	private isWanted(): boolean {
		return this.returning.length + this.waiting.length > 0;
	}

	private waitFor(waitMs: number): void {
		if (waitMs > this.options.patience.longestWaitMs()) {
			this.dismissAll({ kind: 'throttled', by: { ...this.refusal, retryAfterMs: waitMs } });
			return;
		}
		this.sleeping = true;
		void this.options.patience.wait(waitMs).then(() => {
			this.sleeping = false;
			this.admit();
		});
	}

	private dismissAll(failure: RequestFailure): void {
		const dismissed = [...this.returning.splice(0), ...this.waiting.splice(0)];
		for (const dismiss of dismissed) dismiss(failure);
	}
}
