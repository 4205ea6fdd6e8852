import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';

import { LONGEST_WAIT_MS } from '../domain/request/retryPolicy';
import { EDITOR_BUDGET_MS, MIN_REQUEST_MS, POLL_BUDGET_MS } from './timeLimits';
import type { Timing } from './timing';

/** Any place of n8n that a request can start from. */
export type ServiceContext = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

/** How long the requests of one execution, poll or look-up may wait, and when they have to stop. */
export class Deadline {
	readonly timing: Timing;
	readonly signal: AbortSignal | undefined;
	private readonly endsAt: number;

	constructor(context: ServiceContext, timing: Timing) {
		this.timing = timing;
		this.signal =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		this.endsAt = timing.now() + budgetMs(context);
	}

	/** How many ms a request may sleep before a retry. A longer wait ends the request with an error. */
	longestWaitMs(): number {
		return Math.min(LONGEST_WAIT_MS, this.endsAt - this.timing.now());
	}

	/** A request's time limit in ms, shortened where the poll ends earlier. */
	timeoutMs(request: 'read' | 'create' | 'openFile'): number {
		const left = Math.max(MIN_REQUEST_MS, this.endsAt - this.timing.now());
		return Math.min(this.timing.limits[request], left);
	}

	/** The signal that ends a request: when its time limit is over, or when the execution is cancelled. */
	requestSignal(timeoutMs: number): AbortSignal {
		const timeUp = AbortSignal.timeout(timeoutMs);
		return this.signal === undefined ? timeUp : AbortSignal.any([this.signal, timeUp]);
	}

	/** The signals that end a download: when the execution is cancelled, or when the poll's time is over. */
	downloadSignals(): AbortSignal[] {
		const left = this.endsAt - this.timing.now();
		const deadline = left === Infinity ? [] : [AbortSignal.timeout(Math.max(MIN_REQUEST_MS, left))];
		return this.signal === undefined ? deadline : [this.signal, ...deadline];
	}

	/** Whether the time of the poll or look-up is over. */
	isOver(): boolean {
		return this.longestWaitMs() <= 0;
	}

	isCancelled(): boolean {
		return this.signal?.aborted === true;
	}

	/** Sleeps that long, or until the execution is cancelled. */
	async wait(milliseconds: number): Promise<void> {
		const { signal } = this;
		if (this.isCancelled()) return;
		if (signal === undefined) return await this.timing.sleep(milliseconds);
		await new Promise<void>((resolve) => {
			const done = () => {
				signal.removeEventListener('abort', done);
				resolve();
			};
			signal.addEventListener('abort', done);
			void this.timing.sleep(milliseconds).then(done);
		});
	}
}

function budgetMs(context: ServiceContext): number {
	if ('getPollBudgetMs' in context) return context.getPollBudgetMs();
	if ('__emit' in context) return POLL_BUDGET_MS;
	return 'getInputData' in context ? Infinity : EDITOR_BUDGET_MS;
}
