import { checkTimes, fetchPage, isCompleteRange, type Reading } from '../list/fetchPage';
import type { InspectionPage } from '../list/inspectionPage';
import { MAX_PAGE_SIZE } from '../list/inspectionQuery';
import { readRange } from '../list/readRange';
import type { TiedSecondOptions } from '../list/readTiedSecond';
import {
	addSeconds,
	BEGINNING_OF_TIME,
	earliestOf,
	floorToSecond,
	isLater,
	secondAfter,
	type Timestamp,
	timestampOf,
} from '../timestamp';
import {
	boundCheckpoint,
	type Checkpoint,
	checkpointAt,
	goOnFrom,
	raiseWatermark,
	rangeFrom,
} from './checkpoint';
import {
	type ChangesPoll,
	emitNewVersions,
	type PollProgress,
	progressFrom,
	unseenVersions,
} from './emitNewVersions';
import { isFarAfter } from './serviceClock';

/** One poll, as in "One poll of the trigger" of docs/how-it-reads.md. After a failure the work done before it counts. */
export async function readChanges(
	checkpoint: Checkpoint,
	poll: ChangesPoll,
): Promise<PollProgress> {
	const { watch } = poll;
	const progress = progressFrom(checkpoint, poll);
	if (!watch.oncePerInspection) checkpoint.emitted.clear();
	try {
		await (checkpoint.resumeAt === undefined ? readNewest(progress) : resume(progress));
	} catch (error) {
		progress.failure = error;
	}
	progress.warnings.push(...boundCheckpoint(checkpoint, watch.lookback, watch.maxSeen));
	return progress;
}

/**
 * The first poll of a trigger that begins now. It remembers the versions of the lookback window and emits nothing,
 * because n8n may lose what a first poll emits. Where its time ends within the window, late commits before the earliest
 * second that it has read are missed.
 */
export async function firstPoll(poll: ChangesPoll, emitted: Set<string>): Promise<PollProgress> {
	const { watch, clock } = poll;
	await poll.prepare?.([]);
	const reading = { ...readingOf(poll, 'desc'), includes: [] };
	const askedAt = clock.n8n.now();
	const checkpoint = checkpointAt(BEGINNING_OF_TIME, emitted);
	let newestSecond: Timestamp | undefined;
	for await (const { inspections, sentAt } of readRange(reading, {})) {
		const stamps = checkTimes(reading.order, {}, inspections);
		const last = stamps.at(-1);
		if (last === undefined) continue;
		if (newestSecond === undefined) {
			clock.note(stamps[0], sentAt);
			newestSecond = floorToSecond(earliestOf([stamps[0], sentAt]) ?? last);
			raiseWatermark(checkpoint, clock.lookbackStart(askedAt, watch.lookback));
		}
		for (const { inspection, stamp } of unseenVersions(checkpoint, watch.sortBy, inspections)) {
			checkpoint.seen.add(stamp, inspection.id);
		}
		if (isLater(checkpoint.watermark, last)) break;
		const readFrom = secondAfter(floorToSecond(last));
		// The newest second may not be over yet, so the reading must not end within it.
		if (!poll.hasTimeLeft() && !isLater(readFrom, newestSecond)) {
			raiseWatermark(checkpoint, readFrom);
			break;
		}
	}
	const progress = progressFrom(checkpoint, poll);
	progress.warnings.push(...boundCheckpoint(checkpoint, watch.lookback, watch.maxSeen));
	return progress;
}

function readingOf({ list, watch }: ChangesPoll, sortOrder: 'asc' | 'desc'): Reading {
	const { sortBy, teamId, includes } = watch;
	const order = { sortBy, sortOrder };
	return { list, filter: { teamId }, includes, order, pageSize: MAX_PAGE_SIZE };
}

/** A poll without a backlog. It ends with the newest page where that holds everything from the watermark on. */
async function readNewest(progress: PollProgress): Promise<void> {
	const { checkpoint, poll } = progress;
	const reading = readingOf(poll, 'desc');
	const { page, lookbackStart } = await askNewest(progress, reading);
	if (!page.isLast && isIdle(progress, page, lookbackStart)) return;
	if (!(await isCompleteRange(reading, rangeFrom(checkpoint.watermark), page))) {
		await readBacklog(progress, lookbackStart);
		return;
	}
	const resumeAt = await emitNewVersions(progress, page.inspections.toReversed());
	// A poll that got nowhere leaves the checkpoint as it was: then its failure is thrown.
	const gotNowhere = resumeAt !== undefined && progress.dealtWith === 0;
	if (!gotNowhere) goOnFrom(checkpoint, resumeAt, lookbackStart);
}

/** A poll that goes on with a backlog, after one inspection that tells the service's clock. */
async function resume(progress: PollProgress): Promise<void> {
	const { checkpoint, poll } = progress;
	const reading = { ...readingOf(poll, 'desc'), includes: [], pageSize: 1 };
	const { newest, lookbackStart } = await askNewest(progress, reading);
	// Where a time in the backlog was wrong and was corrected, the service shows nothing of it: back to the watermark.
	const isGone = newest === undefined || isLater(checkpoint.resumeAt ?? newest, newest);
	if (isGone) checkpoint.resumeAt = undefined;
	await readBacklog(progress, lookbackStart);
}

