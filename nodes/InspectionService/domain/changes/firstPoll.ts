import { MAX_PAGE_SIZE } from '../list/inspectionQuery';
import { timesOfPage } from '../list/pageChecks';
import { readRange } from '../list/readRange';
import {
	BEGINNING_OF_TIME,
	earliestOf,
	floorToSecond,
	isLater,
	secondAfter,
	type Timestamp,
} from '../timestamp';
import { boundCheckpoint, type Checkpoint, checkpointAt, raiseWatermark } from './checkpoint';
import type { ChangesPoll, Watch } from './emitNewVersions';

/**
 * The first poll of a trigger that begins now. It remembers the versions of the lookback window and emits nothing,
 * because n8n may lose what a first poll emits. It reads the newest first, and leaves changes that are made meanwhile to
 * the next poll. Where its time is over before it has read the whole window, the watermark is set to the earliest second
 * that it has read: late commits before that are missed. The warnings say what does not fit into the checkpoint.
 */
export async function firstPoll(
	watch: Watch,
	{ list, clock, hasTimeLeft }: Pick<ChangesPoll, 'list' | 'clock' | 'hasTimeLeft'>,
): Promise<{ checkpoint: Checkpoint; warnings: string[] }> {
	const { sortBy, filter, lookback } = watch;
	const order = { sortBy, sortOrder: 'desc' } as const;
	const reading = { list, filter, includes: [], order, pageSize: MAX_PAGE_SIZE };
	const askedAt = clock.now();
	let checkpoint: Checkpoint | undefined;
	let newestSecond: Timestamp | undefined;
	for await (const { inspections, sentAt } of readRange(reading, {})) {
		const stamps = timesOfPage(order, {}, inspections);
		const last = stamps.at(-1);
		if (last === undefined) continue;
		if (checkpoint === undefined) {
			clock.note(stamps[0], sentAt);
			newestSecond = floorToSecond(earliestOf([stamps[0], sentAt]) ?? last);
			checkpoint = checkpointAt(clock.lookbackStart(askedAt, lookback));
		}
		for (const [index, stamp] of stamps.entries()) {
			const id = inspections[index]?.id;
			if (id !== undefined && !isLater(checkpoint.watermark, stamp)) checkpoint.seen.add(stamp, id);
		}
		if (isLater(checkpoint.watermark, last)) break;
		const readFrom = secondAfter(floorToSecond(last));
		// The newest second may not be over yet, so the reading must not end within it.
		if (!hasTimeLeft() && newestSecond && !isLater(readFrom, newestSecond)) {
			raiseWatermark(checkpoint, readFrom);
			break;
		}
	}
	checkpoint ??= checkpointAt(BEGINNING_OF_TIME);
	return { checkpoint, warnings: boundCheckpoint(checkpoint, lookback, watch.limits) };
}
