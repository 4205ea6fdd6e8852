import { idKey } from '../domain/id';
import type { ListSource } from '../domain/list/fetchPage';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { type Include, NEWEST_FIRST } from '../domain/list/inspectionQuery';
import { readUpTo } from '../domain/list/readUpTo';
import { upperBoundFor } from '../domain/list/timeRange';
import { isLater, type Timestamp, timestampOf } from '../domain/timestamp';
import { UnexpectedResponseError } from '../domain/unexpectedResponse';

/** Maximum number of inspections to read for a list. */
const MAX_INSPECTIONS = 1_000;
/** Maximum time to read for a list, in ms. Chosen: a user who opened the list doesn't wait longer. */
const MAX_MS = 5_000;

type Inspections = readonly InspectionRecord[];

interface RecentOptions {
	readonly includes?: readonly Include[];
	/** `next` of the part of the list that was read before. Undefined: the beginning of the list. */
	readonly before?: Timestamp | undefined;
	/** Returns the time in ms. */
	readonly now?: () => number;
}

interface RecentInspections {
	readonly inspections: Inspections;
	/** Whether there can be more inspections. */
	readonly isCutShort: boolean;
	/**
	 * The end of the second in which the list continues. The inspections of this second come again. n8n's dropdown (1.100
	 * and 2.41) shows each value once. Undefined if the list can't be read any further.
	 */
	readonly next: Timestamp | undefined;
}

/**
 * Reads recent inspections, last updated first. Ends after `MAX_INSPECTIONS` or `MAX_MS`, or if the inspections so far
 * are enough.
 */
export async function readRecent(
	source: ListSource,
	isEnough: (inspections: Inspections) => boolean,
	{ includes = [], before, now = Date.now }: RecentOptions = {},
): Promise<RecentInspections> {
	const startedAt = now();
	const isFarEnough = (inspections: Inspections) =>
		inspections.length >= MAX_INSPECTIONS ||
		now() - startedAt >= MAX_MS ||
		(isEnough(inspections) && nextAfter(inspections, before) !== undefined);
	const options = { ...NEWEST_FIRST, includes, filter: { updatedBefore: before } };
	const read = async (stop: typeof isFarEnough) => await readUpTo(options, Infinity, source, stop);
	const { inspections, isCutShort } = await read(isFarEnough).catch(async (error: unknown) => {
		if (!(error instanceof UnexpectedResponseError)) throw error;
		// The list can't be continued, for example after an inspection without a time. One page is better than none.
		return await read(() => true);
	});
	return { inspections, isCutShort, next: nextAfter(inspections, before) };
}

/** Returns undefined without progress, because the next part of the list would then be the same. */
function nextAfter(inspections: Inspections, before?: Timestamp): Timestamp | undefined {
	const last = timestampOf(inspections.at(-1)?.updated_at);
	const next = last && upperBoundFor(last);
	return next && before && !isLater(before, next) ? undefined : next;
}

export async function findRecent(
	source: ListSource,
	id: string,
	includes: readonly Include[] = [],
): Promise<InspectionRecord | undefined> {
	const wanted = idKey(id.trim());
	const findIn = (inspections: Inspections) => inspections.find((one) => idKey(one.id) === wanted);
	const isFound = (inspections: Inspections) => findIn(inspections) !== undefined;
	const { inspections } = await readRecent(source, isFound, { includes });
	return findIn(inspections);
}
