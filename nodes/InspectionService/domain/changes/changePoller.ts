import { cleanLine, listText } from '../formatting';
import { checkTimes, fetchPage, type ListSource, type Reading } from '../list/fetchPage';
import type { InspectionRecord } from '../list/inspectionPage';
import { type Include, MAX_PAGE_SIZE, type SortBy, type SortOrder } from '../list/inspectionQuery';
import { type RangePage, readRange } from '../list/readRange';
import type { TiedSecondOptions } from '../list/readTiedSecond';
import type { TimeRange } from '../list/timeRange';
import { shortHash } from '../shortHash';
import {
	addSeconds,
	BEGINNING_OF_TIME,
	compareTimestamps,
	earliestOf,
	floorToSecond,
	isLater,
	secondAfter,
	type Timestamp,
	timestampOf,
} from '../timestamp';
import {
	advance,
	advanceWatermark,
	type Checkpoint,
	checkpointAt,
	pruneCheckpoint,
	rangeFrom,
} from './checkpoint';
import { versionHash } from './seenVersions';
import { isFarAfter, type ServiceClock } from './serviceClock';

/** Chosen: enough IDs to see what the inspections have in common. */
const MAX_NAMED = 3;

/** The settings of a trigger. Durations are in seconds. */
export interface Watch {
	readonly sortBy: SortBy;
	readonly teamId: string | undefined;
	readonly includes: readonly Include[];
	/** How long after its own timestamp a change can become visible (a late commit). */
	readonly lookback: number;
	/** How long an inspection must stay unchanged before it's emitted. 0 disables the wait. */
	readonly settle: number;
	/** The value of Start From, which can be in the future. Undefined if it's empty. */
	readonly startAt?: Timestamp | undefined;
	readonly maxItems: number;
	readonly oncePerInspection: boolean;
	/** The filters that the node applies itself. Editing them doesn't require rereading. */
	readonly matches: (inspection: InspectionRecord) => boolean;
	readonly maxSeen?: number | undefined;
}

/** The service and its clock, as a poll uses them. */
export interface ChangeSource extends ListSource {
	readonly clock: ServiceClock;
	/** Called with new versions before `matches`. A poll without new versions makes no further request. */
	readonly prepare?: ((inspections: readonly InspectionRecord[]) => Promise<void>) | undefined;
	/** Called only after a page was collected, so that each poll makes progress, however little time it has. */
	hasTimeLeft(): boolean;
}

/** The state that a poll starts from. */
export interface PollStart {
	/** Undefined if the trigger starts now. Then the first poll only remembers existing versions. */
	readonly checkpoint: Checkpoint | undefined;
	/** Hashes of inspections that produced an item before the trigger started over. Used without a checkpoint. */
	readonly emitted: Set<string>;
}

/** A version to emit. */
export interface Change {
	readonly inspection: InspectionRecord;
	readonly stamp: Timestamp;
}

interface Version {
	readonly hash: string;
	readonly stamp: Timestamp;
	/** Undefined if the filters rejected it. */
	readonly change: Change | undefined;
}

/**
 * Runs one poll ("One poll of the trigger" in docs/how-it-reads.md): `read` collects the changes, then `commit` moves
 * the checkpoint past those that were rendered. Call each once. Before `commit`, only a first poll and a rewind change
 * the checkpoint.
 */
export class ChangePoller {
	readonly checkpoint: Checkpoint;
	readonly warnings: string[] = [];
	/** Why `read` ended early, if it did. The changes that it collected before are still valid. */
	failure: unknown;
	private readonly isFirst: boolean;
	private readonly watch: Watch;
	private readonly source: ChangeSource;
	private readonly startedAt: number;
	/** Keyed by timestamp and hash. */
	private readonly versions = new Map<string, Version>();
	private changes: Change[] = [];
	/** Where the next poll resumes, based on the pages read so far. */
	private resumeAt: Timestamp | undefined;
	/** Whether this poll continues after a gap that it doesn't reread. */
	private isResuming = false;
	/** The watermark must not pass this time. */
	private ceiling: Timestamp;
	/** The time after which no version has settled yet. Undefined if there is no wait, or before the first page. */
	private settledUntil: Timestamp | undefined;

	constructor({ checkpoint, emitted }: PollStart, watch: Watch, source: ChangeSource) {
		this.isFirst = checkpoint === undefined;
		this.checkpoint = checkpoint ?? checkpointAt(BEGINNING_OF_TIME, emitted);
		this.watch = watch;
		this.source = source;
		this.startedAt = source.clock.n8n.now();
		this.resumeAt = this.checkpoint.resumeAt;
		this.ceiling = this.checkpoint.watermark;
	}

