import { MAX_PAGE_SIZE } from '../limits';
import type { InspectionPage, InspectionRecord } from '../list/inspectionPage';
import type { SortBy } from '../list/inspectionQuery';
import type { KeyRange } from '../list/keyRange';
import { timesOfPage } from '../list/pageChecks';
import {
	askPage,
	isAll,
	isSurelyAll,
	type RangePage,
	type Reading,
	readRange,
} from '../list/readRange';
import { NOTHING_KNOWN, type TieOptions } from '../list/readTie';
import { earlierOf, floorToMs, floorToSecond, type Timestamp, timestampOf } from '../timestamp';
import { boundCheckpoint, type Position } from './boundCheckpoint';
import { type Checkpoint, raiseWatermark } from './checkpoint';
import { type ChangesPoll, dealWith, newsOf, type Run, type Watch } from './dealWithChanges';
import { earliest, isLater, secondAfter } from './moments';
import { marksIn } from './seenVersions';

/**
 * One poll: reads what has changed since `checkpoint`, hands it to `poll.emit` and moves the checkpoint on. The
 * checkpoint is valid at every await, so after a failure the work done before it counts. Returns warnings for the log:
 * which changes may have been missed, and why.
 *
 * The poll first asks for the newest page, in falling order. Its first inspection shows what time it is at the service,
 * and most of the time this page is all there is. Otherwise the poll reads the changes in rising order, from where the
 * last poll stopped. See docs/how-it-reads.md.
 */
export async function readChanges(
	checkpoint: Checkpoint,
	watch: Watch,
	poll: ChangesPoll,
): Promise<string[]> {
	const run: Run = {
		...{ checkpoint, watch, poll, left: watch.maxItems, found: 0, warnings: [] },
		position: undefined,
		emitted: new Set(marksIn(checkpoint.emitted)),
	};
	try {
		const { newest, lookbackStart, isAllThereIs } = await askNewest(run);
		if (isAllThereIs) await dealWithAll(run, newest, lookbackStart);
		else await readBacklog(run, lookbackStart);
	} finally {
		const marks = watch.oncePerInspection ? [...run.emitted] : [];
		run.warnings.push(...boundCheckpoint(checkpoint, marks, run.position, watch));
	}
	return run.warnings;
}

interface Newest {
	/** Inspections of the newest page, the newest first. */
	newest: readonly InspectionRecord[];
	/** The whole second that the lookback begins with: no earlier change can become visible. Null where it is not known. */
	lookbackStart: Timestamp | null;
	/** True where the page holds everything from the watermark on. */
	isAllThereIs: boolean;
}

/** Asks for the newest page from the watermark on. In a backlog one inspection is enough, to tell the service's clock. */
async function askNewest(run: Run): Promise<Newest> {
	const { checkpoint, watch, poll } = run;
	const { watermark, resumeAt } = checkpoint;
	const isBacklog = resumeAt !== null;
	const reading: Reading = {
		...readingOf(watch, poll),
		order: { sortBy: watch.sortBy, sortOrder: 'desc' },
		...(isBacklog ? { includes: [], pageSize: 1 } : {}),
	};
	const range = rangeFrom(watermark);
	const askedAt = poll.clock.now();
	const page = await askPage(reading, range);
	const newest = page.inspections;
	poll.clock.note(timesOfPage(reading.order, range, newest)[0], page.sentAt);
	const lookbackStart = poll.clock.lookbackStart(askedAt, watch.lookback);
	if (isBacklog) return { newest, lookbackStart, isAllThereIs: false };
	if (!isSurelyAll(reading, page) && isIdle(run, page, lookbackStart)) {
		return { newest, lookbackStart: null, isAllThereIs: true };
	}
	return { newest, lookbackStart, isAllThereIs: await isAll(reading, range, page) };
}

/**
 * Whether a short page without a new version counts as all there is. Then an idle poll need not look behind the page, and
 * its watermark stays, because it could move past a late commit there. Only where versions can be forgotten, the poll
 * looks behind the page: after a change the idle polls shall become small again.
 */
function isIdle(
	{ checkpoint, watch }: Run,
	{ inspections }: InspectionPage,
	lookbackStart: Timestamp | null,
): boolean {
	if (inspections.length >= MAX_PAGE_SIZE) return false;
	if (newsOf(checkpoint, watch, inspections).length > 0) return false;
	return !checkpoint.seen.hasBefore(lookbackStart);
}

/** Deals with a page that holds everything from the watermark on. It begins with the oldest inspection. */
async function dealWithAll(
	run: Run,
	newest: readonly InspectionRecord[],
	lookbackStart: Timestamp | null,
): Promise<void> {
	const { checkpoint } = run;
	const stoppedAt = await dealWith(run, newest.toReversed());
	if (stoppedAt !== null && run.found === 0) return;
	checkpoint.resumeAt = stoppedAt && floorToSecond(stoppedAt);
	raiseWatermark(checkpoint, earliest(lookbackStart, checkpoint.resumeAt));
}

/**
 * Reads in rising order until all is read, Max Items is reached or the time is over. It begins where the last poll
 * stopped. The part between the watermark and that place was read once, but a late commit may still appear in it. As soon
 * as the lookback begins after that part, the part is read once more, and the watermark moves past it.
 */
