import { randomOf } from '../unit/changingList.mts';

/** The dice of a storm: the same seed gives the same storm everywhere. */
export class Random {
	/** 0 up to, not including, 1. */
	readonly next: () => number;

	constructor(seed: number) {
		this.next = randomOf(seed);
	}

	/** A whole number from `low` to `high`, both included. */
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
