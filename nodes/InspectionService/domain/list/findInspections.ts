import { idKey } from '../id';
import { mapConcurrently } from '../mapConcurrently';
import {
	addSeconds,
	ceilToSecond,
	compareTimestamps,
	floorToSecond,
	type Timestamp,
	timestampOf,
} from '../timestamp';
import type { Reading } from './askPage';
import type { InspectionRecord } from './inspectionPage';
import { type Include, MAX_PAGE_SIZE } from './inspectionQuery';
import { isEmptyRange, type KeyRange, type ListOrder } from './keyRange';
import type { ListSource } from './readFirst';
import { readRange } from './readRange';

const NEWEST_FIRST: ListOrder = { sortBy: 'updated_at', sortOrder: 'desc' };
/**
 * Seconds around the time that somebody has given, the second one where the first brings nothing. Two minutes,
 * because a sheet shows minutes and a webhook comes later than the change; a day, because the time may be a day.
 */
const AROUND_SECONDS = [120, 86_400];
/**
 * Up to this many wanted inspections are looked for without their answers and files, and then asked for one by one. With
 * more of them that would take more requests than it spares.
 */
const MOST_ASKED_ALONE = 20;
/** How long a change may be hidden after its own timestamp: as long as the trigger's Lookback is by default. */
const HIDDEN_SECONDS = 60;
/** Enough for a busy service, and a search must end. */
const MOST_LOOKS_AT_CHANGES = 10;

/** The wanted inspections by id (`idKey`), each with a time near which it was changed; undefined where none is known. */
export type Wanted = ReadonlyMap<string, Timestamp | undefined>;

/** What a search came to. Where an inspection is not found, the whole list was looked at. */
export interface SearchResult {
	/** The inspections by id (`idKey`). */
	readonly found: ReadonlyMap<string, InspectionRecord>;
	/** How many different inspections were looked at. */
	readonly lookedAt: number;
	/** The earliest time of update among them; undefined where there were none. */
	readonly oldest: Timestamp | undefined;
}

/** Where a search reads, and what each inspection comes with. */
interface Search {
	readonly source: ListSource;
	readonly includes: readonly Include[];
	/** How many requests may be under way at once. */
	readonly lanes: number;
}

/** What a search has seen of the list. Ids are compared as `idKey` writes them. */
class Sightings {
	/** The wanted inspections that were seen, by id, each as it was seen first. */
	readonly found = new Map<string, InspectionRecord>();
	/** The ids that were not seen. */
	readonly missing: Set<string>;
	private readonly seen = new Set<string>();
	private newestTime: Timestamp | undefined;
	private oldestTime: Timestamp | undefined;

	constructor(wanted: Iterable<string>) {
		this.missing = new Set(wanted);
	}

	/** How many different inspections were seen. */
	get lookedAt(): number {
		return this.seen.size;
	}

	/** The latest time of update that was seen; undefined before the first. */
	get newest(): Timestamp | undefined {
		return this.newestTime;
	}

	/** The earliest time of update that was seen; undefined before the first. */
	get oldest(): Timestamp | undefined {
		return this.oldestTime;
	}

	get isComplete(): boolean {
		return this.missing.size === 0;
	}

	add(inspections: readonly InspectionRecord[]): void {
		for (const inspection of inspections) {
			const id = idKey(inspection.id);
			this.seen.add(id);
			this.noteTime(timestampOf(inspection.updated_at));
			if (this.missing.delete(id)) this.found.set(id, inspection);
		}
	}

	private noteTime(time: Timestamp | undefined): void {
		if (time === undefined) return;
		const { newestTime, oldestTime } = this;
		if (newestTime === undefined || compareTimestamps(time, newestTime) > 0) this.newestTime = time;
		if (oldestTime === undefined || compareTimestamps(time, oldestTime) < 0) this.oldestTime = time;
	}
}

/**
 * Finds inspections by their ids in a list that knows no such question (listInspections of docs/service.openapi.yaml),
 * while others create and update. One search finds all of them. It looks near the times that are known, then at the
 * newest inspections and further back, and ends when all are found.
 */
