import { isRecord, type JsonRecord, textOf } from '../json';
import { type Timestamp, timestampOf } from '../timestamp';
import { type Checkpoint, checkpointAt, checkpointOf, checkpointToJson } from './checkpoint';

/** What is polled now, and by which node. A checkpoint is of use only where these fit. */
export interface Polled {
	readonly nodeId: string;
	readonly nodeName: string;
	readonly baseUrl: string;
	readonly event: string;
	/** Undefined: any team. */
	readonly teamId: string | undefined;
	/** Undefined: a trigger that begins does so with what changes from then on. */
	readonly startFrom: Timestamp | undefined;
}

/**
 * The two places where n8n keeps data for a node. It keeps the node's own data (2.41) under the node's name beside the
 * workflow, the same read afresh for every poll, or under the node's id in a table of poll cursors. All of them can
 * lose a checkpoint that has to survive:
 * - under a name, when the node is renamed;
 * - in the table, what an activation's poll leaves without emitting;
 * - either of them, when n8n changes over to the other one.
 * So a backup is kept in the workflow's global data under the node's id. It may be ahead of the truth where an emission
 * and the table's row failed to be saved together, so it says what it was made from and what was before.
 */
export interface StoredData {
	/** What the node's own data holds. */
	own: unknown;
	/** What the workflow's global data holds for the node. */
	backup: unknown;
	/** What the last poll in this process left, where n8n need not have kept it. */
	remembered?: JsonRecord | undefined;
}

/** What a poll is to begin with. */
export interface StoredCheckpoint {
	/** Undefined: the trigger begins now. */
	checkpoint: Checkpoint | undefined;
	/** Its text form as it was before the poll. */
	readonly text: string | undefined;
	/** True where something was stored that this version cannot use. */
	readonly isUnreadable: boolean;
	/** The highest revision of all that is stored. */
	readonly latestRevision: number;
	/** The revision of what n8n has stored and is up to date; 0 where nothing is. */
	readonly keptRevision: number;
	/** True where it is where it belongs, so that an unchanged one need not be stored again. */
	readonly isInPlace: boolean;
	/**
	 * What the backup of an emission has to say was before; null: nothing was. Undefined where the node's own data is up
	 * to date, so that it tells this.
	 */
	readonly before: JsonRecord | null | undefined;
}

/** A text form with what it says about itself. */
interface Kept {
	checkpoint: Checkpoint;
	record: JsonRecord;
	polled: Polled;
	revision: number;
	/** The revision that was stored when it was made. */
	madeFrom: number;
	/** In a backup: what is certainly true of it. What was before, where it was made by an emission that names that. */
	saved: Kept | undefined;
}

/** Chooses what to go on from. */
export function chooseCheckpoint(stored: StoredData, polled: Polled): StoredCheckpoint {
	const own = keptIn(stored.own);
	const backup = keptIn(stored.backup);
	const remembered = keptIn(stored.remembered);
	const hasOwn = own?.polled.nodeId === polled.nodeId;
	const kept = hasOwn ? newerOf(own, backup, polled) : fromBackup(backup, polled);
	const chosen = remembered ?? kept;
	const latestRevision = Math.max(...[own, backup, remembered].map((one) => one?.revision ?? 0));
	const isUnreadable = latestRevision === 0 && isAnything(stored);
	const checkpoint = isUnreadable ? undefined : checkpointFor(chosen, polled);
	const isInPlace = chosen === own || chosen === remembered;
	const isOwnCurrent = kept === own && isOf(own, polled);
	return {
		checkpoint,
		text: textOfCheckpoint(checkpoint),
		isUnreadable,
		latestRevision,
		keptRevision: kept?.revision ?? 0,
		isInPlace: isInPlace && isOf(chosen, polled),
		before: isOwnCurrent ? undefined : (chosen?.record ?? null),
	};
}

function isAnything({ own, backup }: StoredData): boolean {
	return [own, backup].some((value) => value !== undefined && value !== null);
}

/**
 * The checkpoint of what was stored, for what is polled now:
 * - another event or service: the trigger begins anew;
 * - Start From edited: it begins anew from there, and where it was cleared just goes on;
 * - another team: it begins now, because what was not asked for until now is history; one team instead of any goes on.
 */
function checkpointFor(
	kept: Kept | undefined,
	{ baseUrl, event, teamId, startFrom }: Polled,
): Checkpoint | undefined {
	const before = kept?.polled;
	const isOther = before?.baseUrl !== baseUrl || before.event !== event;
	const isStartEdited = startFrom !== undefined && before?.startFrom !== startFrom;
	if (isOther || isStartEdited) return startFrom && checkpointAt(startFrom);
	const isOtherTeam = before.teamId !== undefined && before.teamId !== teamId;
	return isOtherTeam ? undefined : kept?.checkpoint;
}

