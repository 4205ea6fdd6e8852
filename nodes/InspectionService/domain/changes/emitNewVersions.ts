import type { InspectionRecord } from '../list/inspectionPage';
import type { Include, InspectionFilter, SortBy } from '../list/inspectionQuery';
import type { ListSource } from '../list/readFirst';
import { earliestOf, isLater, type Timestamp, timestampOf } from '../timestamp';
import type { Checkpoint, CheckpointLimits } from './checkpoint';
import { markOf } from './seenVersions';
import type { ServiceClock } from './serviceClock';

/** What a trigger watches; unchanged during one poll. */
export interface Watch {
	/** The time that tells two versions of an inspection apart. The list is sorted by it. */
	readonly sortBy: SortBy;
	/** The part of the filters that the service applies. */
	readonly filter: Pick<InspectionFilter, 'teamId'>;
	readonly includes: readonly Include[];
	/** How many seconds after its own timestamp an inspection may become visible (a late commit). */
	readonly lookback: number;
	/** The value of Start From; undefined where it is empty. It may lie ahead. */
	readonly startAt?: Timestamp | undefined;
	/** Inspections that one poll emits, at most. */
	readonly maxItems: number;
	readonly oncePerInspection: boolean;
	/** The filters that the node applies itself. After an edit of these nothing has to be read again. */
	readonly matches: (inspection: InspectionRecord) => boolean;
	/** Other limits of the checkpoint than usual. */
	readonly limits?: CheckpointLimits;
}

/** A version of an inspection, with the time that orders it. */
export interface Change {
	readonly inspection: InspectionRecord;
	readonly stamp: Timestamp;
}

/** What a poll needs besides its checkpoint and what it watches. */
export interface ChangesPoll extends ListSource {
	readonly clock: ServiceClock;
	/** Called before new versions are judged by `matches`. A poll without any makes no further request. */
	prepare?(inspections: readonly InspectionRecord[]): Promise<void>;
	/**
	 * Takes changes, in order; there may be none. Returns for each that it has dealt with whether an item came of it: fewer
	 * than all end the poll.
	 */
	emit(changes: readonly Change[]): Promise<readonly boolean[]>;
	/** Asked only after a page was dealt with, so that each poll gets on, however little time it has. */
	hasTimeLeft(): boolean;
}

/** How far one poll has come. */
export interface PollProgress {
	readonly checkpoint: Checkpoint;
	readonly watch: Watch;
	readonly poll: ChangesPoll;
	/** Marks of the inspections that were emitted, in this poll and before. */
	readonly emitted: Set<string>;
	readonly warnings: string[];
	/** How many inspections may still be emitted. */
	left: number;
	/** How many new versions this poll has dealt with. */
	found: number;
}

/**
 * Emits the new versions among some inspections, in their order. A version counts as dealt with when it was emitted, or
 * when the filters have refused it. Returns the earliest time of a version that was not dealt with; undefined for none.
 */
export async function emitNewVersions(
	progress: PollProgress,
	inspections: readonly InspectionRecord[],
): Promise<Timestamp | undefined> {
	const { checkpoint, watch, poll, emitted } = progress;
	const unseen = unseenVersions(checkpoint, watch, inspections);
	if (unseen.length === 0) return undefined;
	await poll.prepare?.(unseen.map(({ inspection }) => inspection));
	const wanted = unseen.filter(({ inspection }) => {
		const isFirst = !watch.oncePerInspection || !emitted.has(markOf(inspection.id));
		return isFirst && watch.matches(inspection);
	});
	const gaveItems = await poll.emit(wanted.slice(0, progress.left));
	progress.left -= gaveItems.length;
	const firstUndone = wanted[gaveItems.length];
	const end = firstUndone === undefined ? unseen.length : unseen.indexOf(firstUndone);
	for (const { inspection, stamp } of unseen.slice(0, end)) {
		checkpoint.seen.add(stamp, inspection.id);
	}
	for (const [index, { inspection }] of wanted.entries()) {
		// One without files or answers, say, comes when it has some.
		if (gaveItems[index]) emitted.add(markOf(inspection.id));
	}
	progress.found += end;
	return earliestOf(unseen.slice(end).map(({ stamp }) => stamp));
}

/**
 * The new versions among some inspections: those that no poll has dealt with, because they are not before the watermark
 * and not among the seen versions. Each comes once.
 */
export function unseenVersions(
	{ watermark, seen }: Checkpoint,
	{ sortBy }: Watch,
	inspections: readonly InspectionRecord[],
): Change[] {
	const unseen = new Map<string, Change>();
	for (const inspection of inspections) {
		const stamp = timestampOf(inspection[sortBy]);
		if (stamp === undefined || isLater(watermark, stamp)) continue;
		if (seen.has(stamp, inspection.id)) continue;
		unseen.set(`${inspection.id} ${stamp}`, { inspection, stamp });
	}
	return [...unseen.values()];
}