/**
 * Whether a short page without a new version counts as all there is. The watermark stays then. It does not count where
 * versions can be forgotten, nor where all of it is later than n8n's clock, because no poll would forget any then.
 */
function isIdle(
	{ checkpoint, poll: { watch, clock } }: PollProgress,
	{ inspections }: InspectionPage,
	lookbackStart: Timestamp,
): boolean {
	const oldest = timestampOf(inspections.at(-1)?.[watch.sortBy]);
	if (oldest !== undefined && isFarAfter(oldest, clock.n8n.today())) return false;
	if (inspections.length >= MAX_PAGE_SIZE) return false;
	if (unseenVersions(checkpoint, watch.sortBy, inspections).length > 0) return false;
	return !checkpoint.seen.hasBefore(lookbackStart);
}

/** Asks for the newest page from the watermark on. No change before `lookbackStart` can become visible any more. */
async function askNewest(
	progress: PollProgress,
	reading: Reading,
): Promise<{ page: InspectionPage; newest: Timestamp | undefined; lookbackStart: Timestamp }> {
	const { checkpoint } = progress;
	const { clock, watch } = progress.poll;
	const askedAt = clock.n8n.now();
	let page = await fetchPage(reading, rangeFrom(checkpoint.watermark));
	if (await goBackWhereAhead(progress, page.sentAt)) {
		page = await fetchPage(reading, rangeFrom(checkpoint.watermark));
	}
	const range = rangeFrom(checkpoint.watermark);
	const [newest] = checkTimes(reading.order, range, page.inspections);
	clock.note(newest, page.sentAt);
	return { page, newest, lookbackStart: clock.lookbackStart(askedAt, watch.lookback) };
}

/**
 * Moves a watermark back that is far ahead of what the service shows ("When a clock is wrong" in docs/how-it-reads.md).
 * A Start From that lies ahead is meant so. Returns whether it went back.
 */
async function goBackWhereAhead(
	{ checkpoint, warnings, poll }: PollProgress,
	sentAt: Timestamp | undefined,
): Promise<boolean> {
	const { watermark } = checkpoint;
	const { watch, clock } = poll;
	if (watch.startAt !== undefined && !isLater(watermark, watch.startAt)) return false;
	if (!isFarAfter(watermark, sentAt ?? clock.n8n.today())) return false;
	let shown = sentAt;
	if (shown === undefined) {
		const reading = { ...readingOf(poll, 'desc'), includes: [], pageSize: 1 };
		const { inspections } = await fetchPage(reading, {});
		[shown] = checkTimes(reading.order, {}, inspections);
	}
	if (shown === undefined || !isFarAfter(watermark, shown)) return false;
	const seconds = clock.restart() + watch.lookback;
	checkpoint.watermark = floorToSecond(addSeconds(shown, -seconds) ?? BEGINNING_OF_TIME);
	checkpoint.resumeAt = undefined;
	warnings.push(
		`The trigger had come as far as ${watermark}, which is far ahead of what the service shows. It has gone back to ${checkpoint.watermark}. What changed before that and was not shown yet is missed; what changed shortly after it may come twice.`,
	);
	return true;
}

/** Reads in rising order, from where the last poll stopped, or from the watermark where the lookback has passed that. */
async function readBacklog(progress: PollProgress, lookbackStart: Timestamp): Promise<void> {
	const { checkpoint, warnings, poll } = progress;
	const { watermark, resumeAt } = checkpoint;
	const isFromWatermark = resumeAt === undefined || !isLater(resumeAt, lookbackStart);
	const limit = isFromWatermark ? lookbackStart : watermark;
	const range = rangeFrom(isFromWatermark ? watermark : resumeAt);
	const reading = readingOf(poll, 'asc');
	for await (const page of readRange(reading, range, secondOptions(progress))) {
		checkTimes(reading.order, range, page.inspections);
		const left = await emitNewVersions(progress, page.inspections);
		const next = earliestOf([left, page.second]);
		if (next !== undefined) goOnFrom(checkpoint, next, limit);
		if (left !== undefined) return;
		if (page.isLast) continue;
		if (progress.remaining === 0) return;
		// The last poll has ended in the second that this one begins with, and nothing new has come of it so far.
		const isStill = progress.dealtWith === 0 && page.second === range.after;
		if (poll.hasTimeLeft() || (isStill && !page.isOfTiedSecond)) continue;
		if (!isStill || page.second === undefined) return;
		goOnFrom(checkpoint, secondAfter(page.second), limit);
		warnings.push(
			`More inspections changed in the second ${page.second} than one poll has time to read. The trigger has dealt with all that it was shown, and goes on with the next second. An inspection that moved from one page to another meanwhile may be missed.`,
		);
		return;
	}
	goOnFrom(checkpoint, undefined, limit);
}

function secondOptions({ checkpoint, warnings, poll }: PollProgress): TiedSecondOptions {
	return {
		knownIn: (second) => checkpoint.seen.countWithin(second),
		onIncomplete: (second, { holds, shown }) =>
			warnings.push(
				`The service's order of inspections with equal ${poll.watch.sortBy} changes from page to page. The second from ${second} on holds ${holds} inspections, and it has shown ${shown} of them, however often it was asked. The others may be missed.`,
			),
	};
}
