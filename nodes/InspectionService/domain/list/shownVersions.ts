import { shortHash } from '../shortHash';

/**
 * Counts which versions of a tied second its pages have shown. A version is an inspection's ID and its time.
 *
 * If the service keeps the order of equal times, each version that was shown counts. If it changes the order, a version
 * can be on no page of a pass. Another version that was shown and then left the second must not be counted in its
 * place. So then only the versions count that were shown since the second last became smaller.
 */
export class ShownVersions {
	/** Whether a backward pass had a different order than the forward pass. */
	isReordered = false;
	/** Whether the last backward pass showed the same as the one before it, so that another pass shows nothing new. */
	isRepeating = false;
	private readonly all = new Set<string>();
	/** The position of each version in the forward pass. */
	private readonly positions = new Map<string, number>();
	/** The versions of the backward passes since the second last became smaller. */
	private remaining: ReadonlySet<string> = new Set();
	/** How many versions the second had in the last backward pass. */
	private held = Infinity;
	private lastPass = '';

	/** The number of versions that were shown and count. */
	get size(): number {
		return this.isReordered ? this.remaining.size : this.all.size;
	}

	/** Adds versions of a page, and returns how many of them no page has shown before. */
	add(versions: readonly string[]): number {
		const before = this.all.size;
		for (const version of versions) this.all.add(version);
		return this.all.size - before;
	}

	/** Adds versions of a page of the forward pass, and returns how many of them no page has shown before. */
	addForwards(versions: readonly string[]): number {
		for (const version of versions) {
			if (!this.positions.has(version)) this.positions.set(version, this.positions.size);
		}
		return this.add(versions);
	}

	/** Adds the pages of a backward pass, in the order in which they were read. The second then had `held` versions. */
	addBackwardPass(pages: readonly (readonly string[])[], held: number): void {
		const versions = pages.flat();
		this.add(versions);
		this.isReordered ||= !pages.every((page) => this.isInOrder(page));
		this.remaining = new Set(held < this.held ? versions : [...this.remaining, ...versions]);
		this.held = held;
		const pass = shortHash(versions.join('\n'));
		this.isRepeating = pass === this.lastPass;
		this.lastPass = pass;
	}

	/** Whether the forward pass had these versions in the same order, as far as it had them. */
	private isInOrder(versions: readonly string[]): boolean {
		const positions = versions
			.map((version) => this.positions.get(version))
			.filter((position) => position !== undefined);
		return positions.every((position, index) => position >= (positions[index - 1] ?? position));
	}
}
