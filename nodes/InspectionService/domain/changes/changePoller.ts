import { hasUsableId, type InspectionRecord, leftOutWarnings } from '../list/inspectionPage';
import type { RangePage } from '../list/readRange';
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
import { advance, type Checkpoint, pruneCheckpoint, rangeFrom } from './checkpoint';
import { versionHash } from './seenVersions';
import { isFarAfter } from './serviceClock';
import type { Change, ChangeSource, Watch } from './watch';
import { type NewestPage, WatchedList } from './watchedList';

interface Version {
	readonly hash: string;
	readonly stamp: Timestamp;
	/** Undefined if the filters rejected this version. */
	readonly change: Change | undefined;
}

/** How far a poll goes. Fixed before the first page and never changed, so no later page can move the checkpoint. */
interface Limits {
	/** Where the poll starts to read. */
	readonly from: Timestamp;
	/** The latest time to which the watermark can move. */
	readonly ceiling: Timestamp;
	/**
	 * The poll ignores changes after this time, because the inspections must first stay unchanged for `settle` seconds.
	 * Undefined if `settle` is 0. A later value could include inspections that moved past pages already read.
	 */
	readonly settledUntil: Timestamp | undefined;
}

/** What a poll has read: only pages whose versions were all collected count. */
interface Progress {
	readonly ceiling: Timestamp;
	/** The second of time in which the next poll continues. Undefined after the poll has read everything. */
	readonly resumeAt: Timestamp | undefined;
}

/**
 * Runs one poll ("One poll of the trigger" in docs/dev/reading.md). First call `read`, which collects the changes, and
 * then `commit`, which moves the checkpoint past the changes that were rendered. Call each method once. `read` itself
 * changes the checkpoint only if the watermark is far in the future.
 */
export class ChangePoller {
	readonly warnings: string[] = [];
	/** The error that ended `read` early, if there was one. The changes that were collected before are still valid. */
	failure: unknown;
	private readonly checkpoint: Checkpoint;
	private readonly watch: Watch;
	private readonly source: ChangeSource;
	private readonly list: WatchedList;
	private readonly startedAt: number;
	/** The versions that this poll has handled, keyed by timestamp and hash. */
	private readonly versions = new Map<string, Version>();
	private changeCount = 0;
	/** Undefined until the first page is handled completely. The checkpoint then stays as it is. */
	private progress: Progress | undefined;

	constructor(checkpoint: Checkpoint, watch: Watch, source: ChangeSource) {
		this.checkpoint = checkpoint;
		this.watch = watch;
		this.source = source;
		this.list = new WatchedList(watch, source, this.warnings);
		this.startedAt = source.clock.n8n.now();
	}

	/**
	 * Collects the changes since the last poll and returns them in order of time. If a request fails, returns the changes
	 * collected so far and sets `failure`.
	 */
	async read(): Promise<readonly Change[]> {
		try {
			await this.readChanges();
		} catch (error) {
			this.failure = error;
		}
		return this.inOrder().flatMap(({ change }) => change ?? []);
	}

