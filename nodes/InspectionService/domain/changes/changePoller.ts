import { cleanLine, listText } from '../formatting';
import { checkTimes, fetchPage, type Reading } from '../list/fetchPage';
import type { InspectionRecord } from '../list/inspectionPage';
import { MAX_PAGE_SIZE, type SortOrder } from '../list/inspectionQuery';
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
import { isFarAfter } from './serviceClock';
import type { Change, ChangeSource, PollStart, Watch } from './watch';

/** Maximum IDs in a warning. Chosen: enough to recognize what the inspections have in common. */
const MAX_NAMED = 3;

interface Version {
	readonly hash: string;
	readonly stamp: Timestamp;
	/** Undefined if the filters rejected this version. */
	readonly change: Change | undefined;
}

/**
 * Runs one poll ("One poll of the trigger" in docs/how-it-reads.md). First call `read`, which collects the changes, and
 * then `commit`, which moves the checkpoint past the changes that were rendered. Call each method once. `read` itself
 * changes the checkpoint only in a first poll, or if the watermark is far in the future.
 */
export class ChangePoller {
	readonly checkpoint: Checkpoint;
	readonly warnings: string[] = [];
	/** The error that ended `read` early, if there was one. The changes that were collected before are still valid. */
	failure: unknown;
	private readonly isFirst: boolean;
	private readonly watch: Watch;
	private readonly source: ChangeSource;
	private readonly startedAt: number;
	/** The versions that this poll has handled, keyed by timestamp and hash. */
	private readonly versions = new Map<string, Version>();
	private changes: Change[] = [];
	/** The second of time in which the next poll continues. Undefined after this poll has read everything. */
	private resumeAt: Timestamp | undefined;
	/** Whether this poll continues where the last poll stopped. Otherwise, it starts at the watermark. */
	private isResuming = false;
	/** The latest time to which the watermark can move. */
	private ceiling: Timestamp;
	/**
	 * The poll ignores changes after this time, because the inspections must first stay unchanged for `settle` seconds.
	 * Undefined if `settle` is 0, and before the first page.
	 */
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

