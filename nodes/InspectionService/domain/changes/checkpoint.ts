import { isRecord, type JsonRecord, textOf } from '../json';
import {
	BEGINNING_OF_TIME,
	earliestOf,
	floorToSecond,
	isLater,
	justAfter,
	type Timestamp,
	timestampOf,
} from '../timestamp';
import { SeenVersions, splitHashes } from './seenVersions';

/**
 * Maximum versions in `seen`. Chosen: 50,000 versions take 0.5 to 1 MB of n8n's database. A typical checkpoint has only
 * a few hundred characters.
 */
const MAX_SEEN = 50_000;
/** Maximum hashes in `emitted`. Chosen: 5,000 hashes take 50 kB. */
export const MAX_EMITTED = 5_000;

/** The saved state of a trigger: how far it has read the list ("One poll of the trigger" in docs/dev/reading.md). */
export interface Checkpoint {
	/** All versions before this time were handled. */
	watermark: Timestamp;
	/** The versions at or after the watermark that were handled: emitted, or rejected by the filters. */
	readonly seen: SeenVersions;
	/**
	 * The second of time in which the next poll continues, if the last poll stopped before the end of the list. Otherwise
	 * undefined.
	 */
	resumeAt: Timestamp | undefined;
	/**
	 * Hashes (`shortHash`) of the IDs of inspections that produced an item, oldest first. Used only if each inspection is
	 * emitted once.
	 */
	readonly emitted: Set<string>;
}

export function checkpointAt(watermark: Timestamp, emitted = new Set<string>()): Checkpoint {
	return { watermark, seen: new SeenVersions(), resumeAt: undefined, emitted };
}

/** Sets the time at which the next poll continues. Moves the watermark to this time too, but never past `ceiling`. */
export function advance(
	checkpoint: Checkpoint,
	resumeAt: Timestamp | undefined,
	ceiling: Timestamp,
): void {
	checkpoint.resumeAt = resumeAt;
	advanceWatermark(checkpoint, earliestOf([resumeAt, ceiling]) ?? ceiling);
}

/** Moves the watermark forward, never back. Forgets the versions before the new watermark. */
export function advanceWatermark(checkpoint: Checkpoint, to: Timestamp): void {
	if (!isLater(to, checkpoint.watermark)) return;
	checkpoint.watermark = to;
	checkpoint.seen.forgetBefore(to);
}

/**
 * Limits the size of the checkpoint. If `seen` has more than `maxSeen` versions, forgets the earliest and moves the
 * watermark past them, so that they aren't emitted again. Returns a warning for each limit that was exceeded.
 * `lookback` is in seconds.
 */
export function pruneCheckpoint(
	checkpoint: Checkpoint,
	lookback: number,
	maxSeen = MAX_SEEN,
): string[] {
	const { seen, emitted } = checkpoint;
	const warnings: string[] = [];
	const forgotten = seen.forgetEarliest(maxSeen);
	if (forgotten !== undefined) {
		advanceWatermark(checkpoint, justAfter(forgotten));
		warnings.push(
			`More than ${maxSeen} inspections changed within the lookback of ${lookback} seconds. The trigger can't remember more, so it skips changes up to ${forgotten} that it hadn't handled yet. Nothing is returned twice. To avoid this, set a shorter 'Lookback (Seconds)'.`,
		);
	}
	const tooMany = Math.max(0, emitted.size - MAX_EMITTED);
	for (const hash of [...emitted].slice(0, tooMany)) emitted.delete(hash);
	if (tooMany > 0) {
		warnings.push(
			`The trigger remembers the last ${MAX_EMITTED} inspections that started the workflow. It forgot older inspections (${tooMany} in this poll). If one of them changes, it starts the workflow again.`,
		);
	}
	return warnings;
}

export function serializeCheckpoint(checkpoint: Checkpoint): JsonRecord {
	const { watermark, seen, resumeAt, emitted } = checkpoint;
	const hashes = textOf([...emitted].join(''));
	return { watermark, seen: seen.serialize(), resumeAt, emitted: hashes };
}

/**
 * Reads a checkpoint by the names of its fields. A field that is missing or unreadable gets its default, so a checkpoint
 * that another version of the node saved stays valid. Returns undefined only without a readable watermark.
 */
export function parseCheckpoint(value: unknown): Checkpoint | undefined {
	if (!isRecord(value)) return undefined;
	const watermark = timestampOf(value.watermark);
	if (watermark === undefined) return undefined;
	const { seen, resumeAt } = value;
	return {
		watermark,
		seen: SeenVersions.parse(seen),
		resumeAt: timestampOf(resumeAt),
		emitted: parseEmitted(value),
	};
}

/** Reads which inspections have produced an item, even from a checkpoint without a readable watermark. */
export function parseEmitted(value: unknown): Set<string> {
	return new Set(splitHashes((isRecord(value) && textOf(value.emitted)) || ''));
}

/**
 * Returns the range of the list from a given time on. The range starts with a whole second, because a service can
 * truncate times to seconds.
 */
export function rangeFrom(moment: Timestamp): { after?: Timestamp } {
	return moment === BEGINNING_OF_TIME ? {} : { after: floorToSecond(moment) };
}
