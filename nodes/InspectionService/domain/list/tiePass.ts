/**
 * Page sizes of the passes, as shares of the usual one. A service that sorts by nothing but the time may put equal
 * times in another order on each page, the same one at every request: pages of one size would hide the same
 * inspections for ever. Large pages come first, because they leave others less time to change something.
 */
const PAGE_SHARES = [
	1, 0.8, 0.6, 0.9, 0.5, 0.7, 0.4, 0.95, 0.3, 0.65, 0.2, 0.85, 0.12, 0.55, 0.08, 0.45,
];
/** Passes that are tried before a second is given up as one that cannot be read whole. */
export const MAX_PASSES = PAGE_SHARES.length;

/** Page size of a pass; in `unsteadyPasses` before it, inspections came twice. */
export function pageSizeAfter(unsteadyPasses: number, usual: number): number {
	return Math.max(1, Math.round((PAGE_SHARES[unsteadyPasses % MAX_PASSES] ?? 1) * usual));
}

/** What one pass over the pages of a second has shown. */
export class TiePass {
	/** Set where pages were read side by side: how many inspections the list had when all of them had come. */
	total: number | undefined;
	private readonly names = new Set<string>();
	private readonly startsAtFirstPage: boolean;
	private rowCount = 0;
	private heldCount = 0;
	private foundCount = 0;

	constructor(startsAtFirstPage: boolean) {
		this.startsAtFirstPage = startsAtFirstPage;
	}

	/** Inspections on the pages so far; one that came twice counts twice. */
	get rows(): number {
		return this.rowCount;
	}

	/** How many of them belong to the second. */
	get held(): number {
		return this.heldCount;
	}

	/** How many of those were unknown before. */
	get found(): number {
		return this.foundCount;
	}

	/** True where an inspection came twice: the order has changed on the way. */
	get isUnsteady(): boolean {
		return this.names.size < this.rowCount;
	}

	/** Counts an inspection; `name` is its id and time. False where it came before in this pass. */
	count(name: string, { isOfSecond, isNews }: { isOfSecond: boolean; isNews: boolean }): boolean {
		this.rowCount += 1;
		if (isOfSecond) this.heldCount += 1;
		if (isNews && isOfSecond) this.foundCount += 1;
		const before = this.names.size;
		this.names.add(name);
		return this.names.size > before;
	}

	/**
	 * Whether all of the second is known after this pass. `known`: how many of its inspections were met, by this pass
	 * or before. `follows`: the pass before this one brought nothing unknown either.
	 * - Nothing unknown and nothing twice: the pages held as many inspections as there are.
	 * - Nothing ever leaves the second (`isFixed`): then a pass from page 1 without anything twice is enough, also where
	 *   it brought something unknown. Pages that were read side by side have to add up to what the list had at the end.
	 * - Something twice, so something else may be hidden: once more nothing unknown, and no fewer known than held.
	 */
	isComplete(known: number, { follows, isFixed }: { follows: boolean; isFixed: boolean }): boolean {
		if (this.foundCount === 0 && !this.isUnsteady) return true;
		if (isFixed && this.startsAtFirstPage && !this.isUnsteady) {
			return this.total === undefined || known >= this.total;
		}
		return this.foundCount === 0 && follows && known >= this.heldCount;
	}
}