	/** Returns the changes to emit, by time. Throws only in a first poll: half a lookback must not be saved. */
	async read(): Promise<readonly Change[]> {
		if (this.isFirst) {
			await this.readLookback();
			return [];
		}
		try {
			await this.readChanges();
		} catch (error) {
			this.failure = error;
		}
		this.changes = this.changes.toSorted((a, b) => compareTimestamps(a.stamp, b.stamp));
		return this.changes;
	}

	/**
	 * `producedItems` shows whether each rendered change produced an item, in order. It can be shorter than the list of
	 * changes. Marks everything before the first change that wasn't rendered as seen, including versions that the
	 * filters rejected. Returns the changes whose items to emit.
	 */
	commit(producedItems: readonly boolean[]): Change[] {
		const { checkpoint, watch } = this;
		if (!watch.oncePerInspection) checkpoint.emitted.clear();
		const firstUnrendered = this.changes[producedItems.length];
		const handled = this.versionsBefore(firstUnrendered);
		for (const { stamp, hash } of handled) checkpoint.seen.add(stamp, hash);
		if (firstUnrendered === undefined) {
			advance(checkpoint, this.resumeAt, this.ceiling);
		} else if (handled.length > 0) {
			const second = floorToSecond(firstUnrendered.stamp);
			advance(checkpoint, earliestOf([this.resumeAt, second]), this.ceiling);
		}
		const emitted = this.changes.filter((change, index) => {
			// A change without an item, such as one without files, isn't marked as emitted until it has one.
			if (producedItems[index] !== true) return false;
			if (!watch.oncePerInspection) return true;
			const hash = shortHash(change.inspection.id);
			// One poll can contain two versions of an inspection.
			if (checkpoint.emitted.has(hash)) return false;
			checkpoint.emitted.add(hash);
			return true;
		});
		this.warnings.push(...pruneCheckpoint(checkpoint, watch.lookback, watch.maxSeen));
		return emitted;
	}

	/**
	 * Runs the first poll of a trigger that starts now. Remembers the versions of the lookback and emits nothing,
	 * because n8n can lose what a first poll emits. If its time runs out, late commits before the earliest second
	 * read are missed.
	 */
	private async readLookback(): Promise<void> {
		const { checkpoint, source } = this;
		await source.prepare?.([]);
		let newestSecond: Timestamp | undefined;
		for await (const { inspections, sentAt } of readRange(this.newestFirst(MAX_PAGE_SIZE), {})) {
			const times = this.checkPage('desc', {}, inspections);
			const last = times.at(-1);
			if (last === undefined) continue;
			if (newestSecond === undefined) {
				source.clock.record(times[0], sentAt);
				newestSecond = floorToSecond(earliestOf([times[0], sentAt]) ?? last);
				advanceWatermark(checkpoint, this.lookbackStart());
			}
			for (const { stamp, hash } of this.unseen(inspections)) checkpoint.seen.add(stamp, hash);
			if (isLater(checkpoint.watermark, last)) break;
			const readFrom = secondAfter(floorToSecond(last));
			// The newest second isn't over yet, so reading must not end within it.
			if (!source.hasTimeLeft() && !isLater(readFrom, newestSecond)) {
				advanceWatermark(checkpoint, readFrom);
				break;
			}
		}
		this.ceiling = checkpoint.watermark;
	}

	/** Reads in ascending order from the watermark, or from where the last poll stopped. Collects new versions. */
	private async readChanges(canRewind = true): Promise<void> {
		const range = await this.chooseRange();
		let isFirstPage = true;
		for await (const page of readRange(this.reading('asc'), range, this.tiedSecondOptions())) {
			const last = this.checkPage('asc', range, page.inspections).at(-1);
			if (isFirstPage && canRewind && (await this.rewindFutureWatermark(page.sentAt))) {
				await this.readChanges(false);
				return;
			}
			// Pages of a tied second have no `Date`.
			if (!page.isOfTiedSecond) this.updateClock(last, page.sentAt, isFirstPage);
			isFirstPage = false;
			const left = await this.collect(page.inspections);
			this.resumeAt = earliestOf([left, page.second]) ?? this.resumeAt;
			if (left !== undefined) return;
			if (this.isPastSettled(last)) break;
			if (this.mustStop(page, range)) return;
		}
		this.resumeAt = undefined;
	}

