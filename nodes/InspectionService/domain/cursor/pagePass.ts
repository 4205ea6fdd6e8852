/** Passes in a row without anything unseen that count as complete although rows changed places within them. */
const QUIET_PASSES = 2;

/**
 * One pass over the pages of a range that only page numbers can divide. A pass without anything unseen in which
 * no row came twice had as many rows as the range: it was complete. Otherwise one more has to bring nothing unseen.
 */
export class PagePass {
	private readonly rows = new Set<string>();
	private lastRows: readonly string[] = [];
	private hasRepeats = false;
	private found = 0;
	private readonly quietPasses: number;

	private constructor(quietPasses: number) {
		this.quietPasses = quietPasses;
	}

	static begin(): PagePass {
		return new PagePass(0);
	}

	/** A pass whose first part is not known any more: never complete by itself. */
	static resume(): PagePass {
		const pass = new PagePass(0);
		pass.found = 1;
		return pass;
	}

	/** True where the pass has met something unseen. */
	get hasFound(): boolean {
		return this.found > 0;
	}

	get isComplete(): boolean {
		if (this.hasFound) return false;
		return !this.hasRepeats || this.quietPasses + 1 >= QUIET_PASSES;
	}

	foundOne(): void {
		this.found += 1;
	}

	/** True where these are the rows of the page counted last. */
	hasJustHad(rows: readonly string[]): boolean {
		const last = new Set(this.lastRows);
		return rows.length > 0 && rows.every((row) => last.has(row));
	}

	/** Counts a page that was read to its end. */
	count(rows: readonly string[]): void {
		for (const row of rows) {
			if (this.rows.has(row)) this.hasRepeats = true;
			this.rows.add(row);
		}
		this.lastRows = rows;
	}

	/** The pass in the other direction: it begins beside the page read last, which is part of it. */
	next(): PagePass {
		const next = new PagePass(this.hasFound ? 0 : this.quietPasses + 1);
		next.count(this.lastRows);
		return next;
	}
}
