import {
	type Checkpoint,
	checkpointAt,
	parseCheckpoint,
	parseEmitted,
	serializeCheckpoint,
} from '../domain/changes/checkpoint';
import { isRecord, type JsonRecord, parseJson, textOf } from '../domain/json';
import type { Timestamp } from '../domain/timestamp';
import { SAVING_MS } from '../transport/timeLimits';
import { deleteRecordsOfGoneNodes, GLOBAL_PREFIX, OWN_KEY } from './goneNodes';
import type { NodeMemory } from './nodeMemory';

const STARTS_OVER =
	"The event, base URL, team, or credential changed, so the trigger starts over from now. Changes between its last poll and now don't start the workflow. To include them, set 'Start From' to an earlier time.";

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
	/** n8n's object of the workflow, if it's known. */
	readonly workflow?: unknown;
}

/** Where a poll starts, and what its user must know about that. */
interface PollStart {
	/** Undefined if the trigger starts now. The first poll then remembers the existing inspections and emits nothing. */
	readonly checkpoint: Checkpoint | undefined;
	/**
	 * Hashes (`shortHash`) of the IDs of inspections that started the workflow before the trigger started over. Used only
	 * if `checkpoint` is undefined.
	 */
	readonly emitted: Set<string>;
	readonly warnings: readonly string[];
	/** Whether there is a saved state without a readable watermark. The trigger then starts over from now. */
	readonly isStateLost: boolean;
}

/** A checkpoint as saved in the static data of the node and of the workflow. */
interface CheckpointRecord {
	readonly checkpoint: Checkpoint;
	/** The saved settings. Compare them with `isEdited`. */
	readonly source: JsonRecord;
	/** Increases with each save. One more than the highest revision that existed before, even in an invalid record. */
	readonly revision: number;
	/** The saved JSON of the record, without `pending`. Includes fields that only another version of the node knows. */
	readonly json: JsonRecord;
	/**
	 * Set only in the workflow's data, by a poll with items. If the node's own data still has the revision `ownRevision`,
	 * n8n lost these items and the record isn't valid. Then use the record `before`, or the node's own data if `before`
	 * is missing.
	 */
	readonly pending: JsonRecord | undefined;
}

/**
 * Returns the highest revision that n8n has saved, even in a record that this version of the node can't read. Returns 0
 * if the trigger has never saved a checkpoint.
 */
export function savedRevisionOf(data: StaticData, nodeId: string): number {
	return Math.max(revisionOf(ownValue(data)), revisionOf(globalValue(data, nodeId)));
}

/**
 * Loads and saves the checkpoint of a trigger, although n8n can lose parts of it ("What n8n's poll engines save and
 * lose" in docs/dev/reading.md). Create one store for each poll, and call `lock`, `load`, and then `save`.
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
	/** The saved fields of the record from which the poll started. Fields that this version doesn't know are kept. */
	private kept: JsonRecord = {};
	private revision = 0;

	constructor(data: StaticData, memory: NodeMemory, source: SourceIdentity) {
		this.data = data;
		this.memory = memory;
		this.source = source;
		this.isLive = memory.knownData.has(data.node);
		memory.knownData.add(data.node);
		this.savedRevision = savedRevisionOf(data, source.nodeId);
	}

	/**
	 * Locks the trigger node, so that only one poll runs at a time. The lock ends after `leaseMs` at the latest. Returns
	 * a function that releases the lock, or undefined if another poll has it.
	 * n8n's scheduler starts all overdue polls concurrently, each with its own copy of the static data. So a poll whose copy
	 * is older than the last save doesn't start until n8n has stored that save, or the save counts as lost.
	 */
	lock(leaseMs: number): (() => void) | undefined {
		const { memory } = this;
		const now = memory.clock.n8n.now();
		const isBusy = memory.lock === undefined ? this.isSaving(now) : now < memory.lock.until;
		if (isBusy) return undefined;
		const lock = { until: now + leaseMs };
		memory.lock = lock;
		return () => {
			// Keep the lock of a later poll. That poll can lock the node after this one was abandoned.
			if (memory.lock === lock) memory.lock = undefined;
		};
	}

	/**
	 * Determines where the poll starts, from the saved records and `startAt`, the value of Start From. The first row
	 * that applies decides. "Node" and "workflow" are the records that n8n saved in the static data of each.
	 *
	 * | What is saved                                                            | Record that the poll uses      |
	 * | ------------------------------------------------------------------------ | ------------------------------ |
	 * | This process has saved a later record: see `remembered`                  | the one in memory              |
	 * | Nothing                                                                  | none                           |
	 * | Neither record has a readable watermark                                  | none, and the state is lost    |
	 * | The node's, and none or no later one of the workflow                     | the node's                     |
	 * | A later one of the workflow without `pending`: its poll had no items     | the workflow's                 |
	 * | … with `pending` for an earlier record of the node, which n8n saved then | the workflow's                 |
	 * | … with `pending`, but none of the node, because the node was renamed     | the workflow's                 |
	 * | … with `pending` for the current record of the node: the items are lost  | `pending.before`, else node's  |
	 *
	 * | What was edited since the record was saved                   | Where the poll starts               |
	 * | ------------------------------------------------------------ | ----------------------------------- |
	 * | There is no record, or the base URL, event, or Start From    | at Start From, or now if it's empty |
	 * | The team, if there was one, or the credential                | now                                 |
	 * | Nothing, any team was replaced by one, or Start From removed | where the record ends               |
	 *
	 * A lost state starts now, whatever Start From is. Emitted inspections stay known, unless the first row applies.
	 */
	load(startAt: Timestamp | undefined): PollStart {
		const { source } = this;
		const saved = [ownValue(this.data), globalValue(this.data, source.nodeId)];
		const [storedUnderName, backup] = saved.map(parseRecord);
		const isOfNode = storedUnderName && !isEdited(storedUnderName, source, 'nodeId');
		this.own = isOfNode ? storedUnderName : undefined;
		this.latest = chooseLatest(this.own, backup, source);
		const from = parseRecord(this.remembered()) ?? this.latest;
		this.revision = Math.max(this.savedRevision, from?.revision ?? 0);
		const isSaved = saved.some((value) => value !== undefined);
		const isStateLost = isSaved && (storedUnderName ?? backup ?? from) === undefined;
		this.kept = from?.json ?? (isStateLost ? saved.find(isRecord) : undefined) ?? {};
		if (isStateLost) {
			const emitted = parseEmitted(this.kept);
			return { checkpoint: undefined, emitted, warnings: [], isStateLost };
		}
		const start = resolveStart(from, source, startAt);
		const startsOver = start.checkpoint === undefined && this.revision > 0;
		return { ...start, warnings: startsOver ? [STARTS_OVER] : [], isStateLost };
	}

	/**
	 * Passes the checkpoint to n8n for saving, unless nothing changed. Returns false if another poll has saved since this
	 * poll started. Then this poll must not emit its items, because another poll emits them.
	 */
	save(checkpoint: Checkpoint, isEmitting: boolean): boolean {
		const { source: current, own, latest, kept, revision, savedRevision, memory, data } = this;
		if (savedRevisionOf(data, current.nodeId) !== savedRevision) return false;
		const source = { ...(isRecord(kept.source) && kept.source), ...current };
		const state = { ...kept, ...serializeCheckpoint(checkpoint), source };
		const isUnchanged = JSON.stringify({ ...state, revision }) === JSON.stringify(own?.json);
		if (isUnchanged && !isEmitting) return true;
		const record = { ...state, revision: revision + 1 };
		const text = JSON.stringify(record);
		// n8n can save the workflow's data and lose the items. The next poll detects this, because the node's own data then
		// has the old revision.
		const before = latest === own ? undefined : latest?.json;
		const pending = { ownRevision: own?.revision ?? 0, before };
		deleteRecordsOfGoneNodes(data.workflow, current.nodeId);
		// Write the node's own data last. Until then, `pending` tells that n8n has lost the items.
		data.global[GLOBAL_PREFIX + current.nodeId] = { ...record, ...(isEmitting && { pending }) };
		data.node[OWN_KEY] = record;
		const at = memory.clock.n8n.now();
		memory.lastSave = { text, revision: record.revision, savedRevision, isEmitting, at };
		return true;
	}

	private isSaving(now: number): boolean {
		const { lastSave } = this.memory;
		if (lastSave === undefined || now - lastSave.at >= SAVING_MS) return false;
		return revisionOf(ownValue(this.data)) < lastSave.revision;
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
}