	/** Returns the range from the watermark, or from where the last poll stopped. Can request the service's clock. */
	private async chooseRange(): Promise<TimeRange> {
		const { watermark, resumeAt } = this.checkpoint;
		const needsClock = this.watch.settle > 0 && !this.source.clock.hasDate;
		if (resumeAt !== undefined || needsClock) await this.fetchNewest();
		// If the last poll stopped within the lookback, continue there: late commits before it can still appear, so
		// rereading can wait. If it stopped earlier, reread once: no more late commits can appear there.
		this.isResuming = resumeAt !== undefined && isLater(resumeAt, this.lookbackStart());
		return rangeFrom(this.isResuming && resumeAt !== undefined ? resumeAt : watermark);
	}

	/** Keeps the end of the wait from the first page, because a later end could pass what was already read. */
	private updateClock(
		last: Timestamp | undefined,
		sentAt: Timestamp | undefined,
		isFirstPage: boolean,
	): void {
		const { clock } = this.source;
		const { settle } = this.watch;
		clock.record(last, sentAt);
		if (isFirstPage && settle > 0) this.settledUntil = clock.settledUntil(settle);
		// Late commits between the watermark and `resumeAt` weren't reread.
		this.ceiling = this.isResuming ? this.checkpoint.watermark : this.lookbackCeiling();
	}

	/** In ascending order, a time after the end of the wait proves that everything before the end was read. */
	private isPastSettled(last: Timestamp | undefined): boolean {
		return (
			this.settledUntil !== undefined && last !== undefined && isLater(last, this.settledUntil)
		);
	}

	/** Whether the poll must stop after a page of the range, because it reached Max Items or ran out of time. */
	private mustStop({ isLast, second, isOfTiedSecond }: RangePage, range: TimeRange): boolean {
		if (isLast) return false;
		if (this.changes.length >= this.watch.maxItems) return true;
		// This poll starts in the second in which the last poll stopped, and has found nothing new so far.
		const isStuck = this.versions.size === 0 && second === range.after;
		if (this.source.hasTimeLeft() || (isStuck && !isOfTiedSecond)) return false;
		if (isStuck && second !== undefined) this.skipToNextSecond(second);
		return true;
	}

	/** Collects new versions up to Max Items. Returns the earliest second with an uncollected version, if any. */
	private async collect(inspections: readonly InspectionRecord[]): Promise<Timestamp | undefined> {
		const { checkpoint, watch, source, changes } = this;
		const unseen = this.unseen(inspections);
		if (unseen.length === 0) return undefined;
		await source.prepare?.(unseen.map(({ inspection }) => inspection));
		for (const [index, { inspection, stamp, hash }] of unseen.entries()) {
			const isKnown = watch.oncePerInspection && checkpoint.emitted.has(shortHash(inspection.id));
			const isWanted = !isKnown && watch.matches(inspection);
			if (isWanted && changes.length >= watch.maxItems) {
				const earliest = earliestOf(unseen.slice(index).map((version) => version.stamp));
				return earliest && floorToSecond(earliest);
			}
			const change = isWanted ? { inspection, stamp } : undefined;
			if (change !== undefined) changes.push(change);
			this.versions.set(`${stamp} ${hash}`, { stamp, hash, change });
		}
		return undefined;
	}

	/** Returns the settled versions that neither an earlier poll nor an earlier page contained, each once. */
	private unseen(inspections: readonly InspectionRecord[]) {
		const { watermark, seen } = this.checkpoint;
		const unseen = new Map<string, Change & { readonly hash: string }>();
		for (const inspection of inspections) {
			const stamp = timestampOf(inspection[this.watch.sortBy]);
			if (stamp === undefined || isLater(watermark, stamp)) continue;
			if (this.settledUntil !== undefined && isLater(stamp, this.settledUntil)) continue;
			const hash = versionHash(inspection, this.watch.sortBy);
			const key = `${stamp} ${hash}`;
			if (!seen.has(stamp, hash) && !this.versions.has(key)) {
				unseen.set(key, { inspection, stamp, hash });
			}
		}
		return [...unseen.values()];
	}

	private versionsBefore(change: Change | undefined): readonly Version[] {
		const versions = [...this.versions.values()];
		if (change === undefined) return versions;
		const sorted = versions.toSorted((a, b) => compareTimestamps(a.stamp, b.stamp));
		return sorted.slice(
			0,
			sorted.findIndex((version) => version.change === change),
		);
	}

	/** Fetches the newest inspection after the watermark, to update the service's clock. */
	private async fetchNewest(): Promise<void> {
		const range = rangeFrom(this.checkpoint.watermark);
		const { inspections, sentAt } = await fetchPage(this.newestFirst(1), range);
		this.source.clock.record(this.checkPage('desc', range, inspections)[0], sentAt);
	}

