import { floorToSecond, laterOf, type Timestamp } from '../timestamp';
import { type Checkpoint, raiseWatermark } from './checkpoint';
import { justAfter } from './moments';

/**
 * Characters that the checkpoint has for the versions of the lookback window. Chosen: enough for about 10,000 inspections
 * that changed within one minute, or 20,000 within one instant. A usual organisation needs a few hundred characters.
 */
const MAX_SEEN_CHARACTERS = 200_000;
/** Inspections that `oncePerInspection` remembers. Chosen: their marks take 50 kB of n8n's database. */
export const MAX_EMITTED_MARKS = 5_000;

export interface CheckpointLimits {
	/** At least 1,000, for the marks of one page: the next poll reads the page again in which this one has ended. */
	seenCharacters?: number;
	emittedMarks?: number;
}

/**
 * How far a poll has come in a second that it reads by page number. Example: `at` 10:00:30.5 and `rows` 20,500 say that
 * the poll has dealt with everything before 10:00:30.5, and with the first 20,500 inspections that the service lists for
 * the second 10:00:30.
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
 * Keeps a checkpoint's text form bounded, at any load. To forget a version, the watermark is moved past it, so that the
 * version is not emitted again. The price: a change that becomes visible late, before that watermark, is missed. Of the
 * marks of `oncePerInspection`, the oldest are forgotten. Returns the warnings. To be called at the end of a poll.
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

/** Raises `passed` to the position, where the position is in the watermark's second. */
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
		// One millisecond alone holds too many. Its first inspections are now counted (`passed`) and no longer remembered.
		raiseWatermark(checkpoint, position.at);
		seen.shrinkWithin(position.at, limit);
	}
	pass(checkpoint, position);
	// Still too many: all versions that were dealt with may be forgotten. Late commits before these may be missed.
	forgetUpTo(checkpoint, limit, justAfter(latest));
	if (resumeAt !== null && checkpoint.watermark !== null) {
		checkpoint.resumeAt = laterOf(resumeAt, floorToSecond(checkpoint.watermark));
	}
	return [
		`More inspections changed within the lookback of ${lookback} seconds than the trigger can remember. It goes on from ${checkpoint.watermark ?? latest} without looking back. An inspection that becomes visible late, with this time or an earlier one, may be missed. So may one that a change moves to a page that was read already.`,
	];
}

/** Forgets timestamps earlier than `end`, the oldest first, until the rest fits, and lets the watermark pass them. */
function forgetUpTo(checkpoint: Checkpoint, limit: number, end: Timestamp): void {
	const forgotten = checkpoint.seen.shrink(limit, end);
	if (forgotten !== undefined) raiseWatermark(checkpoint, justAfter(forgotten));
}
