import {
	type Checkpoint,
	checkpointAt,
	parseCheckpoint,
	serializeCheckpoint,
} from '../domain/changes/checkpoint';
import type { PollStart } from '../domain/changes/watch';
import { isRecord, type JsonRecord, parseJson, textOf } from '../domain/json';
import type { Timestamp } from '../domain/timestamp';
import { SAVING_MS } from '../transport/timeLimits';
import type { NodeMemory } from './nodeMemory';

const OWN_KEY = 'checkpoint';
const GLOBAL_PREFIX = 'inspectionServiceTrigger:';

const UNREADABLE =
	"The trigger's saved state can't be read, because another version of the node saved it, or because it's damaged. The trigger starts over from now.";

const STARTS_OVER =
	'The event, base URL, team, or credential changed, so the trigger starts over from now. Changes between its last poll and now don\'t start the workflow. To include them, set "Start From" to an earlier time.';

/**
 * Identifies the list that a trigger polls, and the trigger node. A checkpoint is valid only for the source with which
 * it was saved.
 */
export interface SourceIdentity {
	readonly nodeId: string;
	readonly nodeName: string;
	readonly baseUrl: string;
	readonly event: string;
	readonly credentialId: string | undefined;
	readonly teamId: string | undefined;
	/**
	 * The saved value of Start From: a date, or the text of an expression. The text is compared, because the value of an
	 * expression can change with each poll.
	 */
	readonly startFrom: string | undefined;
}

/**
 * The static data that n8n passes to one poll. n8n saves `node` for the trigger node, and `global` for the whole
 * workflow.
 */
export interface StaticData {
	readonly node: Record<string, unknown>;
	readonly global: Record<string, unknown>;
}

/** A checkpoint as saved in the static data of the node and of the workflow. */
interface CheckpointRecord {
	readonly checkpoint: Checkpoint;
	readonly source: SourceIdentity;
	/** Increases with each save. One more than the highest revision that existed before, even in an invalid record. */
	readonly revision: number;
	/** The saved JSON of the record, without `pending`. */
	readonly json: JsonRecord;
	/**
	 * Set only in the workflow's data, by a poll with items. If the node's own data still has the revision `ownRevision`,
	 * n8n lost these items and the record isn't valid. Then use the record `before`, or the node's own data if `before`
	 * is missing.
	 */
	readonly pending: JsonRecord | undefined;
}

/** Whether the trigger has saved a checkpoint before, even if this version of the node can't read it. */
export function hasCheckpoint(data: StaticData, nodeId: string): boolean {
	return Math.max(revisionOf(data.node[OWN_KEY]), revisionOf(globalValue(data, nodeId))) > 0;
}

/**
 * Loads and saves the checkpoint of a trigger, although n8n can lose parts of it ("What n8n's poll engines save and
 * lose" in docs/how-it-reads.md). Create one store for each poll, and call `lock`, `load`, and then `save`.
 */
export class CheckpointStore {
	private readonly data: StaticData;
	private readonly memory: NodeMemory;
	private readonly source: SourceIdentity;
	/** Whether an earlier poll received the same static data object, because n8n keeps it in memory between polls. */
	private readonly isLive: boolean;
	/** The highest revision that n8n had saved when the poll started. */
	private readonly savedRevision: number;
	private own: CheckpointRecord | undefined;
	private latest: CheckpointRecord | undefined;
	private revision = 0;

	constructor(data: StaticData, memory: NodeMemory, source: SourceIdentity) {
		this.data = data;
		this.memory = memory;
		this.source = source;
		this.isLive = memory.knownData.has(data.node);
		memory.knownData.add(data.node);
		this.savedRevision = this.readRevision();
	}

