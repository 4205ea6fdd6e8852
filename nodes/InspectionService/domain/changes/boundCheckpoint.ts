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
	/** At least the marks of one page (1,000 characters): the page that a poll ends in is read again by the next one. */
	seenCharacters?: number;
	emittedMarks?: number;
}

/**
 * How far a poll has come in a second that it reads by page number. Example: `at` 10:00:30.5 and `rows` 20,500 say that
 * everything before 10:00:30.5 was dealt with, and so were the first 20,500 inspections that the service lists in 10:00:30.
 */
export interface Position {
	/** A whole millisecond. */
	readonly at: Timestamp;
	readonly rows: number;
}

interface Bounds {
	readonly lookback: number;
	readonly limits?: CheckpointLimits;
}

/**
 * Keeps a checkpoint's text form bounded, at any load. A version is forgotten only when the watermark passes it, so that
 * it is not emitted again. The price: what becomes visible late before the watermark is missed. Of the inspections
 * emitted, the first ones are forgotten. Returns the warnings. To be called at the end of a poll.
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

/** In the watermark's second, what the service lists before the position is done with. */
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
		// One millisecond alone is too much. Its first inspections are counted (`passed`) instead of remembered.
		raiseWatermark(checkpoint, position.at);
		seen.shrinkWithin(position.at, limit);
	}
	pass(checkpoint, position);
	// Still too much: everything that was dealt with may go. Only late commits before it are given up by that.
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
