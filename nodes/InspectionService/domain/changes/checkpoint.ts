import { isRecord, type JsonRecord, textOf } from '../json';
import {
	BEGINNING_OF_TIME,
	floorToSecond,
	isLater,
	justAfter,
	type Timestamp,
	timestampOf,
} from '../timestamp';
import { SeenVersions } from './seenVersions';

/**
 * The version of the text form. Raise it when this code would misread an older one: a checkpoint of another version is
 * not used.
 */
const VERSION = 2;
/**
 * How many versions a checkpoint remembers. Their marks take 0.5 to 1 MB of n8n's database. A usual organisation
 * needs a few hundred characters.
 */
const MAX_SEEN_VERSIONS = 50_000;
/** Inspections that `oncePerInspection` remembers. Their marks take 50 kB of n8n's database. */
export const MAX_EMITTED_MARKS = 5_000;

/**
 * How far a trigger has come in the service's changes. It is the whole state of a trigger, and valid between any two
 * requests. A version is an inspection as it was at one time: its id, and the time that the changes are sorted by. All
 * times come from the service.
 */
export interface Checkpoint {
	/** Every version earlier than this was dealt with. */
	watermark: Timestamp;
	/** The versions from the watermark on that were dealt with. */
	readonly seen: SeenVersions;
	/** The whole second that the next poll goes on from; undefined where there is no backlog. */
	resumeAt: Timestamp | undefined;
	/** Marks (`markOf`) of the inspections emitted, the oldest first; empty unless each is to be emitted only once. */
	emitted: string;
}

/** Other limits of a checkpoint than usual. */
export interface CheckpointLimits {
	/** More than a page has: the next poll reads the page again in which this one has ended. */
	readonly seenVersions?: number;
	readonly emittedMarks?: number;
}

/** The checkpoint of a trigger that begins with what changed at `watermark` or later. */
export function checkpointAt(watermark: Timestamp): Checkpoint {
	return { watermark, seen: new SeenVersions(), resumeAt: undefined, emitted: '' };
}

/** Moves the watermark on, never back, and forgets the versions before it. */
export function raiseWatermark(checkpoint: Checkpoint, to: Timestamp): void {
	if (!isLater(to, checkpoint.watermark)) return;
	checkpoint.watermark = to;
	checkpoint.seen.forgetBefore(to);
}

/**
 * Keeps a checkpoint bounded, at any load. The earliest versions are forgotten, and the watermark goes just after them, so
 * that none of them is emitted again. The price: what was not dealt with by then, with the time of one that was forgotten
 * or an earlier one, is missed. Returns the warnings. To be called at the end of a poll.
 */
export function boundCheckpoint(
	checkpoint: Checkpoint,
	lookback: number,
	{ seenVersions: limit = MAX_SEEN_VERSIONS }: CheckpointLimits = {},
): string[] {
	const forgotten = checkpoint.seen.forgetEarliest(limit);
	if (forgotten === undefined) return [];
	raiseWatermark(checkpoint, justAfter(forgotten));
	return [
		`More than ${limit} inspections changed within the lookback of ${lookback} seconds. The trigger has forgotten the earliest: what it had not dealt with by now, with the time ${forgotten} or an earlier one, is missed. Nothing comes twice.`,
	];
}

/** Stores the marks of the inspections that were emitted, the oldest first, as many as are remembered. Returns warnings. */
export function keepEmitted(
	checkpoint: Checkpoint,
	marks: readonly string[],
	{ emittedMarks: limit = MAX_EMITTED_MARKS }: CheckpointLimits = {},
): string[] {
	checkpoint.emitted = marks.slice(-limit).join('');
	if (marks.length <= limit) return [];
	return [
		`The trigger remembers ${limit} inspections that have started the workflow. ${marks.length - limit} older ones were forgotten: if they change, they start it again.`,
	];
}

/** The text form: the same checkpoint gives the same text. */
export function checkpointToJson({ watermark, seen, resumeAt, emitted }: Checkpoint): JsonRecord {
	return {
		version: VERSION,
		watermark,
		seen: seen.toJson(),
		...(resumeAt === undefined ? {} : { resumeAt }),
		...(emitted === '' ? {} : { emitted }),
	};
}

/** The checkpoint of a text form; undefined for anything that this version did not write. */
export function checkpointOf(value: unknown): Checkpoint | undefined {
	if (!isRecord(value) || value.version !== VERSION) return undefined;
	const watermark = timestampOf(value.watermark);
	const seen = SeenVersions.parse(value.seen);
	const resumeAt = timestampOf(value.resumeAt);
	const isDamaged = value.resumeAt !== undefined && resumeAt === undefined;
	if (watermark === undefined || seen === undefined || isDamaged) return undefined;
	return { watermark, seen, resumeAt, emitted: textOf(value.emitted) ?? '' };
}

/** The range of the list that begins with a moment's whole second: a service may cut times to the second. */
export function rangeFrom(moment: Timestamp): { after?: Timestamp } {
	return moment === BEGINNING_OF_TIME ? {} : { after: floorToSecond(moment) };
}