	/**
	 * Locks the trigger node, so that only one poll runs at a time. The lock ends after `leaseMs` at the latest. Returns
	 * a function that releases the lock, or undefined if another poll has it.
	 * n8n's scheduler starts all overdue polls at once, each with its own copy of the static data. So a poll whose copy
	 * is older than the last save doesn't start until n8n has stored that save, or the save counts as lost.
	 */
	lock(leaseMs: number): (() => void) | undefined {
		const { memory } = this;
		const now = memory.clock.n8n.now();
		if (memory.lock !== undefined) {
			if (now < memory.lock.until) return undefined;
		} else if (memory.lastSave !== undefined && this.isSaving(memory.lastSave, now)) {
			return undefined;
		}
		const lock = { until: now + leaseMs };
		memory.lock = lock;
		return () => {
			// Keep the lock of a later poll. That poll can lock the node after this one was abandoned.
			if (memory.lock === lock) memory.lock = undefined;
		};
	}

	/** Determines where the poll starts, from the saved records and `startAt`, the value of Start From. */
	load(startAt: Timestamp | undefined): PollStart & { readonly warnings: readonly string[] } {
		const { source } = this;
		const storedUnderName = parseRecord(this.ownValue());
		const backup = parseRecord(globalValue(this.data, source.nodeId));
		this.own = storedUnderName?.source.nodeId === source.nodeId ? storedUnderName : undefined;
		this.latest = chooseLatest(this.own, backup, source.nodeName);
		const from = parseRecord(this.remembered()) ?? this.latest;
		this.revision = Math.max(...[from, this.own, backup].map((record) => record?.revision ?? 0));
		const isSaved =
			this.ownValue() !== undefined || globalValue(this.data, source.nodeId) !== undefined;
		if (isSaved && (storedUnderName ?? backup ?? from) === undefined) {
			return { checkpoint: undefined, emitted: new Set(), warnings: [UNREADABLE] };
		}
		const start = resolveStart(from, source, startAt);
		const startsOver = start.checkpoint === undefined && this.revision > 0;
		return { ...start, warnings: startsOver ? [STARTS_OVER] : [] };
	}

	/**
	 * Passes the checkpoint to n8n for saving, unless nothing changed. Returns false if another poll has saved since this
	 * poll started. Then this poll must not emit its items, because another poll emits them.
	 */
	save(checkpoint: Checkpoint, isEmitting: boolean): boolean {
		const { source, own, latest, revision, savedRevision, memory, data } = this;
		if (this.readRevision() !== savedRevision) return false;
		const state = { ...serializeCheckpoint(checkpoint), source };
		const isUnchanged = JSON.stringify({ ...state, revision }) === JSON.stringify(own?.json);
		if (isUnchanged && !isEmitting) return true;
		const record = { ...state, revision: revision + 1 };
		const text = JSON.stringify(record);
		const at = memory.clock.n8n.now();
		memory.lastSave = { text, revision: record.revision, savedRevision, isEmitting, at };
		// n8n can save the workflow's data and lose the items. The next poll detects this, because the node's own data then
		// has the old revision.
		const before = latest === own ? undefined : latest?.json;
		const pending = { ownRevision: own?.revision ?? 0, before };
		data.node[OWN_KEY] = record;
		data.global[GLOBAL_PREFIX + source.nodeId] = isEmitting
			? { ...record, pending }
			: { ...record };
		return true;
	}

	private isSaving({ revision, at }: NonNullable<NodeMemory['lastSave']>, now: number): boolean {
		return revisionOf(this.ownValue()) < revision && now - at < SAVING_MS;
	}

	/**
	 * Returns the checkpoint that this process saved last, if it's more recent than what n8n has saved. There are two
	 * such cases:
	 * - n8n's scheduler without durable cursors discards the checkpoint of a poll without items. After a poll with items,
	 *   n8n's data is used: if n8n lost the items, they must be emitted again.
	 * - n8n can register a trigger twice, each time with separate data in memory. Then the record with the higher
	 *   revision is valid for both.
	 */
	private remembered(): unknown {
		const { lastSave } = this.memory;
		if (lastSave === undefined) return undefined;
		const isUnsaved = lastSave.savedRevision === this.savedRevision && !lastSave.isEmitting;
		const isOfTwin = this.isLive && lastSave.revision > this.savedRevision;
		return isUnsaved || isOfTwin ? parseJson(lastSave.text) : undefined;
	}

