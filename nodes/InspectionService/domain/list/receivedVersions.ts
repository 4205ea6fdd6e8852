import { shortHash } from '../shortHash';

/**
 * Counts the different versions that were received on the pages of one second. A version is the ID and the time of an
 * inspection.
 *
 * If the service keeps the order of equal times, `size` counts all received versions. If the service changes the order,
 * each pass over the pages can miss versions. Then `size` counts only `provenPresent`. Otherwise, a version that has
 * left this second could make up for a missed one.
 */
export class ReceivedVersions {
	/** Whether a backward pass received versions in a different order than the forward pass. */
	isReordered = false;
	/** Whether the last two backward passes were the same. More passes are then useless. */
	repeatsLastPass = false;
	private readonly all = new Set<string>();
	/** The position of each version in the forward pass. */
	private readonly positions = new Map<string, number>();
	/**
	 * The versions received in backward passes. Reset when `expected` decreases, because some versions have then left
	 * this second of time.
	 */
	private provenPresent: ReadonlySet<string> = new Set();
	/** How many versions the second had at least, according to the last pass from its last page to its first. */
	private lastExpected = Infinity;
	private lastPassHash = '';

	/**
	 * The number of received versions. If the order changes, counts only versions that are certainly still in this
	 * second.
	 */
	get size(): number {
		return this.isReordered ? this.provenPresent.size : this.all.size;
	}

	/** Adds the versions of a page. Returns how many of them are new. */
	add(versions: readonly string[]): number {
		const before = this.all.size;
		for (const version of versions) this.all.add(version);
		return this.all.size - before;
	}

	/** Adds the versions of a page of the forward pass. Returns how many of them are new. */
	addForwardPage(versions: readonly string[]): number {
		for (const version of versions) {
			if (!this.positions.has(version)) this.positions.set(version, this.positions.size);
		}
		return this.add(versions);
	}

	/**
	 * Adds the pages of a backward pass, in the order in which they were read. `expected` is the minimum number of
	 * versions in this second of time, as counted in this pass.
	 */
	addBackwardPass(pages: readonly (readonly string[])[], expected: number): void {
		const versions = pages.flat();
		this.add(versions);
		this.isReordered ||= !pages.every((page) => this.isInOrder(page));
		this.provenPresent = new Set(
			expected < this.lastExpected ? versions : [...this.provenPresent, ...versions],
		);
		this.lastExpected = expected;
		const hash = shortHash(versions.join('\n'));
		this.repeatsLastPass = hash === this.lastPassHash;
		this.lastPassHash = hash;
	}

	/**
	 * Whether these versions are in the same order as in the forward pass. Ignores versions that the forward pass didn't
	 * receive.
	 */
	private isInOrder(versions: readonly string[]): boolean {
		const positions = versions
			.map((version) => this.positions.get(version))
			.filter((position) => position !== undefined);
		return positions.every((position, index) => position >= (positions[index - 1] ?? position));
	}
}
