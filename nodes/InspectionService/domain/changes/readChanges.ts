import { isAll, isSurelyAll } from '../list/askPage';
import type { InspectionPage } from '../list/inspectionPage';
import { MAX_PAGE_SIZE } from '../list/inspectionQuery';
import { timesOfPage } from '../list/pageChecks';
import type { SecondOptions } from '../list/readFullSecond';
import { type RangePage, readRange } from '../list/readRange';
import {
	earlierOf,
	earliestOf,
	floorToSecond,
	isLater,
	secondAfter,
	type Timestamp,
} from '../timestamp';
import { askNewest, newestFirst, readingOf } from './askNewest';
import {
	boundCheckpoint,
	type Checkpoint,
	keepEmitted,
	raiseWatermark,
	rangeFrom,
} from './checkpoint';
import {
	type ChangesPoll,
	emitNewVersions,
	type PollProgress,
	unseenVersions,
	type Watch,
} from './emitNewVersions';
import { marksIn } from './seenVersions';

/**
 * One poll: reads what has changed since `checkpoint`, hands it to `poll.emit` and moves the checkpoint on. The
 * checkpoint is valid at every await, so after a failure the work done before it counts. Returns warnings for the log:
 * which changes may have been missed, and why.
 *
 * The poll first asks for the newest page, in falling order. Its first inspection shows what time it is at the service,
 * and most of the time this page is all there is. Otherwise there is a backlog: the poll reads it in rising order, from
 * where the last poll stopped. See docs/how-it-reads.md.
 */
export async function readChanges(
	checkpoint: Checkpoint,
	watch: Watch,
	poll: ChangesPoll,
): Promise<string[]> {
	const emitted = new Set(marksIn(checkpoint.emitted));
	const warnings: string[] = [];
	const left = watch.maxItems;
	const progress: PollProgress = { checkpoint, watch, poll, emitted, warnings, left, found: 0 };
	try {
		await (checkpoint.resumeAt === undefined ? readNewest(progress) : resume(progress));
	} finally {
		const marks = watch.oncePerInspection ? [...emitted] : [];
		warnings.push(...boundCheckpoint(checkpoint, watch.lookback, watch.limits));
		warnings.push(...keepEmitted(checkpoint, marks, watch.limits));
	}
	return warnings;
}

/** A poll without a backlog. It ends with the newest page where that holds everything from the watermark on. */
async function readNewest(progress: PollProgress): Promise<void> {
	const { checkpoint } = progress;
	const reading = newestFirst(progress);
	const { page, range, lookbackStart } = await askNewest(progress, reading);
	if (!isSurelyAll(reading, page) && isIdle(progress, page, lookbackStart)) return;
	if (!(await isAll(reading, range, page))) {
		await readBacklog(progress, lookbackStart);
		return;
	}
	const undealt = await emitNewVersions(progress, page.inspections.toReversed());
	// A poll that got nowhere leaves the checkpoint as it was: then its failure is thrown.
	const gotNowhere = undealt !== undefined && progress.found === 0;
	if (gotNowhere) return;
	checkpoint.resumeAt = undealt && floorToSecond(undealt);
	raiseWatermark(checkpoint, earliestOf([lookbackStart, checkpoint.resumeAt]) ?? lookbackStart);
}

/**
 * A poll that goes on with a backlog. One inspection is enough to tell the service's clock. Where it shows nothing of the
 * backlog any more, because a time in it was wrong, the poll begins with the watermark again.
 */
async function resume(progress: PollProgress): Promise<void> {
	const { checkpoint } = progress;
	const reading = { ...newestFirst(progress), includes: [], pageSize: 1 };
	const { newest, lookbackStart } = await askNewest(progress, reading);
	const isGone = newest === undefined || isLater(checkpoint.resumeAt ?? newest, newest);
	if (isGone) checkpoint.resumeAt = undefined;
	await readBacklog(progress, lookbackStart);
}

/**
 * Whether a short page without a new version counts as all there is. Then an idle poll need not look behind the page, and
 * its watermark stays, because it could move past a late commit there. Only where versions can be forgotten, the poll
 * looks behind the page: after a change the idle polls shall become small again.
 */