	/**
	 * Returns the node's own record. Without a record, returns the node's data if it has any unknown key. Another version
	 * of this node saved such data, so the trigger isn't new. n8n's own keys begin with `__`.
	 */
	private ownValue(): unknown {
		const { node } = this.data;
		const isOfOtherVersion = Object.keys(node).some((key) => !key.startsWith('__'));
		return node[OWN_KEY] ?? (isOfOtherVersion ? node : undefined);
	}

	private readRevision(): number {
		const backup = globalValue(this.data, this.source.nodeId);
		return Math.max(revisionOf(this.ownValue()), revisionOf(backup));
	}
}

function globalValue({ global }: StaticData, nodeId: string): unknown {
	return global[GLOBAL_PREFIX + nodeId];
}

/**
 * Returns the record with the higher revision. If this record is the one in the workflow's data (`backup`), and n8n lost
 * the items of the record, returns the previous record.
 */
function chooseLatest(
	own: CheckpointRecord | undefined,
	backup: CheckpointRecord | undefined,
	nodeName: string,
): CheckpointRecord | undefined {
	const ownRevision = own?.revision ?? 0;
	if (backup === undefined || ownRevision >= backup.revision) return own;
	const { pending } = backup;
	// The poll that saved the backup had no items, or n8n has saved the node's own data since.
	if (pending?.ownRevision !== ownRevision) return backup;
	// The node was renamed, so its own data is stored under the previous name.
	if (own === undefined && backup.source.nodeName !== nodeName) return backup;
	return pending.before === undefined ? own : parseRecord(pending.before);
}

/**
 * Determines where a trigger continues (docs/trigger.md). If the base URL, event, or Start From was edited, the trigger
 * starts over at Start From. If the team or credential was edited, it starts over from now, because it didn't read the
 * earlier changes of that team or credential. If the team filter was empty before, the trigger continues, because it
 * has read the changes of all teams.
 */
function resolveStart(
	from: CheckpointRecord | undefined,
	source: SourceIdentity,
	startAt: Timestamp | undefined,
): PollStart {
	const startedOver = { checkpoint: startAt && checkpointAt(startAt), emitted: new Set<string>() };
	if (from === undefined) return startedOver;
	const { checkpoint, source: before } = from;
	const isOtherList = before.baseUrl !== source.baseUrl || before.event !== source.event;
	const isStartEdited = source.startFrom !== undefined && before.startFrom !== source.startFrom;
	if (isOtherList || isStartEdited) return startedOver;
	const isOtherTeam = before.teamId !== undefined && before.teamId !== source.teamId;
	const startsNow = isOtherTeam || before.credentialId !== source.credentialId;
	return { checkpoint: startsNow ? undefined : checkpoint, emitted: checkpoint.emitted };
}

/** Returns the revision of a saved record, even if the rest can't be parsed. Returns 0 without a record. */
function revisionOf(saved: unknown): number {
	return isRecord(saved) && typeof saved.revision === 'number' ? saved.revision : 0;
}

function parseRecord(value: unknown): CheckpointRecord | undefined {
	const checkpoint = parseCheckpoint(value);
	if (checkpoint === undefined || !isRecord(value)) return undefined;
	const { pending, ...json } = value;
	const { revision } = json;
	const source = parseSource(json.source);
	if (source === undefined || typeof revision !== 'number') return undefined;
	return { checkpoint, source, revision, json, pending: isRecord(pending) ? pending : undefined };
}

function parseSource(value: unknown): SourceIdentity | undefined {
	if (!isRecord(value)) return undefined;
	const { nodeId, nodeName, baseUrl, event } = value;
	if (typeof nodeId !== 'string' || typeof nodeName !== 'string') return undefined;
	if (typeof baseUrl !== 'string' || typeof event !== 'string') return undefined;
	const credentialId = textOf(value.credentialId);
	const teamId = textOf(value.teamId);
	const startFrom = textOf(value.startFrom);
	return { nodeId, nodeName, baseUrl, event, credentialId, teamId, startFrom };
}
