import { type Fault, FAULTS } from './faults.mts';
import type { Operation } from './model.mts';
import type { LoggedRequest } from './requestLog.mts';
import { need } from './specs.mts';

export interface FaultRule {
	/** Which requests: all members must fit; none means every request of the four operations and downloads. */
	on?: {
		operation?: Operation;
		/** Only from the n-th fitting request on (1 = the next one). */
		nth?: number;
		urlIncludes?: string;
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

interface ActiveFault extends FaultHandle {
	rule: FaultRule;
	hits: number;
	/** Requests so far that fit. */
	seen: number;
}

/** Counts the request where it fits, and says whether it is to be hit. */
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

/** Faults on demand: each `add` is a handle of its own, so that a test can take back what it added. */
export class FaultBoard {
	private active: ActiveFault[] = [];
	private added = 0;

	/** @throws where there is no such fault */
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

	/** What hits this request, in the order in which it was added. */
	hits(request: LoggedRequest): Fault[] {
		if (request.operation === null) return [];
		return this.active.filter((fault) => takes(fault, request)).map(({ rule }) => rule.do);
	}
}
