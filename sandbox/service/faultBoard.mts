import { type Fault, FAULTS } from './faults.mts';
import type { Operation } from './model.mts';
import type { LoggedRequest } from './requestLog.mts';
import { need } from './specs.mts';

export interface FaultRule {
	/**
	 * Which requests it hits. All members must match. None means every request of the four operations and downloads.
	 */
	on?: {
		operation?: Operation;
		/** Starts with the n-th matching request (1 = the next one). */
		nth?: number;
		urlIncludes?: string;
		where?: (request: LoggedRequest) => boolean;
	};
	/** Number of requests it hits. Default: one with `nth`, else all. */
	times?: number;
	do: Fault;
}

export interface FaultHandle {
	readonly id: number;
	/** Requests hit so far. */
	readonly hits: number;
	remove(): void;
}

interface ActiveFault extends FaultHandle {
	rule: FaultRule;
	hits: number;
	/** Matching requests so far. */
	seen: number;
}

/** Counts a matching request, and returns whether the fault hits it. */
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

/** Faults on demand. Each `add` returns a separate handle, so that a test can remove its fault. */
export class FaultBoard {
	private active: ActiveFault[] = [];
	private added = 0;

	/** @throws if the kind of fault doesn't exist */
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

	/** The faults that hit this request, in the order in which they were added. */
	hits(request: LoggedRequest): Fault[] {
		if (request.operation === null) return [];
		return this.active.filter((fault) => takes(fault, request)).map(({ rule }) => rule.do);
	}
}
