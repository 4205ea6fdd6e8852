import { isRecord, type JsonRecord, textOf } from '../json';
import type { Timestamp } from '../timestamp';
import { type Checkpoint, checkpointAt, checkpointOf, checkpointToJson } from './checkpoint';

/** What is polled, and by which node. A stored checkpoint can be used only where it belongs to the same. */
export interface Polled {
	readonly nodeId: string;
	readonly nodeName: string;
	readonly baseUrl: string;
	/** The id of the credential, not its key: a new key in the same credential changes nothing. */
	readonly credentialId: string | undefined;
	readonly event: string;
	/** Undefined for any team. */
	readonly teamId: string | undefined;
	/** Undefined: a new trigger begins with the changes from now on. */
	readonly startFrom: StartFrom | undefined;
}

/** The option Start From. */
export interface StartFrom {
	/**
	 * The parameter as it is saved: a date, or an expression such as `={{ $now.minus({ days: 7 }) }}`. Start From counts as
	 * edited when this changes. The value alone may be another one with each poll.
	 */
	readonly parameter: string;
	/** Its value now. */
	readonly moment: Timestamp;
}

/**
 * What n8n has stored for a node. The poll engine of n8n (2.41) decides where the node's own data is: beside the workflow
 * under the node's name, or in a table of poll cursors under the node's id. Each place can lose a checkpoint:
 * - the data under a name: when the node is renamed;
 * - the table: when the poll of an activation emits nothing;
 * - both: when n8n changes over to the other place.
 * So a backup is kept in the workflow's global data, under the node's id. The backup may be ahead of the truth, because
 * n8n may save it and yet fail to save an emission together with the table's row. So the backup says which revision it
 * was made from (`madeFrom`). Where the node's own data does not show what was stored before that emission, the backup
 * says that too (`before`).
 */
export interface StoredData {
	/** What the node's own data holds. */
	own: unknown;
	/** What the workflow's global data holds for the node. */
	backup: unknown;
	/** The record that the last poll in this process left, where n8n may have lost it (`leftByLastPoll`). */
	remembered?: JsonRecord | undefined;
}

/** What a poll begins with. */
export interface StoredCheckpoint {
	/** Undefined: the trigger begins now. */
	checkpoint: Checkpoint | undefined;
	/** The checkpoint's text form, before the poll moves it on. */
	readonly text: string | undefined;
	/** True where something was stored that this version cannot use. */
	readonly isUnreadable: boolean;
	/** The highest revision that is stored or remembered. The next checkpoint that is stored gets a higher one. */
	readonly latestRevision: number;
	/** The revision of the stored data that counts; 0 where none does. */
	readonly keptRevision: number;
	/**
	 * True where the checkpoint need not be stored again while it is unchanged: it fits what is polled now, and it is
	 * not in the backup only.
	 */
	readonly isInPlace: boolean;
	/**
	 * What was stored before this poll, for the backup of an emission; null where nothing was. Undefined where the node's
	 * own data is up to date: it then shows the same, because it stays as it is when n8n fails to save the emission.
	 */
	readonly before: JsonRecord | null | undefined;
}

/** What a stored checkpoint is of. Of Start From it keeps the parameter. */
interface KeptPolled extends Omit<Polled, 'startFrom'> {
	readonly startFrom: string | undefined;
}

/** A stored checkpoint, read. */
interface Kept {
	checkpoint: Checkpoint;
	record: JsonRecord;
	polled: KeptPolled;
	revision: number;
	/** The `keptRevision` of the poll that stored it. */
	madeFrom: number;
	/** The part of a backup that is certainly saved: its `before`, or else the backup itself. */
	saved: Kept | undefined;
}

/** Chooses the checkpoint that a poll goes on from. */
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
 * The stored checkpoint, where it fits what is polled now. Otherwise the trigger begins anew:
 * - with another event or service: from Start From, or now where that is empty;
 * - with an edited Start From: from there. Where Start From was cleared, the trigger goes on;
 * - with another team or another credential: now, because the changes of that team or organization so far were not asked
 *   for. Where one team was chosen instead of any, the trigger goes on.
 */