export async function findInspections(wanted: Wanted, search: Search): Promise<SearchResult> {
	const isAskedAlone = search.includes.length > 0 && wanted.size <= MOST_ASKED_ALONE;
	if (!isAskedAlone) return await findInList(wanted, search);
	const { found, lookedAt, oldest } = await findInList(wanted, { ...search, includes: [] });
	const alone = await askAlone(found, search);
	// What is missing now has changed since it was located, so that it is among the newest.
	const changed = await findInList(new Map([...alone.missing].map(withoutTime)), search);
	return { found: new Map([...alone.found, ...changed.found]), lookedAt, oldest };
}

async function findInList(wanted: Wanted, search: Search): Promise<Sightings> {
	const sightings = new Sightings(wanted.keys());
	for (const seconds of AROUND_SECONDS) {
		const times = [...sightings.missing].flatMap((id) => wanted.get(id) ?? []);
		await lookIn(windowsAround(times, seconds), sightings, search);
	}
	if (!sightings.isComplete) await lookEverywhere(sightings, search);
	return sightings;
}

/** Asks for what was located once more, with its includes: by the second in which it was updated. */
async function askAlone(
	located: ReadonlyMap<string, InspectionRecord>,
	search: Search,
): Promise<Sightings> {
	const times = [...located.values()].flatMap(({ updated_at }) => timestampOf(updated_at) ?? []);
	const sightings = new Sightings(located.keys());
	await lookIn(windowsAround(times, 0), sightings, search);
	return sightings;
}

async function lookIn(
	windows: readonly KeyRange[],
	sightings: Sightings,
	search: Search,
): Promise<void> {
	await mapConcurrently(windows, search.lanes, async (window) => {
		await readDown(window, sightings, search);
	});
}

/** The whole list, the newest first, and then what has changed meanwhile. */
async function lookEverywhere(sightings: Sightings, search: Search): Promise<void> {
	let newest: Timestamp | undefined;
	for await (const { inspections } of readRange(readingOf(search), {})) {
		sightings.add(inspections);
		if (sightings.isComplete) return;
		newest ??= sightings.newest;
	}
	if (newest !== undefined) await lookAtChanges(newest, sightings, search);
}

/**
 * Looks once more at what has changed since `since`. An inspection that others change during a search moves to the
 * newest end, which was read before. It looks again until nothing has changed during a look.
 */
async function lookAtChanges(
	since: Timestamp,
	sightings: Sightings,
	search: Search,
): Promise<void> {
	let from = since;
	for (let looks = 0; looks < MOST_LOOKS_AT_CHANGES && !sightings.isComplete; looks++) {
		const known = sightings.newest;
		const after = addSeconds(floorToSecond(from), -HIDDEN_SECONDS);
		await readDown({ after }, sightings, search);
		if (known === undefined || sightings.newest === known) return;
		from = known;
	}
}

/** Reads a range from its newest inspection on, until all are found. */
async function readDown(range: KeyRange, sightings: Sightings, search: Search): Promise<void> {
	if (sightings.isComplete) return;
	for await (const { inspections } of readRange(readingOf(search), range)) {
		sightings.add(inspections);
		if (sightings.isComplete) return;
	}
}

function readingOf({ source, includes }: Search): Reading {
	return { ...source, includes, filter: {}, order: NEWEST_FIRST, pageSize: MAX_PAGE_SIZE };
}

function withoutTime(id: string): [string, undefined] {
	return [id, undefined];
}

/**
 * The windows that reach `seconds` to both sides of the moments, in rising order. Windows that overlap are one. Example:
 * 10:00:30.5 with 60 seconds is 09:59:30 to 10:01:31.
 */
export function windowsAround(moments: readonly Timestamp[], seconds: number): KeyRange[] {
	const windows: KeyRange[] = [];
	for (const moment of moments.toSorted(compareTimestamps)) {
		const after = addSeconds(floorToSecond(moment), -seconds);
		const end = ceilToSecond(moment);
		const before = end && addSeconds(end, seconds);
		const last = windows.at(-1);
		if (last === undefined || isEmptyRange({ after, before: last.before })) {
			windows.push({ after, before });
		} else {
			windows[windows.length - 1] = { ...last, before };
		}
	}
	return windows;
}
