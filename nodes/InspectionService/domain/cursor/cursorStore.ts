import { cursorOf, cursorToJson, type Cursor, type CursorEvent } from './cursorState';
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
 * where the node's own data is missing or was left behind by a renaming.
 */
export interface StoredCursor {
	/** What the node's own data holds. */
	own: unknown;
	/** What the workflow's global data holds for the node. */
	copy: unknown;
}

export interface CursorReading {
	/** Undefined: the trigger starts anew. */
	cursor: Cursor | undefined;
	/** True where something was stored that this version cannot use. */
	isLost: boolean;
	/** `storedMark` of what was read. */
	mark: string;
	readonly revision: number;
	readonly hasOwn: boolean;
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

/** Chooses the cursor to go on from. */
export function readCursor(stored: StoredCursor, owner: CursorOwner): CursorReading {
	const own = keptIn(stored.own);
	const copy = keptIn(stored.copy);
	const hasOwn = own?.nodeId === owner.nodeId;
	const source = hasOwn ? newerOf(own, copy, owner) : copyOf(copy, stored.copy, owner, own);
	const isOfOwner = source?.baseUrl === owner.baseUrl && source.event === owner.event;
	return {
		cursor: isOfOwner ? source.cursor : undefined,
		isLost:
			own === undefined && copy === undefined && (isThere(stored.own) || isThere(stored.copy)),
		mark: storedMark(stored),
		revision: Math.max(own?.revision ?? 0, copy?.revision ?? 0),
		hasOwn,
		isSettled: hasOwn && own.nodeName === owner.nodeName,
		source: isOfOwner ? source.record : null,
	};
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
 * The copy of a poll that emits although the node had no data of its own says what was before: the emission and
 * the node's data may fail together, and the copy not.
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
	const needsBefore = isEmitting && !reading.hasOwn;
	return {
		own: record,
		copy: needsBefore ? { ...record, before: reading.source } : { ...record },
		revision,
	};
}

/** Own data carries the name it was written under: another one means that it followed a renaming by itself. */
function newerOf(own: Kept, copy: Kept | undefined, { nodeName }: CursorOwner): Kept {
	const isLeftBehind =
		own.nodeName === nodeName && copy !== undefined && copy.nodeName !== nodeName;
	return isLeftBehind && copy.revision > own.revision ? copy : own;
}

/**
 * The copy, or what it says was before an emission that was not saved with the node. Where there is no copy, data
 * under the node's name is another node's that had the name before: this one goes on from it.
 */
function copyOf(
	copy: Kept | undefined,
	stored: unknown,
	{ nodeName }: CursorOwner,
	own: Kept | undefined,
): Kept | undefined {
	if (copy === undefined || !isRecord(stored)) return own;
	if (copy.nodeName !== nodeName || stored.before === undefined) return copy;
	return keptIn(stored.before);
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

function isThere(value: unknown): boolean {
	return value !== undefined && value !== null;
}
