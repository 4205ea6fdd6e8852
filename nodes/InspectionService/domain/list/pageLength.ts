/** Who sets a cap sets it to a round number. */
const ROUND_LENGTHS = [10, 25];

/**
 * How many inspections the service puts on a page: as many as it is asked for, unless it turns out to have a cap of
 * its own. A page as long as such a cap looks like the last one, so the first short page of a round length is
 * followed by a look at page 2. Any other list of one page takes no request more.
 */
export class PageLength {
	private length: number;
	private settled = false;

	constructor(asked: number) {
		this.length = asked;
	}

	/** The page size to ask for. */
	get size(): number {
		return this.length;
	}

	/** Whether a page of so many inspections may be one of more, although more were asked for. */
	isDoubtful(count: number): boolean {
		if (this.settled || count === 0 || count >= this.length) return false;
		return ROUND_LENGTHS.some((round) => count % round === 0);
	}

	/** A page of full length has come: from now on shorter ones are last ones. */
	confirm(): void {
		this.settled = true;
	}

	/** Takes how many inspections came on page 2 behind a doubtful page 1: on the page after the last there are none. */
	settle(first: number, second: number): void {
		this.confirm();
		if (second > 0) this.length = first;
	}
}
