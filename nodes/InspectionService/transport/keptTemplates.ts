import type { JsonRecord } from '../domain/json';

/** In bytes of memory, as `MemoryBudget` counts them: seven templates with 900 questions each. */
const MAX_BYTES = 32 * 1024 * 1024;
/**
 * In ms: one minute. An execution may wait for days or call sub-workflows all day, and a template may be edited
 * meanwhile. One more request a minute is not felt.
 */
const MAX_AGE_MS = 60 * 1000;

interface KeptTemplate {
	readonly template: JsonRecord;
	readonly bytes: number;
	/** Unix ms. */
	readonly since: number;
	/** Tells it from others of its key. */
	readonly number: number;
}

/** The templates that this process keeps, the one that was used longest ago first. */
const kept = new Map<string, KeptTemplate>();
let count = 0;

/** The template that was kept under a key; undefined where it was let go. */
export function keptTemplate(key: string): JsonRecord | undefined {
	const found = kept.get(key);
	kept.delete(key);
	if (found === undefined || Date.now() - found.since >= MAX_AGE_MS) return undefined;
	kept.set(key, found);
	return found.template;
}

/**
 * Keeps a template of this size for a minute, or until others need its place. The last one is kept whatever its size,
 * because the next item may well need it.
 */
export function keepTemplate(key: string, template: JsonRecord, bytes: number): void {
	const number = (count += 1);
	kept.delete(key);
	kept.set(key, { template, bytes, since: Date.now(), number });
	let sum = 0;
	for (const other of kept.values()) sum += other.bytes;
	for (const [oldest, other] of kept) {
		if (sum <= MAX_BYTES || oldest === key) break;
		kept.delete(oldest);
		sum -= other.bytes;
	}
	// Unlike other timers, it does not keep the process alive. It must not hold on to the template.
	AbortSignal.timeout(MAX_AGE_MS).addEventListener('abort', () => {
		if (kept.get(key)?.number === number) kept.delete(key);
	});
}