	/**
	 * Moves back a watermark that is far ahead of the service ("When a clock is wrong" in docs/how-it-reads.md). A
	 * `Date` header alone is never enough evidence: the newest inspection must agree. A Start From in the future is
	 * intended. Returns whether the watermark moved.
	 */
	private async rewindFutureWatermark(sentAt: Timestamp | undefined): Promise<boolean> {
		const { checkpoint, watch, source } = this;
		const { watermark } = checkpoint;
		const today = source.clock.n8n.today();
		if (watch.startAt !== undefined && !isLater(watermark, watch.startAt)) return false;
		if (!isFarAfter(watermark, sentAt ?? today)) return false;
		const page = await fetchPage(this.newestFirst(1), {});
		const [newest] = this.checkPage('desc', {}, page.inspections);
		if (newest === undefined || !isFarAfter(watermark, newest)) return false;
		// Use the median of three clocks, so that a single wrong clock has no effect.
		const clocks = page.sentAt === undefined ? [newest] : [newest, page.sentAt, today];
		const shown = clocks.toSorted(compareTimestamps)[Math.floor(clocks.length / 2)] ?? newest;
		if (!isFarAfter(watermark, shown)) return false;
		const seconds = source.clock.restart() + watch.lookback;
		checkpoint.watermark = floorToSecond(addSeconds(shown, -seconds) ?? BEGINNING_OF_TIME);
		checkpoint.resumeAt = undefined;
		this.resumeAt = undefined;
		this.ceiling = checkpoint.watermark;
		this.warnings.push(
			`The trigger had read up to ${watermark}, which is far ahead of what the service shows. It went back to ${checkpoint.watermark}. It misses unhandled changes before that time, and can return changes shortly after it twice.`,
		);
		return true;
	}

	/** Returns the watermark's limit: after it, late commits can still appear, or versions haven't settled. */
	private lookbackCeiling(): Timestamp {
		const start = this.lookbackStart();
		return earliestOf([start, this.settledUntil]) ?? start;
	}

	/** Returns the time before which nothing can become visible anymore, counted from the start of the poll. */
	private lookbackStart(): Timestamp {
		return this.source.clock.lookbackStart(this.startedAt, this.watch.lookback);
	}

	private skipToNextSecond(second: Timestamp): void {
		this.resumeAt = secondAfter(second);
		this.warnings.push(
			`More inspections changed in the second ${second} than one poll has time to read. The trigger handled all inspections that it received, and continues with the next second. It might have missed inspections that moved to another page meanwhile.`,
		);
	}

	/**
	 * Returns the times of a page's inspections. Throws UnexpectedResponseError if the service ignored the order or
	 * the range. Skips and reports inspections without a time, because they can't be tracked.
	 */
	private checkPage(
		sortOrder: SortOrder,
		range: TimeRange,
		inspections: readonly InspectionRecord[],
	): Timestamp[] {
		const { sortBy } = this.watch;
		const hasTime = (inspection: InspectionRecord) => timestampOf(inspection[sortBy]) !== undefined;
		const untimed = inspections.filter((inspection) => !hasTime(inspection));
		if (untimed.length > 0) {
			const ids = untimed.slice(0, MAX_NAMED).map(({ id }) => cleanLine(id, 100));
			const named = listText(ids, untimed.length);
			this.warnings.push(
				`The service sent inspections without a valid "${sortBy}": ${named}. They can't start the workflow until they have one.`,
			);
		}
		return checkTimes({ sortBy, sortOrder }, range, inspections.filter(hasTime));
	}

	private newestFirst(pageSize: number): Reading {
		return { ...this.reading('desc'), includes: [], pageSize };
	}

	private reading(sortOrder: SortOrder): Reading {
		const { sortBy, teamId, includes } = this.watch;
		const order = { sortBy, sortOrder };
		const { list } = this.source;
		return { list, filter: { teamId }, includes, order, pageSize: MAX_PAGE_SIZE };
	}

	private tiedSecondOptions(): TiedSecondOptions {
		return {
			countKnown: (second) => this.checkpoint.seen.countWithin(second),
			onIncomplete: (second, { expected, received }) =>
				void this.warnings.push(
					`The service sorts inspections with the same ${this.watch.sortBy} differently on each page. The second from ${second} on has ${expected} inspections, but only ${received} of them appeared, even after repeated requests. The trigger might miss the rest.`,
				),
		};
	}
}
