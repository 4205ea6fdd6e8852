import type { ServiceClock } from '../domain/changes/serviceClock';
import { Memory } from '../transport/memory';

/** Chosen: more warnings than one poll can have. */
const MAX_WARNED = 20;
/** Characters of everything remembered. Chosen: 20 of the largest records, which have 50,000 versions each. */
const MAX_LENGTH = 20_000_000;
/** Characters that a node's memory takes besides its last record, roughly. */
const OTHERS_LENGTH = 1_000;

/** What the last poll gave n8n to save. */
export interface Save {
	readonly text: string;
	readonly revision: number;
	/** The highest revision that n8n had saved when that poll began. */
	readonly savedRevision: number;
	/** Whether n8n saves it together with items. */
	readonly isEmitting: boolean;
	/** Monotonic clock, in ms. */
	readonly at: number;
}

/** What a process remembers of one trigger node between its polls. */
export interface NodeMemory {
	readonly clock: ServiceClock;
	/** The static data objects that polls got from n8n. */
	readonly knownData: WeakSet<object>;
	/** Held by the poll that is running. `until` is on the monotonic clock, in ms. */
	lock?: { readonly until: number } | undefined;
	lastSave?: Save;
	/** The warnings of the last poll that emitted items, and of the polls since. */
	warned?: readonly string[];
}

export function createNodeMemory(clock: ServiceClock): NodeMemory {
	return { clock, knownData: new WeakSet() };
}

/** What a process remembers of all its trigger nodes. It keeps as many as fit, those that were polled last. */
export function nodeMemories(): Memory<NodeMemory> {
	return new Memory({ maxSize: MAX_LENGTH });
}

/** In characters. */
export function memorySize({ lastSave }: NodeMemory): number {
	return OTHERS_LENGTH + (lastSave?.text.length ?? 0);
}

/** The warnings to log. A lasting problem is logged once, and again if it returns after a poll that emitted items. */
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
