import { timesOfPage } from '../list/askPage';
import { readRange } from '../list/readRange';
import { BEGINNING_OF_TIME, earliestOf, floorToSecond, isLater, secondAfter } from '../timestamp';
import { boundCheckpoint, type Checkpoint, checkpointAt, raiseWatermark } from './checkpoint';
import {
	type ChangesPoll,
	type PollProgress,
	progressFrom,
	unseenVersions,
} from './emitNewVersions';
import { readingOf } from './readChanges';

/**
 * The first poll of a trigger that begins now. It remembers the versions of the lookback window and emits nothing,
 * because n8n may lose what a first poll emits. Where its time is over before, late commits before the earliest second
 * that it has read are missed.
 */
export async function firstPoll(poll: ChangesPoll, emitted: Set<string>): Promise<PollProgress> {
	const { watch, clock } = poll;
	await poll.prepare?.([]);
	const reading = { ...readingOf(poll, 'desc'), includes: [] };
	const askedAt = clock.n8n.now();
	let checkpoint: Checkpoint | undefined;
	let newestSecond = BEGINNING_OF_TIME;
	for await (const { inspections, sentAt } of readRange(reading, {})) {
		const stamps = timesOfPage(reading.order, {}, inspections);
		const last = stamps.at(-1);
		if (last === undefined) continue;
		if (checkpoint === undefined) {
			clock.note(stamps[0], sentAt);
			newestSecond = floorToSecond(earliestOf([stamps[0], sentAt]) ?? last);
			checkpoint = checkpointAt(clock.lookbackStart(askedAt, watch.lookback), emitted);
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
	checkpoint ??= checkpointAt(BEGINNING_OF_TIME, emitted);
	const progress = progressFrom(checkpoint, poll);
	progress.warnings.push(...boundCheckpoint(checkpoint, watch.lookback, watch.maxSeen));
	return progress;
}
