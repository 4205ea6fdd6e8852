import { scatter } from './guid.mts';
import type { FileRecord, Inspection } from './model.mts';
import { need } from './specs.mts';
import type { Ticks } from './timestamp.mts';

const SORT_KEYS = ['updatedAt', 'createdAt'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

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

/** The versions of inspections that reads see, by id, by the id of a file, and in the order of their timestamps. */
export class InspectionTable {
	private readonly byId = new Map<string, Inspection>();
	private readonly files = new Map<string, FileRecord>();
	/** By organization and timestamp. */
	private readonly indexes = new Map<string, InspectionIndex>();

	find(id: string): Inspection | undefined {
		return this.byId.get(id);
	}

	findFile(id: string): FileRecord | undefined {
		return this.files.get(id);
	}

	/** In the order of their making. */
	all(): Inspection[] {
		return [...this.byId.values()];
	}

	/** One organization's inspections in the order of a timestamp. */
	sortedBy(organizationId: string, key: SortKey): InspectionIndex {
		const name = `${organizationId} ${key}`;
		const index = this.indexes.get(name) ?? new InspectionIndex(key);
		this.indexes.set(name, index);
		return index;
	}

	insert(inspection: Inspection): void {
		this.byId.set(inspection.id, inspection);
		for (const file of inspection.files) this.files.set(file.id, file);
		for (const key of SORT_KEYS) this.sortedBy(inspection.organizationId, key).add(inspection);
	}

	replace(id: string, change: Partial<Inspection>): void {
		const old = need(this.byId.get(id), `inspection ${id}`);
		this.takeOut(old);
		this.insert({ ...old, ...change });
	}

	remove(id: string): void {
		const inspection = this.byId.get(id);
		if (inspection === undefined) return;
		this.takeOut(inspection);
		this.byId.delete(id);
	}

	clear(): void {
		for (const part of [this.byId, this.files, this.indexes]) part.clear();
	}

	private takeOut(inspection: Inspection): void {
		for (const file of inspection.files) this.files.delete(file.id);
		for (const key of SORT_KEYS) this.sortedBy(inspection.organizationId, key).remove(inspection);
	}
}
