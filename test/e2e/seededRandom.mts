/** Pseudo-random choices that are the same in every run (mulberry32). */
export class SeededRandom {
	private state: number;

	constructor(seed: number) {
		this.state = seed >>> 0;
	}

	/** From 0 up to, and without, 1. */
	fraction(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	}

	/** An integer from 0 up to, and without, `end`. */
	below(end: number): number {
		return Math.floor(this.fraction() * end);
	}

	chance(probability: number): boolean {
		return this.fraction() < probability;
	}

	pick<T>(values: readonly [T, ...T[]]): T {
		return values[this.below(values.length)] ?? values[0];
	}

	/** Some of the values in their order, at least one where there are any. */
	some<T>(values: readonly T[]): T[] {
		const kept = values.filter(() => this.chance(0.5));
		return kept.length > 0 ? kept : values.slice(0, 1);
	}
}