	/**
	 * Moves the checkpoint past the rendered changes. Returns the changes whose items must be emitted.
	 * `producedItems` has one element for each rendered change, in the order of `read`: whether the change produced an
	 * item. If rendering stopped early, the list is shorter than the list of changes. The next poll then starts at the
	 * first change that wasn't rendered.
	 */
	commit(producedItems: readonly boolean[]): Change[] {
		const { checkpoint, watch, progress } = this;
		if (progress === undefined) return [];
		if (!watch.oncePerInspection) checkpoint.emitted.clear();
		const versions = this.inOrder();
		const changes = versions.flatMap(({ change }) => change ?? []);
		const firstUnrendered = changes[producedItems.length];
		const end = versions.findIndex(({ change }) => change === firstUnrendered);
		const handled = firstUnrendered === undefined ? versions : versions.slice(0, end);
		for (const { stamp, hash } of handled) checkpoint.seen.add(stamp, hash);
		if (firstUnrendered === undefined || handled.length > 0) {
			const second = firstUnrendered && floorToSecond(firstUnrendered.stamp);
			advance(checkpoint, earliestOf([progress.resumeAt, second]), progress.ceiling);
		}
		const emitted = changes.filter((change, index) => {
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
	 * Reads from the watermark on, or from where the last poll stopped, in ascending order. Collects new versions until
	 * the list, Max Items, or the time ends. Before that, requests the newest inspection, which shows the service's clock.
	 */
	private async readChanges(): Promise<void> {
		const hasChanges = await this.readClock();
		const { from, ceiling, settledUntil } = this.fixLimits();
		const range = rangeFrom(from);
		const pages = hasChanges ? this.list.readFrom(range, this.checkpoint.seen) : [];
		for await (const page of pages) {
			const last = this.list.checkPage('asc', range, page.inspections).at(-1);
			const left = await this.collect(page.inspections, settledUntil);
			// The page counts from here on, because nothing after this line belongs to it.
			const second = earliestOf([left, page.second]) ?? this.progress?.resumeAt ?? range.after;
			this.progress = { resumeAt: second, ceiling };
			if (left !== undefined) return;
			// The order is ascending, so all settled changes were read.
			if (settledUntil && last && isLater(last, settledUntil)) break;
			if (this.mustStop(page, range)) return;
		}
		this.progress = { resumeAt: undefined, ceiling };
	}

	/**
	 * Requests the newest inspection since the watermark and updates the service's clock. Returns whether there is one. If
	 * the watermark is far in the future and hides every change, moves it back first.
	 */
	private async readClock(): Promise<boolean> {
		const { clock } = this.source;
		const page = await this.list.fetchNewest(rangeFrom(this.checkpoint.watermark));
		const isHidden = page.inspections.length === 0 && this.isFarInFuture(page.sentAt);
		const newest = isHidden ? await this.list.fetchNewest({}) : page;
		const isRewound = isHidden && this.rewindFutureWatermark(newest);
		const shown = isRewound ? newest : page;
		clock.record(shown.time, shown.sentAt);
		return shown.inspections.length > 0;
	}

	/**
	 * If the last poll stopped within the lookback, continues there. A later poll rereads the changes before that time,
	 * because late commits can still appear there. If the last poll stopped before the lookback, reads from the watermark
	 * once more to catch late commits. No late commits can appear before the lookback after that.
	 *
	 * Later changes than the ceiling must be reread: late commits can still appear among them, or `settle` delays them. A
	 * poll that continues where the last poll stopped doesn't read the changes right after the watermark, so it must not
	 * move the watermark.
	 */
	private fixLimits(): Limits {
		const { watermark, resumeAt } = this.checkpoint;
		const { settle, lookback } = this.watch;
		const { clock } = this.source;
		const settledUntil = settle > 0 ? clock.settledUntil(settle) : undefined;
		const start = clock.lookbackStart(this.startedAt, lookback);
		if (resumeAt !== undefined && isLater(resumeAt, start)) {
			return { from: resumeAt, ceiling: watermark, settledUntil };
		}
		return { from: watermark, ceiling: earliestOf([start, settledUntil]) ?? start, settledUntil };
	}

	/** Whether the poll must stop after this page, because it reached Max Items or ran out of time. */
	private mustStop({ isLast, second, isOfTiedSecond }: RangePage, range: TimeRange): boolean {
		if (isLast) return false;
		if (this.changeCount >= this.watch.maxInspections) return true;
		// The poll has found nothing new and is still in the second of time in which it started.
		const isStuck = this.versions.size === 0 && second === range.after;
		if (this.source.hasTimeLeft() || (isStuck && !isOfTiedSecond)) return false;
		if (isStuck && second !== undefined) this.skipToNextSecond(second);
		return true;
	}

	/**
	 * Collects the new versions of a page: all of them, or none if this throws. If there are more than Max Items allows,
	 * returns the second of the first version that wasn't collected. Otherwise, returns undefined.
	 */
	private async collect(
		inspections: readonly InspectionRecord[],
		settledUntil: Timestamp | undefined,
	): Promise<Timestamp | undefined> {
		const { checkpoint, watch, source } = this;
		const unseen = this.unseen(inspections, settledUntil);
		if (unseen.size === 0) return undefined;
		const received = [...unseen.values()].map(({ inspection }) => inspection);
		await source.prepare?.(received.filter(hasUsableId));
		const collected = new Map<string, Version>();
		let { changeCount } = this;
		let left: Timestamp | undefined;
		for (const [key, { inspection, stamp, hash }] of unseen) {
			const isKnown = watch.oncePerInspection && checkpoint.emitted.has(shortHash(inspection.id));
			const isWanted = !isKnown && hasUsableId(inspection) && watch.matches(inspection);
			if (isWanted && changeCount >= watch.maxInspections) {
				left = floorToSecond(stamp);
				break;
			}
			if (isWanted) {
				watch.countMemory?.(inspection);
				changeCount += 1;
			}
			collected.set(key, { stamp, hash, change: isWanted ? { inspection, stamp } : undefined });
		}
		for (const [key, version] of collected) this.versions.set(key, version);
		this.changeCount = changeCount;
		this.warnings.push(...leftOutWarnings(received));
		return left;
	}

	/**
	 * Returns the new versions on a page, each once. Leaves out versions that an earlier poll or page contained, and
	 * versions after `settledUntil`.
	 */
	private unseen(inspections: readonly InspectionRecord[], settledUntil: Timestamp | undefined) {
		const { watermark, seen } = this.checkpoint;
		const unseen = new Map<string, Change & { readonly hash: string }>();
		for (const inspection of inspections) {
			const stamp = timestampOf(inspection[this.watch.sortBy]);
			if (stamp === undefined || isLater(watermark, stamp)) continue;
			if (settledUntil !== undefined && isLater(stamp, settledUntil)) continue;
			const hash = versionHash(inspection, this.watch.sortBy);
			const key = `${stamp} ${hash}`;
			if (!seen.has(stamp, hash) && !this.versions.has(key)) {
				unseen.set(key, { inspection, stamp, hash });
			}
		}
		return unseen;
	}

	private inOrder(): Version[] {
		return [...this.versions.values()].sort((a, b) => compareTimestamps(a.stamp, b.stamp));
	}

	/** Whether the watermark is far after the `Date` header. A watermark at a future Start From is intended. */
	private isFarInFuture(sentAt: Timestamp | undefined): boolean {
		const { watermark } = this.checkpoint;
		const { startAt } = this.watch;
		const isIntended = startAt !== undefined && !isLater(watermark, startAt);
		return !isIntended && isFarAfter(watermark, sentAt ?? this.source.clock.n8n.today());
	}

	/**
	 * Moves the watermark back if it's far ahead of the service's clock ("When a clock is wrong" in
	 * docs/dev/reading.md). A wrong `Date` header alone must not cause this, so the time of the newest inspection is
	 * also checked. Returns whether the watermark moved.
	 */
	private rewindFutureWatermark({ time: newest, sentAt }: NewestPage): boolean {
		const { checkpoint, watch, source } = this;
		const { watermark } = checkpoint;
		if (newest === undefined || !isFarAfter(watermark, newest)) return false;
		// Use the median of three clocks, so that one wrong clock has no effect. Without a `Date` header, use `newest`.
		const clocks = sentAt === undefined ? [newest] : [newest, sentAt, source.clock.n8n.today()];
		const shown = clocks.toSorted(compareTimestamps)[Math.floor(clocks.length / 2)] ?? newest;
		if (!isFarAfter(watermark, shown)) return false;
		const seconds = source.clock.restart() + watch.lookback;
		checkpoint.watermark = floorToSecond(addSeconds(shown, -seconds) ?? BEGINNING_OF_TIME);
		checkpoint.resumeAt = undefined;
		this.warnings.push(
			`The trigger had read changes up to ${watermark}, which is far ahead of the service's clock. It now continues from ${checkpoint.watermark}. Earlier changes that it hadn't handled yet are missing. Changes shortly after ${checkpoint.watermark} might start the workflow twice.`,
		);
		return true;
	}

	private skipToNextSecond(second: Timestamp): void {
		if (this.progress) this.progress = { ...this.progress, resumeAt: secondAfter(second) };
		this.warnings.push(
			`More inspections changed at ${second} than one poll has time to read. The trigger handled the inspections that it received, and continues with later changes. It might have missed some: the service sends its list in pages, and an inspection can move to a different page while the trigger reads.`,
		);
	}
}
