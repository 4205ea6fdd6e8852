import { LruCache } from '../cache/lruCache';
import { TemplateFailures } from '../cache/templateFailures';
import type { ServiceClock } from '../domain/changes/serviceClock';

/** Maximum number of remembered warnings. Chosen: a single poll can't have as many. */
const MAX_WARNED = 20;
/**
 * Maximum size of the remembered state of all trigger nodes, in characters. Chosen: enough for 20 checkpoints with the
 * maximum of 50,000 inspection versions each.
 */
const MAX_LENGTH = 20_000_000;
/** The approximate size of the state of one node without `lastSave`, in characters. */
const OTHERS_LENGTH = 1_000;

/** The checkpoint that the last poll passed to n8n for saving. */
interface Save {
	readonly text: string;
	readonly revision: number;
	/** The highest revision that n8n had saved when the poll of this save started. */
	readonly savedRevision: number;
	/** Whether the poll also emitted items. n8n then saves the checkpoint together with the items. */
	readonly isEmitting: boolean;
	/** When the checkpoint was passed to n8n: ms on the monotonic clock. */
	readonly at: number;
}

/** State that n8n's process keeps for one trigger node between polls. */
export interface NodeMemory {
	readonly clock: ServiceClock;
	readonly templateFailures: TemplateFailures;
	/** The static data objects (`StaticData.node`) that n8n has passed to polls. */
	readonly knownData: WeakSet<object>;
	/** The lock of the running poll. It ends at `until`, in ms on the monotonic clock. */
	lock?: { readonly until: number } | undefined;
	lastSave?: Save;
	/** Whether the next poll must report that the saved state was lost. */
	isStateLost?: boolean;
	/** The warnings of the last poll that emitted items, and of all polls after it. */
	warned?: readonly string[];
}

export function createNodeMemory(clock: ServiceClock): NodeMemory {
	const templateFailures = new TemplateFailures(() => clock.n8n.now());
	return { clock, templateFailures, knownData: new WeakSet() };
}

/**
 * Creates the state that n8n's process keeps for all trigger nodes. Above `MAX_LENGTH`, drops the nodes that weren't
 * polled for the longest time.
 */
export function nodeMemories(): LruCache<NodeMemory> {
	return new LruCache({ maxSize: MAX_LENGTH });
}

/** Returns the size of one node's state, in characters. */
export function memorySize({ lastSave }: NodeMemory): number {
	return OTHERS_LENGTH + (lastSave?.text.length ?? 0);
}

/**
 * Returns the warnings that are new, for the log. A warning that returns with every poll is logged only once. It's
 * logged again if it returns after a poll that emitted items.
 */
export function newWarnings(
	memory: NodeMemory,
	warnings: readonly string[],
	isEmitting: boolean,
): string[] {
	const warned = new Set(memory.warned);
	const added = [...new Set(warnings)].filter((warning) => !warned.has(warning));
	memory.warned = isEmitting ? warnings : [...warned, ...added].slice(-MAX_WARNED);
	return added;
}
