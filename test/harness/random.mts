/**
 * Returns a function that returns random numbers from 0 (inclusive) to 1 (exclusive). The same seed always gives the
 * same numbers.
 */
export function randomOf(seed: number): () => number {
	let state = seed | 0;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** Random choices for a simulation. The same seed gives the same choices on every machine. */
export class Random {
	/** Returns a number from 0 (inclusive) to 1 (exclusive). */
	readonly next: () => number;

	constructor(seed: number) {
		this.next = randomOf(seed);
	}

	/** Returns a whole number from `low` to `high`, both inclusive. */
	between(low: number, high: number): number {
		return low + Math.floor(this.next() * (high - low + 1));
	}

	chance(probability: number): boolean {
		return this.next() < probability;
	}

	pick<T>(choices: readonly [T, ...T[]]): T {
		return choices[this.between(0, choices.length - 1)] ?? choices[0];
	}

	guid(): string {
		const hex = Array.from({ length: 32 }, () => this.between(0, 15).toString(16)).join('');
		return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
	}
}
