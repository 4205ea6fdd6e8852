/**
 * What is known of a service's page cap: it may send fewer inspections than it was asked for, and does not say so
 * (listInspections of docs/service.openapi.yaml: page_size 1 to 100). The cap is learned from the pages: it is no lower than the longest one.
 * One object is kept for each service, for as long as n8n runs.
 */
export class PageCap {
	private longestPage = 0;

	/** Inspections of the longest page that has come; 0 before the first. */
	get longest(): number {
		return this.longestPage;
	}

	/** Takes note of a page's length. */
	note(length: number): void {
		this.longestPage = Math.max(this.longestPage, length);
	}

	/**
	 * Whether a page of `length`, of which `asked` were asked for, may be followed by another one:
	 * `yes`, it is full; `no`, longer pages have come; `perhaps`, the service may send no more at once.
	 */
	mayHaveNext(length: number, asked: number): 'yes' | 'no' | 'perhaps' {
		if (length >= asked) return 'yes';
		return length === 0 || length < this.longestPage ? 'no' : 'perhaps';
	}
}
