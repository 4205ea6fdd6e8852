import { ChangePoller } from '../domain/changes/changePoller';
import { serializeCheckpoint } from '../domain/changes/checkpoint';
import type { Change, ChangeSource, Watch } from '../domain/changes/watch';
import type { CheckpointStore } from './checkpointStore';

/**
 * The rendered items: one list for each change, in order. If rendering stopped early, `failure` is the error, and the
 * last changes are missing.
 */
export interface Rendered<Item> {
	readonly items: readonly (readonly Item[])[];
	readonly failure?: unknown;
}

interface PollResult<Item> {
	readonly items: readonly Item[];
	readonly warnings: readonly string[];
	/** The error that ended the poll early, if there was one. The items are still valid. */
	readonly failure: unknown;
}

/**
 * Runs one poll, from loading the checkpoint to saving it. Returns undefined if another poll of the node is running. If
 * the poll failed without progress, throws its error: n8n then shows the error and saves nothing. After `leaseMs`,
 * another poll can start even if this one hasn't ended.
 */
export async function pollOnce<Item>(
	store: CheckpointStore,
	watch: Watch,
	source: ChangeSource,
	render: (changes: readonly Change[]) => Promise<Rendered<Item>>,
	leaseMs: number,
): Promise<PollResult<Item> | undefined> {
	const release = store.lock(leaseMs);
	if (release === undefined) return undefined;
	try {
		const { warnings, ...start } = store.load(watch.startAt);
		// Serialize the checkpoint now, because `ChangePoller` modifies it.
		const before = start.checkpoint && JSON.stringify(serializeCheckpoint(start.checkpoint));
		const poller = new ChangePoller(start, watch, source);
		const changes = await poller.read();
		const rendered: Rendered<Item> = changes.length === 0 ? { items: [] } : await render(changes);
		const emitted = new Set(poller.commit(rendered.items.map((items) => items.length > 0)));
		const items = rendered.items.flatMap((some, index) => {
			const change = changes[index];
			return change !== undefined && emitted.has(change) ? some : [];
		});
		const failure = poller.failure ?? rendered.failure;
		const isUnmoved = JSON.stringify(serializeCheckpoint(poller.checkpoint)) === before;
		if (failure !== undefined && isUnmoved && items.length === 0) throw failure;
		const clockWarning = source.clock.warning;
		const clockWarnings = clockWarning === undefined ? [] : [clockWarning];
		const all = [...poller.warnings, ...warnings, ...clockWarnings];
		const isSaved = store.save(poller.checkpoint, items.length > 0);
		return isSaved
			? { items, warnings: all, failure }
			: { items: [], warnings: all, failure: undefined };
	} finally {
		release();
	}
}
