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
	/** As it is stored, without `emission`. */
	readonly json: JsonRecord;
	/** What the backup of an emission says of it (`recordsToStore`). */
	readonly emission: JsonRecord | undefined;
}

export interface PollStart {
	/** Undefined where the trigger begins now. */
	readonly checkpoint: Checkpoint | undefined;
	/** What was emitted once, also by a trigger that begins now (with another team, say). */
	readonly emitted: Set<string>;
	readonly isUnreadable: boolean;
	/** That of what the poll goes on from, also where it is of something else; 0 for nothing. */
	readonly revision: number;
	/** The node's own data. */
	readonly own: StoredRecord | undefined;
	/** The own data or the backup, whichever counts. */
	readonly latest: StoredRecord | undefined;
}

/** Chooses what a poll goes on from. `remembered` is what n8n may have lost, `startAt` the value of Start From. */
export function pollStart(
	stored: StoredData,
	remembered: unknown,
	polled: Polled,
	startAt: Timestamp | undefined,
): PollStart {
	const underName = recordIn(stored.own);
	const own = underName?.polled.nodeId === polled.nodeId ? underName : undefined;
	const backup = recordIn(stored.backup);
	const latest = latestOf(own, backup, polled.nodeName);
	const from = recordIn(remembered) ?? latest;
	const isStored = stored.own !== undefined || stored.backup !== undefined;
	const isUnreadable = isStored && (underName ?? backup ?? from) === undefined;
	const begun = isUnreadable ? undefined : startAt && checkpointAt(startAt);
	const revision = from?.revision ?? 0;
	return { ...goOn(from, polled, begun), isUnreadable, revision, own, latest };
}

/** The one with the higher revision; but a backup only where its emission was saved, too. */
function latestOf(
	own: StoredRecord | undefined,
	backup: StoredRecord | undefined,
	nodeName: string,
): StoredRecord | undefined {
	const ownRevision = own?.revision ?? 0;
	if (backup === undefined || ownRevision >= backup.revision) return own;
	const { emission } = backup;
	// Own data that is not what it was before the emission: n8n has stored the emission in another place or under another
	// name, as it has where there is none and the node was renamed.
	if (emission?.ownRevision !== ownRevision) return backup;
	if (own === undefined && backup.polled.nodeName !== nodeName) return backup;
	return emission.madeFrom === undefined ? own : recordIn(emission.madeFrom);
}

/**
 * How a trigger goes on from a record (docs/trigger.md); `begun` is the checkpoint at Start From. Another team or
 * credential begins now, because its changes so far were not asked for, unless it is one team instead of any.
 */
function goOn(
	from: StoredRecord | undefined,
	polled: Polled,
	begun: Checkpoint | undefined,
): Pick<PollStart, 'checkpoint' | 'emitted'> {
	const anew = { checkpoint: begun, emitted: new Set<string>() };
	if (from === undefined) return anew;
	const { checkpoint, polled: before } = from;
	const isOther = before.baseUrl !== polled.baseUrl || before.event !== polled.event;
	const isStartEdited = polled.startFrom !== undefined && before.startFrom !== polled.startFrom;
	if (isOther || isStartEdited) return anew;
	const isOtherTeam = before.teamId !== undefined && before.teamId !== polled.teamId;
	const isOfOthers = isOtherTeam || before.credentialId !== polled.credentialId;
	return { checkpoint: isOfOthers ? undefined : checkpoint, emitted: checkpoint.emitted };
}

/** What to store after a poll; undefined where it went on from the node's own data, and that says the same already. */
export function recordsToStore(
	{ revision, own, latest }: PollStart,
	checkpoint: Checkpoint,
	polled: Polled,
	isEmitting: boolean,
): { own: JsonRecord; backup: JsonRecord } | undefined {
	const state = { ...checkpointToJson(checkpoint), ...polled };
	const record: JsonRecord = { ...state, revision: revision + 1 };
	const isOwnLatest = own === latest;
	if (isEmitting) {
		// n8n may save the backup alone. The emission was saved, too, where the node's own data has changed since.
		const madeFrom = isOwnLatest ? undefined : latest?.json;
		const emission = { ownRevision: own?.revision ?? 0, madeFrom };
		return { own: record, backup: { ...record, emission } };
	}
	const same = JSON.stringify({ ...state, revision });
	if (isOwnLatest && same === JSON.stringify(own?.json)) return undefined;
	return { own: record, backup: { ...record } };
}

/** 0 where nothing is stored. */
export function revisionOf(stored: unknown): number {
	return isRecord(stored) && typeof stored.revision === 'number' ? stored.revision : 0;
}

function recordIn(value: unknown): StoredRecord | undefined {
	const checkpoint = checkpointOf(value);
	if (checkpoint === undefined || !isRecord(value)) return undefined;
	const { emission, ...json } = value;
	const { nodeId, nodeName, baseUrl, event, revision } = json;
	if (typeof nodeId !== 'string' || typeof nodeName !== 'string') return undefined;
	if (typeof baseUrl !== 'string' || typeof event !== 'string') return undefined;
	if (typeof revision !== 'number') return undefined;
	const credentialId = textOf(json.credentialId);
	const teamId = textOf(json.teamId);
	const startFrom = textOf(json.startFrom);
	const polled = { nodeId, nodeName, baseUrl, event, credentialId, teamId, startFrom };
	const note = isRecord(emission) ? emission : undefined;
	return { checkpoint, polled, revision, json, emission: note };
}
