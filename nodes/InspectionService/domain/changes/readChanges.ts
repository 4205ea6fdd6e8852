import { MAX_PAGE_SIZE } from '../limits';
import type { InspectionRecord } from '../list/inspectionPage';
import type { SortBy } from '../list/inspectionQuery';
import type { KeyRange } from '../list/keyRange';
import { timesOfPage } from '../list/pageChecks';
import { askPage, isAll, type RangePage, type Reading, readRange } from '../list/readRange';
import type { TieOptions } from '../list/readTie';
import { earlierOf, floorToSecond, laterOf, type Timestamp, timestampOf } from '../timestamp';
import { boundCheckpoint } from './boundCheckpoint';
import { type Checkpoint, raiseWatermark } from './checkpoint';
import {
	type ChangesPoll,
	type ChangesQuestion,
	dealWith,
	newsOf,
	type Run,
} from './dealWithChanges';
import { earliest, isLater, justAfter, secondAfter } from './moments';
import { marksIn } from './seenVersions';

export interface ChangesResult {
	/** True where the service has more than this poll has read. */
	hasMore: boolean;
	/** What had to be given up, in words for a log. */
	warnings: string[];
}

/**
 * One poll: reads what has changed since `checkpoint`, hands it to `poll.emit` and moves the checkpoint on. The
 * checkpoint is valid at every await, so what was dealt with before a failure counts.
 *
 * The newest page is asked first, in falling order: its first inspection tells the service's clock before anything else
 * is read, and most of the time it is all there is. Otherwise the changes are read in rising order, from where the
 * last poll stopped. See docs/how-it-reads.md.
 */
export async function readChanges(
	checkpoint: Checkpoint,
	question: ChangesQuestion,
	poll: ChangesPoll,
): Promise<ChangesResult> {
	const run: Run = {
		...{ checkpoint, question, poll, left: question.maxItems, found: 0, warnings: [] },
		emitted: new Set(marksIn(checkpoint.emitted)),
	};
	let hasMore = true;
	try {
		const { newest, settled, isAllThereIs } = await askNewest(run);
		hasMore = isAllThereIs
			? await dealWithAll(run, newest, settled)
			: await readBacklog(run, settled);
	} finally {
		const marks = question.oncePerInspection ? [...run.emitted] : [];
		run.warnings.push(...boundCheckpoint(checkpoint, marks, question));
	}
	return { hasMore, warnings: run.warnings };
}

interface Newest {
	/** Inspections of the newest page, the newest first. */
	newest: readonly InspectionRecord[];
	/** Before this whole second nothing can become visible any more; null: not known. */
	settled: Timestamp | null;
	/** True where the page holds everything from the watermark on. */
	isAllThereIs: boolean;
}

/** Asks the newest page from the watermark on. In a backlog only the service's clock is wanted: one inspection. */
async function askNewest({ checkpoint, question, poll }: Run): Promise<Newest> {
	const { watermark, resumeAt } = checkpoint;
	const { clock, cap } = poll;
	const isBacklog = resumeAt !== null;
	const reading: Reading = {
		...readingOf(question, poll),
		order: { sortBy: question.sortBy, sortOrder: 'desc' },
		...(isBacklog ? { includes: [], pageSize: 1 } : {}),
	};
	const range = rangeFrom(watermark);
	const askedAt = clock.now();
	const newest = await askPage(reading, range);
	clock.note(timesOfPage(reading.order, range, newest)[0]);
	const settled = clock.settledAt(askedAt, question.lookback);
	const mayHaveNext = cap.mayHaveNext(newest.length, reading.pageSize);
	cap.note(newest.length);
	if (isBacklog || mayHaveNext === 'yes') return { newest, settled, isAllThereIs: false };
	// A page that changes nothing may as well be a part of what there is.
	const isIdle = !isLater(settled, watermark) && newsOf(checkpoint, question, newest).length === 0;
	const isAllThereIs =
		mayHaveNext === 'no' || isIdle || (await isAll(reading, range, newest.length));
	return { newest, settled, isAllThereIs };
}

/** Deals with a page that is all there is, from its end. Returns whether something of it is left. */
async function dealWithAll(
	run: Run,
	newest: readonly InspectionRecord[],
	settled: Timestamp | null,
): Promise<boolean> {
	const { checkpoint } = run;
	const stoppedAt = await dealWith(run, newest.toReversed());
	if (stoppedAt !== null && run.found === 0) return true;
	checkpoint.resumeAt = stoppedAt && floorToSecond(stoppedAt);
	raiseWatermark(checkpoint, earliest(settled, checkpoint.resumeAt));
	return stoppedAt !== null;
}

/**
 * Reads in rising order until all is read, Max Items is reached or the time is up. It begins where the last poll
 * stopped. What lies between the watermark and there was read once; when nothing can become visible there any more, it
 * is read once again first, so that the watermark can follow. Returns whether there is more.
 */
