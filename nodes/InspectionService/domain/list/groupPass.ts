/** Passes in a row without anything unseen that count as complete although rows changed places within them. */
const QUIET_PASSES = 2;
/**
 * Page sizes of the passes, as shares of the usual one. A service that sorts by nothing but the time may put equal
 * times in another order for each page, and for the same page in the same order at every request: pages of the same
 * size would hide the same rows for ever. Large ones come first, because they leave others less time to rearrange
 * the group; the small ones make more pages, so more orders.
 */
const PAGE_SHARES = [
	1, 0.8, 0.6, 0.9, 0.5, 0.7, 0.4, 0.95, 0.3, 0.65, 0.2, 0.85, 0.12, 0.55, 0.08, 0.45,
];
/** Passes that are tried before a group is given up as one that cannot be read completely. */
export const MAX_PASSES = PAGE_SHARES.length;

/** Page size for a pass, of a service that takes up to `largest`; `unsteady` passes before it had rows twice. */
export function pageSizeAfter(unsteady: number, largest: number): number {
	return Math.max(1, Math.round((PAGE_SHARES[unsteady % PAGE_SHARES.length] ?? 1) * largest));
}

/**
 * One reading of a group by page number, from its first page to its last. In whatever order the service puts the
 * group on each page, together the pages have as many rows as the group: rows that came twice stand where others
 * were left out.
 */
export class GroupPass {
	private readonly ids = new Set<string>();
	private rows = 0;
	private found = 0;

	/** Rows on the pages so far, those that came twice counted twice. */
	get rowCount(): number {
		return this.rows;
	}

	/** True where a row came twice: the order changed on the way. */
	get isUnsteady(): boolean {
		return this.ids.size < this.rows;
	}

	/** True where the pass has met nothing that was unknown. */
	get isQuiet(): boolean {
		return this.found === 0;
	}

	/** Counts a row; `isNews` says that no pass has met it before. False where this pass had met it already. */
	count(id: string, isNews: boolean): boolean {
		this.rows += 1;
		if (isNews) this.found += 1;
		const before = this.ids.size;
		this.ids.add(id);
		return this.ids.size > before;
	}

	/**
	 * Whether a group is known as a whole behind this pass. `known` is how many inspections of it all passes have
	 * met, `quietBefore` how many passes just before this one were quiet. A quiet pass in which no row came twice
	 * had as many rows as the group. Otherwise one more has to be quiet, and no fewer may be known than the pages
	 * had rows: what the order hides stays unseen in any number of passes.
	 */
	completes(known: number, quietBefore: number): boolean {
		if (!this.isQuiet) return false;
		if (!this.isUnsteady) return true;
		return quietBefore + 1 >= QUIET_PASSES && known >= this.rows;
	}
}
