import { floorToSecond, laterOf } from '../timestamp';
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

/**
 * Keeps a checkpoint's text form bounded, at any load. What does not fit is given up from its oldest end, and said:
 * of the lookback window, late commits, never by a repetition; of the inspections emitted, the first ones. Returns the
 * warnings. To be called at the end of a poll.
 */
export function boundCheckpoint(
	checkpoint: Checkpoint,
	marks: readonly string[],
	{ lookback, limits = {} }: { lookback: number; limits?: CheckpointLimits },
): string[] {
	return [...boundSeen(checkpoint, lookback, limits), ...boundEmitted(checkpoint, marks, limits)];
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
	{ seenCharacters: limit = MAX_SEEN_CHARACTERS }: CheckpointLimits,
): string[] {
	const { seen, resumeAt } = checkpoint;
	const latest = seen.latest();
	if (latest === undefined || seen.size() <= limit) return [];
	const forgotten = seen.shrink(limit, resumeAt ?? justAfter(latest));
	if (forgotten !== undefined) raiseWatermark(checkpoint, justAfter(forgotten));
	if (resumeAt !== null && seen.size() > limit && seen.countWithin(resumeAt) > 0) {
		// One second alone is too much: what comes before it is not looked at again.
		raiseWatermark(checkpoint, resumeAt);
		seen.giveUpMarks(resumeAt, limit);
	}
	const beyond = seen.shrink(limit, justAfter(latest));
	if (beyond !== undefined) {
		raiseWatermark(checkpoint, justAfter(beyond));
		if (resumeAt !== null) checkpoint.resumeAt = laterOf(resumeAt, floorToSecond(beyond));
	}
	return [
		`More inspections changed within the lookback of ${lookback} seconds than the trigger can remember. It goes on from ${checkpoint.watermark ?? latest} without looking back: what becomes visible late there, with the same or an earlier time, may be missed, and so may what a change moves to a page that was read already.`,
	];
}
