import { LruCache } from '../cache/lruCache';
import type { ServiceClock } from '../domain/changes/serviceClock';

/** Chosen: more warnings than one poll can have. */
const MAX_WARNED = 20;
/** Limit for the whole memory, in characters. Chosen: 20 of the largest records, which have 50,000 versions each. */
const MAX_LENGTH = 20_000_000;
/** Approximate size of a node's memory without its last save, in characters. */
const OTHERS_LENGTH = 1_000;

/** The checkpoint that the last poll gave n8n to save. */
interface Save {
	readonly text: string;
	readonly revision: number;
	/** The highest revision that n8n had saved when that poll started. */
	readonly savedRevision: number;
	/** Whether n8n saves the checkpoint together with items. */
	readonly isEmitting: boolean;
	/** Monotonic clock, in ms. */
	readonly at: number;
}

/** State that a process keeps for one trigger node between polls. */
export interface NodeMemory {
	readonly clock: ServiceClock;
	/** The static data objects that n8n passed to polls. */
	readonly knownData: WeakSet<object>;
	/** The lock of the running poll. `until` is on the monotonic clock, in ms. */
	lock?: { readonly until: number } | undefined;
	lastSave?: Save;
	/** The warnings of the last poll that emitted items, and of the polls since. */
	warned?: readonly string[];
}

export function createNodeMemory(clock: ServiceClock): NodeMemory {
	return { clock, knownData: new WeakSet() };
}

/**
 * State that a process keeps for all its trigger nodes. If space runs out, the least recently polled nodes are
 * dropped.
 */
export function nodeMemories(): LruCache<NodeMemory> {
	return new LruCache({ maxSize: MAX_LENGTH });
}

/** In characters. */
export function memorySize({ lastSave }: NodeMemory): number {
	return OTHERS_LENGTH + (lastSave?.text.length ?? 0);
}

/**
 * Returns the warnings to log. A persistent problem is logged once, and again if it returns after a poll that emitted
 * items.
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
