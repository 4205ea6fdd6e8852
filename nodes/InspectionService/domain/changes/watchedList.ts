import { cleanLine, listText } from '../formatting';
import { checkTimes, fetchPage, type OrderedList } from '../list/fetchPage';
import { hasUsableId, type InspectionPage, type InspectionRecord } from '../list/inspectionPage';
import { MAX_PAGE_SIZE, type SortOrder } from '../list/inspectionQuery';
import { type RangePage, readRange } from '../list/readRange';
import type { TimeRange } from '../list/timeRange';
import { type Timestamp, timestampOf } from '../timestamp';
import type { SeenVersions } from './seenVersions';
import type { ChangeSource, Watch } from './watch';

/** Maximum IDs in a warning. Chosen: enough to recognize what the inspections have in common. */
const MAX_NAMED = 3;

/** The newest inspection of a range, and its time. Without inspections if the range is empty. */
export type NewestPage = InspectionPage & { readonly time: Timestamp | undefined };

/** The list of inspections that a trigger watches. Adds what the list lacks to `warnings`. */
export class WatchedList {
	private readonly watch: Watch;
	private readonly source: ChangeSource;
	private readonly warnings: string[];

	constructor(watch: Watch, source: ChangeSource, warnings: string[]) {
		this.watch = watch;
		this.source = source;
		this.warnings = warnings;
	}

	async fetchNewest(range: TimeRange): Promise<NewestPage> {
		const page = await fetchPage(this.newestFirst(1), range);
		return { ...page, time: this.checkPage('desc', range, page.inspections)[0] };
	}

	readNewestFirst(): AsyncGenerator<RangePage> {
		return readRange(this.newestFirst(MAX_PAGE_SIZE), {});
	}

	/** Reads a range in ascending order. `seen` tells which versions of a tied second are already known. */
	readFrom(range: TimeRange, seen: SeenVersions): AsyncGenerator<RangePage> {
		return readRange(this.reading('asc'), range, {
			countKnown: (second) => seen.countWithin(second),
			onIncomplete: (second, { expected, received }) =>
				void this.warnings.push(
					`The service sorts inspections with the same "${this.watch.sortBy}" differently on each page. At least ${expected} inspections have the time ${second}, but the service sent only ${received} of them, even after repeated requests. The trigger might miss the rest.`,
				),
		});
	}

	/**
	 * Returns the time of each inspection on a page. Throws UnexpectedResponseError if the service ignored the order or
	 * the range. Skips inspections without a time and adds a warning, because their changes can't be tracked.
	 */
	checkPage(
		sortOrder: SortOrder,
		range: TimeRange,
		inspections: readonly InspectionRecord[],
	): Timestamp[] {
		const { sortBy } = this.watch;
		const hasTime = (inspection: InspectionRecord) => timestampOf(inspection[sortBy]) !== undefined;
		const untimed = inspections.filter((one) => !hasTime(one) && hasUsableId(one));
		if (untimed.length > 0) {
			const ids = untimed.slice(0, MAX_NAMED).map(({ id }) => cleanLine(id, 100));
			const named = listText(ids, untimed.length);
			this.warnings.push(
				`The service sent inspections without a valid "${sortBy}": ${named}. These inspections can't start the workflow until the service sends a valid time for them.`,
			);
		}
		return checkTimes({ sortBy, sortOrder }, range, inspections.filter(hasTime));
	}

	private newestFirst(pageSize: number): OrderedList {
		return { ...this.reading('desc'), includes: [], pageSize };
	}

	private reading(sortOrder: SortOrder): OrderedList {
		const { sortBy, teamId, flaggedItemsOnly, includes } = this.watch;
		const order = { sortBy, sortOrder };
		const { list } = this.source;
		return { list, filter: { teamId, flaggedItemsOnly }, includes, order, pageSize: MAX_PAGE_SIZE };
	}
}
