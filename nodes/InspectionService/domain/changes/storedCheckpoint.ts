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
	/** As the workflow saves it: a date, or the text of an expression and not its value, which may change with each poll. */
	readonly startFrom: string | undefined;
}

/** n8n keeps `own` by the node's name, `backup` for the workflow ("What n8n's poll engines save and lose", docs/how-it-reads.md). */
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
	/** Only in a backup that was stored with items: what the node's own data was before (`recordsToStore`). */
	readonly emission: JsonRecord | undefined;
}

export interface PollStart {
	/** Undefined where the trigger begins now. */
	readonly checkpoint: Checkpoint | undefined;
	/** Marks of inspections that were emitted already. A trigger that begins now, for another team, say, keeps them. */
	readonly emitted: Set<string>;
	readonly isUnreadable: boolean;
	/** The highest so far, of a lost emission too: what is stored next comes after all of it. 0 where there was none. */
	readonly revision: number;
	/** The node's own data. */
	readonly own: StoredRecord | undefined;
	/** What `latestOf` chose. */
	readonly latest: StoredRecord | undefined;
}

/** Chooses what a poll goes on from. `remembered` was left by the last poll of this process, and n8n may not have saved it. */
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
	const atStartFrom = isUnreadable ? undefined : startAt && checkpointAt(startAt);
	const revision = Math.max(...[from, own, backup].map((record) => record?.revision ?? 0));
	return { ...goOn(from, polled, atStartFrom), isUnreadable, revision, own, latest };
}

/** The record with the higher revision. For a backup whose items n8n has not saved: the record that they were made from. */
function latestOf(
	own: StoredRecord | undefined,
	backup: StoredRecord | undefined,
	nodeName: string,
): StoredRecord | undefined {
	const ownRevision = own?.revision ?? 0;
	if (backup === undefined || ownRevision >= backup.revision) return own;
	const { emission } = backup;
	// There were no items, or the own data has changed since they were emitted: n8n has saved them.
	if (emission?.ownRevision !== ownRevision) return backup;
	// Without own data a node has been renamed: n8n has saved them under the earlier name.
	if (own === undefined && backup.polled.nodeName !== nodeName) return backup;
	return emission.madeFrom === undefined ? own : recordIn(emission.madeFrom);
}

/**
 * How a trigger goes on from a record (docs/trigger.md). Another base URL, event or Start From begins at Start From.
 * Another team or credential begins now, because nobody asked for its changes so far. One team instead of all goes on.
 */
function goOn(
	from: StoredRecord | undefined,
	polled: Polled,
	atStartFrom: Checkpoint | undefined,
): Pick<PollStart, 'checkpoint' | 'emitted'> {
	const startedAnew = { checkpoint: atStartFrom, emitted: new Set<string>() };
	if (from === undefined) return startedAnew;
	const { checkpoint, polled: before } = from;
	const isOtherList = before.baseUrl !== polled.baseUrl || before.event !== polled.event;
	const isStartEdited = polled.startFrom !== undefined && before.startFrom !== polled.startFrom;
	if (isOtherList || isStartEdited) return startedAnew;
	const isOtherTeam = before.teamId !== undefined && before.teamId !== polled.teamId;
	const beginsNow = isOtherTeam || before.credentialId !== polled.credentialId;
	return { checkpoint: beginsNow ? undefined : checkpoint, emitted: checkpoint.emitted };
}

/** What to store after a poll; undefined for one without items where the node's own data says the same already. */
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
		// n8n may save the backup and lose the items. The next poll sees it: the own data has `ownRevision` still.
		const madeFrom = isOwnLatest ? undefined : latest?.json;
		const emission = { ownRevision: own?.revision ?? 0, madeFrom };
		return { own: record, backup: { ...record, emission } };
	}
	const same = JSON.stringify({ ...state, revision });
	if (isOwnLatest && same === JSON.stringify(own?.json)) return undefined;
	return { own: record, backup: { ...record } };
}

/** The revision, also of a record that is not readable; 0 where there is none. */
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
