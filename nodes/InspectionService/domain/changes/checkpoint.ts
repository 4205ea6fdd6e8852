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
import { marksIn, SeenVersions } from './seenVersions';

const VERSION = 3;
/** Versions that a checkpoint remembers: 0.5 to 1 MB of n8n's database. Usually it is a few hundred characters. */
const MAX_SEEN = 50_000;
/** Inspections that a checkpoint remembers as emitted once: 50 kB. */
export const MAX_EMITTED = 5_000;

/** How far a trigger has come ("One poll of the trigger" in docs/how-it-reads.md), valid between any two requests. */
export interface Checkpoint {
	watermark: Timestamp;
	readonly seen: SeenVersions;
	/** Undefined where there is no backlog. */
	resumeAt: Timestamp | undefined;
	/** Marks (`markOf`), the oldest first; empty unless each inspection is to be emitted only once. */
	readonly emitted: Set<string>;
}

export function checkpointAt(watermark: Timestamp, emitted = new Set<string>()): Checkpoint {
	return { watermark, seen: new SeenVersions(), resumeAt: undefined, emitted };
}

/** The watermark follows `resumeAt`, but no further than `limit`. */
export function goOnFrom(
	checkpoint: Checkpoint,
	resumeAt: Timestamp | undefined,
	limit: Timestamp,
): void {
	checkpoint.resumeAt = resumeAt;
	raiseWatermark(checkpoint, earliestOf([resumeAt, limit]) ?? limit);
}

/** Moves the watermark on, never back, and forgets the versions before it. */
export function raiseWatermark(checkpoint: Checkpoint, to: Timestamp): void {
	if (!isLater(to, checkpoint.watermark)) return;
	checkpoint.watermark = to;
	checkpoint.seen.forgetBefore(to);
}

/** Forgets the earliest of what a checkpoint has too much of, and returns what to say about it. */
export function boundCheckpoint(
	checkpoint: Checkpoint,
	lookback: number,
	maxSeen = MAX_SEEN,
): string[] {
	const { seen, emitted } = checkpoint;
	const warnings: string[] = [];
	const forgotten = seen.forgetEarliest(maxSeen);
	if (forgotten !== undefined) {
		raiseWatermark(checkpoint, justAfter(forgotten));
		warnings.push(
			`More than ${maxSeen} inspections changed within the lookback of ${lookback} seconds. The trigger has forgotten the earliest: what it had not dealt with by now, with the time ${forgotten} or an earlier one, is missed. Nothing comes twice.`,
		);
	}
	const tooMany = Math.max(0, emitted.size - MAX_EMITTED);
	for (const mark of [...emitted].slice(0, tooMany)) emitted.delete(mark);
	if (tooMany > 0) {
		warnings.push(
			`The trigger remembers ${MAX_EMITTED} inspections that have started the workflow. ${tooMany} older ones were forgotten: if they change, they start it again.`,
		);
	}
	return warnings;
}

export function checkpointToJson({ watermark, seen, resumeAt, emitted }: Checkpoint): JsonRecord {
	const marks = [...emitted].join('');
	return { version: VERSION, watermark, seen: seen.toJson(), resumeAt, emitted: textOf(marks) };
}

/** The checkpoint of a text form; undefined for anything that this version did not write. */
export function checkpointOf(value: unknown): Checkpoint | undefined {
	if (!isRecord(value) || value.version !== VERSION) return undefined;
	const watermark = timestampOf(value.watermark);
	const seen = SeenVersions.parse(value.seen);
	const resumeAt = timestampOf(value.resumeAt);
	const isDamaged = value.resumeAt !== undefined && resumeAt === undefined;
	if (watermark === undefined || seen === undefined || isDamaged) return undefined;
	return { watermark, seen, resumeAt, emitted: new Set(marksIn(textOf(value.emitted) ?? '')) };
}

/** The range of the list that begins with a moment's whole second: a service may cut times to the second. */
export function rangeFrom(moment: Timestamp): { after?: Timestamp } {
	return moment === BEGINNING_OF_TIME ? {} : { after: floorToSecond(moment) };
}
