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
	/** The poll runs in n8n's in-memory engine. */
	readonly isInMemory: boolean;
}

export interface StoredPollOutcome<Output> {
	/** Oldest first; empty where there is nothing to start the workflow with. */
	outputs: Output[];
	/** The error that the caller has to throw: the poll has dealt with nothing, and nothing was stored. */
	failure: unknown;
	/** The error that ended the poll early, for the log. The next poll goes on there: if the error stays, it fails at once. */
	setback: unknown;
	/** What had to be given up, in words for a log. */
	warnings: string[];
	/** The revision of the checkpoint that was stored; undefined where none was. */
	revision: number | undefined;
}

const UNREADABLE =
	'What this trigger had stored is not readable (another version of the node, or damaged). It starts anew with what changes from now on.';

/**
 * One poll from stored checkpoint to stored checkpoint. It is read once, before anything else, and written once, after
 * the last wait, so that a poll which fails or is abandoned leaves nothing. Where another poll has stored a checkpoint
 * in the meantime, this one's result is dropped: the other has emitted it, or the next will.
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
	// The next poll would have as much to do as this one had.
	const isStuck =
		failure !== undefined && !isEmitting && textOfCheckpoint(checkpoint) === from.text;
	// n8n drops what a poll that throws leaves: what was dealt with counts only where it does not throw.
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
	/** What ended the reading early; undefined where nothing did. */
	failure: unknown;
}

/** Reads what there is and moves `start` on. A failure after something that was dealt with ends the poll there. */
async function readFrom<Output>(
	poll: StoredPoll<Output>,
	start: Checkpoint | undefined,
): Promise<Read<Output>> {
	const { emit, outputs, failure } = emission(poll);
	try {
		if (start === undefined) {
			await poll.prepare?.();
			return { ...(await firstPoll(poll.watch, poll)), outputs: [], failure: undefined };
		}
		const warnings = await readChanges(start, poll.watch, { ...poll, emit });
		return { checkpoint: start, outputs: outputs(), warnings, failure: failure() };
	} catch (error) {
		return { checkpoint: start, outputs: outputs(), warnings: [], failure: error };
	}
}