/**
 * What to store after a poll; undefined where nothing has changed. `isEmitting`: the poll hands inspections over. Where
 * the node's own data cannot tell what was before, the backup of such a poll does: if the emission fails to be saved
 * and the backup does not, the emission is made again.
 */
export function storeCheckpoint(
	from: StoredCheckpoint,
	checkpoint: Checkpoint,
	polled: Polled,
	isEmitting: boolean,
): { own: JsonRecord; backup: JsonRecord } | undefined {
	const isSame = textOfCheckpoint(checkpoint) === from.text;
	if (isSame && from.isInPlace && !isEmitting) return undefined;
	const own: JsonRecord = {
		...checkpointToJson(checkpoint),
		...polledToJson(polled),
		revision: from.latestRevision + 1,
		madeFrom: from.keptRevision,
	};
	const before = isEmitting ? from.before : undefined;
	return { own, backup: before === undefined ? { ...own } : { ...own, before } };
}

/** Equal texts: a checkpoint has not moved. */
export function textOfCheckpoint(checkpoint: Checkpoint | undefined): string | undefined {
	return checkpoint && JSON.stringify(checkpointToJson(checkpoint));
}

/** The revision of stored data; 0 where there is none. */
export function revisionOf(stored: unknown): number {
	return isRecord(stored) && typeof stored.revision === 'number' ? stored.revision : 0;
}

/** Changes with every poll that stores a checkpoint. */
export function markOfStored({ own, backup }: StoredData): string {
	const part = (value: unknown) => (isRecord(value) ? [value.nodeId, value.revision] : null);
	return JSON.stringify([part(own), part(backup)]);
}

/**
 * The node's own data, unless it is out of date: by a renaming and back, by n8n changing over to the table and back, or
 * in the table when the node was edited. Own data from before what the backup was made from is older than both.
 */
function newerOf(own: Kept, backup: Kept | undefined, polled: Polled): Kept {
	if (backup === undefined || backup.revision <= own.revision) return own;
	const isRenamedBack =
		own.polled.nodeName === polled.nodeName && backup.polled.nodeName !== polled.nodeName;
	if (isRenamedBack) return backup;
	const { saved } = backup;
	if (own.revision < backup.madeFrom) return saved ?? own;
	if (saved === undefined || saved.revision <= own.revision) return own;
	return isOf(own, polled) ? own : saved;
}

/**
 * The backup, where the node has no data of its own. Data under the node's name that another id has written is of a
 * node that had the name before. n8n gives a node another id only where it becomes another node (copied, or put in
 * anew), never where it is renamed or edited.
 */
function fromBackup(backup: Kept | undefined, { nodeName }: Polled): Kept | undefined {
	return backup?.polled.nodeName === nodeName ? backup.saved : backup;
}

/** Whether a stored checkpoint is about what is polled now, whatever the node was called. */
function isOf(kept: Kept | undefined, { baseUrl, event, teamId, startFrom }: Polled): boolean {
	const about = kept?.polled;
	const isOfService = about?.baseUrl === baseUrl && about.event === event;
	return isOfService && about.teamId === teamId && about.startFrom === startFrom;
}

function polledToJson({ nodeId, nodeName, baseUrl, event, teamId, startFrom }: Polled): JsonRecord {
	const team = teamId === undefined ? {} : { teamId };
	const start = startFrom === undefined ? {} : { startFrom };
	return { nodeId, nodeName, baseUrl, event, ...team, ...start };
}

function keptIn(value: unknown): Kept | undefined {
	const checkpoint = checkpointOf(value);
	if (checkpoint === undefined || !isRecord(value)) return undefined;
	const { baseUrl, event, nodeId, nodeName, revision, madeFrom } = value;
	if (typeof baseUrl !== 'string' || typeof event !== 'string') return undefined;
	if (typeof nodeId !== 'string' || typeof nodeName !== 'string') return undefined;
	if (typeof revision !== 'number' || typeof madeFrom !== 'number') return undefined;
	const choices = { teamId: textOf(value.teamId), startFrom: timestampOf(value.startFrom) };
	const polled = { nodeId, nodeName, baseUrl, event, ...choices };
	const record = { ...value, before: undefined };
	const kept: Kept = { checkpoint, record, polled, revision, madeFrom, saved: undefined };
	kept.saved = value.before === undefined ? kept : keptIn(value.before);
	return kept;
}
