import type { Checkpoint } from '../domain/changes/checkpoint';
import type { ChangesPoll, Watch } from '../domain/changes/dealWithChanges';
import { firstPoll } from '../domain/changes/firstPoll';
import { readChanges } from '../domain/changes/readChanges';
import {
	chooseCheckpoint,
	markOfStored,
	type Polled,
	revisionOf,
	storeCheckpoint,
	type StoredData,
	textOfCheckpoint,
} from '../domain/changes/storedCheckpoint';
import type { JsonRecord } from '../domain/json';
import { emission, type Rendering } from './emission';
import { leftByLastPoll, type NodeMemory } from './nodeMemory';

/** Where n8n keeps the checkpoint. Reading and writing both work on what n8n holds in memory, so neither waits. */
export interface CheckpointStorage {
	read(): StoredData;
	write(own: JsonRecord, backup: JsonRecord): void;
}

export interface StoredPoll<Output> extends Omit<ChangesPoll, 'emit'>, Rendering<Output> {
	readonly storage: CheckpointStorage;
	readonly memory: NodeMemory;
	readonly polled: Polled;
	readonly watch: Watch;
	/** True where the poll runs in n8n's in-memory engine. */
	readonly isInMemory: boolean;
}

export interface StoredPollOutcome<Output> {
	/** The oldest first; empty where nothing is to start the workflow. */
	outputs: Output[];
	/** The error that the caller has to throw. The poll got nowhere, and nothing was stored. */
	failure: unknown;
	/** The error that ended the poll early, for the log. The next poll goes on from there; if the error lasts, it throws. */
	setback: unknown;
	/** Sentences for the log: which changes may have been missed, and why. */
	warnings: string[];
	/** The revision of the checkpoint that was stored; undefined where none was. */
	revision: number | undefined;
}

const UNREADABLE =
	'What this trigger had stored is not readable (another version of the node, or damaged). It starts anew with what changes from now on.';

/**
 * One poll, from the stored checkpoint to the next one. The checkpoint is read once, at the beginning, and written once,
 * after the last request. So a poll that fails or is abandoned stores nothing. Where another poll has stored a checkpoint
 * in the meantime, the result of this one is dropped: the other poll has emitted it, or the next one will.
 */
export async function runStoredPoll<Output>(
	poll: StoredPoll<Output>,
): Promise<StoredPollOutcome<Output>> {
	const { storage, memory, polled, isInMemory } = poll;
	const stored = storage.read();
	const mark = markOfStored(stored);
	const latest = Math.max(revisionOf(stored.own), revisionOf(stored.backup));
	const remembered = leftByLastPoll(memory, { mark, revision: latest, isInMemory });
	const from = chooseCheckpoint({ ...stored, remembered }, polled);
	const { checkpoint, outputs, failure, ...read } = await readFrom(poll, from.checkpoint);
	const warnings = [...(from.isUnreadable ? [UNREADABLE] : []), ...read.warnings];
	const nothing = { outputs: [], warnings, setback: undefined, revision: undefined };
	const isEmitting = outputs.length > 0;
	// Where the checkpoint has not moved, the next poll would fail in the same place: so this one has to throw.
	const isStuck =
		failure !== undefined && !isEmitting && textOfCheckpoint(checkpoint) === from.text;
	// n8n stores nothing of a poll that throws. So a poll that has moved the checkpoint returns, and throws no error.
	if (checkpoint === undefined || isStuck) {
		return { ...nothing, failure };
	}
	if (markOfStored(storage.read()) !== mark) return { ...nothing, failure: undefined };
	const next = storeCheckpoint(from, checkpoint, polled, isEmitting);
	if (next !== undefined) {
		storage.write(next.own, next.backup);
		memory.left = { mark, record: next.own, isEmitting, isInMemory };
	}
	const revision = next && revisionOf(next.own);
	return { outputs, failure: undefined, setback: failure, warnings, revision };
}

interface Read<Output> {
	/** Undefined where the first poll of a trigger failed. */
	checkpoint: Checkpoint | undefined;
	outputs: Output[];
	warnings: readonly string[];
	/** The error that ended the reading early; undefined where there was none. */
	failure: unknown;
}

/** Reads the changes since `start` and moves `start` on. An error is returned, together with what was read before it. */
async function readFrom<Output>(
	poll: StoredPoll<Output>,
	start: Checkpoint | undefined,
): Promise<Read<Output>> {
	const { emit, outputs, failure } = emission(poll);
	try {
		if (start === undefined) {
			await poll.prepare?.([]);
			return { ...(await firstPoll(poll.watch, poll)), outputs: [], failure: undefined };
		}
		const warnings = await readChanges(start, poll.watch, { ...poll, emit });
		return { checkpoint: start, outputs: outputs(), warnings, failure: failure() };
	} catch (error) {
		return { checkpoint: start, outputs: outputs(), warnings: [], failure: error };
	}
}
