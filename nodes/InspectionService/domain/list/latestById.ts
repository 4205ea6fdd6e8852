import { compareTimestamps, type Timestamp, timestampOf } from '../timestamp';
import { hasUsableId, type InspectionRecord } from './inspectionPage';
import type { ListOrder } from './timeRange';

/**
 * Collects inspections and keeps the newest version of each. Inspections that `isWanted` rejects aren't kept, and
 * neither are those without a usable ID.
 */
export class LatestById {
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
			if (hasUsableId(inspection) && this.isWanted(inspection))
				this.byId.set(inspection.id, inspection);
		}
	}

	inReadingOrder(): InspectionRecord[] {
		return [...this.byId.values()];
	}

	/**
	 * Returns the inspections in the requested order. Inspections with equal times are sorted by ID. Inspections without
	 * a time are at the end.
	 */
	sorted({ sortBy, sortOrder }: ListOrder): InspectionRecord[] {
		const sign = sortOrder === 'desc' ? -1 : 1;
		return this.inReadingOrder()
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
