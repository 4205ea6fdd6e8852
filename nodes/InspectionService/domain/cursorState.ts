import type { SortBy } from './inspectionQuery';
import { isRecord, textOf, type JsonRecord, type JsonValue } from './json';
import { SeenVersions } from './seenVersions';
import { timestampOf, type Timestamp } from './timestamp';

/** Raised whenever an older state would be misread; a state of another version is not used. */
const VERSION = 1;

/** What the trigger watches, by the time that orders it. */
export type CursorEvent = 'updated' | 'created';

export function sortKeyOf(event: CursorEvent): SortBy {
	return event === 'created' ? 'created_at' : 'updated_at';
}

/** Where a poll stopped before it had read everything: the next one goes on from here. */
export interface Place {
	/** Start of the range read; null is the beginning of time. */
	after: Timestamp | null;
	/** Page within the range; more than 1 only where a second holds more inspections than a page. */
	page: number;
	/** Pages are read in falling order: the second look at a range of several pages. */
	back: boolean;
	/** Too many to be remembered: the range is not looked at a second time. */
	once: boolean;
}

/**
 * Where the trigger is in the service's data. Everything earlier than `floor` is done with; from `floor` on, what
 * is in `seen` is. All times are the service's.
 */
export interface Cursor {
	/** Null: the organisation had no inspection yet. */
	floor: Timestamp | null;
	/** The latest timestamp known: the service's clock is at least there. */
	newest: Timestamp | null;
	seen: SeenVersions;
	/** Set while there is more to read than the last poll could. */
	place: Place | null;
	/** Set while the first window is read: what is not later than this existed before the trigger did. */
	quietUntil: Timestamp | null;
	/** Marks of the inspections emitted, for `oncePerInspection`; the oldest first. */
	emitted: string;
}

/** The text form, without what belongs to the place where it is stored. */
export function cursorToJson(cursor: Cursor): JsonRecord {
	const { floor, newest, seen, place, quietUntil, emitted } = cursor;
	return {
		version: VERSION,
		floor,
		newest,
		seen: seen.toJson(),
		...(place === null ? {} : { place: placeToJson(place) }),
		...(quietUntil === null ? {} : { quietUntil }),
		...(emitted === '' ? {} : { emitted }),
	};
}

/** The cursor of a text form; undefined for anything that this version did not write. */
export function cursorOf(value: unknown): Cursor | undefined {
	if (!isRecord(value) || value.version !== VERSION) return undefined;
	const floor = momentOf(value.floor);
	const newest = momentOf(value.newest);
	const seen = SeenVersions.parse(value.seen);
	const place = placeOf(value.place);
	const quietUntil = momentOf(value.quietUntil ?? null);
	if (floor === undefined || newest === undefined || seen === undefined) return undefined;
	if (place === undefined || quietUntil === undefined) return undefined;
	return { floor, newest, seen, place, quietUntil, emitted: textOf(value.emitted) ?? '' };
}

function placeToJson({ after, page, back, once }: Place): JsonRecord {
	return { after, page, ...(back ? { back } : {}), ...(once ? { once } : {}) };
}

function placeOf(value: JsonValue | undefined): Place | null | undefined {
	if (value === undefined) return null;
	if (!isRecord(value)) return undefined;
	const after = momentOf(value.after);
	const { page } = value;
	if (after === undefined || typeof page !== 'number' || !(page >= 1)) return undefined;
	return { after, page: Math.floor(page), back: value.back === true, once: value.once === true };
}

/** Null stays null; undefined for what is neither null nor a timestamp. */
function momentOf(value: JsonValue | undefined): Timestamp | null | undefined {
	return value === null ? null : timestampOf(value);
}