function isIdle(
	{ checkpoint, watch }: PollProgress,
	{ inspections }: InspectionPage,
	lookbackStart: Timestamp,
): boolean {
	if (inspections.length >= MAX_PAGE_SIZE) return false;
	if (unseenVersions(checkpoint, watch, inspections).length > 0) return false;
	return !checkpoint.seen.hasBefore(lookbackStart);
}

/**
 * Reads in rising order until all is read, Max Items is reached or the time is over. It begins where the last poll
 * stopped. The part between the watermark and that place was read once, but a late commit may still appear in it. As soon
 * as the lookback begins after that part, the part is read once more, and the watermark moves past it.
 */
async function readBacklog(progress: PollProgress, lookbackStart: Timestamp): Promise<void> {
	const { checkpoint, watch, poll } = progress;
	const { watermark, resumeAt } = checkpoint;
	const isFromWatermark = resumeAt === undefined || !isLater(resumeAt, lookbackStart);
	const watermarkLimit = isFromWatermark ? lookbackStart : watermark;
	const range = rangeFrom(isFromWatermark ? watermark : resumeAt);
	const reading = readingOf(watch, poll, 'asc');
	for await (const page of readRange(reading, range, secondOptions(progress))) {
		timesOfPage(reading.order, range, page.inspections);
		const undealt = await emitNewVersions(progress, page.inspections);
		const next = earliestOf([undealt && floorToSecond(undealt), page.second]);
		if (next !== undefined) goOnFrom(checkpoint, next, watermarkLimit);
		if (undealt === undefined && page.isLast) {
			endBacklog(checkpoint, watermarkLimit);
			return;
		}
		if (undealt !== undefined || progress.left === 0) return;
		const mayReadOn = poll.hasTimeLeft() || isWhereItBegan(progress, page, range.after);
		if (mayReadOn) continue;
		if (isStuck(progress, page, range.after)) leaveSecond(progress, page.second, watermarkLimit);
		return;
	}
	endBacklog(checkpoint, watermarkLimit);
}

/** Everything of the range was dealt with: there is no backlog any more. */
function endBacklog(checkpoint: Checkpoint, watermarkLimit: Timestamp): void {
	checkpoint.resumeAt = undefined;
	raiseWatermark(checkpoint, watermarkLimit);
}

/** Lets the next poll go on from `next`, because everything before it was dealt with. */
function goOnFrom(checkpoint: Checkpoint, next: Timestamp, watermarkLimit: Timestamp): void {
	checkpoint.resumeAt = next;
	raiseWatermark(checkpoint, earlierOf(watermarkLimit, next));
}

/** Whether page 1 of a full second has brought only known inspections, because the last poll has ended in that second. */
function isWhereItBegan(
	{ found }: PollProgress,
	{ second, isOfFullSecond }: RangePage,
	begin: Timestamp | undefined,
): boolean {
	return !isOfFullSecond && found === 0 && second === begin;
}

/** Whether a poll has found nothing new in the full second that it has begun with: then no later poll would either. */
function isStuck(
	{ found }: PollProgress,
	page: RangePage,
	begin: Timestamp | undefined,
): page is RangePage & { second: Timestamp } {
	return page.isOfFullSecond && found === 0 && page.second !== undefined && page.second === begin;
}

/** For a poll whose time is over while it still reads the second that it has begun with: the next one leaves it. */
function leaveSecond(
	{ checkpoint, warnings }: PollProgress,
	second: Timestamp,
	watermarkLimit: Timestamp,
): void {
	goOnFrom(checkpoint, secondAfter(second), watermarkLimit);
	warnings.push(
		`More inspections changed in the second ${second} than one poll has time to read. The trigger has dealt with all that it was shown, and goes on with the next second. An inspection that moved from one page to another meanwhile may be missed.`,
	);
}

function secondOptions({ checkpoint, watch, warnings }: PollProgress): SecondOptions {
	return {
		width: () => 1,
		knownIn: (second) => checkpoint.seen.countWithin(second),
		onIncomplete: (second, { holds, shown }) =>
			warnings.push(
				`The service's order of inspections with equal ${watch.sortBy} changes from page to page. The second from ${second} on holds ${holds} inspections, and it has shown ${shown} of them, however often it was asked. The others may be missed.`,
			),
	};
}
