import type { Checkpoint } from '../domain/changes/checkpoint';
import type { Change, ChangesPoll, Watch } from '../domain/changes/emitNewVersions';
import { firstPoll } from '../domain/changes/firstPoll';
import { readChanges } from '../domain/changes/readChanges';
import {
	markOfStored,
	type Polled,
	pollStart,
	type PollStart,
	recordsToStore,
	revisionOf,
	type StoredData,
	textOfCheckpoint,
} from '../domain/changes/storedCheckpoint';
import type { JsonRecord } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { compareTimestamps, type Timestamp } from '../domain/timestamp';
import { leftByLastPoll, type NodeMemory, remember } from './nodeMemory';

/** Where n8n keeps the checkpoint. Reading and writing both work on what n8n holds in memory, so neither waits. */
export interface CheckpointStorage {
	read(): StoredData;
	write(own: JsonRecord, backup: JsonRecord): void;
}

/** How changes become outputs. */
interface Rendering<Output> {
	/**
	 * Makes the outputs of some inspections, in their order. May ask the service for files and templates. Undefined leaves
	 * the inspections to the next poll, because this one has no time left. The first inspections of a poll must be
	 * rendered, so that each poll gets on.
	 */
	render(
		inspections: readonly InspectionRecord[],
		isFirst: boolean,
	): Promise<readonly Output[][] | undefined>;
	/** How many inspections are rendered together: few where rendering takes long. */
	readonly batch: number;
	/** Asked after every batch. */
	hasTimeLeft(): boolean;
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
	/**
	 * The error that ended the poll early, for the log; undefined for none. The next poll goes on from there. If the error
	 * lasts, that one throws.
	 */
	setback: unknown;
	/** Sentences for the log: which changes may have been missed, and why. */
	warnings: string[];
}

const UNREADABLE =
	'What this trigger had stored is not readable (another version of the node, or damaged). It starts anew with what changes from now on.';

/**
 * One poll, from the stored checkpoint to the next one. The checkpoint is read once, at the beginning, and written once,
 * after the last request. So a poll that fails or is abandoned stores nothing. Where another poll has stored a checkpoint
 * in the meantime, the result of this one is dropped: the other poll has emitted it, or the next one will.
 *
 * Throws the failure of a poll that got nowhere. n8n stores nothing of a poll that throws, so one that has moved the
 * checkpoint returns its outputs.
 */
export async function runStoredPoll<Output>(
	poll: StoredPoll<Output>,
): Promise<StoredPollOutcome<Output>> {
	const { storage, memory, polled, watch, isInMemory, clock } = poll;
	const stored = storage.read();
	const mark = markOfStored(stored);
	const latest = Math.max(revisionOf(stored.own), revisionOf(stored.backup));
	const remembered = leftByLastPoll(memory, { mark, revision: latest, isInMemory });
	const start = pollStart({ ...stored, remembered }, polled, watch.startAt);
	const textBefore = textOfCheckpoint(start.checkpoint);
	const { emit, outputs: outputsSoFar, failure } = emission(poll);
	const { checkpoint, warnings, error } = await readFrom({ ...poll, emit }, start);
	const outputs = outputsSoFar();
	const setback = error ?? failure();
	const isEmitting = outputs.length > 0;
	const isStill = !isEmitting && textOfCheckpoint(checkpoint) === textBefore;
	if (checkpoint === undefined || (setback !== undefined && isStill)) throw setback;
	const told = [...(start.isUnreadable ? [UNREADABLE] : []), ...warnings];
	if (clock.warning !== undefined) told.push(clock.warning);
	if (markOfStored(storage.read()) !== mark) {
		return { outputs: [], warnings: told, setback: undefined };
	}
	const next = recordsToStore(start, checkpoint, polled, isEmitting);
	if (next !== undefined) {
		storage.write(next.own, next.backup);
		const revision = revisionOf(next.own);
		remember(memory, next.own, { mark, revision, isEmitting, isInMemory, at: clock.now() });
	}
	return { outputs, setback, warnings: told };
}

interface Read {
	/** Undefined where the first poll of a trigger failed. */
	checkpoint: Checkpoint | undefined;
	warnings: readonly string[];
	/** The error that ended the reading early; undefined where there was none. */
	error: unknown;
}

/** Reads the changes since the stored checkpoint and moves it on. An error is returned, because what was read before it counts. */
async function readFrom(
	poll: ChangesPoll & { readonly watch: Watch },
	{ checkpoint: start, emitted }: PollStart,
): Promise<Read> {
	try {
		if (start !== undefined) {
			const warnings = await readChanges(start, poll.watch, poll);
			return { checkpoint: start, warnings, error: undefined };
		}
		await poll.prepare?.([]);
		const first = await firstPoll(poll.watch, poll);
		first.checkpoint.emitted = emitted;
		return { ...first, error: undefined };
	} catch (error) {
		return { checkpoint: start, warnings: [], error };
	}
}

interface Emission<Output> {
	emit: ChangesPoll['emit'];
	/** All outputs so far, the oldest change first. */
	outputs(): Output[];
	/** The error that ended the rendering early; undefined where there was none. */
	failure(): unknown;
}

/** Collects what one poll emits. A failure ends the rendering; the outputs that were made before it are kept. */
function emission<Output>({ render, batch, hasTimeLeft }: Rendering<Output>): Emission<Output> {
	const emitted: { stamp: Timestamp; outputs: readonly Output[] }[] = [];
	let failure: unknown;
	const renderBatch = async (changes: readonly Change[]): Promise<readonly boolean[]> => {
		try {
			const inspections = changes.map(({ inspection }) => inspection);
			const outputs = (await render(inspections, emitted.length === 0)) ?? [];
			return outputs.map((some, index) => {
				const stamp = changes[index]?.stamp;
				if (stamp !== undefined) emitted.push({ stamp, outputs: some });
				return some.length > 0;
			});
		} catch (error) {
			failure = error;
			return [];
		}
	};
	return {
		async emit(changes) {
			const gaveItems: boolean[] = [];
			while (gaveItems.length < changes.length && (gaveItems.length === 0 || hasTimeLeft())) {
				const next = changes.slice(gaveItems.length, gaveItems.length + batch);
				const rendered = await renderBatch(next);
				gaveItems.push(...rendered);
				if (rendered.length < next.length) break;
			}
			return gaveItems;
		},
		outputs: () =>
			emitted
				.toSorted((a, b) => compareTimestamps(a.stamp, b.stamp))
				.flatMap(({ outputs }) => outputs),
		failure: () => failure,
	};
}
