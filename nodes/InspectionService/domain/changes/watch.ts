import type { ListSource } from '../list/fetchPage';
import type { InspectionRecord } from '../list/inspectionPage';
import type { Include, SortBy } from '../list/inspectionQuery';
import type { Timestamp } from '../timestamp';
import type { ServiceClock } from './serviceClock';

/** The settings of a trigger. All durations are in seconds. */
export interface Watch {
	readonly sortBy: SortBy;
	readonly teamId: string | undefined;
	readonly flaggedItemsOnly?: boolean;
	readonly includes: readonly Include[];
	/** How late a change can appear in the list, after its own timestamp (a late commit). */
	readonly lookback: number;
	/** How long an inspection must be unchanged before it's emitted. 0 means that it's emitted immediately. */
	readonly settle: number;
	/** The value of the option Start From. A time in the future is allowed. Undefined if the option is empty. */
	readonly startAt?: Timestamp | undefined;
	/** Maximum number of inspections to emit in one poll. The next poll continues with the rest. */
	readonly maxInspections: number;
	readonly oncePerInspection: boolean;
	/**
	 * Whether an inspection matches the filters that the node applies itself. If a user edits these filters, the trigger
	 * doesn't start over.
	 */
	readonly matches: (inspection: InspectionRecord) => boolean;
	/** Called with each inspection that the poll keeps in memory. Throws InputError if they take too much of it. */
	readonly countMemory?: (inspection: InspectionRecord) => void;
	readonly maxSeen?: number | undefined;
}

/** The service, its clock, and the time limit of a poll. */
export interface ChangeSource extends ListSource {
	readonly clock: ServiceClock;
	/**
	 * Called with new inspections before `matches` is called for them, to look up their templates. It isn't called if
	 * nothing is new, so an idle poll sends no extra request.
	 */
	readonly prepare?: ((inspections: readonly InspectionRecord[]) => Promise<void>) | undefined;
	/**
	 * Whether the poll has time for another page. The poller asks this only after it has handled a page, so each poll
	 * makes progress.
	 */
	hasTimeLeft(): boolean;
}

/** An inspection to emit, with its timestamp (`sortBy`). */
export interface Change {
	readonly inspection: InspectionRecord;
	readonly stamp: Timestamp;
}
