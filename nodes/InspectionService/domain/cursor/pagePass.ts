/** Passes in a row without anything unseen that count as complete although rows changed places within them. */
const QUIET_PASSES = 2;
/**
 * Passes in a row without anything unseen after which there is no hope for rows that no page has held. Where the
 * order of equal timestamps is another one in every answer, a pass over many pages leaves out a row in 37 of 100
 * cases: eight in a row in 4 of 10,000.
 */
const LAST_QUIET_PASS = 8;

/** A page as a pass counts it. */
export interface PassPage {
	/** Names of its rows. */
	rows: readonly string[];
	/** How many of them, each once, have to be known when the pass is complete. */
	held: number;
}

/**
 * One pass over the pages of a range that only page numbers can divide. A pass without anything unseen in which
 * no row came twice had as many rows as the range: it was complete. Otherwise one more has to bring nothing unseen,
 * and as many rows have to be known as the pages held: pages in different orders show some rows twice, others never.
 */
export class PagePass {
	private readonly rows = new Set<string>();
	private last: PassPage = { rows: [], held: 0 };
	private hasRepeats = false;
	private found = 0;
	private heldCount = 0;
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

	/** How many rows the pages of the pass held. */
	get held(): number {
		return this.heldCount;
	}

	/** `known`: rows of the range that were met, by this pass or before. */
	isComplete(known: number): boolean {
		if (this.hasFound) return false;
		if (!this.hasRepeats) return true;
		return this.quietPasses + 1 >= QUIET_PASSES && known >= this.heldCount;
	}

	/** True where further passes are in vain. */
	get isHopeless(): boolean {
		return !this.hasFound && this.quietPasses + 1 >= LAST_QUIET_PASS;
	}

	foundOne(): void {
		this.found += 1;
	}

	/** True where these are the rows of the page counted last. */
	hasJustHad(rows: readonly string[]): boolean {
		const last = new Set(this.last.rows);
		return rows.length > 0 && rows.every((row) => last.has(row));
	}

	/** Counts a page that was read to its end. */
	count(page: PassPage): void {
		for (const row of page.rows) {
			if (this.rows.has(row)) this.hasRepeats = true;
			this.rows.add(row);
		}
		this.heldCount += page.held;
		this.last = page;
	}

	/** The pass in the other direction: it begins beside the page read last, which is part of it. */
	next(): PagePass {
		const next = new PagePass(this.hasFound ? 0 : this.quietPasses + 1);
		next.count(this.last);
		return next;
	}
}
