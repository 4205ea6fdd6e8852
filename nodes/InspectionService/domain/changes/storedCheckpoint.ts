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
 * n8n may save it and yet fail to save an emission together with the table's row. So where the node's own data does not
 * show what was stored before that emission, the backup says it (`before`).
 *
 * What is stored for a checkpoint is a record: the checkpoint, what it is of (`Polled`), and a revision, which is one more
 * than that of the record it was made from.
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
	/** Marks of the inspections that have started the workflow, for a trigger that begins now with another team, say. */
	readonly emitted: string;
	/** The checkpoint's text form, before the poll moves it on. */
	readonly text: string | undefined;
	/** True where something was stored that this version cannot use. */
	readonly isUnreadable: boolean;
	/** The revision of the record that the poll goes on from; 0 where it begins anew. */
	readonly revision: number;
	/** The text form of the checkpoint in the node's own data; undefined where that is of something else. */
	readonly ownText: string | undefined;
	/**
	 * What was stored before this poll, for the backup of an emission: an empty object where nothing was. Undefined where
	 * the node's own data shows it: that stays as it is when n8n fails to save the emission.
	 */
	readonly before: JsonRecord | undefined;
}

/** What a stored checkpoint is of. Of Start From it has the parameter. */
interface KeptPolled extends Omit<Polled, 'startFrom'> {
	readonly startFrom: string | undefined;
}

/** A stored checkpoint, read. */
interface Kept {
	readonly checkpoint: Checkpoint;
	readonly record: JsonRecord;
	readonly polled: KeptPolled;
	readonly revision: number;
	/** The part of a backup that is certainly saved: its `before`, or else the backup itself. Undefined for nothing. */
	readonly saved: () => Kept | undefined;
}

/** Chooses the checkpoint that a poll goes on from. */
export function chooseCheckpoint(stored: StoredData, polled: Polled): StoredCheckpoint {
	const own = keptIn(stored.own);
	const backup = keptIn(stored.backup);
	const remembered = keptIn(stored.remembered);
	const ownOfNode = own?.polled.nodeId === polled.nodeId ? own : undefined;
	const kept = ownOfNode
		? ownUnlessOutOfDate(ownOfNode, backup, polled)
		: fromBackup(backup, polled);
	const chosen = remembered ?? kept;
	const isUnreadable = [own, backup, remembered].every(isNothing) && isAnything(stored);
	const checkpoint = isUnreadable ? undefined : checkpointFor(chosen, polled);
	const isOwnCurrent = ownOfNode !== undefined && kept === ownOfNode && isOf(ownOfNode, polled);
	return {
		checkpoint,
		emitted: emittedOnce(chosen, polled),
		text: textOfCheckpoint(checkpoint),
		isUnreadable,
		revision: chosen?.revision ?? 0,
		ownText: isOwnCurrent ? textOfCheckpoint(ownOfNode.checkpoint) : undefined,
		before: isOwnCurrent ? undefined : (chosen?.record ?? {}),
	};
}

function isNothing(value: unknown): boolean {
	return value === undefined || value === null;
}

function isAnything({ own, backup }: StoredData): boolean {
	return !isNothing(own) || !isNothing(backup);
}

/**
 * The stored checkpoint, where the trigger can go on from it. Otherwise the trigger begins anew:
 * - with another event or service: from Start From, or now where that is empty;
 * - with an edited Start From: from there. Where Start From was cleared, the trigger goes on;
 * - with another team or another credential: now, because the changes of that team or organization so far were not asked
 *   for. Where one team was chosen instead of any, the trigger goes on.
 */
function checkpointFor(kept: Kept | undefined, polled: Polled): Checkpoint | undefined {
	const begun = polled.startFrom && checkpointAt(polled.startFrom.moment);
	if (kept === undefined || isBegunAnew(kept.polled, polled)) return begun;
	return isOfOthers(kept.polled, polled) ? undefined : kept.checkpoint;
}

/** The marks of inspections that are not to be emitted once more, though another team or credential was chosen. */
function emittedOnce(kept: Kept | undefined, polled: Polled): string {
	if (kept === undefined || isBegunAnew(kept.polled, polled)) return '';
	return kept.checkpoint.emitted;
}

