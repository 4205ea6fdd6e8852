import { type N8nClocks, ServiceClock } from '../domain/changes/serviceClock';
import { parseJson } from '../domain/json';
import { ABANDONED_POLL_MS, LONGEST_POLL_MS, STORING_MS } from '../transport/timeLimits';

/** Warnings that are remembered as told. More than a poll can have. */
const MAX_TOLD = 20;
/** A trigger may poll once a day. One that has not polled for a day and an hour counts as gone. */
const FORGOTTEN_AFTER_MS = 25 * 3_600_000;
/** Characters of all records that are remembered: 20 of the largest (a checkpoint of 50,000 versions). */
const MAX_RECORDS_LENGTH = 20_000_000;

/** What n8n has stored when a poll begins. */
export interface StoredState {
	/** A text that is another one after each poll that has stored a checkpoint. */
	readonly mark: string;
	/** The revision of the node's own data; 0 where there is none. */
	readonly ownRevision: number;
	/** The highest revision that is stored. */
	readonly revision: number;
	/** True where the poll runs in n8n's in-memory engine: it loses no record while n8n runs. */
	readonly isInMemory: boolean;
}

/** What the last poll of a node gave n8n to store. */
export interface LeftByPoll extends Pick<StoredState, 'mark' | 'revision' | 'isInMemory'> {
	/** The record as text; undefined where the process remembers too many. */
	text: string | undefined;
	/** True where the poll emitted inspections. n8n then stores both the record and the inspections, or neither. */
	readonly isEmitting: boolean;
	/** When the poll left it. */
	readonly at: number;
}

/** What this process remembers of a trigger node. Times are in ms of a clock that nobody sets. */
export interface NodeMemory {
	/** The poll under way; where there is none, the last one. */
	turn?: { readonly startedAt: number; endedAt?: number };
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
		for (const [key, { turn, left }] of [...this.nodes].reverse()) {
			if (now - (turn?.startedAt ?? now) > FORGOTTEN_AFTER_MS) this.nodes.delete(key);
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

/**
 * Lets one poll of a node run at a time, within this process. Its `endedAt` is to be set when it has ended. Undefined:
 * another poll is in the way, and the next one will find what this one would have found.
 *
 * - n8n's in-memory engine starts a poll even while the last one still runs, and may have registered a node twice.
 * - n8n's scheduler runs all overdue jobs of a node at once, each with its own copy of the static data. So a poll that
 *   gets an older checkpoint than the last poll has left does not run, until that checkpoint is stored or counts as lost.
 */
export function takeTurn(
	memory: NodeMemory,
	{ ownRevision, isInMemory }: StoredState,
	now: number,
): NodeMemory['turn'] {
	const { turn, left } = memory;
	if (turn !== undefined && turn.endedAt === undefined) {
		const longest = isInMemory ? LONGEST_POLL_MS : ABANDONED_POLL_MS;
		if (now - turn.startedAt < longest) return undefined;
	} else if (left !== undefined && !isInMemory && ownRevision < left.revision) {
		if (now - left.at < STORING_MS) return undefined;
	}
	memory.turn = { startedAt: now };
	return memory.turn;
}

/**
 * The record that the last poll left, where it counts more than what n8n has stored:
 * - n8n has discarded it, as its scheduler without durable cursors does after a poll that emits nothing. If the filters
 *   let nothing of a backlog through, every poll would then begin the backlog again. After a poll that has emitted, it
 *   does not count: where n8n failed to save both, the inspections have to be emitted again.
 * - n8n has registered the trigger twice, each with data of its own (seen after `import:workflow`). In the in-memory
 *   engine the newer record is true for both.
 */
export function leftByLastPoll({ left }: NodeMemory, stored: StoredState): unknown {
	if (left?.text === undefined) return undefined;
	const isUnsaved = left.mark === stored.mark && !left.isEmitting;
	const isOfTwin = left.isInMemory && stored.isInMemory && left.revision > stored.revision;
	return isUnsaved || isOfTwin ? parseJson(left.text) : undefined;
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
