/**
 * What is known of a service's page cap. A service may send fewer inspections on a page than it was asked for, without
 * saying so; listInspections of docs/service.openapi.yaml shows no more than page_size 1 to 100. The cap is learned from
 * the pages: it is at least the length of the longest one. One object is kept for each service while n8n runs.
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
	 * Whether another page may follow one of `length` inspections, when `asked` were asked for. `yes`: the page is full.
	 * `no`: it is empty, or shorter than an earlier page. `perhaps`: its length may be the service's cap.
	 */
	mayHaveNext(length: number, asked: number): 'yes' | 'no' | 'perhaps' {
		if (length >= asked) return 'yes';
		return length === 0 || length < this.longestPage ? 'no' : 'perhaps';
	}
}
