import type { ListSource } from '../list/fetchPage';
import type { InspectionRecord } from '../list/inspectionPage';
import type { Include, SortBy } from '../list/inspectionQuery';
import { markOf } from '../mark';
import { earliestOf, floorToSecond, isLater, type Timestamp, timestampOf } from '../timestamp';
import type { Checkpoint } from './checkpoint';
import type { ServiceClock } from './serviceClock';

export interface Watch {
	readonly sortBy: SortBy;
	readonly teamId: string | undefined;
	readonly includes: readonly Include[];
	/** How many seconds after its own timestamp an inspection may become visible (a late commit). */
	readonly lookback: number;
	/** The value of Start From; undefined where it is empty. It may lie ahead. */
	readonly startAt?: Timestamp | undefined;
	readonly maxItems: number;
	readonly oncePerInspection: boolean;
	/** The filters that the node applies itself. After an edit of these nothing has to be read again. */
	readonly matches: (inspection: InspectionRecord) => boolean;
	readonly maxSeen?: number | undefined;
}

export interface Change {
	readonly inspection: InspectionRecord;
	readonly stamp: Timestamp;
}

export interface ChangesPoll extends ListSource {
	readonly watch: Watch;
	readonly clock: ServiceClock;
	/** Called before new versions are judged by `matches`. A poll without any makes no further request. */
	readonly prepare?: ((inspections: readonly InspectionRecord[]) => Promise<void>) | undefined;
	/** Gives for each change that it has dealt with, in order, whether an item came of it. It may end early or fail. */
	emit(changes: readonly Change[]): AsyncIterable<boolean>;
	/** Asked only after a page was dealt with, so that each poll gets on, however little time it has. */
	hasTimeLeft(): boolean;
}

export interface PollProgress {
	readonly poll: ChangesPoll;
	readonly checkpoint: Checkpoint;
	readonly emitted: Change[];
	readonly warnings: string[];
	/** How many more changes may be handed over. */
	remaining: number;
	dealtWith: number;
	failure: unknown;
}

export function progressFrom(checkpoint: Checkpoint, poll: ChangesPoll): PollProgress {
	const counts = { remaining: poll.watch.maxItems, dealtWith: 0 };
	return { poll, checkpoint, emitted: [], warnings: [], ...counts, failure: undefined };
}

/**
 * Emits the new versions among some inspections, in their order. Dealt with are all before the first one that is wanted and
 * was not emitted, also those that nobody wants. Returns the whole second of the earliest one that was not dealt with.
 */
export async function emitNewVersions(
	progress: PollProgress,
	inspections: readonly InspectionRecord[],
): Promise<Timestamp | undefined> {
	const { checkpoint, poll } = progress;
	const { sortBy, oncePerInspection, matches } = poll.watch;
	const unseen = unseenVersions(checkpoint, sortBy, inspections);
	if (unseen.length === 0) return undefined;
	await poll.prepare?.(unseen.map(({ inspection }) => inspection));
	const wanted = unseen.filter(({ inspection }) => {
		const isKnown = oncePerInspection && checkpoint.emitted.has(markOf(inspection.id));
		return !isKnown && matches(inspection);
	});
	const count = await emit(progress, wanted.slice(0, progress.remaining));
	const firstLeft = wanted[count];
	const end = firstLeft === undefined ? unseen.length : unseen.indexOf(firstLeft);
	for (const { inspection, stamp } of unseen.slice(0, end)) {
		checkpoint.seen.add(stamp, inspection.id);
	}
	progress.dealtWith += end;
	const earliest = earliestOf(unseen.slice(end).map(({ stamp }) => stamp));
	return earliest && floorToSecond(earliest);
}

async function emit(progress: PollProgress, changes: readonly Change[]): Promise<number> {
	const { checkpoint, poll } = progress;
	let count = 0;
	try {
		for await (const gaveItems of poll.emit(changes)) {
			const change = changes[count];
			count += 1;
			// One without files or answers, say, comes when it has some.
			if (!gaveItems || change === undefined) continue;
			progress.emitted.push(change);
			if (poll.watch.oncePerInspection) checkpoint.emitted.add(markOf(change.inspection.id));
		}
	} catch (error) {
		progress.failure = error;
	}
	progress.remaining -= count;
	return count;
}

/** The versions among some inspections that no poll has dealt with, each once. */
export function unseenVersions(
	{ watermark, seen }: Checkpoint,
	sortBy: SortBy,
	inspections: readonly InspectionRecord[],
): Change[] {
	const unseen = new Map<string, Change>();
	for (const inspection of inspections) {
		const stamp = timestampOf(inspection[sortBy]);
		if (stamp === undefined || isLater(watermark, stamp) || seen.has(stamp, inspection.id))
			continue;
		unseen.set(`${inspection.id} ${stamp}`, { inspection, stamp });
	}
	return [...unseen.values()];
}
