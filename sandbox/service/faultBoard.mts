import type { Fault } from './faults.mts';
import type { Operation } from './model.mts';
import type { LoggedRequest } from './requestLog.mts';

export interface FaultRule {
	/** Which requests: all members must fit; none means every request of the four operations and downloads. */
	on?: {
		operation?: Operation;
		/** Only from the n-th fitting request on (1 = the next one). */
		nth?: number;
		where?: (request: LoggedRequest) => boolean;
	};
	/** How many requests it hits; default: one with `nth`, else all. */
	times?: number;
	do: Fault;
}

export interface FaultHandle {
	readonly id: number;
	/** Requests hit so far. */
	readonly hits: number;
	remove(): void;
}

class ActiveFault implements FaultHandle {
	readonly id: number;
	readonly rule: FaultRule;
	readonly remove: () => void;
	hits = 0;
	private seen = 0;
	/** Starts of the requests of the running second, for a rate limit. */
	private window: number[] = [];

	constructor(id: number, rule: FaultRule, remove: (id: number) => void) {
		this.id = id;
		this.rule = rule;
		this.remove = () => remove(id);
	}

	/** Counts the request where it fits, and says whether it is to be hit. */
	takes(request: LoggedRequest): boolean {
		const { on = {}, times = on.nth === undefined ? Infinity : 1, do: fault } = this.rule;
		if (request.operation === null) return false;
		if (on.operation !== undefined && request.operation !== on.operation) return false;
		if (on.where?.(request) === false) return false;
		this.seen += 1;
		if (this.seen < (on.nth ?? 1) || this.hits >= times) return false;
		if (fault.kind === 'rateLimit' && !this.isOverLimit(fault.perSecond)) return false;
		this.hits += 1;
		return true;
	}

	private isOverLimit(perSecond: number): boolean {
		const now = performance.now();
		this.window = this.window.filter((start) => now - start < 1000);
		if (this.window.length >= perSecond) return true;
		this.window.push(now);
		return false;
	}

	/** Milliseconds until a rate limit lets the next request through. */
	waitMs(): number {
		const [oldest = -Infinity] = this.window;
		return Math.max(0, oldest + 1000 - performance.now());
	}
}

export interface FaultHit {
	fault: Fault;
	/** Milliseconds until a rate limit lets the next request through, else 0. */
	waitMs: number;
}

/** Faults on demand: each `add` is a handle of its own, so that a test can take back what it added. */
export class FaultBoard {
	private active: ActiveFault[] = [];
	private added = 0;

	add(rule: FaultRule): FaultHandle {
		this.added += 1;
		const fault = new ActiveFault(this.added, rule, (removed) => {
			this.active = this.active.filter(({ id }) => id !== removed);
		});
		this.active.push(fault);
		return fault;
	}

	find(id: number): FaultHandle | undefined {
		return this.active.find((fault) => fault.id === id);
	}

	all(): FaultHandle[] {
		return [...this.active];
	}

	clear(): void {
		this.active = [];
	}

	/** What hits this request, in the order in which it was added. */
	hits(request: LoggedRequest): FaultHit[] {
		return this.active
			.filter((fault) => fault.takes(request))
			.map((fault) => ({ fault: fault.rule.do, waitMs: fault.waitMs() }));
	}
}
