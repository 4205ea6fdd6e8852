import {
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type IPollFunctions,
	sleep,
} from 'n8n-workflow';

import {
	EDITOR_BUDGET_MS,
	LONGEST_WAIT_MS,
	MIN_REQUEST_MS,
	POLL_BUDGET_MS,
	REQUEST_LIMITS,
	WAIT_TOLERANCE_MS,
} from './timeLimits';

export type ServiceContext = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

export const REAL_TIMING = {
	/** The current date and time, in ms since 1970. */
	now: () => Date.now(),
	random: () => Math.random(),
	sleep,
	/** Returns a signal that aborts after `ms` milliseconds. */
	timeoutSignal: (ms: number) => AbortSignal.timeout(ms),
	limits: REQUEST_LIMITS,
};
/** The clock, timers, and random numbers that requests use. Tests replace them. */
export type Timing = Readonly<typeof REAL_TIMING>;

/** The time limit for all requests of one execution, poll, or editor lookup (see timeLimits.ts). */
export class Deadline {
	readonly timing: Timing;
	readonly cancelled: Promise<void>;
	private readonly cancelSignal: AbortSignal;
	private readonly endsAt: number;

	constructor(context: ServiceContext, timing: Timing) {
		this.timing = timing;
		const signal =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		this.cancelSignal = signal ?? new AbortController().signal;
		this.cancelled = new Promise((resolve) => {
			this.cancelSignal.addEventListener('abort', () => {
				resolve();
			});
		});
		let budgetMs = EDITOR_BUDGET_MS;
		if ('getPollBudgetMs' in context) budgetMs = context.getPollBudgetMs();
		else if ('__emit' in context) budgetMs = POLL_BUDGET_MS;
		else if ('getInputData' in context) budgetMs = Infinity;
		this.endsAt = timing.now() + budgetMs;
	}

	isCancelled(): boolean {
		return this.cancelSignal.aborted;
	}

	allows(waitMs: number): boolean {
		return waitMs <= Math.min(LONGEST_WAIT_MS + WAIT_TOLERANCE_MS, this.leftMs());
	}

	isOver(): boolean {
		return this.leftMs() <= 0;
	}

	timeoutMs(request: 'read' | 'create' | 'openFile'): number {
		return Math.min(this.timing.limits[request], Math.max(MIN_REQUEST_MS, this.leftMs()));
	}

	requestSignal(timeoutMs: number): AbortSignal {
		return AbortSignal.any([this.cancelSignal, this.timing.timeoutSignal(timeoutMs)]);
	}

	downloadSignal(): AbortSignal {
		const leftMs = Math.max(MIN_REQUEST_MS, this.leftMs());
		return leftMs === Infinity ? this.cancelSignal : this.requestSignal(leftMs);
	}

	async wait(milliseconds: number): Promise<void> {
		if (this.isCancelled()) return;
		await Promise.race([this.timing.sleep(milliseconds), this.cancelled]);
	}

	private leftMs(): number {
		return this.endsAt - this.timing.now();
	}
}