/**
 * Returns the node's own record. Without a record, returns the node's data if it has any unknown key. Another version of
 * this node saved such data, so the trigger isn't new. n8n's own keys begin with `__`.
 */
function ownValue({ node }: StaticData): unknown {
	const isOfOtherVersion = Object.keys(node).some((key) => !key.startsWith('__'));
	return node[OWN_KEY] ?? (isOfOtherVersion ? node : undefined);
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
	source: SourceIdentity,
): CheckpointRecord | undefined {
	const ownRevision = own?.revision ?? 0;
	if (backup === undefined || (own !== undefined && ownRevision >= backup.revision)) return own;
	const { pending } = backup;
	// The poll that saved the backup had no items, or n8n has saved the node's own data since.
	if (pending?.ownRevision !== ownRevision) return backup;
	// The node was renamed, so its own data is stored under the previous name.
	if (own === undefined && isEdited(backup, source, 'nodeName')) return backup;
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
): Pick<PollStart, 'checkpoint' | 'emitted'> {
	const startedOver = { checkpoint: startAt && checkpointAt(startAt), emitted: new Set<string>() };
	if (from === undefined) return startedOver;
	const isAnyEdited = (...names: (keyof SourceIdentity)[]) =>
		names.some((name) => isEdited(from, source, name));
	const isStartEdited =
		source.startFrom !== undefined && from.source.startFrom !== source.startFrom;
	if (isAnyEdited('baseUrl', 'event') || isStartEdited) return startedOver;
	const { checkpoint } = from;
	const startsNow = isAnyEdited('teamId', 'credentialId');
	return { checkpoint: startsNow ? undefined : checkpoint, emitted: checkpoint.emitted };
}

/** Whether a setting was edited since a record was saved. A setting that wasn't saved counts as unedited. */
function isEdited(
	record: CheckpointRecord,
	source: SourceIdentity,
	name: keyof SourceIdentity,
): boolean {
	const saved = textOf(record.source[name]);
	return saved !== undefined && saved !== source[name];
}

/** Returns the revision of a saved record, even if the rest can't be parsed. Returns 0 without a record. */
function revisionOf(saved: unknown): number {
	return isRecord(saved) && typeof saved.revision === 'number' ? saved.revision : 0;
}

/** Returns undefined only without a readable watermark, because every other field has a default. */
function parseRecord(value: unknown): CheckpointRecord | undefined {
	const checkpoint = parseCheckpoint(value);
	if (checkpoint === undefined || !isRecord(value)) return undefined;
	const { pending, ...json } = value;
	return {
		checkpoint,
		source: isRecord(json.source) ? json.source : {},
		revision: revisionOf(json),
		json,
		pending: isRecord(pending) ? pending : undefined,
	};
}