	/**
	 * Collects the changes since the last poll and returns them in order of time. If a request fails, returns the changes
	 * collected so far and sets `failure`. Only a first poll throws instead, because an incomplete lookback must not be
	 * saved.
	 */
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
	 * Moves the checkpoint past the rendered changes. Returns the changes whose items must be emitted.
	 * `producedItems` has one element for each rendered change, in the order of `read`: whether the change produced an
	 * item. If rendering stopped early, the list is shorter than the list of changes. The next poll then starts at the
	 * first change that wasn't rendered.
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
			// A change without an item (for example, an inspection without files) doesn't count as emitted. It's emitted
			// later, if it produces an item then.
			if (producedItems[index] !== true) return false;
			if (!watch.oncePerInspection) return true;
			const hash = shortHash(change.inspection.id);
			// Two versions of this inspection can be in one poll. Emit only the first.
			if (checkpoint.emitted.has(hash)) return false;
			checkpoint.emitted.add(hash);
			return true;
		});
		this.warnings.push(...pruneCheckpoint(checkpoint, watch.lookback, watch.maxSeen));
		return emitted;
	}

	/**
	 * Runs the first poll of a trigger that starts now. Remembers the inspections that changed within the lookback, so
	 * that later polls don't emit them. Emits nothing, because n8n can lose the items of a first poll. If the poll runs
	 * out of time, the trigger misses late commits that are older than the pages read.
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
			// When the time ends, the watermark skips the rest of this second. Read on if it's the newest second, because more
			// changes can still get its time.
			if (!source.hasTimeLeft() && !isLater(readFrom, newestSecond)) {
				advanceWatermark(checkpoint, readFrom);
				break;
			}
		}
		this.ceiling = checkpoint.watermark;
	}

	/**
	 * Reads from the watermark on, or from where the last poll stopped, in ascending order. Collects new versions until
	 * the list, Max Items, or the time ends. `canRewind` is false after the watermark was moved back, so that it moves
	 * back only once.
	 */
	private async readChanges(canRewind = true): Promise<void> {
		const range = await this.chooseRange();
		let isFirstPage = true;
		for await (const page of readRange(this.reading('asc'), range, this.tiedSecondOptions())) {
			const last = this.checkPage('asc', range, page.inspections).at(-1);
			if (isFirstPage && canRewind && (await this.rewindFutureWatermark(page.sentAt))) {
				await this.readChanges(false);
				return;
			}
			// A page that was read by page number (`isOfTiedSecond`) has no `Date` header.
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

	/**
	 * Chooses the range to read: from the watermark on, or from where the last poll stopped. Fetches the newest
	 * inspection first if this choice or the wait (`settle`) needs the service's clock.
	 */
	private async chooseRange(): Promise<TimeRange> {
		const { watermark, resumeAt } = this.checkpoint;
		const needsClock = this.watch.settle > 0 && !this.source.clock.hasDate;
		if (resumeAt !== undefined || needsClock) await this.fetchNewest();
		// If the last poll stopped within the lookback, continue there. A later poll rereads the changes before that time,
		// because late commits can still appear there. If the last poll stopped before the lookback, read from the
		// watermark once more to catch late commits. No late commits can appear before the lookback after that.
		this.isResuming = resumeAt !== undefined && isLater(resumeAt, this.lookbackStart());
		return rangeFrom(this.isResuming && resumeAt !== undefined ? resumeAt : watermark);
	}

	/**
	 * Updates the service's clock after each page, and then the limits `settledUntil` and `ceiling`. `settledUntil` is
	 * set only once, after the first page: a later value could include inspections that moved past pages already read.
	 */
	private updateClock(
		last: Timestamp | undefined,
		sentAt: Timestamp | undefined,
		isFirstPage: boolean,
	): void {
		const { clock } = this.source;
		const { settle } = this.watch;
		clock.record(last, sentAt);
		if (isFirstPage && settle > 0) this.settledUntil = clock.settledUntil(settle);
		// A poll that continues where the last poll stopped doesn't read the changes right after the watermark, so it must
		// not move the watermark.
		this.ceiling = this.isResuming ? this.checkpoint.watermark : this.lookbackCeiling();
	}

	/**
	 * Whether the last time on a page is after `settledUntil`. Then all changes up to `settledUntil` were read, because
	 * the order is ascending.
	 */
	private isPastSettled(last: Timestamp | undefined): boolean {
		return (
			this.settledUntil !== undefined && last !== undefined && isLater(last, this.settledUntil)
		);
	}

	/** Whether the poll must stop after this page, because it reached Max Items or ran out of time. */
	private mustStop({ isLast, second, isOfTiedSecond }: RangePage, range: TimeRange): boolean {
		if (isLast) return false;
		if (this.changes.length >= this.watch.maxItems) return true;
		// The poll has found nothing new and is still in the second of time in which it started.
		const isStuck = this.versions.size === 0 && second === range.after;
		if (this.source.hasTimeLeft() || (isStuck && !isOfTiedSecond)) return false;
		if (isStuck && second !== undefined) this.skipToNextSecond(second);
		return true;
	}

	/**
	 * Collects the new versions of a page. If there are more than Max Items allows, returns the second of the earliest
	 * version that wasn't collected. Otherwise, returns undefined.
	 */
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

	/**
	 * Returns the new versions on a page, each once. Leaves out versions that an earlier poll or page contained, and
	 * versions after `settledUntil`.
	 */
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

	/** Fetches the newest inspection to update the service's clock. */
	private async fetchNewest(): Promise<void> {
		const range = rangeFrom(this.checkpoint.watermark);
		const { inspections, sentAt } = await fetchPage(this.newestFirst(1), range);
		this.source.clock.record(this.checkPage('desc', range, inspections)[0], sentAt);
	}

	/**
	 * Moves the watermark back if it's far ahead of the service's clock ("When a clock is wrong" in
	 * docs/how-it-reads.md). A wrong `Date` header alone must not cause this, so the time of the newest inspection is
	 * also checked. A watermark at a future Start From is intended and stays. Returns whether the watermark moved.
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
		// Use the median of three clocks, so that one wrong clock has no effect. Without a `Date` header, use `newest`.
		const clocks = page.sentAt === undefined ? [newest] : [newest, page.sentAt, today];
		const shown = clocks.toSorted(compareTimestamps)[Math.floor(clocks.length / 2)] ?? newest;
		if (!isFarAfter(watermark, shown)) return false;
		const seconds = source.clock.restart() + watch.lookback;
		checkpoint.watermark = floorToSecond(addSeconds(shown, -seconds) ?? BEGINNING_OF_TIME);
		checkpoint.resumeAt = undefined;
		this.resumeAt = undefined;
		this.ceiling = checkpoint.watermark;
		this.warnings.push(
			`The trigger had read changes up to ${watermark}, which is far ahead of the service's clock. It now continues from ${checkpoint.watermark}. Earlier changes that it hadn't handled yet are missing. Changes shortly after ${checkpoint.watermark} might start the workflow twice.`,
		);
		return true;
	}

	/**
	 * Returns the latest time to which the watermark can move. Later changes must be reread: late commits can still
	 * appear among them, or `settle` delays them.
	 */
	private lookbackCeiling(): Timestamp {
		const start = this.lookbackStart();
		return earliestOf([start, this.settledUntil]) ?? start;
	}

	/**
	 * Returns the time before which no more late commits can appear. It's based on the clock at the start of the poll.
	 */
	private lookbackStart(): Timestamp {
		return this.source.clock.lookbackStart(this.startedAt, this.watch.lookback);
	}

	private skipToNextSecond(second: Timestamp): void {
		this.resumeAt = secondAfter(second);
		this.warnings.push(
			`More inspections changed at ${second} than one poll has time to read. The trigger handled the inspections that it received, and continues with later changes. It might have missed some: the service sends its list in pages, and an inspection can move to a different page while the trigger reads.`,
		);
	}

	/**
	 * Returns the time of each inspection on a page. Throws UnexpectedResponseError if the service ignored the order or
	 * the range. Skips inspections without a time and adds a warning, because their changes can't be tracked.
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
				`The service sent inspections without a valid "${sortBy}": ${named}. These inspections can't start the workflow until the service sends a valid time for them.`,
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
					`The service sorts inspections with the same "${this.watch.sortBy}" differently on each page. At least ${expected} inspections have the time ${second}, but the service sent only ${received} of them, even after repeated requests. The trigger might miss the rest.`,
				),
		};
	}
}
