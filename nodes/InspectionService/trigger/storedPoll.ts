import { checkpointToJson } from '../domain/changes/checkpoint';
import type { ChangesPoll, PollProgress } from '../domain/changes/emitNewVersions';
import { firstPoll, readChanges } from '../domain/changes/readChanges';
import {
	type Polled,
	pollStart,
	recordsToStore,
	revisionOf,
	type StoredData,
} from '../domain/changes/storedCheckpoint';
import type { JsonRecord } from '../domain/json';
import { compareTimestamps } from '../domain/timestamp';
import {
	leftByLastPoll,
	type NodeMemory,
	storedState,
	type StoredState,
	takeTurn,
} from './nodeMemory';

/** Where n8n keeps the checkpoint: in memory, so that neither waits. */
export interface CheckpointStorage {
	read(): StoredData;
	write(own: JsonRecord, backup: JsonRecord): void;
}

export interface StoredPoll extends ChangesPoll {
	readonly storage: CheckpointStorage;
	readonly memory: NodeMemory;
	readonly polled: Polled;
	/** Whether the poll runs in n8n's in-memory engine. */
	readonly isInMemory: boolean;
}

/** The emitted changes are in the order of time. */
type StoredPollOutcome = Pick<PollProgress, 'emitted' | 'warnings' | 'failure'>;

const UNREADABLE =
	'What this trigger had stored is not readable (another version of the node, or damaged). It starts anew with what changes from now on.';

/**
 * One poll, from the stored checkpoint to the next one; undefined where another poll of the node is in the way. The
 * checkpoint is read once, at the beginning, and written once, after the last request. Throws the failure of a poll that
 * got nowhere. n8n stores nothing of a poll that throws, so one that has moved the checkpoint returns its failure.
 */
export async function runStoredPoll(poll: StoredPoll): Promise<StoredPollOutcome | undefined> {
	const stored = poll.storage.read();
	const state = storedState(stored, poll.isInMemory);
	const turn = takeTurn(poll.memory, state, poll.clock.n8n.now());
	if (turn === undefined) return undefined;
	try {
		return await pollAlone(poll, stored, state);
	} finally {
		turn.endedAt = poll.clock.n8n.now();
	}
}

async function pollAlone(
	poll: StoredPoll,
	stored: StoredData,
	state: StoredState,
): Promise<StoredPollOutcome> {
	const { storage, memory, polled, clock, isInMemory } = poll;
	const start = pollStart(stored, leftByLastPoll(memory, state), polled, poll.watch.startAt);
	const before = start.checkpoint && JSON.stringify(checkpointToJson(start.checkpoint));
	const { checkpoint, emitted, warnings, failure } = await (start.checkpoint === undefined
		? firstPoll(poll, start.emitted)
		: readChanges(start.checkpoint, poll));
	const isEmitting = emitted.length > 0;
	const isStill = !isEmitting && JSON.stringify(checkpointToJson(checkpoint)) === before;
	if (failure !== undefined && isStill) throw failure;
	if (start.isUnreadable) warnings.push(UNREADABLE);
	if (clock.warning !== undefined) warnings.push(clock.warning);
	// Another poll has stored meanwhile: it has emitted the same, or the next one will.
	if (storedState(storage.read(), isInMemory).mark !== state.mark) {
		return { emitted: [], warnings, failure: undefined };
	}
	const next = recordsToStore(start, checkpoint, polled, isEmitting);
	if (next !== undefined) {
		storage.write(next.own, next.backup);
		const [text, revision] = [JSON.stringify(next.own), revisionOf(next.own)];
		memory.left = { mark: state.mark, revision, isInMemory, text, isEmitting, at: clock.n8n.now() };
	}
	const inOrder = emitted.toSorted((a, b) => compareTimestamps(a.stamp, b.stamp));
	return { emitted: inOrder, warnings, failure };
}
