import { idKey } from '../id';
import { compareTimestamps, type Timestamp, timestampOf } from '../timestamp';
import type { InspectionRecord } from './inspectionPage';

/** What a search has seen of the list. Ids are compared as `idKey` writes them. */
export class Sightings {
	/** The wanted inspections that were seen, by id, each as it was seen first. */
	readonly found = new Map<string, InspectionRecord>();
	/** The ids that were not seen. */
	readonly missing: Set<string>;
	private readonly seen = new Set<string>();
	private newestTime: Timestamp | undefined;
	private oldestTime: Timestamp | undefined;

	constructor(wanted: Iterable<string>) {
		this.missing = new Set(wanted);
	}

	/** How many different inspections were seen. */
	get lookedAt(): number {
		return this.seen.size;
	}

	/** The latest time of update that was seen; undefined before the first. */
	get newest(): Timestamp | undefined {
		return this.newestTime;
	}

	/** The earliest time of update that was seen; undefined before the first. */
	get oldest(): Timestamp | undefined {
		return this.oldestTime;
	}

	get isComplete(): boolean {
		return this.missing.size === 0;
	}

	add(inspections: readonly InspectionRecord[]): void {
		for (const inspection of inspections) {
			const id = idKey(inspection.id);
			this.seen.add(id);
			this.noteTime(timestampOf(inspection.updated_at));
			if (this.missing.delete(id)) this.found.set(id, inspection);
		}
	}

	private noteTime(time: Timestamp | undefined): void {
		if (time === undefined) return;
		const { newestTime, oldestTime } = this;
		if (newestTime === undefined || compareTimestamps(time, newestTime) > 0) this.newestTime = time;
		if (oldestTime === undefined || compareTimestamps(time, oldestTime) < 0) this.oldestTime = time;
	}
}
