import { type N8nClocks, ServiceClock } from '../domain/changes/serviceClock';
import { isRecord, type JsonRecord } from '../domain/json';

/** Warnings that are remembered as told. More than a poll can have. */
const MAX_TOLD = 20;
/** A trigger may poll once a day. One that has not polled for a day and an hour counts as gone. */
const FORGOTTEN_AFTER_MS = 25 * 3_600_000;
/** Characters of all records that are remembered: 20 of the largest (a checkpoint of 50,000 versions). */
const MAX_RECORDS_LENGTH = 20_000_000;

/** What the last poll of a node gave n8n to store. */
export interface LeftByPoll {
	/** The mark (`markOfStored`) of the stored data that the poll began with. */
	readonly mark: string;
	readonly revision: number;
	/** The record as text. Undefined where it never counts, or where the process remembers too many. */
	text: string | undefined;
	/** True where the poll emitted inspections. n8n then stores both the record and the inspections, or neither. */
	readonly isEmitting: boolean;
	/** True where the poll ran in n8n's in-memory engine: it loses no record while n8n runs. */
	readonly isInMemory: boolean;
	/** When the poll left it, in ms of a clock that nobody sets. */
	readonly at: number;
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
	left?: LeftByPoll;
	/** The clock of the service that was polled last. */
	service?: { readonly baseUrl: string; readonly clock: ServiceClock };
	/** The warnings of the last poll that has emitted something, and of those since. */
	told?: readonly string[];
}

/** What this process remembers of the trigger nodes that it polls. It is bounded, and a trigger that is gone is forgotten. */
export class PolledNodes {
	/** The node that was polled last comes last. */
	private readonly nodes = new Map<string, NodeMemory>();

	/** The memory of one node. The key needs the workflow's id too, because a copied workflow keeps its node ids. */
	memoryOf(workflowId: string, nodeId: string, now: number): NodeMemory {
		const key = `${workflowId} ${nodeId}`;
		const memory = this.nodes.get(key) ?? {};
		this.nodes.delete(key);
		this.forget(now);
		this.nodes.set(key, memory);
		return memory;
	}

	private forget(now: number): void {
		let length = 0;
		for (const [key, { latestPoll, left }] of [...this.nodes].reverse()) {
			if (now - (latestPoll?.startedAt ?? now) > FORGOTTEN_AFTER_MS) this.nodes.delete(key);
			if (left === undefined) continue;
			length += left.text?.length ?? 0;
			if (length > MAX_RECORDS_LENGTH) left.text = undefined;
		}
	}
}

/** The clock of the service at a base URL, as this node knows it. */
export function clockOf(memory: NodeMemory, baseUrl: string, n8n: N8nClocks): ServiceClock {
	if (memory.service?.baseUrl === baseUrl) return memory.service.clock;
	const clock = new ServiceClock(n8n);
	memory.service = { baseUrl, clock };
	return clock;
}

/** Remembers what a poll has given n8n to store. */
export function remember(
	memory: NodeMemory,
	record: JsonRecord,
	left: Omit<LeftByPoll, 'text'>,
): void {
	const mayCount = left.isInMemory || !left.isEmitting;
	memory.left = { ...left, text: mayCount ? JSON.stringify(record) : undefined };
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
	if (left?.text === undefined) return undefined;
	const isUnsaved = left.mark === stored.mark && !left.isEmitting;
	const isOfTwin = left.isInMemory && stored.isInMemory && left.revision > stored.revision;
	if (!isUnsaved && !isOfTwin) return undefined;
	const record: unknown = JSON.parse(left.text);
	return isRecord(record) ? record : undefined;
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
