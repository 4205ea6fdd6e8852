import { type N8nClocks, ServiceClock } from '../domain/changes/serviceClock';
import { revisionOf } from '../domain/changes/storedCheckpoint';
import type { JsonRecord } from '../domain/json';

/** What the last poll of a node gave n8n to store. */
export interface LeftByPoll {
	/** The mark (`markOfStored`) of the stored data that the poll began with. */
	mark: string;
	record: JsonRecord;
	/** True where the poll emitted inspections. n8n then stores both the record and the inspections, or neither. */
	isEmitting: boolean;
	/** True where the poll ran in n8n's in-memory engine: it loses no record while n8n runs. */
	isInMemory: boolean;
	/** When the poll left it, in ms of a clock that nobody sets. */
	at: number;
}

/** When a poll ran, in ms of a clock that nobody sets. */
export interface PollTimes {
	startedAt: number;
	/** Undefined while it runs. */
	endedAt?: number;
}

/** What this process remembers of a trigger node. It is lost when n8n restarts. */
export interface NodeMemory {
	/** The poll under way; where there is none, the last one. */
	latestPoll?: PollTimes;
	left?: LeftByPoll | undefined;
	readonly clocks: Map<string, ServiceClock>;
	/** The warnings of the last poll that has emitted something, and of those since. */
	told?: readonly string[];
}

/** Warnings that are remembered as told. More than a poll can have. */
const MAX_TOLD = 20;

/** The nodes that this process polls. */
const POLLED_NODES = new Map<string, NodeMemory>();

/** The memory of one node. The key needs the workflow's id too, because a copied workflow keeps its node ids. */
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

/** The clock of the service at a base URL, as this node knows it. */
export function clockOf({ clocks }: NodeMemory, baseUrl: string, n8n: N8nClocks): ServiceClock {
	const clock = clocks.get(baseUrl) ?? new ServiceClock(n8n);
	clocks.set(baseUrl, clock);
	return clock;
}

/**
 * The record that the last poll left, where it counts more than what n8n has stored. There are two such cases:
 * - n8n has discarded it. Its scheduler without durable cursors does so after a poll that emits nothing. If the filters
 *   let nothing of a backlog through, every poll would then begin the backlog again. So the record counts until n8n
 *   stores another one. After a poll that has emitted, it does not count: where n8n failed to save both, the inspections
 *   have to be emitted again.
 * - n8n has registered the trigger twice, each with data of its own (seen after `import:workflow`). In the in-memory
 *   engine the newer record is true for both.
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

/**
 * The warnings of a poll that were not told yet. What stays wrong is told once and not with every poll, and again after a
 * poll that has emitted something without it.
 */
export function untoldWarnings(
	memory: NodeMemory,
	warnings: readonly string[],
	isEmitting: boolean,
): string[] {
	const told = new Set(memory.told);
	const untold = [...new Set(warnings)].filter((warning) => !told.has(warning));
	memory.told = isEmitting ? warnings : [...told, ...untold].slice(-MAX_TOLD);
	return untold;
}
