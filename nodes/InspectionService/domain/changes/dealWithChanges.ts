import type { InspectionRecord } from '../list/inspectionPage';
import type { Include, InspectionFilter, SortBy } from '../list/inspectionQuery';
import type { ListSource } from '../list/readFirst';
import { type Timestamp, timestampOf } from '../timestamp';
import type { CheckpointLimits, Position } from './boundCheckpoint';
import type { Checkpoint } from './checkpoint';
import { earliest, isLater } from './moments';
import { markOf } from './seenVersions';
import type { ServiceClock } from './serviceClock';

/** What a trigger watches; unchanged during one poll. */
export interface Watch {
	/** The time that makes a version: the list is sorted by it. */
	readonly sortBy: SortBy;
	/** The part of the filters that the service applies. */
	readonly filter: Pick<InspectionFilter, 'teamId'>;
	readonly includes: readonly Include[];
	/** Seconds that an inspection may become visible later than its timestamp says. */
	readonly lookback: number;
	/** Inspections that one poll emits, at most. */
	readonly maxItems: number;
	readonly oncePerInspection: boolean;
	/** The filters that are applied on this side, so that editing them needs no second look at anything. */
	readonly matches: (inspection: InspectionRecord) => boolean;
	/** Other limits of the checkpoint than usual. */
	readonly limits?: CheckpointLimits;
}

/** An inspection to emit, with the time that orders it. */
export interface Change {
	readonly inspection: InspectionRecord;
	readonly stamp: Timestamp;
}

/** What a poll reads with, and whom it tells. */
export interface ChangesPoll extends ListSource {
	readonly clock: ServiceClock;
	/** Called before the first new version is looked at, so that a poll without any asks nothing more of the service. */
	prepare?(): Promise<void>;
	/** Takes changes, in order, or none; returns how many of them were dealt with. Fewer than all end the poll. */
	emit(changes: readonly Change[]): Promise<number>;
	/** Asked only after a page was dealt with, so that a poll gets somewhere however little time it has. */
	hasTimeLeft(): boolean;
}

/** One poll under way. */
export interface Run {
	readonly checkpoint: Checkpoint;
	readonly watch: Watch;
	readonly poll: ChangesPoll;
	readonly emitted: Set<string>;
	readonly warnings: string[];
	/** How many inspections may still be emitted. */
	left: number;
	/** Where the poll is in the second that it has read by page number last. */
	position: Position | undefined;
	/** How many versions this poll has dealt with that no poll had before. */
	found: number;
}

/**
 * Emits what is news among some inspections, in their order. What is emitted is marked as seen, and so is what the
 * filters refuse. Returns the earliest time that was not dealt with; null where everything was.
 */
export async function dealWith(
	run: Run,
	rows: readonly InspectionRecord[],
): Promise<Timestamp | null> {
	const { checkpoint, watch, poll, emitted } = run;
	const news = newsOf(checkpoint, watch, rows);
	if (news.length === 0) return null;
	await poll.prepare?.();
	const wanted = news.filter(({ inspection }) => {
		const isFirst = !watch.oncePerInspection || !emitted.has(markOf(inspection.id));
		return isFirst && watch.matches(inspection);
	});
	const done = await poll.emit(wanted.slice(0, run.left));
	run.left -= done;
	const firstUndone = wanted[done];
	const end = firstUndone === undefined ? news.length : news.indexOf(firstUndone);
	for (const { inspection, stamp } of news.slice(0, end)) checkpoint.seen.add(stamp, inspection.id);
	for (const { inspection } of wanted.slice(0, done)) emitted.add(markOf(inspection.id));
	run.found += end;
	return news.slice(end).reduce<Timestamp | null>((min, { stamp }) => earliest(min, stamp), null);
}

/** The versions that were not dealt with yet, each once. */
export function newsOf(
	{ watermark, seen }: Checkpoint,
	{ sortBy }: Watch,
	rows: readonly InspectionRecord[],
): Change[] {
	const news = new Map<string, Change>();
	for (const inspection of rows) {
		const stamp = timestampOf(inspection[sortBy]);
		if (stamp === undefined || isLater(watermark, stamp)) continue;
		if (!seen.has(stamp, inspection.id))
			news.set(`${inspection.id} ${stamp}`, { inspection, stamp });
	}
	return [...news.values()];
}
