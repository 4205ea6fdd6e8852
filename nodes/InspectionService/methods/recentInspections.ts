import { idKey } from '../domain/id';
import { isRecord, parseJson, textOf } from '../domain/json';
import { areSame } from '../domain/list/fetchPage';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { type Include, NEWEST_FIRST } from '../domain/list/inspectionQuery';
import { ceilToSecond, isLater, type Timestamp, timestampOf } from '../domain/timestamp';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';

/** Maximum number of inspections to read for a list, so that the user waits only a few seconds. */
const MOST_INSPECTIONS = 2_500;
/**
 * Maximum number of pages to read for a list. With 10 inspections per page, that's enough to read 1,000 inspections and
 * to detect the end of the list.
 */
const MOST_PAGES = 106;
/**
 * Number of pages to request at once. The first two pages are requested one at a time, because they are enough for most
 * organizations.
 */
const PAGES_AT_ONCE = 6;

/** Where to continue reading recent inspections. n8n passes this position as JSON when the user scrolls. */
export interface ReadPosition {
	/** Numbers of inspections and pages that were read so far. */
	readonly count: number;
	readonly pages: number;
	/** The next page to request, from the inspections that were last updated at `before` or earlier. */
	readonly page: number;
	readonly before?: Timestamp | undefined;
	/** ID and time of the last inspection read. */
	readonly lastId?: string | undefined;
	readonly lastTime?: Timestamp | undefined;
}

export const START: ReadPosition = { count: 0, pages: 0, page: 1 };

interface RecentPages {
	inspections: InspectionRecord[];
	/** Undefined at the end of the list. */
	next: ReadPosition | undefined;
}

/** Reads a position from n8n's token. A list without a token starts at the beginning. */
export function positionOf(token: string | undefined): ReadPosition {
	const given = parseJson(token ?? '');
	if (!isRecord(given)) return START;
	const { count, pages, page, before, lastId, lastTime } = given;
	if (typeof count !== 'number' || typeof pages !== 'number' || typeof page !== 'number') {
		return START;
	}
	return {
		count,
		pages,
		page,
		before: timestampOf(before),
		lastId: textOf(lastId),
		lastTime: timestampOf(lastTime),
	};
}

/** Whether enough inspections were read for a list in the editor, even if there are more. */
export function isFarEnough({ count, pages }: ReadPosition): boolean {
	return count >= MOST_INSPECTIONS || pages >= MOST_PAGES;
}

/**
 * Yields recent inspections, newest first, by page number. A short page isn't the end, because the service may have a
 * page cap. An empty or repeated page isn't the end either, because the service may limit the number of results. The
 * list ends when no inspection is older than the last one.
 */
export async function* recentPages(
	service: InspectionServiceClient,
	includes: readonly Include[] = [],
	start: ReadPosition = START,
): AsyncGenerator<RecentPages> {
	let position: ReadPosition | undefined = start;
	let lastPage: readonly InspectionRecord[] = [];
	while (position !== undefined && !isFarEnough(position)) {
		const batch: Batch = await fetchBatch(service, includes, position, lastPage);
		const read: ReadPosition = positionAfter(position, batch);
		position = batch.isLast ? olderThan(read) : read;
		lastPage = batch.isLast ? [] : batch.lastPage;
		yield { inspections: batch.inspections, next: position };
	}
}

interface Batch {
	/** The inspections of the batch, without those of earlier batches. */
	readonly inspections: InspectionRecord[];
	readonly lastPage: readonly InspectionRecord[];
	/** Number of requested pages. */
	readonly length: number;
	/** Whether the batch contains an empty or a repeated page. */
	readonly isLast: boolean;
}

async function fetchBatch(
	service: InspectionServiceClient,
	includes: readonly Include[],
	position: ReadPosition,
	lastPage: readonly InspectionRecord[],
): Promise<Batch> {
	const { page: first, before } = position;
	const length = first <= 2 ? 1 : PAGES_AT_ONCE;
	const requests = Array.from({ length }, async (_, index) => {
		const page = first + index;
		return await service.list({ ...NEWEST_FIRST, updatedBefore: before, page, includes });
	});
	const pages = (await Promise.all(requests)).map(({ inspections }) => inspections);
	const end = pages.findIndex((page, index) => areSame(page, pages[index - 1] ?? lastPage));
	const shown = pages.slice(0, end === -1 ? length : end).flat();
	return {
		inspections: before === undefined ? shown : olderOnes(shown, position),
		lastPage: pages.at(-1) ?? [],
		length,
		isLast: end !== -1 || pages.some((page) => page.length === 0),
	};
}

function positionAfter(position: ReadPosition, { inspections, length }: Batch): ReadPosition {
	const oldest = inspections.at(-1);
	return {
		...position,
		count: position.count + inspections.length,
		pages: position.pages + length,
		page: position.page + length,
		...(oldest && { lastId: oldest.id, lastTime: timestampOf(oldest.updated_at) }),
	};
}

/**
 * Returns the inspections after the last one read. If that inspection was updated meanwhile, it isn't in `inspections`
 * anymore, so the update times are compared instead.
 */
function olderOnes(
	inspections: InspectionRecord[],
	{ lastId, lastTime }: ReadPosition,
): InspectionRecord[] {
	const index = inspections.findIndex(({ id }) => id === lastId);
	if (index !== -1) return inspections.slice(index + 1);
	return inspections.filter(({ updated_at }) => {
		const time = timestampOf(updated_at);
		return time !== undefined && lastTime !== undefined && isLater(lastTime, time);
	});
}

/**
 * Returns the position before the oldest inspection read, or undefined if reading already started from that position.
 */
function olderThan(read: ReadPosition): ReadPosition | undefined {
	const before = read.lastTime && ceilToSecond(read.lastTime);
	if (before === undefined || before === read.before) return undefined;
	return { ...read, page: 1, before };
}

export async function findRecent(
	service: InspectionServiceClient,
	id: string,
	includes: readonly Include[] = [],
): Promise<InspectionRecord | undefined> {
	const wanted = idKey(id.trim());
	for await (const { inspections } of recentPages(service, includes)) {
		const found = inspections.find((inspection) => idKey(inspection.id) === wanted);
		if (found !== undefined) return found;
	}
	return undefined;
}
