import { idKey } from '../domain/id';
import { isRecord, parseJson } from '../domain/json';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { type Include, MAX_PAGE_SIZE } from '../domain/list/inspectionQuery';
import { type RangePage, readRange } from '../domain/list/readRange';
import { upperBoundFor } from '../domain/list/timeRange';
import { floorToSecond, isLater, type Timestamp, timestampOf } from '../domain/timestamp';
import { UnexpectedResponseError } from '../domain/unexpectedResponse';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';

/** Maximum number of inspections to read for a list. */
const MAX_INSPECTIONS = 1_000;
/** Maximum time to read for a list, in ms. Chosen: a user who opened the list doesn't wait longer. */
const MAX_MS = 5_000;

/** Where to continue reading recent inspections. n8n passes this position as JSON when the user scrolls. */
export interface ReadPosition {
	/** Number of inspections that were read so far. */
	readonly count: number;
	/** The list continues with the inspections that were updated before this whole second. Undefined: its beginning. */
	readonly before?: Timestamp | undefined;
}

export const START: ReadPosition = { count: 0 };

/** The position in a list that goes on, but can't be read any further. */
const NO_MORE: ReadPosition = { count: MAX_INSPECTIONS };

interface RecentPage {
	/** The inspections of a page, without those that an earlier page contained. */
	readonly inspections: readonly InspectionRecord[];
	/** Undefined at the end of the list. */
	readonly next: ReadPosition | undefined;
}

/** Reads a position from n8n's token. A list without a token starts at the beginning. */
export function positionOf(token: string | undefined): ReadPosition {
	const given = parseJson(token ?? '');
	if (!isRecord(given) || typeof given.count !== 'number') return START;
	return { count: given.count, before: timestampOf(given.before) };
}

/** Whether enough inspections were read for a list in the editor, even if there are more. */
export function isFarEnough({ count }: ReadPosition): boolean {
	return count >= MAX_INSPECTIONS;
}

/**
 * Yields recent inspections, newest first, each once. Ends after `MAX_INSPECTIONS` or `MAX_MS`. `now` returns the time
 * in ms.
 *
 * A page shows only its whole seconds. The inspections of its last second are held back until a page shows that this
 * second is over, so that `next` needs no IDs.
 */
export async function* recentPages(
	service: Pick<InspectionServiceClient, 'list'>,
	includes: readonly Include[] = [],
	{ count: countBefore, before }: ReadPosition = START,
	now: () => number = Date.now,
): AsyncGenerator<RecentPage> {
	const startedAt = now();
	const order = { sortBy: 'updated_at', sortOrder: 'desc' } as const;
	const reading = { list: service.list, filter: {}, includes, order, pageSize: MAX_PAGE_SIZE };
	const seen = new Set<string>();
	let count = countBefore;
	let held: InspectionRecord[] = [];
	// Don't report inspections of one second that the service doesn't send, because a list in the editor is short anyway.
	const options = { onIncomplete: () => undefined };
	for await (const page of readablePages(readRange(reading, { before }, options))) {
		if (page === undefined) {
			yield { inspections: held, next: NO_MORE };
			return;
		}
		const { inspections, second } = page;
		const isTimeOver = now() - startedAt >= MAX_MS;
		for (const inspection of inspections) {
			const time = timestampOf(inspection.updated_at);
			const isBeforeStart = before === undefined || (time !== undefined && isLater(before, time));
			if (isBeforeStart && !seen.has(inspection.id)) held.push(inspection);
			seen.add(inspection.id);
		}
		const shown = held.filter((inspection) => isAfterSecond(inspection, second));
		const most = Math.max(count + shown.length, held.length);
		const isOver = isTimeOver || most >= MAX_INSPECTIONS;
		if (shown.length > 0) {
			count += shown.length;
			held = held.filter((inspection) => !isAfterSecond(inspection, second));
			yield { inspections: shown, next: { count, before: second && upperBoundFor(second) } };
		} else if (isOver) {
			// A list that stops within one second can't continue: it would stop there again.
			yield { inspections: held, next: NO_MORE };
		}
		if (isOver) return;
	}
	yield { inspections: held, next: undefined };
}

/**
 * Yields these pages. If the list can't be read any further, for example after an inspection without a time, yields
 * undefined and ends: a list in the editor then has what was read so far.
 */
async function* readablePages(
	pages: AsyncGenerator<RangePage>,
): AsyncGenerator<RangePage | undefined> {
	let page = await pages.next();
	while (page.done !== true) {
		yield page.value;
		const next = await pages.next().catch((error: unknown) => {
			if (error instanceof UnexpectedResponseError) return undefined;
			throw error;
		});
		if (next === undefined) {
			yield undefined;
			return;
		}
		page = next;
	}
}

/** Whether an inspection was updated after a whole second. Undefined: the page is empty or has no times. */
function isAfterSecond({ updated_at }: InspectionRecord, second: Timestamp | undefined): boolean {
	const time = timestampOf(updated_at);
	return time !== undefined && second !== undefined && isLater(floorToSecond(time), second);
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
