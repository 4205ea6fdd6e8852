import { ChangePoller } from '../domain/changes/changePoller';
import { serializeCheckpoint } from '../domain/changes/checkpoint';
import { firstCheckpoint } from '../domain/changes/firstPoll';
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

export interface PollReport<Item> {
	readonly items: readonly Item[];
	readonly warnings: readonly string[];
	/** The error that ended the poll early, if there was one. The items are still valid. */
	readonly failure: unknown;
}

/** The steps of a poll that need n8n. Each of them can throw. The poll then fails, and n8n saves nothing. */
export interface PollSteps<Item> {
	readonly render: (changes: readonly Change[]) => Promise<Rendered<Item>>;
	/** Called before the checkpoint is saved, because nothing may throw after that: n8n would save and lose the items. */
	readonly report: (report: PollReport<Item>) => void;
	/** Called if the saved state can't be read, after the poll has saved where the trigger starts over. Can throw. */
	readonly onStateLost: () => void;
}

/** The error of one poll after a saved state that can't be read. The trigger then continues from where it started over. */
export class StateLostError extends Error {
	constructor() {
		super(
			"The saved state of this trigger can't be read, so the trigger starts over from now. Earlier changes that it hadn't handled yet don't start the workflow. This error appears only once: publish the workflow again if it isn't active. To include earlier changes, set 'Start From' to an earlier time",
		);
		this.name = 'StateLostError';
	}
}

/**
 * Runs one poll, from loading the checkpoint to saving it, and returns its items. Returns undefined if another poll of
 * the node is running. If the poll failed without progress, throws its error: n8n then shows the error and saves
 * nothing. After `leaseMs`, another poll can start even if this one hasn't ended.
 */
export async function pollOnce<Item>(
	store: CheckpointStore,
	watch: Watch,
	source: ChangeSource,
	{ render, report, onStateLost }: PollSteps<Item>,
	leaseMs: number,
): Promise<readonly Item[] | undefined> {
	const release = store.lock(leaseMs);
	if (release === undefined) return undefined;
	try {
		const start = store.load(watch.startAt);
		const warnings = [...start.warnings];
		// Serialize the checkpoint now, because `ChangePoller` modifies it.
		const before = start.checkpoint && JSON.stringify(serializeCheckpoint(start.checkpoint));
		const checkpoint =
			start.checkpoint ?? (await firstCheckpoint(start.emitted, watch, source, warnings));
		const poller = new ChangePoller(checkpoint, watch, source);
		const changes = start.checkpoint === undefined ? [] : await poller.read();
		const rendered: Rendered<Item> = changes.length === 0 ? { items: [] } : await render(changes);
		const emitted = new Set(poller.commit(rendered.items.map((items) => items.length > 0)));
		const items = rendered.items.flatMap((some, index) => {
			const change = changes[index];
			return change !== undefined && emitted.has(change) ? some : [];
		});
		const failure = poller.failure ?? rendered.failure;
		const isUnmoved = JSON.stringify(serializeCheckpoint(checkpoint)) === before;
		if (failure !== undefined && isUnmoved && items.length === 0) throw failure;
		const clockWarning = source.clock.warning;
		const clockWarnings = clockWarning === undefined ? [] : [clockWarning];
		report({ items, warnings: [...poller.warnings, ...warnings, ...clockWarnings], failure });
		const isSaved = store.save(checkpoint, items.length > 0);
		// The process remembers the checkpoint that was just saved, so the next poll continues from it.
		if (start.isStateLost) onStateLost();
		return isSaved ? items : [];
	} finally {
		release();
	}
}
