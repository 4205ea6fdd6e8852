/**
 * LRU cache. Evicts the least recently used values above a total of `maxSize`, but never the newest. Values expire
 * after `maxAgeMs`, even if they aren't requested again.
 */
export class LruCache<Value> {
	private readonly maxSize: number;
	private readonly maxAgeMs: number;
	/** Cached values, the least recently used first. `since` is when a value was added, in Unix ms. */
	private readonly kept = new Map<string, { value: Value; size: number; since: number }>();

	constructor({ maxSize = Infinity, maxAgeMs = Infinity } = {}) {
		this.maxSize = maxSize;
		this.maxAgeMs = maxAgeMs;
	}

	get(key: string): Value | undefined {
		const found = this.kept.get(key);
		this.kept.delete(key);
		if (found === undefined || Date.now() - found.since >= this.maxAgeMs) return undefined;
		this.kept.set(key, found);
		return found.value;
	}

	getOrMake(key: string, make: () => Value): Value {
		return this.get(key) ?? this.keep(key, make());
	}

	keep(key: string, value: Value, size = 1): Value {
		const since = Date.now();
		this.kept.delete(key);
		this.kept.set(key, { value, size, since });
		if (this.maxSize !== Infinity) this.makeRoomFor(key);
		if (this.maxAgeMs !== Infinity) this.forgetLater(key, since);
		return value;
	}

	forget(key: string): void {
		this.kept.delete(key);
	}

	private makeRoomFor(last: string): void {
		let sum = 0;
		for (const { size } of this.kept.values()) sum += size;
		for (const [oldest, { size }] of this.kept) {
			if (sum <= this.maxSize || oldest === last) return;
			this.kept.delete(oldest);
			sum -= size;
		}
	}

	/** Uses an AbortSignal, because its timer doesn't keep the process alive. */
	private forgetLater(key: string, since: number): void {
		AbortSignal.timeout(this.maxAgeMs).addEventListener('abort', () => {
			if (this.kept.get(key)?.since === since) this.kept.delete(key);
		});
	}
}