/** Whether the trigger was told to begin with another event, another service or another Start From. */
function isBegunAnew(before: KeptPolled, { baseUrl, event, startFrom }: Polled): boolean {
	const isStartEdited = startFrom !== undefined && before.startFrom !== startFrom.parameter;
	return before.baseUrl !== baseUrl || before.event !== event || isStartEdited;
}

/** Whether a checkpoint says nothing of what is polled now: it is of another team or another credential. */
function isOfOthers(before: KeptPolled, { teamId, credentialId }: Polled): boolean {
	const isOtherTeam = before.teamId !== undefined && before.teamId !== teamId;
	return isOtherTeam || before.credentialId !== credentialId;
}

/**
 * What to store after a poll; undefined where the node's own data says the same already. `isEmitting`: the poll hands
 * inspections over. The backup of such a poll also says what was stored before it, where the node's own data does not
 * show that. If n8n then saves the backup but not the emission, the next poll emits the same inspections again.
 */
export function storeCheckpoint(
	from: StoredCheckpoint,
	checkpoint: Checkpoint,
	polled: Polled,
	isEmitting: boolean,
): { own: JsonRecord; backup: JsonRecord } | undefined {
	if (!isEmitting && textOfCheckpoint(checkpoint) === from.ownText) return undefined;
	const revision = from.revision + 1;
	const own = { ...checkpointToJson(checkpoint), ...polledToJson(polled), revision };
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
 * The node's own data, unless it is out of date:
 * - the node was renamed and then got its old name back: the backup was made under the other name;
 * - n8n has changed over to the table and back: the own data is more than one revision behind the backup;
 * - in the table, after the node was edited: the trigger cannot go on from its own data, while it can from the backup.
 */
function ownUnlessOutOfDate(own: Kept, backup: Kept | undefined, polled: Polled): Kept {
	if (backup === undefined || backup.revision <= own.revision) return own;
	const isRenamedBack =
		own.polled.nodeName === polled.nodeName && backup.polled.nodeName !== polled.nodeName;
	if (isRenamedBack) return backup;
	const saved = backup.saved();
	if (saved === undefined || saved.revision <= own.revision) return own;
	const isFarBehind = own.revision < backup.revision - 1;
	return isFarBehind || (!goesOn(own, polled) && goesOn(saved, polled)) ? saved : own;
}

/** Whether the trigger can go on from a stored checkpoint. */
function goesOn({ polled: before }: Kept, polled: Polled): boolean {
	return !isBegunAnew(before, polled) && !isOfOthers(before, polled);
}

/**
 * The checkpoint to take from the backup, for a node without data of its own. Data under the node's name that has another
 * node's id does not count: it was written by a node that had the name before. n8n keeps a node's id when the node is
 * renamed or edited; a copy, or a node that was put in anew, has another one.
 */
function fromBackup(backup: Kept | undefined, { nodeName }: Polled): Kept | undefined {
	return backup?.polled.nodeName === nodeName ? backup.saved() : backup;
}

/** Whether a stored checkpoint is of just what is polled now. */
function isOf({ polled: before }: Kept, polled: Polled): boolean {
	const isSameStart = before.startFrom === polled.startFrom?.parameter;
	const isSameList = before.teamId === polled.teamId && before.credentialId === polled.credentialId;
	const isSameService = before.baseUrl === polled.baseUrl && before.event === polled.event;
	return isSameStart && isSameList && isSameService;
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
	const { baseUrl, event, nodeId, nodeName, revision, before, ...others } = value;
	if (typeof baseUrl !== 'string' || typeof event !== 'string') return undefined;
	if (typeof nodeId !== 'string' || typeof nodeName !== 'string') return undefined;
	if (typeof revision !== 'number') return undefined;
	const polled = {
		...{ nodeId, nodeName, baseUrl, event, credentialId: textOf(value.credentialId) },
		...{ teamId: textOf(value.teamId), startFrom: textOf(value.startFrom) },
	};
	const record = { ...others, baseUrl, event, nodeId, nodeName, revision };
	const kept: Kept = {
		...{ checkpoint, record, polled, revision },
		saved: () => (before === undefined ? kept : keptIn(before)),
	};
	return kept;
}