function checkpointFor(
	kept: Kept | undefined,
	{ baseUrl, credentialId, event, teamId, startFrom }: Polled,
): Checkpoint | undefined {
	const begun = startFrom && checkpointAt(startFrom.moment);
	if (kept === undefined) return begun;
	const before = kept.polled;
	const isStartEdited = startFrom !== undefined && before.startFrom !== startFrom.parameter;
	if (before.baseUrl !== baseUrl || before.event !== event || isStartEdited) return begun;
	const isOtherTeam = before.teamId !== undefined && before.teamId !== teamId;
	const isOtherCredential = before.credentialId !== credentialId;
	return isOtherTeam || isOtherCredential ? undefined : kept.checkpoint;
}

/**
 * What to store after a poll; undefined where nothing has changed. `isEmitting`: the poll hands inspections over. The
 * backup of such a poll also says what was stored before it, where the node's own data does not show that. If n8n then
 * saves the backup but not the emission, the next poll emits the same inspections again.
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

/** The checkpoint as text, to see whether a poll has moved it: then the text is another one. */
export function textOfCheckpoint(checkpoint: Checkpoint | undefined): string | undefined {
	return checkpoint && JSON.stringify(checkpointToJson(checkpoint));
}

/** The revision of stored data; 0 where there is none. */
export function revisionOf(stored: unknown): number {
	return isRecord(stored) && typeof stored.revision === 'number' ? stored.revision : 0;
}

/** A text that is another one after each poll that has stored a checkpoint. */
export function markOfStored({ own, backup }: StoredData): string {
	const part = (value: unknown) => (isRecord(value) ? [value.nodeId, value.revision] : null);
	return JSON.stringify([part(own), part(backup)]);
}

/**
 * The node's own data, unless it is out of date. It is out of date
 * - when the node was renamed and then got its old name back: the backup was made under the other name;
 * - when n8n has changed over to the table and back: the backup was made from a later revision;
 * - in the table, after the node was edited: the backup is newer, and fits better what is polled now. Where neither has
 *   the same Start From as now, the own data counts, because only that shows what was emitted.
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
 * The checkpoint to take from the backup, for a node without data of its own. Data under the node's name that has another
 * node's id does not count: it was written by a node that had the name before. n8n keeps a node's id when the node is
 * renamed or edited; a copy, or a node that was put in anew, has another one.
 */
function fromBackup(backup: Kept | undefined, { nodeName }: Polled): Kept | undefined {
	return backup?.polled.nodeName === nodeName ? backup.saved : backup;
}

/** How well a stored checkpoint fits what is polled now: not, in event and service, or in team and Start From too. */
const FIT = { none: 0, service: 1, all: 2 } as const;

function fitOf(kept: Kept | undefined, polled: Polled): number {
	const about = kept?.polled;
	if (about?.baseUrl !== polled.baseUrl || about.event !== polled.event) return FIT.none;
	const isSameStart = about.startFrom === polled.startFrom?.parameter;
	const isSameList = about.teamId === polled.teamId && about.credentialId === polled.credentialId;
	return isSameStart && isSameList ? FIT.all : FIT.service;
}

function isOf(kept: Kept | undefined, polled: Polled): boolean {
	return fitOf(kept, polled) === FIT.all;
}

function polledToJson({ startFrom, teamId, credentialId, ...polled }: Polled): JsonRecord {
	return {
		...polled,
		...(credentialId === undefined ? {} : { credentialId }),
		...(teamId === undefined ? {} : { teamId }),
		...(startFrom === undefined ? {} : { startFrom: startFrom.parameter }),
	};
}

function keptIn(value: unknown): Kept | undefined {
	const checkpoint = checkpointOf(value);
	if (checkpoint === undefined || !isRecord(value)) return undefined;
	const { baseUrl, event, nodeId, nodeName, revision, madeFrom } = value;
	if (typeof baseUrl !== 'string' || typeof event !== 'string') return undefined;
	if (typeof nodeId !== 'string' || typeof nodeName !== 'string') return undefined;
	if (typeof revision !== 'number' || typeof madeFrom !== 'number') return undefined;
	const polled = {
		...{ nodeId, nodeName, baseUrl, event, credentialId: textOf(value.credentialId) },
		...{ teamId: textOf(value.teamId), startFrom: textOf(value.startFrom) },
	};
	const record = { ...value, before: undefined };
	const kept: Kept = { checkpoint, record, polled, revision, madeFrom, saved: undefined };
	kept.saved = value.before === undefined ? kept : keptIn(value.before);
	return kept;
}
