import { isSameScope, type CursorScope } from './cursorScope';
import { cursorOf, cursorToJson, presentScope, type Cursor, type CursorEvent } from './cursorState';
import { isRecord, type JsonRecord } from '../json';

/** Whose cursor it is and of what. Filters are left out: a changed filter goes on where the trigger is. */
export interface CursorOwner {
	nodeId: string;
	nodeName: string;
	baseUrl: string;
	event: CursorEvent;
}

/**
 * n8n keeps a node's data in three ways (2.41): under the node's name beside the workflow, the same read afresh for
 * every poll, or under the node's id in a table. Two of them lose something that the cursor must survive:
 * - under a name, it is lost when the node is renamed;
 * - in the table, what an activation's poll leaves without emitting is not kept.
 * So a copy is kept in the workflow's global data under the node's id, which survives both. The copy may be ahead
 * of the truth where the execution and the table's row failed to be saved together; it is therefore only used
 * where the node's own data is missing, was left behind by a renaming, or is about what was polled before the node
 * was edited: n8n keeps the table's row then, and polls once as in an activation.
 */
export interface StoredCursor {
	/** What the node's own data holds. */
	own: unknown;
	/** What the workflow's global data holds for the node. */
	copy: unknown;
	/** What the last poll left on top of both and n8n did not keep, because it emitted nothing. */
	unkept?: unknown;
}

export interface CursorReading {
	/** Undefined: the trigger starts anew. */
	cursor: Cursor | undefined;
	/** True where something was stored that this version cannot use. */
	isLost: boolean;
	/** `storedMark` of what was read. */
	mark: string;
	readonly revision: number;
	/** The node's own data is about what is polled now: no copy is preferred to it. */
	readonly isOwnCurrent: boolean;
	/** What was read is where it belongs: with the node, under its present name, or not to be kept at all. */
	readonly isSettled: boolean;
	readonly source: JsonRecord | null;
}

/** A cursor with what belongs to the place where it is stored. */
interface Kept {
	cursor: Cursor;
	record: JsonRecord;
	baseUrl: string;
	event: string;
	nodeId: string;
	nodeName: string;
	revision: number;
}

/** What is polled now, and by whom. */
interface Present extends CursorOwner {
	scope: CursorScope;
}

/** Chooses the cursor to go on from. `scope`: what is asked for now. */
export function readCursor(
	stored: StoredCursor,
	owner: CursorOwner,
	scope: CursorScope,
): CursorReading {
	const own = keptIn(stored.own);
	const copy = keptIn(stored.copy);
	const present: Present = { ...owner, scope };
	const hasOwn = own?.nodeId === owner.nodeId;
	const unkept = ofPresent(keptIn(stored.unkept), present);
	const kept = hasOwn ? newerOf(own, copy, stored.copy, present) : copyOf(copy, stored, owner);
	const source = unkept ?? ofPresent(kept, present);
	const isInPlace = hasOwn && source === own && own.nodeName === owner.nodeName;
	return {
		cursor: source?.cursor,
		isLost: unkept === undefined && isUnreadable(stored),
		mark: storedMark(stored),
		revision: Math.max(own?.revision ?? 0, copy?.revision ?? 0),
		isOwnCurrent: hasOwn && fitOf(own, present) === FIT.filters,
		isSettled: unkept !== undefined || isInPlace,
		source: source?.record ?? null,
	};
}

function ofPresent(kept: Kept | undefined, present: Present): Kept | undefined {
	return kept === undefined || fitOf(kept, present) === FIT.none ? undefined : kept;
}

/** True where something is stored, and none of it can be used by anybody. */
function isUnreadable({ own, copy }: StoredCursor): boolean {
	const values = [own, copy].filter((value) => value !== undefined && value !== null);
	return values.length > 0 && values.every((value) => keptIn(value) === undefined);
}

/** The revision of the node's own data; 0 where it has none. */
export function storedRevision({ own }: StoredCursor): number {
	return isRecord(own) && typeof own.revision === 'number' ? own.revision : 0;
}

/** Changes with every poll that stores its cursor. */
export function storedMark({ own, copy }: StoredCursor): string {
	const part = (value: unknown) => (isRecord(value) ? [value.nodeId, value.revision] : null);
	return JSON.stringify([part(own), part(copy)]);
}

/**
 * What to store after a poll; undefined where nothing has changed. `isEmitting`: the poll hands inspections over.
 * The copy of a poll that emits says what was before where the node's own data cannot: the emission and the node's
 * data may fail together, and the copy not.
 */
export function storeCursor(
	reading: CursorReading,
	cursor: Cursor,
	owner: CursorOwner,
	isEmitting: boolean,
): { own: JsonRecord; copy: JsonRecord; revision: number } | undefined {
	const state = cursorToJson(cursor);
	const isSame =
		reading.cursor !== undefined &&
		JSON.stringify(state) === JSON.stringify(cursorToJson(reading.cursor));
	if (isSame && reading.isSettled && !isEmitting) return undefined;
	const revision = reading.revision + 1;
	const record = { ...state, ...owner, revision };
	const needsBefore = isEmitting && !reading.isOwnCurrent;
	return {
		own: record,
		copy: needsBefore ? { ...record, before: reading.source } : { ...record },
		revision,
	};
}

/**
 * Own data carries the name it was written under: another one means that it followed a renaming by itself. Where it
 * is about less of what is polled now than a newer copy, it is what an edited node has left in the table.
 */
function newerOf(own: Kept, copy: Kept | undefined, storedCopy: unknown, present: Present): Kept {
	const isLeftBehind =
		own.nodeName === present.nodeName && copy !== undefined && copy.nodeName !== present.nodeName;
	if (isLeftBehind && copy.revision > own.revision) return copy;
	const saved = savedCopy(copy, storedCopy);
	if (saved === undefined || saved.revision <= own.revision) return own;
	return fitOf(saved, present) > fitOf(own, present) ? saved : own;
}

/**
 * The copy, where the node has no data of its own. Data under the node's name that another id has written is no help:
 * it is of a node that had the name before. A new node begins now, or where it is told to; n8n gives a node another
 * id only where it becomes another node (copied, or put in anew), never where it is renamed or edited.
 */
function copyOf(
	copy: Kept | undefined,
	stored: StoredCursor,
	{ nodeName }: CursorOwner,
): Kept | undefined {
	return copy?.nodeName === nodeName ? savedCopy(copy, stored.copy) : copy;
}

/** The copy, or what it says was before an emission that was not saved with the node. */
function savedCopy(copy: Kept | undefined, stored: unknown): Kept | undefined {
	if (!isRecord(stored) || stored.before === undefined) return copy;
	return keptIn(stored.before);
}

/** How much of what is polled now a stored cursor is about. */
const FIT = { none: 0, owner: 1, filters: 2 } as const;

function fitOf(kept: Kept, { baseUrl, event, scope }: Present): number {
	if (kept.baseUrl !== baseUrl || kept.event !== event) return FIT.none;
	return isSameScope(presentScope(kept.cursor), scope) ? FIT.filters : FIT.owner;
}

function keptIn(value: unknown): Kept | undefined {
	const cursor = cursorOf(value);
	if (cursor === undefined || !isRecord(value)) return undefined;
	const { baseUrl, event, nodeId, nodeName, revision } = value;
	if (typeof baseUrl !== 'string' || typeof event !== 'string') return undefined;
	if (typeof nodeId !== 'string' || typeof nodeName !== 'string') return undefined;
	if (typeof revision !== 'number') return undefined;
	const record = { ...value, before: undefined };
	return { cursor, record, baseUrl, event, nodeId, nodeName, revision };
}
