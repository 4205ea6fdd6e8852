import { InputError } from '../inputError';
import {
	BEGINNING_OF_TIME,
	earliestOf,
	floorToSecond,
	isLater,
	type Timestamp,
	timestampOf,
} from '../timestamp';
import { advanceWatermark, type Checkpoint, checkpointAt, pruneCheckpoint } from './checkpoint';
import { versionHash } from './seenVersions';
import type { ChangeSource, Watch } from './watch';
import { WatchedList } from './watchedList';

/**
 * Runs the first poll of a trigger that starts now. Returns a checkpoint that contains the inspections that changed
 * within the lookback, so that later polls don't emit them. The poll emits nothing, because n8n can lose the items of a
 * first poll. Adds what the list lacks to `warnings`.
 * `emitted` are the inspections that started the workflow before the trigger started over. They are kept if each
 * inspection is emitted once.
 * Throws InputError if the time isn't enough for the whole lookback: later polls would emit or miss what wasn't read.
 */
export async function firstCheckpoint(
	emitted: Set<string>,
	watch: Watch,
	source: ChangeSource,
	warnings: string[],
): Promise<Checkpoint> {
	const startedAt = source.clock.n8n.now();
	const list = new WatchedList(watch, source, warnings);
	const checkpoint = checkpointAt(
		BEGINNING_OF_TIME,
		watch.oncePerInspection ? emitted : new Set<string>(),
	);
	await source.prepare?.([]);
	let newestSecond: Timestamp | undefined;
	for await (const { inspections, sentAt } of list.readNewestFirst()) {
		const times = list.checkPage('desc', {}, inspections);
		const last = times.at(-1);
		if (last === undefined) continue;
		if (newestSecond === undefined) {
			source.clock.record(times[0], sentAt);
			newestSecond = floorToSecond(earliestOf([times[0], sentAt]) ?? last);
			advanceWatermark(checkpoint, source.clock.lookbackStart(startedAt, watch.lookback));
		}
		for (const inspection of inspections) {
			const stamp = timestampOf(inspection[watch.sortBy]);
			if (stamp === undefined || isLater(checkpoint.watermark, stamp)) continue;
			checkpoint.seen.add(stamp, versionHash(inspection, watch.sortBy));
		}
		if (isLater(checkpoint.watermark, last)) break;
		// Read all of the newest second, which belongs to every lookback, even if the time is up.
		if (!source.hasTimeLeft() && isLater(newestSecond, last)) {
			throw new InputError(
				`Lookback: more inspections changed in the last ${watch.lookback} seconds than one poll has time to read. Set 'Lookback (Seconds)' to a smaller number`,
			);
		}
	}
	warnings.push(...pruneCheckpoint(checkpoint, watch.lookback, watch.maxSeen));
	return checkpoint;
}
