import { type Fault, FAULTS } from './faults.mts';
import type { Operation } from './model.mts';
import type { LoggedRequest } from './requestLog.mts';
import { need } from './specs.mts';

export interface FaultRule {
	/**
	 * Which requests the fault affects: those that match all members of `on`. Without `on`, it affects every request for
	 * an operation or a file.
	 */
	on?: {
		operation?: Operation;
		/** The fault starts with the n-th matching request after it was added. Default: 1. */
		nth?: number;
		urlIncludes?: string;
		where?: (request: LoggedRequest) => boolean;
	};
	/** How many requests the fault affects. Default: one if `nth` is set, else every matching request. */
	times?: number;
	do: Fault;
}

export interface FaultHandle {
	readonly id: number;
	/** The number of requests that the fault has affected. */
	readonly hits: number;
	remove(): void;
}

interface ActiveFault extends FaultHandle {
	rule: FaultRule;
	hits: number;
	/** The number of matching requests that have arrived, including those before `nth`. */
	seen: number;
}

/** Counts a request if it matches the fault. Returns whether the fault affects the request. */
function takes(fault: ActiveFault, request: LoggedRequest): boolean {
	const { on = {}, times = on.nth === undefined ? Infinity : 1 } = fault.rule;
	const { operation = request.operation, nth = 1, urlIncludes = '', where = () => true } = on;
	if (request.operation !== operation) return false;
	if (!request.url.includes(urlIncludes) || !where(request)) return false;
	fault.seen += 1;
	if (fault.seen < nth || fault.hits >= times) return false;
	fault.hits += 1;
	return true;
}

/** The faults that tests have added. `add` returns a handle with which a test can remove the added fault. */
export class FaultBoard {
	private active: ActiveFault[] = [];
	private added = 0;

	/** @throws if the rule's kind of fault doesn't exist */
	add(rule: FaultRule): FaultHandle {
		need(FAULTS[rule.do.kind], `fault ${rule.do.kind}`);
		const id = (this.added += 1);
		const fault = { id, rule, hits: 0, seen: 0, remove: () => this.remove(id) };
		this.active.push(fault);
		return fault;
	}

	remove(id: number): void {
		this.active = this.active.filter((fault) => fault.id !== id);
	}

	all(): FaultHandle[] {
		return [...this.active];
	}

	clear(): void {
		this.active = [];
	}

	/**
	 * Returns the faults that affect this request, in the order in which they were added. Each call counts the request,
	 * so call this only once per request.
	 */
	hits(request: LoggedRequest): Fault[] {
		if (request.operation === null) return [];
		return this.active.filter((fault) => takes(fault, request)).map(({ rule }) => rule.do);
	}
}
