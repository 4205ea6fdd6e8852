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
 * What n8n has stored for a node. Where the node's own data is (n8n 2.41) depends on the poll engine: beside the
 * workflow under the node's name, or in a table of poll cursors under the node's id. Each of them can lose a checkpoint:
 * - the data under a name, when the node is renamed;
 * - the table, what the poll of an activation leaves that emits nothing;
 * - both, when n8n changes over to the other one.
 * So a backup is kept in the workflow's global data, under the node's id. The backup may be ahead of what is true: n8n
 * saves it although saving an emission with the table's row has failed. So it says which revision it was made from
 * (`madeFrom`) and, where the node's own data does not tell, what was stored before that emission (`before`).
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
	/** Its text form before the poll moves it on. */
	readonly text: string | undefined;
	/** True where something was stored that this version cannot use. */
	readonly isUnreadable: boolean;
	/** The highest revision of all that is stored or remembered. Each checkpoint that is stored has a higher one. */
	readonly latestRevision: number;
	/** The revision of what counts of all that n8n has stored; 0 where nothing does. */
	readonly keptRevision: number;
	/** True where an unchanged checkpoint need not be stored again: it is about what is polled now, and not in the backup only. */
	readonly isInPlace: boolean;
	/**
	 * What was stored before this poll, for the backup of an emission; null where nothing was. Undefined where the node's
	 * own data tells it: it is up to date, and stays as it is where the emission fails to be saved.
	 */
	readonly before: JsonRecord | null | undefined;
}

/** A text form with what it says about itself. */
interface Kept {
	checkpoint: Checkpoint;
	record: JsonRecord;
	polled: Polled;
	revision: number;
	/** `keptRevision` of the poll that made it. */
	madeFrom: number;
	/** What of a backup is certainly true: itself, or what it says was stored before an emission. */
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
	const begun = startFrom && checkpointAt(startFrom);
	if (kept === undefined) return begun;
	const before = kept.polled;
	const isStartEdited = startFrom !== undefined && before.startFrom !== startFrom;
	if (before.baseUrl !== baseUrl || before.event !== event || isStartEdited) return begun;
	const isOtherTeam = before.teamId !== undefined && before.teamId !== teamId;
	return isOtherTeam ? undefined : kept.checkpoint;
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
 * The node's own data, unless it is out of date. That is the case
 * - when the node was renamed and has its old name again: the backup was made under the other name;
 * - when n8n has changed over to the table and back: the own data is older than what the backup was made from;
 * - in the table, after the node was edited: the backup is newer, and more of it is about what is polled now. Where both
 *   are about another Start From, the own data counts: only that says what was emitted.
 */
function newerOf(own: Kept, backup: Kept | undefined, polled: Polled): Kept {
	if (backup === undefined || backup.revision <= own.revision) return own;
	const isRenamedBack =
		own.polled.nodeName === polled.nodeName && backup.polled.nodeName !== polled.nodeName;
	if (isRenamedBack) return backup;
	const { saved } = backup;
	if (own.revision < backup.madeFrom) return saved ?? own;
	if (saved === undefined || saved.revision <= own.revision) return own;
	return fitOf(saved, polled) > fitOf(own, polled) ? saved : own;
}

/**
 * The backup, where the node has no data of its own. Data under the node's name that another id has written is of a
 * node that had the name before. n8n gives a node another id only where it becomes another node (copied, or put in
 * anew), never where it is renamed or edited.
 */
function fromBackup(backup: Kept | undefined, { nodeName }: Polled): Kept | undefined {
	return backup?.polled.nodeName === nodeName ? backup.saved : backup;
}

/** How much of what is polled now a stored checkpoint is about, whatever the node was called. */
const FIT = { none: 0, service: 1, all: 2 } as const;

function fitOf(kept: Kept | undefined, { baseUrl, event, teamId, startFrom }: Polled): number {
	const about = kept?.polled;
	if (about?.baseUrl !== baseUrl || about.event !== event) return FIT.none;
	const isAll = about.teamId === teamId && about.startFrom === startFrom;
	return isAll ? FIT.all : FIT.service;
}

function isOf(kept: Kept | undefined, polled: Polled): boolean {
	return fitOf(kept, polled) === FIT.all;
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