async function readBacklog(run: Run, settled: Timestamp | null): Promise<boolean> {
	const { checkpoint, question, poll } = run;
	const resumedAt = checkpoint.resumeAt;
	const isFromWatermark = resumedAt === null || !isLater(resumedAt, settled);
	const settledOnTheWay = isFromWatermark ? settled : null;
	const range = rangeFrom(isFromWatermark ? checkpoint.watermark : resumedAt);
	const reading = readingOf(question, poll);
	const begin = range.after;
	for await (const page of readRange(reading, range, tieOptionsOf(run, resumedAt))) {
		if (page.readUpTo !== undefined) endCrowdedSecond(run, page.readUpTo);
		timesOfPage(reading.order, range, page.rows);
		const stoppedAt = await dealWith(run, rowsUpToTie(page, question.sortBy));
		const reached = reachedBy(page, question.sortBy);
		const next = earliest(stoppedAt && floorToSecond(stoppedAt), reached);
		moveTo(run, next, settledOnTheWay, resumedAt);
		if (stoppedAt === null && page.isLast) break;
		if (stoppedAt !== null || run.left === 0) return true;
		if (poll.hasTimeLeft()) continue;
		if (page.tie !== undefined && page.tie === begin) leaveSecond(run, begin, settledOnTheWay);
		return true;
	}
	checkpoint.resumeAt = null;
	raiseWatermark(checkpoint, settledOnTheWay);
	return false;
}

/** A service that cuts times to the second sends the next second too: that comes with its own pages. */
function rowsUpToTie({ rows, tie }: RangePage, sortBy: SortBy): readonly InspectionRecord[] {
	if (tie === undefined) return rows;
	return rows.filter((row) => {
		const stamp = timestampOf(row[sortBy]);
		return stamp !== undefined && !isLater(floorToSecond(stamp), tie);
	});
}

/** The whole second that everything before was read up to; null where the page does not tell. */
function reachedBy({ rows, tie, readUpTo }: RangePage, sortBy: SortBy): Timestamp | null {
	const last = timestampOf(rows.at(-1)?.[sortBy]);
	return readUpTo ?? tie ?? (last === undefined ? null : floorToSecond(last));
}

/** Everything before `next` was dealt with by this poll or by the one before. */
function moveTo(
	{ checkpoint }: Run,
	next: Timestamp | null,
	settled: Timestamp | null,
	resumedAt: Timestamp | null,
): void {
	if (next === null) return;
	checkpoint.resumeAt = resumedAt === null ? next : laterOf(next, resumedAt);
	raiseWatermark(checkpoint, settled && earlierOf(settled, next));
}

/**
 * The time is up within a second that this poll has begun with. Where it has found nothing new in it, the next poll
 * would do no better: that one goes on with what comes after the second.
 */
function leaveSecond(run: Run, second: Timestamp, settled: Timestamp | null): void {
	if (run.found > 0) return;
	const next = secondAfter(second);
	endCrowdedSecond(run, next);
	moveTo(run, next, settled, null);
	run.warnings.push(
		`More inspections changed in the second ${second} than one poll has time to read. All that were shown have been dealt with, but not all pages could be read in one go: an inspection that moved from one page to another meanwhile may be missed.`,
	);
}

/** What could not be remembered is never met again: the watermark passes what was dealt with. */
function endCrowdedSecond({ checkpoint, poll, question }: Run, readUpTo: Timestamp): void {
	const { crowdedSecond } = checkpoint.seen;
	if (crowdedSecond === undefined || !isLater(readUpTo, crowdedSecond)) return;
	const latest = checkpoint.seen.latest();
	const isOver = isLater(poll.clock.settledAt(poll.clock.now(), question.lookback), crowdedSecond);
	const dealtWith = latest === undefined ? null : earlierOf(justAfter(latest), readUpTo);
	raiseWatermark(checkpoint, isOver ? readUpTo : dealtWith);
}

function tieOptionsOf(run: Run, resumedAt: Timestamp | null): TieOptions {
	const { checkpoint, question, poll } = run;
	const { seen } = checkpoint;
	return {
		width: () => 1,
		// A second that more than a page is known of, and that the last poll stopped in.
		isEnteredAt: (second) => {
			const isUncapped = poll.cap.longest >= MAX_PAGE_SIZE || seen.crowdedSecond === second;
			return second === resumedAt && isUncapped && seen.countWithin(second) >= MAX_PAGE_SIZE;
		},
		knownWithin: (second) => seen.countWithin(second),
		isKnown: (inspection) => newsOf(checkpoint, question, [inspection]).length === 0,
		isOfSecond: (inspection, second) => {
			const stamp = timestampOf(inspection[question.sortBy]);
			if (stamp === undefined || isLater(checkpoint.watermark, stamp)) return false;
			return floorToSecond(stamp) === second;
		},
		isReadOnce: (second) => seen.crowdedSecond === second,
		onIncomplete: (second, { known, held }) =>
			run.warnings.push(
				`The service's order of inspections with equal ${question.sortBy} changes from page to page: of ${held} inspections in the second from ${second} on, it has shown ${known}, however often it was asked. The others may be missed.`,
			),
	};
}

function readingOf({ sortBy, filter, includes }: ChangesQuestion, poll: ChangesPoll): Reading {
	const { list, cap } = poll;
	const order = { sortBy, sortOrder: 'asc' } as const;
	return { list, cap, filter, includes, order, pageSize: MAX_PAGE_SIZE };
}

/** From a moment on, by the whole second: every service compares that rightly. */
function rangeFrom(moment: Timestamp | null): KeyRange {
	return moment === null ? {} : { after: floorToSecond(moment) };
}
