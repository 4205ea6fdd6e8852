import { askPage, type Reading } from '../list/askPage';
import type { InspectionPage } from '../list/inspectionPage';
import { MAX_PAGE_SIZE } from '../list/inspectionQuery';
import type { KeyRange } from '../list/keyRange';
import { timesOfPage } from '../list/pageChecks';
import {
	addSeconds,
	BEGINNING_OF_TIME,
	floorToSecond,
	isLater,
	type Timestamp,
} from '../timestamp';
import { rangeFrom } from './checkpoint';
import type { ChangesPoll, PollProgress, Watch } from './emitNewVersions';
import { isFarAfter } from './serviceClock';

/** What the newest page shows. */
export interface Newest {
	readonly page: InspectionPage;
	/** What was asked for: from the watermark on. */
	readonly range: KeyRange;
	/** The newest time; undefined where the page is empty. */
	readonly newest: Timestamp | undefined;
	/** The whole second that the lookback begins with: no earlier change can become visible. */
	readonly lookbackStart: Timestamp;
}

/** Asks for the newest page from the watermark on. */
export async function askNewest(progress: PollProgress, reading: Reading): Promise<Newest> {
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
 * and by the lookback. A watermark that is still where Start From has put it is meant so. Returns whether it went back.
 */
async function goBackWhereAhead(progress: PollProgress, page: InspectionPage): Promise<boolean> {
	const { checkpoint, watch, poll, warnings } = progress;
	const { watermark } = checkpoint;
	if (watch.startAt !== undefined && !isLater(watermark, watch.startAt)) return false;
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

/** Reads what a trigger watches, the newest first. */
export function newestFirst({ watch, poll }: PollProgress): Reading {
	return readingOf(watch, poll, 'desc');
}

/** Reads what a trigger watches. */
export function readingOf(
	{ sortBy, filter, includes }: Watch,
	{ list }: ChangesPoll,
	sortOrder: 'asc' | 'desc',
): Reading {
	return { list, filter, includes, order: { sortBy, sortOrder }, pageSize: MAX_PAGE_SIZE };
}
