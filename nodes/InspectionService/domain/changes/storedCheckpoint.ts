import { isRecord, type JsonRecord, textOf } from '../json';
import type { Timestamp } from '../timestamp';
import { type Checkpoint, checkpointAt, checkpointOf, checkpointToJson } from './checkpoint';

/** What is polled, and by which node. A checkpoint says nothing of anything else. */
export interface Polled {
	readonly nodeId: string;
	readonly nodeName: string;
	readonly baseUrl: string;
	readonly event: string;
	/** The id of the credential, not its key: a new key in the same credential changes nothing. */
	readonly credentialId: string | undefined;
	/** Undefined for any team. */
	readonly teamId: string | undefined;
	/**
	 * The option Start From as it is saved: a date, or an expression such as `={{ $now.minus({ days: 7 }) }}`. It counts as
	 * edited when this changes; its value may be another one with each poll.
	 */
	readonly startFrom: string | undefined;
}

/**
 * What n8n has stored for a node. The poll engine of n8n (2.41) decides where the node's own data is: beside the workflow
 * under the node's name, or in a table of poll cursors under the node's id. Each place can lose a checkpoint: the name when
 * the node is renamed, the table when an activation emits nothing, both when n8n changes over to the other place. So a
 * backup is kept in the workflow's global data, under the node's id (docs/how-it-reads.md).
 */
export interface StoredData {
	/** What the node's own data holds. */
	own: unknown;
	/** What the workflow's global data holds for the node. */
	backup: unknown;
}

/** A checkpoint that was stored, with what it is of. */
interface StoredRecord {
	readonly checkpoint: Checkpoint;
	readonly polled: Polled;
	/** One more than that of the record that it was made from. */
	readonly revision: number;
	/** The record as it is stored, without what only a backup has. */
	readonly json: JsonRecord;
	/** Only in a backup: the poll emitted inspections. n8n may have saved the backup and not the emission. */
	readonly isEmission: boolean;
	/** Only in the backup of an emission: the record before it, where the node's own data did not hold that. */
	readonly before: unknown;
}

/** What a poll begins with. */
export interface PollStart {
	/** Undefined: the trigger begins now. */
	checkpoint: Checkpoint | undefined;
	/** Marks of the inspections that have started the workflow, for a trigger that begins now with another team, say. */
	readonly emitted: string;
	/** True where something was stored that this version cannot use. */
	readonly isUnreadable: boolean;
	/** The record that the poll goes on from, also where it is of something else; undefined for none. */
	readonly from: Pick<StoredRecord, 'revision' | 'json'> | undefined;
	/** The node's own data; undefined where the poll goes on from the backup. */
	readonly own: JsonRecord | undefined;
}

/**
 * Chooses what a poll goes on from. `remembered` is the record that the last poll in this process left, where n8n may have
 * lost it. `startAt` is the value of Start From.
 */
export function pollStart(
	stored: StoredData & { remembered?: JsonRecord | undefined },
	polled: Polled,
	startAt: Timestamp | undefined,
): PollStart {
	const own = recordIn(stored.own);
	const backup = recordIn(stored.backup);
	const ownOfNode = own?.polled.nodeId === polled.nodeId ? own : undefined;
	const latest = latestOf(ownOfNode, backup, polled.nodeName);
	const from = recordIn(stored.remembered) ?? latest;
	const isStored = isThere(stored.own) || isThere(stored.backup);
	const isUnreadable = isStored && own === undefined && backup === undefined && from === undefined;
	return {
		...startFrom(from, polled, isUnreadable ? undefined : startAt),
		...{ isUnreadable, from, own: latest === ownOfNode ? ownOfNode?.json : undefined },
	};
}

/**
 * The latest record that is certainly true: the one with the higher revision, with two exceptions.
 * - The node was renamed, and its own data is what it left under this name, or nothing: the backup is newer.
 * - The backup of an emission may be ahead of the truth. What was stored before counts then: it is in `before` or, with the
 *   revision just before the backup's, in the node's own data. Otherwise n8n has meanwhile kept that data in the other
 *   place, and saved the emission there.
 */
