import { compareTimestamps, type Timestamp, timestampOf } from '../timestamp';
import type { ListSource } from './askPage';
import type { InspectionRecord } from './inspectionPage';
import { type Include, type InspectionFilter, MAX_PAGE_SIZE } from './inspectionQuery';
import { type ListOrder, rangeOf } from './keyRange';
import { readRange } from './readRange';

export interface ListOptions extends ListOrder {
	readonly filter: InspectionFilter;
	readonly includes: readonly Include[];
	/** The part of the filter that the service does not have, so that the node applies it itself. */
	readonly isWanted?: ((inspection: InspectionRecord) => boolean) | undefined;
}

/**
 * Reads the first `limit` inspections in the order asked for, each once, whatever others do. A single page keeps the order
 * in which the service sent it. `isCutShort`: `maxPages` ended the reading before `limit`. `sentAt` is of the first page.
 */
export async function readFirst(
	options: ListOptions,
	limit: number,
	source: ListSource,
	maxPages = Infinity,
): Promise<{
	inspections: InspectionRecord[];
	isCutShort: boolean;
	sentAt: Timestamp | undefined;
}> {
	const { filter, includes, sortBy, sortOrder, isWanted } = options;
	const found = new NewestVersions(isWanted);
	// The node's own filter refuses some inspections of each page, so that full pages take fewer requests.
	const pageSize = isWanted === undefined ? Math.min(limit, MAX_PAGE_SIZE) : MAX_PAGE_SIZE;
	const reading = { ...source, filter, includes, order: { sortBy, sortOrder }, pageSize };
	let pages = 0;
	let isCutShort = false;
	let sentAt: Timestamp | undefined;
	if (limit < 1) return { inspections: [], isCutShort, sentAt };
	for await (const { inspections, ...page } of readRange(reading, rangeOf(filter, sortBy))) {
		if (inspections.length === 0) continue;
		isCutShort = pages === maxPages;
		if (isCutShort) break;
		if (pages === 0) ({ sentAt } = page);
		pages += 1;
		found.add(inspections);
		if (found.size >= limit) break;
	}
	const inOrder = pages > 1 ? found.sorted(options) : found.inOrderRead();
	return { inspections: inOrder.slice(0, limit), isCutShort, sentAt };
}

/** Inspections in the newest version that was read. Those that `isWanted` refuses take no memory. */
export class NewestVersions {
	private readonly isWanted: (inspection: InspectionRecord) => boolean;
	private readonly byId = new Map<string, InspectionRecord>();

	constructor(isWanted: (inspection: InspectionRecord) => boolean = () => true) {
		this.isWanted = isWanted;
	}

	get size(): number {
		return this.byId.size;
	}

	add(page: readonly InspectionRecord[]): void {
		for (const inspection of page) {
			const known = this.byId.get(inspection.id);
			if (known !== undefined && isNewer(known, inspection)) continue;
			if (this.isWanted(inspection)) this.byId.set(inspection.id, inspection);
		}
	}

	inOrderRead(): InspectionRecord[] {
		return [...this.byId.values()];
	}

	/** Sorted by exact time. Equal times are sorted by id, and inspections without a time come last. */
	sorted({ sortBy, sortOrder }: ListOrder): InspectionRecord[] {
		const sign = sortOrder === 'desc' ? -1 : 1;
		return this.inOrderRead()
			.map((inspection) => ({ inspection, key: timestampOf(inspection[sortBy]) }))
			.sort(
				(a, b) => compareKeys(a.key, b.key, sign) || (a.inspection.id < b.inspection.id ? -1 : 1),
			)
			.map(({ inspection }) => inspection);
	}
}

function isNewer(known: InspectionRecord, other: InspectionRecord): boolean {
	const knownAt = timestampOf(known.updated_at);
	const otherAt = timestampOf(other.updated_at);
	if (knownAt === undefined || otherAt === undefined) return false;
	return compareTimestamps(knownAt, otherAt) > 0;
}

function compareKeys(a: Timestamp | undefined, b: Timestamp | undefined, sign: number): number {
	if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
	return compareTimestamps(a, b) * sign;
}
