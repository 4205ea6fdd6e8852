import { scopeOf, scopeToJson, type CursorScope } from './cursorScope';
import type { SortBy } from '../list/inspectionQuery';
import { isRecord, textOf, type JsonRecord, type JsonValue } from '../json';
import type { Place } from './place';
import { SeenVersions } from './seenVersions';
import { timestampOf, type Timestamp } from '../timestamp';

/** Raised whenever an older state would be misread; a state of another version is not used. */
const VERSION = 1;

/** What the trigger watches, by the time that orders it. */
export type CursorEvent = 'updated' | 'created';

export function sortKeyOf(event: CursorEvent): SortBy {
	return event === 'created' ? 'created_at' : 'updated_at';
}

/** What is remembered without being emitted. */
export interface Quiet {
	/** What is later is no history. */
	until: Timestamp;
	/** What former filters let through as well is no history either; null: there were none. */
	except: CursorScope | null;
}

/** Other filters that were first asked for when the organisation's newest inspection was of `until`. */
export interface Turn {
	until: Timestamp;
	scope: CursorScope;
}

/**
 * Where the trigger is in the service's data. Everything earlier than `floor` is done with; from `floor` on, what
 * is in `seen` is. All times are the service's.
 */
export interface Cursor {
	/** What was asked for up to the first turn: other filters begin with what changes from then on. */
	scope: CursorScope;
	/** Filters that begin behind what is still to be read under the ones before; the earliest first. */
	turns: readonly Turn[];
	/** Null: the organisation had no inspection yet. */
	floor: Timestamp | null;
	/** The latest timestamp known: the service's clock is at least there. */
	newest: Timestamp | null;
	seen: SeenVersions;
	/** Set while there is more to read than the last poll could. */
	place: Place | null;
	/** Set while a window is read for the first time, under these filters: what it holds is history. */
	quiet: Quiet | null;
	/** Marks of the inspections emitted, for `oncePerInspection`; the oldest first. */
	emitted: string;
}

/** What the trigger was asked for last. */
export function presentScope({ scope, turns }: Cursor): CursorScope {
	return turns.at(-1)?.scope ?? scope;
}

/** The text form, without what belongs to the place where it is stored. */
export function cursorToJson(cursor: Cursor): JsonRecord {
	const { scope, turns, floor, newest, seen, place, quiet, emitted } = cursor;
	return {
		version: VERSION,
		scope: scopeToJson(scope),
		floor,
		newest,
		seen: seen.toJson(),
		...(turns.length === 0 ? {} : { turns: turns.map(turnToJson) }),
		...(place === null ? {} : { place: placeToJson(place) }),
		...(quiet === null ? {} : { quiet: quietToJson(quiet) }),
		...(emitted === '' ? {} : { emitted }),
	};
}

/** The cursor of a text form; undefined for anything that this version did not write. */
export function cursorOf(value: unknown): Cursor | undefined {
	if (!isRecord(value) || value.version !== VERSION) return undefined;
	const scope = scopeOf(value.scope);
	const floor = momentOf(value.floor);
	const newest = momentOf(value.newest);
	const seen = SeenVersions.parse(value.seen);
	const place = placeOf(value.place);
	const quiet = quietOf(value.quiet);
	if (scope === undefined || floor === undefined || newest === undefined || seen === undefined)
		return undefined;
	const turns = turnsOf(value.turns);
	if (place === undefined || quiet === undefined || turns === undefined) return undefined;
	return { scope, turns, floor, newest, seen, place, quiet, emitted: textOf(value.emitted) ?? '' };
}

function turnToJson({ until, scope }: Turn): JsonRecord {
	return { until, scope: scopeToJson(scope) };
}

function turnsOf(value: JsonValue | undefined): Turn[] | undefined {
	if (value === undefined) return [];
	if (!Array.isArray(value)) return undefined;
	const turns = value.flatMap((turn) => turnOf(turn) ?? []);
	return turns.length === value.length ? turns : undefined;
}

function turnOf(value: JsonValue): Turn | undefined {
	if (!isRecord(value)) return undefined;
	const until = timestampOf(value.until);
	const scope = scopeOf(value.scope);
	return until === undefined || scope === undefined ? undefined : { until, scope };
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

function quietToJson({ until, except }: Quiet): JsonRecord {
	return { until, ...(except === null ? {} : { except: scopeToJson(except) }) };
}

function quietOf(value: JsonValue | undefined): Quiet | null | undefined {
	if (value === undefined) return null;
	const until = isRecord(value) ? timestampOf(value.until) : undefined;
	if (!isRecord(value) || until === undefined) return undefined;
	return { until, except: scopeOf(value.except) ?? null };
}

/** Null stays null; undefined for what is neither null nor a timestamp. */
function momentOf(value: JsonValue | undefined): Timestamp | null | undefined {
	return value === null ? null : timestampOf(value);
}