function latestOf(
	own: StoredRecord | undefined,
	backup: StoredRecord | undefined,
	nodeName: string,
): StoredRecord | undefined {
	if (backup === undefined) return own;
	if (own !== undefined && own.revision >= backup.revision) return own;
	const isOwnOfName = own === undefined || own.polled.nodeName === nodeName;
	const isRenamed = isOwnOfName && backup.polled.nodeName !== nodeName;
	if (isRenamed || !backup.isEmission) return backup;
	if (backup.before === undefined) return own?.revision === backup.revision - 1 ? own : backup;
	return recordIn(backup.before) ?? own;
}

/**
 * How a trigger goes on from a record. It begins anew:
 * - with another event or service: from Start From, or now where that is empty;
 * - with an edited Start From: from there. Where Start From was cleared, the trigger goes on;
 * - with another team or another credential: now, because the changes of that team or organization so far were not asked
 *   for. Where one team was chosen instead of any, the trigger goes on. What was emitted once is not emitted again.
 */
function startFrom(
	record: StoredRecord | undefined,
	polled: Polled,
	startAt: Timestamp | undefined,
): Pick<PollStart, 'checkpoint' | 'emitted'> {
	if (record === undefined || isBegunAnew(record.polled, polled)) {
		return { checkpoint: startAt && checkpointAt(startAt), emitted: '' };
	}
	const { checkpoint, polled: before } = record;
	const isOtherTeam = before.teamId !== undefined && before.teamId !== polled.teamId;
	const isOfOthers = isOtherTeam || before.credentialId !== polled.credentialId;
	return { checkpoint: isOfOthers ? undefined : checkpoint, emitted: checkpoint.emitted };
}

/** Whether the trigger was told to begin with another event, another service or another Start From. */
function isBegunAnew(before: Polled, { baseUrl, event, startFrom: start }: Polled): boolean {
	const isStartEdited = start !== undefined && before.startFrom !== start;
	return before.baseUrl !== baseUrl || before.event !== event || isStartEdited;
}

/**
 * What to store after a poll; undefined where the node's own data says the same already. `isEmitting`: the poll hands
 * inspections over. If n8n then saves the backup but not the emission, the next poll emits the same inspections again.
 */
export function recordsToStore(
	{ from, own: ownBefore }: PollStart,
	checkpoint: Checkpoint,
	polled: Polled,
	isEmitting: boolean,
): { own: JsonRecord; backup: JsonRecord } | undefined {
	const revision = (from?.revision ?? 0) + 1;
	const own = { ...checkpointToJson(checkpoint), ...polledToJson(polled), revision };
	if (isEmitting) {
		const before = ownBefore === undefined ? { before: from?.json ?? {} } : {};
		return { own, backup: { ...own, isEmission: true, ...before } };
	}
	if (ownBefore !== undefined) {
		const same = { ...own, revision: ownBefore.revision };
		if (JSON.stringify(same) === JSON.stringify(ownBefore)) return undefined;
	}
	return { own, backup: { ...own } };
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

function polledToJson(polled: Polled): JsonRecord {
	const members = Object.entries(polled).flatMap(([name, value]: [string, string | undefined]) =>
		value === undefined ? [] : [[name, value] as const],
	);
	return Object.fromEntries(members);
}

function isThere(value: unknown): boolean {
	return value !== undefined && value !== null;
}

/** The record in stored data; undefined for anything that this version did not write. */
function recordIn(value: unknown): StoredRecord | undefined {
	const checkpoint = checkpointOf(value);
	if (checkpoint === undefined || !isRecord(value)) return undefined;
	const { before, isEmission, ...json } = value;
	const { nodeId, nodeName, baseUrl, event, revision } = json;
	if (typeof nodeId !== 'string' || typeof nodeName !== 'string') return undefined;
	if (typeof baseUrl !== 'string' || typeof event !== 'string') return undefined;
	if (typeof revision !== 'number') return undefined;
	const polled = {
		...{ nodeId, nodeName, baseUrl, event, credentialId: textOf(json.credentialId) },
		...{ teamId: textOf(json.teamId), startFrom: textOf(json.startFrom) },
	};
	return { checkpoint, polled, revision, json, isEmission: isEmission === true, before };
}
