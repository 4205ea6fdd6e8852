import { compareTimestamps, type Timestamp, timestampOf } from '../timestamp';
import type { InspectionRecord } from './inspectionPage';
import type { ListOrder } from './keyRange';

/** Inspections by id, each in the newest version that was read. */
export class NewestVersions {
	private readonly isWanted: (inspection: InspectionRecord) => boolean;
	private readonly byId = new Map<string, InspectionRecord>();

	/** `isWanted` is the part of the filter that the node applies itself. Inspections that it refuses take no memory. */
	constructor(isWanted: (inspection: InspectionRecord) => boolean) {
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

	/** In the order in which they were first read. */
	inOrderRead(): InspectionRecord[] {
		return [...this.byId.values()];
	}

	/** Sorted by exact time. Equal times are sorted by id, and inspections without a time come last. */
	sorted({ sortBy, sortOrder }: ListOrder): InspectionRecord[] {
		const sign = sortOrder === 'desc' ? -1 : 1;
		return [...this.byId.values()]
			.map((inspection) => ({ inspection, key: timestampOf(inspection[sortBy]) }))
			.sort((a, b) => compareKeys(a.key, b.key, sign) || compareIds(a.inspection, b.inspection))
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

function compareIds(a: InspectionRecord, b: InspectionRecord): number {
	if (a.id === b.id) return 0;
	return a.id < b.id ? -1 : 1;
}