async function readBacklog(run: Run, lookbackStart: Timestamp | null): Promise<void> {
	const { checkpoint, watch, poll } = run;
	const resumedAt = checkpoint.resumeAt;
	const isFromWatermark = resumedAt === null || !isLater(resumedAt, lookbackStart);
	const watermarkLimit = isFromWatermark ? lookbackStart : null;
	const range = rangeFrom(isFromWatermark ? checkpoint.watermark : resumedAt);
	const reading = readingOf(watch, poll);
	const begin = range.after;
	for await (const page of readRange(reading, range, tieOptionsOf(run))) {
		timesOfPage(reading.order, range, page.rows);
		const stoppedAt = await dealWith(run, unpassedRows(run, page));
		run.position = positionAfter(run, page) ?? run.position;
		const reached = reachedBy(page, watch.sortBy);
		const next = earliest(stoppedAt && floorToSecond(stoppedAt), reached);
		advance(run, next, watermarkLimit);
		if (stoppedAt === null && page.isLast) break;
		if (stoppedAt !== null || run.left === 0) return;
		if (poll.hasTimeLeft() || isWhereItBegan(run, page, begin)) continue;
		if (page.tie !== undefined && page.tie === begin) leaveSecond(run, begin, watermarkLimit);
		return;
	}
	checkpoint.resumeAt = null;
	raiseWatermark(checkpoint, watermarkLimit);
}

/**
 * Whether a poll has not got on by a page: page 1 of a second that holds more than a page brings only known inspections
 * where the last poll has ended in that second.
 */
function isWhereItBegan(
	{ checkpoint, found }: Run,
	{ tie }: RangePage,
	begin: Timestamp | undefined,
): boolean {
	return tie === undefined && found === 0 && (checkpoint.resumeAt ?? undefined) === begin;
}

/**
 * The inspections of a page that are to be looked at. In a second that is read by page number two kinds are left out:
 * - its first ones, as many as `passed` says: they were dealt with;
 * - those of the next second, which come again with pages of their own. They come because the range includes the next
 *   second's first moment; a service that cuts times to the second even sends all of the next second.
 */
function unpassedRows(run: Run, page: RangePage): readonly InspectionRecord[] {
	const { checkpoint, watch } = run;
	const { rows, tie, before = 0 } = page;
	const crowded = crowdedSecond(checkpoint);
	return rows.filter((row, index) => {
		const stamp = timestampOf(row[watch.sortBy]);
		const second = stamp === undefined ? null : floorToSecond(stamp);
		if (second === crowded && before + index < checkpoint.passed) return false;
		return tie === undefined || !isLater(second, tie);
	});
}

/** The second whose first inspections `passed` counts; undefined where `passed` is 0. */
function crowdedSecond({ watermark, passed }: Checkpoint): Timestamp | undefined {
	return watermark === null || passed === 0 ? undefined : floorToSecond(watermark);
}

/** How far the poll has come in a second that it reads by page number; undefined where the page has no `before`. */
function positionAfter(run: Run, page: RangePage): Position | undefined {
	const { checkpoint, watch } = run;
	const { rows, before } = page;
	if (before === undefined) return undefined;
	const looked = unpassedRows(run, page);
	const [undone] = newsOf(checkpoint, watch, looked);
	const lastLooked = rows.findLastIndex((row) => row === looked.at(-1));
	const done = undone === undefined ? lastLooked + 1 : rows.indexOf(undone.inspection);
	const at = timestampOf(rows[Math.min(done, rows.length - 1)]?.[watch.sortBy]);
	return at && { at: floorToMs(at), rows: before + done };
}

/**
 * The whole second up to which everything was read; null for a page without a time. While a second is read by page
 * number, it is that second, even where its last page holds inspections of the next one.
 */
function reachedBy({ rows, tie }: RangePage, sortBy: SortBy): Timestamp | null {
	const last = timestampOf(rows.at(-1)?.[sortBy]);
	return tie ?? (last === undefined ? null : floorToSecond(last));
}

/** Lets the next poll go on from `next`, because everything before it was dealt with. */
function advance(
	{ checkpoint }: Run,
	next: Timestamp | null,
	lookbackStart: Timestamp | null,
): void {
	if (next === null) return;
	checkpoint.resumeAt = next;
	raiseWatermark(checkpoint, lookbackStart && earlierOf(lookbackStart, next));
}

/**
 * For a poll whose time is over while it still reads the second that it has begun with. If it found nothing new there, no
 * later poll would get any further. So the next poll goes on with the second after it.
 */
function leaveSecond(run: Run, second: Timestamp, lookbackStart: Timestamp | null): void {
	if (run.found > 0) return;
	const next = secondAfter(second);
	advance(run, next, lookbackStart);
	run.warnings.push(
		`More inspections changed in the second ${second} than one poll has time to read. The trigger has dealt with all that it was shown, and goes on with the next second. An inspection that moved from one page to another meanwhile may be missed.`,
	);
}

function tieOptionsOf({ checkpoint, watch, warnings }: Run): TieOptions {
	const crowded = crowdedSecond(checkpoint);
	return {
		...NOTHING_KNOWN,
		begun: (second) => {
			const isPassed = second === crowded;
			return {
				known: isPassed ? checkpoint.passed : checkpoint.seen.countWithin(second),
				isPassed,
			};
		},
		isKnown: (inspection) => newsOf(checkpoint, watch, [inspection]).length === 0,
		onIncomplete: (second, { known, held }) =>
			warnings.push(
				`The service's order of inspections with equal ${watch.sortBy} changes from page to page. The second from ${second} on holds ${held} inspections, and it has shown ${known} of them, however often it was asked. The others may be missed.`,
			),
	};
}

function readingOf({ sortBy, filter, includes }: Watch, { list }: ChangesPoll): Reading {
	const order = { sortBy, sortOrder: 'asc' } as const;
	return { list, filter, includes, order, pageSize: MAX_PAGE_SIZE };
}

/** Begins with the moment's whole second, because a service may cut times to the second when it compares them. */
function rangeFrom(moment: Timestamp | null): KeyRange {
	return moment === null ? {} : { after: floorToSecond(moment) };
}
