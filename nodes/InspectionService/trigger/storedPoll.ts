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

export interface StoredPoll extends ChangesPoll {
	/** Where n8n keeps the checkpoint: in memory, so that neither waits. */
	readonly storage: { read(): StoredData; write(own: JsonRecord, backup: JsonRecord): void };
	readonly memory: NodeMemory;
	readonly polled: Polled;
	/** Whether the poll runs in n8n's in-memory engine. */
	readonly isInMemory: boolean;
}

const UNREADABLE =
	'What this trigger had stored is not readable (another version of the node, or damaged). It starts anew with what changes from now on.';

const BEGINS_NOW =
	'The event, base URL, team or credential is another one: the trigger begins with what changes from now on. What changed between its last poll and now does not start the workflow. To have that as well, set Start From to a time before it.';

/**
 * One poll, from the stored checkpoint to the next one; undefined where another poll of the node is in the way. Throws the
 * failure of one that got nowhere: n8n stores nothing of a poll that throws.
 */
export async function runStoredPoll(poll: StoredPoll): Promise<PollProgress | undefined> {
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

/** The emitted changes are in the order of time. */
async function pollAlone(
	poll: StoredPoll,
	stored: StoredData,
	state: StoredState,
): Promise<PollProgress> {
	const { storage, memory, polled, clock } = poll;
	const start = pollStart(stored, leftByLastPoll(memory, state), polled, poll.watch.startAt);
	const textBefore = start.checkpoint && JSON.stringify(checkpointToJson(start.checkpoint));
	const progress = await (start.checkpoint === undefined
		? firstPoll(poll, start.emitted)
		: readChanges(start.checkpoint, poll));
	const { checkpoint, emitted, warnings, failure } = progress;
	const isEmitting = emitted.length > 0;
	const isStill = !isEmitting && JSON.stringify(checkpointToJson(checkpoint)) === textBefore;
	if (failure !== undefined && isStill) throw failure;
	if (start.isUnreadable) warnings.push(UNREADABLE);
	if (start.checkpoint === undefined && start.revision > 0) warnings.push(BEGINS_NOW);
	if (clock.warning !== undefined) warnings.push(clock.warning);
	// Another poll has stored meanwhile: it has emitted the same, or the next one will.
	if (storedState(storage.read(), state.isInMemory).mark !== state.mark) {
		return { ...progress, emitted: [], failure: undefined };
	}
	const next = recordsToStore(start, checkpoint, polled, isEmitting);
	if (next !== undefined) {
		storage.write(next.own, next.backup);
		const [text, revision] = [JSON.stringify(next.own), revisionOf(next.own)];
		memory.left = { state, revision, text, isEmitting, at: clock.n8n.now() };
	}
	const inOrder = emitted.toSorted((a, b) => compareTimestamps(a.stamp, b.stamp));
	return { ...progress, emitted: inOrder };
}
