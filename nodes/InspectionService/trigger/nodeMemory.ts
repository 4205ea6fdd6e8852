import type { ServiceClock } from '../domain/changes/serviceClock';
import { revisionOf, type StoredData } from '../domain/changes/storedCheckpoint';
import { parseJson } from '../domain/json';
import { Memory } from '../transport/memory';
import { ABANDONED_POLL_MS, LONGEST_POLL_MS, STORING_MS } from '../transport/timeLimits';

/** More warnings than a poll can have. */
const MAX_TOLD = 20;
/** Characters of all that is remembered: 20 of the largest records (a checkpoint of 50,000 versions). */
const MAX_LENGTH = 20_000_000;
/** Characters of what is remembered of a node besides its record, about. */
const OTHERS_LENGTH = 1_000;

/** What n8n has stored: its revisions, and a text that is another one after each poll that stores a checkpoint. */
export function storedState({ own, backup }: StoredData, isInMemory: boolean) {
	const [ownRevision, backupRevision] = [revisionOf(own), revisionOf(backup)];
	const revision = Math.max(ownRevision, backupRevision);
	return { mark: `${ownRevision} ${backupRevision}`, ownRevision, revision, isInMemory };
}
export type StoredState = Readonly<ReturnType<typeof storedState>>;

/** Times are in ms of a clock that nobody sets. */
export interface NodeMemory {
	/** The poll under way; where there is none, the last one. */
	turn?: { readonly startedAt: number; endedAt?: number };
	/** What the last poll gave n8n to store. Where it emitted inspections, n8n stores both, or neither. */
	left?: {
		/** What was stored when that poll began. */
		readonly state: StoredState;
		readonly revision: number;
		readonly text: string;
		readonly isEmitting: boolean;
		readonly at: number;
	};
	readonly clock: ServiceClock;
	/** The warnings of the last poll that has emitted something, and of those since. */
	told?: readonly string[];
}

/** What a process remembers of its trigger nodes: of as many as it has room for, those that it polled last. */
export function polledNodes(): Memory<NodeMemory> {
	return new Memory({ maxSize: MAX_LENGTH });
}

export function memorySize({ left }: NodeMemory): number {
	return OTHERS_LENGTH + (left?.text.length ?? 0);
}

/**
 * Lets one poll of a node run at a time; undefined where another one is in the way. `endedAt` is to be set at its end.
 * n8n's scheduler runs all overdue jobs at once, each with its own copy of the static data: so a poll that gets an older
 * checkpoint than the last one has left does not run, until that checkpoint is stored or counts as lost.
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
 * - after a poll that emits nothing, n8n's scheduler without durable cursors discards it. After one that has emitted it
 *   does not count: where n8n failed to save both, the inspections have to be emitted again.
 * - n8n may have registered the trigger twice, each with data of its own. In memory the newer record is true for both.
 */
export function leftByLastPoll({ left }: NodeMemory, state: StoredState): unknown {
	if (left === undefined) return undefined;
	const isUnsaved = left.state.mark === state.mark && !left.isEmitting;
	const areInMemory = left.state.isInMemory && state.isInMemory;
	const isOfTwin = areInMemory && left.revision > state.revision;
	return isUnsaved || isOfTwin ? parseJson(left.text) : undefined;
}

/** The warnings that were not told yet. What stays wrong is told once, and again after an emission without it. */
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
