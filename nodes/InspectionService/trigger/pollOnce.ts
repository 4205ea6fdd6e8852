import {
	type Change,
	ChangePoller,
	type ChangeSource,
	type Watch,
} from '../domain/changes/changePoller';
import { serializeCheckpoint } from '../domain/changes/checkpoint';
import type { CheckpointStore } from './checkpointStore';

/**
 * The items of each change, in order, for all changes that were rendered. `failure` is why rendering stopped early.
 */
export interface Rendered<Item> {
	readonly items: readonly (readonly Item[])[];
	readonly failure?: unknown;
}

interface PollResult<Item> {
	readonly items: readonly Item[];
	readonly warnings: readonly string[];
	/** Why the poll ended early, if it did. Its earlier results are still valid. */
	readonly failure: unknown;
}

/**
 * Runs one poll, from the saved checkpoint to the next one. Returns undefined if another poll of the node blocks it.
 * Throws the failure of a poll that made no progress: n8n shows it and saves nothing. A poll counts as abandoned
 * after `leaseMs`.
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
		// Serialize the checkpoint first, because the poller modifies it.
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
