import { ServiceClock } from '../domain/changes/serviceClock';
import { revisionOf } from '../domain/changes/storedCheckpoint';
import type { JsonRecord } from '../domain/json';

/** What the last poll of a node left to be stored. */
export interface LeftByPoll {
	/** `markOfStored` of what the poll had read. */
	mark: string;
	record: JsonRecord;
	/** The poll handed inspections over: what it left is to be stored together with them. */
	isEmitting: boolean;
	/** The poll ran in n8n's in-memory engine, which never loses what a poll leaves while n8n runs. */
	isInMemory: boolean;
}

/** When a poll ran, in ms of a clock that is never set. */
export interface PollTimes {
	startedAt: number;
	/** Undefined while it runs. */
	endedAt?: number;
	/** Of the checkpoint that it left to be stored; undefined where it left none. */
	revision?: number | undefined;
}

/** What a process remembers of a node that it polls, beside what n8n stores. */
export interface NodeMemory {
	/** The poll under way, or else the last one. */
	latestPoll?: PollTimes;
	left?: LeftByPoll | undefined;
	readonly clocks: Map<string, ServiceClock>;
}

const nodes = new Map<string, NodeMemory>();

/** Workflows may be copies of each other: a node's id is its own only within one of them. */
export function memoryOf(workflowId: string, nodeId: string): NodeMemory {
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
 * What the last poll left, where it counts more than what n8n has stored:
 * - n8n's scheduler without durable cursors discards what a poll leaves that emits nothing, so that a backlog in which
 *   nothing is to be emitted would begin again with every poll. What such a poll left is good as long as what is
 *   stored is the same. After an emission it is not: that may fail to be saved, and is then to be made again.
 * - n8n may have registered one trigger twice, each with data of its own (seen after `import:workflow`). In memory,
 *   what either of them left is true for both.
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
