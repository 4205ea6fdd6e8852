import { floorToSecond, laterOf, type Timestamp } from '../timestamp';
import { type Checkpoint, raiseWatermark } from './checkpoint';
import { justAfter } from './moments';

/**
 * Characters of the checkpoint for the versions of the lookback window: about 10,000 inspections changed within one
 * minute, or 20,000 within one instant. A usual organisation needs a few hundred characters.
 */
const MAX_SEEN_CHARACTERS = 200_000;
/** Inspections that `oncePerInspection` remembers: 50 kB of state. */
export const MAX_EMITTED_MARKS = 5_000;

export interface CheckpointLimits {
	/** Room for the marks of a page, or more: the page that a poll ends within is read again. */
	seenCharacters?: number;
	emittedMarks?: number;
}

/** How far a poll has come in a second that it reads by page number. */
export interface Position {
	/** Everything of its second that is earlier than this whole millisecond was dealt with … */
	readonly at: Timestamp;
	/** … and so were that many inspections, in the order in which the service lists those of the second. */
	readonly rows: number;
}

interface Bounds {
	readonly lookback: number;
	readonly limits?: CheckpointLimits;
}

/**
 * Keeps a checkpoint's text form bounded, at any load. Versions are forgotten only where the watermark passes them, so
 * nothing that was forgotten is emitted again. What it costs is a late commit before the watermark: it is missed. Of the
 * inspections emitted, the first ones are forgotten. Returns the warnings. To be called at the end of a poll.
 */
export function boundCheckpoint(
	checkpoint: Checkpoint,
	marks: readonly string[],
	position: Position | undefined,
	{ lookback, limits = {} }: Bounds,
): string[] {
	if (checkpoint.passed > 0) pass(checkpoint, position);
	return [
		...boundSeen(checkpoint, lookback, position, limits),
		...boundEmitted(checkpoint, marks, limits),
	];
}

/** What lies before the position in the watermark's second is done with. */
function pass(checkpoint: Checkpoint, position: Position | undefined): void {
	const { watermark, passed } = checkpoint;
	if (watermark === null || position === undefined) return;
	if (floorToSecond(watermark) !== floorToSecond(position.at)) return;
	checkpoint.passed = Math.max(passed, position.rows);
}

function boundEmitted(
	checkpoint: Checkpoint,
	marks: readonly string[],
	{ emittedMarks: limit = MAX_EMITTED_MARKS }: CheckpointLimits,
): string[] {
	checkpoint.emitted = marks.slice(-limit).join('');
	if (marks.length <= limit) return [];
	return [
		`The trigger remembers ${limit} inspections that have started the workflow. ${marks.length - limit} older ones were forgotten: if they change, they start it again.`,
	];
}

function boundSeen(
	checkpoint: Checkpoint,
	lookback: number,
	position: Position | undefined,
	{ seenCharacters: limit = MAX_SEEN_CHARACTERS }: CheckpointLimits,
): string[] {
	const { seen, resumeAt } = checkpoint;
	const latest = seen.latest();
	if (latest === undefined || seen.size() <= limit) return [];
	const isWithin = position !== undefined && floorToSecond(position.at) === resumeAt;
	forgetUpTo(checkpoint, limit, isWithin ? position.at : (resumeAt ?? justAfter(latest)));
	if (isWithin && seen.size() > limit) {
		// One millisecond alone is too much: its first inspections are told from the others by their places on the pages.
		raiseWatermark(checkpoint, position.at);
		seen.shrinkWithin(position.at, limit);
	}
	pass(checkpoint, position);
	// Only late commits are left undone before versions that were dealt with. They are given up.
	forgetUpTo(checkpoint, limit, justAfter(latest));
	if (resumeAt !== null && checkpoint.watermark !== null) {
		checkpoint.resumeAt = laterOf(resumeAt, floorToSecond(checkpoint.watermark));
	}
	return [
		`More inspections changed within the lookback of ${lookback} seconds than the trigger can remember. It goes on from ${checkpoint.watermark ?? latest} without looking back: what becomes visible late there, with the same or an earlier time, may be missed, and so may what a change moves to a page that was read already.`,
	];
}

/** Forgets timestamps earlier than `end`, the oldest first, until the rest fits, and lets the watermark pass them. */
function forgetUpTo(checkpoint: Checkpoint, limit: number, end: Timestamp): void {
	const forgotten = checkpoint.seen.shrink(limit, end);
	if (forgotten !== undefined) raiseWatermark(checkpoint, justAfter(forgotten));
}
