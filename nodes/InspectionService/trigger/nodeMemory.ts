import { ServiceClock } from '../domain/changes/serviceClock';
import { revisionOf } from '../domain/changes/storedCheckpoint';
import type { JsonRecord } from '../domain/json';

/** What the last poll of a node gave n8n to store. */
export interface LeftByPoll {
	/** `markOfStored` of what the poll had read. */
	mark: string;
	record: JsonRecord;
	/** The poll emitted inspections: n8n stores what it left together with them, or neither. */
	isEmitting: boolean;
	/** The poll ran in n8n's in-memory engine, which never loses what a poll leaves while n8n runs. */
	isInMemory: boolean;
}

/** When a poll ran, in ms of a clock that is never set. */
export interface PollTimes {
	startedAt: number;
	/** Undefined while it runs. */
	endedAt?: number;
	/** The revision of the checkpoint that it gave n8n to store; undefined where it gave none. */
	revision?: number | undefined;
}

/** What a process remembers of a node that it polls, beside what n8n stores. */
export interface NodeMemory {
	/** The poll under way, or else the last one. */
	latestPoll?: PollTimes;
	left?: LeftByPoll | undefined;
	readonly clocks: Map<string, ServiceClock>;
}

/** The nodes that this process polls. */
const POLLED_NODES = new Map<string, NodeMemory>();

/** Workflows may be copies of each other: a node's id is its own only within one of them. */
export function memoryOf(
	workflowId: string,
	nodeId: string,
	nodes: Map<string, NodeMemory> = POLLED_NODES,
): NodeMemory {
	const key = `${workflowId} ${nodeId}`;
	const memory = nodes.get(key) ?? { clocks: new Map<string, ServiceClock>() };
	nodes.set(key, memory);
	return memory;
}

/** What is known of a service's clock. */
export function clockOf({ clocks }: NodeMemory, baseUrl: string, now: () => number): ServiceClock {
	const clock = clocks.get(baseUrl) ?? new ServiceClock(now);
	clocks.set(baseUrl, clock);
	return clock;
}

/**
 * What the last poll left, where that counts more than what n8n has stored:
 * - A poll that emits nothing: n8n's scheduler without durable cursors discards what it leaves. A backlog in which the
 *   filters let nothing through would begin again with every poll. So what it left counts as long as what is stored has
 *   not changed. What an emission left does not: where n8n fails to save it, it has to be made again.
 * - A trigger that n8n has registered twice, each with data of its own (seen after `import:workflow`). In memory, what
 *   either of them left is true for both.
 */
export function leftByLastPoll(
	{ left }: NodeMemory,
	stored: { mark: string; revision: number; isInMemory: boolean },
): JsonRecord | undefined {
	if (left === undefined) return undefined;
	const isUnsaved = left.mark === stored.mark && !left.isEmitting;
	const isOfTwin =
		left.isInMemory && stored.isInMemory && revisionOf(left.record) > stored.revision;
	return isUnsaved || isOfTwin ? left.record : undefined;
}
