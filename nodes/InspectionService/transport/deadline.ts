import { LONGEST_WAIT_MS } from '../domain/request/retryPolicy';
import type { ServiceContext } from './serviceContext';
import { EDITOR_BUDGET_MS, MIN_REQUEST_MS, POLL_BUDGET_MS } from './timeLimits';
import type { Timing } from './timing';

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

	/** The longest wait that is slept rather than thrown. */
	longestWaitMs(): number {
		return Math.min(LONGEST_WAIT_MS, this.endsAt - this.timing.now());
	}

	/** A request's time limit, shortened where the poll ends before it. */
	timeoutMs(request: 'read' | 'create' | 'openFile'): number {
		const left = Math.max(MIN_REQUEST_MS, this.endsAt - this.timing.now());
		return Math.min(this.timing.limits[request], left);
	}

	/** What ends a request: its time limit, or the end of the execution. */
	requestSignal(timeoutMs: number): AbortSignal {
		const timeUp = AbortSignal.timeout(timeoutMs);
		return this.signal === undefined ? timeUp : AbortSignal.any([this.signal, timeUp]);
	}

	/** What ends a download: the end of the execution, or of the poll that it is part of. */
	downloadSignals(): AbortSignal[] {
		const left = this.endsAt - this.timing.now();
		const deadline = left === Infinity ? [] : [AbortSignal.timeout(Math.max(MIN_REQUEST_MS, left))];
		return this.signal === undefined ? deadline : [this.signal, ...deadline];
	}

	/** Whether the poll, or the look-up, has had its time. */
	isOver(): boolean {
		return this.longestWaitMs() <= 0;
	}

	isCancelled(): boolean {
		return this.signal?.aborted === true;
	}

	/** Sleeps, or less where the execution is cancelled. */
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
