import { idKey } from '../id';
import { mapConcurrently, MAX_ACTIVE } from '../mapConcurrently';
import {
	addSeconds,
	compareTimestamps,
	floorToSecond,
	laterOf,
	type Timestamp,
	timestampOf,
} from '../timestamp';
import type { ListSource, OrderedList } from './fetchPage';
import type { InspectionRecord } from './inspectionPage';
import { type Include, MAX_PAGE_SIZE } from './inspectionQuery';
import { readRange, readUpdatedSince } from './readRange';
import { isEmptyRange, type TimeRange, upperBoundFor } from './timeRange';

/**
 * The sizes of the search windows around a known time, in seconds. Two minutes, because a sheet omits seconds and a
 * webhook can be late. Then one day, in case only the day is known.
 */
const AROUND_SECONDS = [120, 86_400];
/**
 * Maximum IDs for a search in two steps: first without answers and files, to keep the searched pages small. Then each
 * inspection that was found is requested again by its time, with answers and files.
 */
const MAX_READ_ALONE = 20;
/** The result of a search. If an inspection is missing from `found`, the whole list was searched. */
export type SearchResult = Readonly<Pick<Search, 'found' | 'checkedCount'>>;

/**
 * Finds inspections by ID in a list that can't be filtered by ID, while other users create and update inspections.
 * Searches near the known times first, then the whole list from the newest inspection backward, then the inspections
 * that changed meanwhile. `wanted` maps each ID (`idKey`) to a time near its last update, or to undefined if no time is
 * known.
 */
export async function findInspections(
	wanted: ReadonlyMap<string, Timestamp | undefined>,
	source: ListSource,
	includes: readonly Include[],
): Promise<SearchResult> {
	const isReadAlone = includes.length > 0 && wanted.size <= MAX_READ_ALONE;
	const search = new Search(wanted.keys(), source, isReadAlone ? [] : includes);
	for (const seconds of AROUND_SECONDS) {
		const times = [...search.missing].flatMap((id) => wanted.get(id) ?? []);
		await search.searchNear(times, seconds);
	}
	await search.searchAll();
	if (!isReadAlone) return search;
	const alone = new Search(search.found.keys(), source, includes);
	const located = [...search.found.values()];
	const times = located.flatMap(({ updated_at }) => timestampOf(updated_at) ?? []);
	await alone.searchNear(times, 0);
	// An inspection that is still missing was updated after the first search found it, so it's among the newest.
	await alone.searchAll();
	return { found: alone.found, checkedCount: search.checkedCount };
}

class Search {
	/** The inspections found so far, by ID (`idKey`). */
	readonly found = new Map<string, InspectionRecord>();
	readonly missing: Set<string>;
	private newest: Timestamp | undefined;
	private readonly seen = new Set<string>();
	private pages = 0;
	private readonly reading: OrderedList;

	constructor(wanted: Iterable<string>, source: ListSource, includes: readonly Include[]) {
		this.missing = new Set(wanted);
		const order = { sortBy: 'updated_at', sortOrder: 'desc' } as const;
		this.reading = { ...source, includes, filter: {}, order, pageSize: MAX_PAGE_SIZE };
	}

	/** The number of different inspections that were compared with the wanted IDs. */
	get checkedCount(): number {
		return this.seen.size;
	}

	/**
	 * Searches the time windows around the given times. Stops searching a window after finding as many inspections as the
	 * window has times.
	 */
	async searchNear(times: readonly Timestamp[], seconds: number): Promise<void> {
		const windows = windowsAround(times, seconds);
		await mapConcurrently(
			windows,
			MAX_ACTIVE,
			async ({ timeCount, ...window }) => await this.searchRange(window, timeCount),
		);
	}

	/**
	 * Searches the whole list, starting with the newest inspection. Then searches the inspections that were updated
	 * meanwhile, because an update moves an inspection to the newest end of the list, which was already read. If other
	 * users update too many inspections, this part stops early, so that the search always ends.
	 */
	async searchAll(): Promise<void> {
		await this.searchRange({});
		if (this.newest === undefined || this.missing.size === 0) return;
		for await (const inspections of readUpdatedSince(this.reading, this.newest, this.pages)) {
			this.add(inspections);
			if (this.missing.size === 0) return;
		}
	}

	private async searchRange(range: TimeRange, maxFound = Infinity): Promise<void> {
		if (this.missing.size === 0) return;
		let left = maxFound;
		for await (const { inspections } of readRange(this.reading, range)) {
			left -= this.add(inspections);
			this.pages += 1;
			if (left <= 0 || this.missing.size === 0) return;
		}
	}

	/** Adds the inspections of a page. Returns how many of them were missing. */
	private add(inspections: readonly InspectionRecord[]): number {
		const before = this.found.size;
		for (const inspection of inspections) {
			const id = idKey(inspection.id);
			this.seen.add(id);
			if (this.missing.delete(id)) this.found.set(id, inspection);
			const time = timestampOf(inspection.updated_at);
			if (time !== undefined) this.newest = laterOf(this.newest ?? time, time);
		}
		return this.found.size - before;
	}
}

/**
 * Returns time windows that start `seconds` before and end `seconds` after each time, in whole seconds. Merges
 * overlapping windows. `timeCount` is the number of times in a window.
 */
export function windowsAround(times: readonly Timestamp[], seconds: number) {
	const windows: (TimeRange & { readonly timeCount: number })[] = [];
	for (const moment of times.toSorted(compareTimestamps)) {
		const end = upperBoundFor(moment);
		const after = addSeconds(floorToSecond(moment), -seconds);
		const before = end && addSeconds(end, seconds);
		const last = windows.at(-1);
		const isJoined = last !== undefined && !isEmptyRange({ after, before: last.before });
		if (isJoined) windows.pop();
		const timeCount = isJoined ? last.timeCount + 1 : 1;
		windows.push({ after: isJoined ? last.after : after, before, timeCount });
	}
	return windows;
}
