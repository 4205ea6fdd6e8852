import { isRecord, type JsonRecord, textOf } from '../json';
import type { Timestamp } from '../timestamp';
import { type Checkpoint, checkpointAt, checkpointOf, checkpointToJson } from './checkpoint';

/** What is polled, and by which node. A checkpoint says nothing of anything else. */
export interface Polled {
	readonly nodeId: string;
	readonly nodeName: string;
	readonly baseUrl: string;
	readonly event: string;
	readonly credentialId: string | undefined;
	readonly teamId: string | undefined;
	/** As it is saved: a date, or an expression, whose value may be another one with each poll. */
	readonly startFrom: string | undefined;
}

/** The node's own data, and a backup: "What n8n's poll engines save and lose" in docs/how-it-reads.md. */
export interface StoredData {
	readonly own: unknown;
	readonly backup: unknown;
}

interface StoredRecord {
	readonly checkpoint: Checkpoint;
	readonly polled: Polled;
	readonly revision: number;
	readonly json: JsonRecord;
	/**
	 * Only in the backup of an emission, which n8n may have saved without the emission: the record that the emission was
	 * made from ({} for none), or `own` where the node's own data held that.
	 */
	readonly before: unknown;
}

export interface PollStart {
	/** Undefined where the trigger begins now. */
	readonly checkpoint: Checkpoint | undefined;
	/** What was emitted once, also by a trigger that begins now (with another team, say). */
	readonly emitted: Set<string>;
	readonly isUnreadable: boolean;
	/** The record that the poll goes on from, also where it is of something else; undefined for none. */
	readonly from: StoredRecord | undefined;
	/** The node's own data, where that is the latest that is stored. */
	readonly own: JsonRecord | undefined;
}

/** Chooses what a poll goes on from. `remembered` is what n8n may have lost, `startAt` the value of Start From. */
export function pollStart(
	stored: StoredData,
	remembered: unknown,
	polled: Polled,
	startAt: Timestamp | undefined,
): PollStart {
	const found = recordIn(stored.own);
	const own = found?.polled.nodeId === polled.nodeId ? found : undefined;
	const backup = recordIn(stored.backup);
	const latest = latestOf(own, backup, polled.nodeName);
	const from = recordIn(remembered) ?? latest;
	const isStored = stored.own !== undefined || stored.backup !== undefined;
	const isUnreadable = isStored && (found ?? backup ?? from) === undefined;
	const begun = isUnreadable ? undefined : startAt && checkpointAt(startAt);
	return {
		...(from === undefined ? { checkpoint: begun, emitted: new Set() } : goOn(from, polled, begun)),
		isUnreadable,
		from,
		own: latest === own ? own?.json : undefined,
	};
}

/** The one with the higher revision; but a backup only where its emission was certainly saved, too. */
function latestOf(
	own: StoredRecord | undefined,
	backup: StoredRecord | undefined,
	nodeName: string,
): StoredRecord | undefined {
	if (backup === undefined) return own;
	if (own !== undefined && own.revision >= backup.revision) return own;
	if (backup.before === undefined) return backup;
	// An older revision than the one before: n8n has meanwhile kept the own data in the other place, with the emission.
	if (backup.before === 'own') return own?.revision === backup.revision - 1 ? own : backup;
	// Renamed since, so that the own data is gone, or is what the node has left under an earlier name.
	const { nodeName: name } = backup.polled;
	const isRenamed = name !== nodeName && own?.polled.nodeName !== name;
	return isRenamed ? backup : recordIn(backup.before);
}

/**
 * How a trigger goes on from a record (docs/trigger.md); `begun` is the checkpoint at Start From. Another team or
 * credential begins now, because its changes so far were not asked for, unless it is one team instead of any.
 */
function goOn(
	{ checkpoint, polled: before }: StoredRecord,
	polled: Polled,
	begun: Checkpoint | undefined,
): Pick<PollStart, 'checkpoint' | 'emitted'> {
	const isOther = before.baseUrl !== polled.baseUrl || before.event !== polled.event;
	const isStartEdited = polled.startFrom !== undefined && before.startFrom !== polled.startFrom;
	if (isOther || isStartEdited) return { checkpoint: begun, emitted: new Set() };
	const isOtherTeam = before.teamId !== undefined && before.teamId !== polled.teamId;
	const isOfOthers = isOtherTeam || before.credentialId !== polled.credentialId;
	return { checkpoint: isOfOthers ? undefined : checkpoint, emitted: checkpoint.emitted };
}

/** What to store after a poll; undefined where the node's own data says the same already. */
export function recordsToStore(
	{ from, own: ownBefore }: PollStart,
	checkpoint: Checkpoint,
	polled: Polled,
	isEmitting: boolean,
): { own: JsonRecord; backup: JsonRecord } | undefined {
	const revision = (from?.revision ?? 0) + 1;
	const own: JsonRecord = { ...checkpointToJson(checkpoint), ...polled, revision };
	if (isEmitting) {
		const before = ownBefore === undefined ? (from?.json ?? {}) : 'own';
		return { own, backup: { ...own, before } };
	}
	const same = ownBefore && { ...own, revision: ownBefore.revision };
	if (same && JSON.stringify(same) === JSON.stringify(ownBefore)) return undefined;
	return { own, backup: { ...own } };
}

/** 0 where nothing is stored. */
export function revisionOf(stored: unknown): number {
	return isRecord(stored) && typeof stored.revision === 'number' ? stored.revision : 0;
}

function recordIn(value: unknown): StoredRecord | undefined {
	const checkpoint = checkpointOf(value);
	if (checkpoint === undefined || !isRecord(value)) return undefined;
	const { before, ...json } = value;
	const { nodeId, nodeName, baseUrl, event, revision } = json;
	if (typeof nodeId !== 'string' || typeof nodeName !== 'string') return undefined;
	if (typeof baseUrl !== 'string' || typeof event !== 'string') return undefined;
	if (typeof revision !== 'number') return undefined;
	const credentialId = textOf(json.credentialId);
	const teamId = textOf(json.teamId);
	const startFrom = textOf(json.startFrom);
	const polled = { nodeId, nodeName, baseUrl, event, credentialId, teamId, startFrom };
	return { checkpoint, polled, revision, json, before };
}
