import { MAX_PAGE_SIZE } from '../limits';
import type { InspectionRecord } from '../list/inspectionPage';
import type { SortBy } from '../list/inspectionQuery';
import type { KeyRange } from '../list/keyRange';
import { timesOfPage } from '../list/pageChecks';
import { askPage, isAll, type RangePage, type Reading, readRange } from '../list/readRange';
import type { TieOptions } from '../list/readTie';
import {
	earlierOf,
	floorToMs,
	floorToSecond,
	laterOf,
	type Timestamp,
	timestampOf,
} from '../timestamp';
import { boundCheckpoint, type Position } from './boundCheckpoint';
import { type Checkpoint, raiseWatermark } from './checkpoint';
import {
	type ChangesPoll,
	type ChangesQuestion,
	dealWith,
	newsOf,
	type Run,
} from './dealWithChanges';
import { earliest, isLater, secondAfter } from './moments';
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
		position: undefined,
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
		run.warnings.push(...boundCheckpoint(checkpoint, marks, run.position, question));
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
		timesOfPage(reading.order, range, page.rows);
		const stoppedAt = await dealWith(run, unpassedRows(run, page));
		run.position = positionAfter(run, page) ?? run.position;
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

/**
 * The inspections of a page that are to be looked at: not those that the watermark has passed. A service that cuts times
 * to the second sends the next second too: that comes with its own pages.
 */
function unpassedRows(run: Run, page: RangePage): readonly InspectionRecord[] {
	const { checkpoint, question } = run;
	const { rows, tie, before = 0 } = page;
	const crowded = crowdedSecond(checkpoint);
	return rows.filter((row, index) => {
		const stamp = timestampOf(row[question.sortBy]);
		const second = stamp === undefined ? null : floorToSecond(stamp);
		if (second === crowded && before + index < checkpoint.passed) return false;
		return tie === undefined || !isLater(second, tie);
	});
}

/** The second that holds more than can be remembered; undefined where there is none. */
function crowdedSecond({ watermark, passed }: Checkpoint): Timestamp | undefined {
	return watermark === null || passed === 0 ? undefined : floorToSecond(watermark);
}

/** How far the second has been dealt with after one of its pages; undefined where the page does not tell. */
function positionAfter(run: Run, page: RangePage): Position | undefined {
	const { checkpoint, question } = run;
	const { rows, before } = page;
	if (before === undefined) return undefined;
	const looked = unpassedRows(run, page);
	const last = looked.at(-1);
	const [undone] = newsOf(checkpoint, question, looked);
	const done =
		undone === undefined
			? 1 + (last === undefined ? -1 : rows.lastIndexOf(last))
			: rows.indexOf(undone.inspection);
	const at = timestampOf(rows[Math.min(done, rows.length - 1)]?.[question.sortBy]);
	return at && { at: floorToMs(at), rows: before + done };
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
	moveTo(run, next, settled, null);
	run.warnings.push(
		`More inspections changed in the second ${second} than one poll has time to read. All that were shown have been dealt with, but not all pages could be read in one go: an inspection that moved from one page to another meanwhile may be missed.`,
	);
}

function tieOptionsOf(run: Run, resumedAt: Timestamp | null): TieOptions {
	const { checkpoint, question, poll } = run;
	const crowded = crowdedSecond(checkpoint);
	const knownWithin = (second: Timestamp) =>
		second === crowded ? checkpoint.passed : checkpoint.seen.countWithin(second);
	return {
		width: () => 1,
		// A second that more than a page is known of, and that the last poll stopped in.
		isEnteredAt: (second) => {
			const isStart = second === resumedAt || second === crowded;
			return isStart && poll.cap.longest >= MAX_PAGE_SIZE && knownWithin(second) >= MAX_PAGE_SIZE;
		},
		knownWithin,
		isKnown: (inspection) => newsOf(checkpoint, question, [inspection]).length === 0,
		isOfSecond: (inspection, second) => {
			const stamp = timestampOf(inspection[question.sortBy]);
			if (stamp === undefined || isLater(checkpoint.watermark, stamp)) return false;
			return floorToSecond(stamp) === second;
		},
		isReadOnce: (second) => second === crowded,
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
