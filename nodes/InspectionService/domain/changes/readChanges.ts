import { askPage, isAll, isSurelyAll, type Reading } from '../list/askPage';
import type { InspectionPage } from '../list/inspectionPage';
import { MAX_PAGE_SIZE } from '../list/inspectionQuery';
import type { KeyRange } from '../list/keyRange';
import { timesOfPage } from '../list/pageChecks';
import type { SecondOptions } from '../list/readFullSecond';
import { type RangePage, readRange } from '../list/readRange';
import {
	addSeconds,
	BEGINNING_OF_TIME,
	earlierOf,
	earliestOf,
	floorToSecond,
	isLater,
	secondAfter,
	type Timestamp,
} from '../timestamp';
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
import { isFarAfter } from './serviceClock';

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
	const progress: PollProgress = {
		...{ checkpoint, watch, poll, left: watch.maxItems, found: 0, warnings: [] },
		emitted: new Set(marksIn(checkpoint.emitted)),
	};
	const { emitted, warnings } = progress;
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
	if (undealt !== undefined && progress.found === 0) return;
	checkpoint.resumeAt = undealt && floorToSecond(undealt);
	raiseWatermark(checkpoint, earlierOf(lookbackStart, checkpoint.resumeAt ?? lookbackStart));
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

/** What the newest page shows. */
interface Newest {
	readonly page: InspectionPage;
	/** What was asked for: from the watermark on. */
	readonly range: KeyRange;
	/** The newest time; undefined where the page is empty. */
	readonly newest: Timestamp | undefined;
	/** The whole second that the lookback begins with: no earlier change can become visible. */
	readonly lookbackStart: Timestamp;
}

/** Asks for the newest page from the watermark on. */
async function askNewest(progress: PollProgress, reading: Reading): Promise<Newest> {
	const { clock } = progress.poll;
	const { lookback } = progress.watch;
	const askedAt = clock.now();
	let range = rangeFrom(progress.checkpoint.watermark);
	let page = await askPage(reading, range);
	if (await goBackWhereAhead(progress, page)) {
		range = rangeFrom(progress.checkpoint.watermark);
		page = await askPage(reading, range);
	}
	const [newest] = timesOfPage(reading.order, range, page.inspections);
	clock.note(newest, page.sentAt);
	return { page, range, newest, lookbackStart: clock.lookbackStart(askedAt, lookback) };
}

/**
 * Moves a watermark back that is far ahead of what the service shows, because a clock was wrong when it was set: nothing
 * that changes before it would ever be seen. It goes back to the service's time, by as long as that clock has stood still,
 * and by the lookback. Returns whether it did.
 */
async function goBackWhereAhead(progress: PollProgress, page: InspectionPage): Promise<boolean> {
	const { checkpoint, watch, poll, warnings } = progress;
	const { watermark } = checkpoint;
	if (!poll.clock.isBehind(watermark, page.sentAt)) return false;
	const shown = page.sentAt ?? (await newestTime(progress));
	if (shown === undefined || !isFarAfter(watermark, shown)) return false;
	const seconds = poll.clock.restart() + watch.lookback;
	checkpoint.watermark = floorToSecond(addSeconds(shown, -seconds) ?? BEGINNING_OF_TIME);
	checkpoint.resumeAt = undefined;
	warnings.push(
		`The trigger had come as far as ${watermark}, which is far ahead of what the service shows. It has gone back to ${checkpoint.watermark}. What changed before that and was not shown yet is missed; what changed shortly after it may come twice.`,
	);
	return true;
}

/** The newest time in the list; undefined where it is empty. */
async function newestTime(progress: PollProgress): Promise<Timestamp | undefined> {
	const reading = { ...newestFirst(progress), includes: [], pageSize: 1 };
	const { inspections } = await askPage(reading, {});
	return timesOfPage(reading.order, {}, inspections)[0];
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
		if (undealt === undefined && page.isLast) break;
		if (undealt !== undefined || progress.left === 0) return;
		if (poll.hasTimeLeft() || isWhereItBegan(progress, page, range.after)) continue;
		if (isStuck(progress, page, range.after)) leaveSecond(progress, page.second, watermarkLimit);
		return;
	}
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

function newestFirst({ watch, poll }: PollProgress): Reading {
	return readingOf(watch, poll, 'desc');
}

function readingOf(
	{ sortBy, filter, includes }: Watch,
	{ list }: ChangesPoll,
	sortOrder: 'asc' | 'desc',
): Reading {
	return { list, filter, includes, order: { sortBy, sortOrder }, pageSize: MAX_PAGE_SIZE };
}
