import type { Fault } from './faults.mts';
import type { Operation } from './model.mts';
import type { LoggedRequest } from './requestLog.mts';

export interface FaultRule<Target = unknown> {
	/** Which requests: all members must fit; none means every request of the four operations and downloads. */
	on?: {
		operation?: Operation;
		/** Only from the n-th fitting request on (1 = the next one). */
		nth?: number;
		where?: (request: LoggedRequest) => boolean;
	};
	/** How many requests it hits; default: one with `nth`, else all. */
	times?: number;
	do: Fault<Target>;
}

export interface FaultHandle {
	readonly id: number;
	/** Requests hit so far. */
	readonly hits: number;
	remove(): void;
}

class ActiveFault<Target> implements FaultHandle {
	readonly id: number;
	readonly rule: FaultRule<Target>;
	hits = 0;
	/** Starts of the requests of the running second, for a rate limit. */
	window: number[] = [];
	private seen = 0;
	private readonly drop: (fault: ActiveFault<Target>) => void;

	constructor(id: number, rule: FaultRule<Target>, drop: (fault: ActiveFault<Target>) => void) {
		this.id = id;
		this.rule = rule;
		this.drop = drop;
	}

	/** Counts the request where it fits, and says whether it is to be hit. */
	takes(request: LoggedRequest): boolean {
		const { operation, nth = 1, where } = this.rule.on ?? {};
		if (request.operation === null) return false;
		if (operation !== undefined && request.operation !== operation) return false;
		if (where?.(request) === false) return false;
		this.seen += 1;
		const times = this.rule.times ?? (this.rule.on?.nth === undefined ? Infinity : 1);
		if (this.seen < nth || this.hits >= times) return false;
		if (this.rule.do.kind === 'rateLimit' && !this.isOverLimit(this.rule.do.perSecond))
			return false;
		this.hits += 1;
		return true;
	}

	remove(): void {
		this.drop(this);
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
		const [oldest] = this.window;
		return oldest === undefined ? 0 : Math.max(0, 1000 - (performance.now() - oldest));
	}
}

export interface FaultHit<Target> {
	fault: Fault<Target>;
	/** Milliseconds until a rate limit lets the next request through, else 0. */
	waitMs: number;
}

/** Faults on demand: each `add` is a handle of its own, so that a test can take back what it added. */
export class FaultBoard<Target = unknown> {
	private active: ActiveFault<Target>[] = [];
	private added = 0;

	add(rule: FaultRule<Target>): FaultHandle {
		this.added += 1;
		const fault = new ActiveFault<Target>(this.added, rule, (removed) => {
			this.active = this.active.filter((other) => other !== removed);
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
	hits(request: LoggedRequest): FaultHit<Target>[] {
		return this.active
			.filter((fault) => fault.takes(request))
			.map((fault) => ({ fault: fault.rule.do, waitMs: fault.waitMs() }));
	}
}
