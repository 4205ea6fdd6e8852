import { scatter } from './guid.mts';
import type { Inspection } from './model.mts';
import type { Ticks } from './timestamp.mts';

export type SortKey = 'updatedAt' | 'createdAt';

/**
 * Order of a list, ascending. Equal stamps come in an order that is stable but cannot be guessed from the
 * inspections (listInspections of the document promises none).
 */
function compare(key: SortKey, a: Inspection, b: Inspection): number {
	if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
	const tie = scatter(a.id) - scatter(b.id);
	if (tie !== 0) return tie;
	return a.id < b.id ? -1 : Number(a.id > b.id);
}

/** The inspections of one organization, kept in the order of one timestamp, so that a page costs no sort. */
export class InspectionIndex {
	private readonly sorted: Inspection[] = [];
	private readonly key: SortKey;

	constructor(key: SortKey) {
		this.key = key;
	}

	add(inspection: Inspection): void {
		this.sorted.splice(this.positionOf(inspection), 0, inspection);
	}

	remove(inspection: Inspection): void {
		const position = this.positionOf(inspection);
		if (this.sorted[position] === inspection) this.sorted.splice(position, 1);
	}

	/** Ascending, of the moments `from` to `to`, both inclusive. */
	between(from: Ticks | null, to: Ticks | null): readonly Inspection[] {
		if (from === null && to === null) return this.sorted;
		const start = from === null ? 0 : this.firstAtOrAfter(from);
		const end = to === null ? this.sorted.length : this.firstAtOrAfter(to + 1n);
		return this.sorted.slice(start, Math.max(start, end));
	}

	private positionOf(inspection: Inspection): number {
		return this.search((other) => compare(this.key, other, inspection) < 0);
	}

	private firstAtOrAfter(moment: Ticks): number {
		return this.search((other) => other[this.key] < moment);
	}

	/** Binary search: how many at the front satisfy `isBefore`. */
	private search(isBefore: (other: Inspection) => boolean): number {
		let [low, high] = [0, this.sorted.length];
		while (low < high) {
			const middle = (low + high) >>> 1;
			const other = this.sorted[middle];
			if (other !== undefined && isBefore(other)) low = middle + 1;
			else high = middle;
		}
		return low;
	}
}
