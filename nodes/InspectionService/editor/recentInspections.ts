import type { InspectionRecord } from '../domain/list/inspectionPage';
import { type Include, MAX_PAGE_SIZE } from '../domain/list/inspectionQuery';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';

/** Pages asked for at once. Half of what the connection sends at once (MAX_ACTIVE). */
const PAGES_AT_ONCE = 5;

/** How far a search has read. */
export interface ListPosition {
	/** The next page to read, from 1. */
	page: number;
	/** Inspections on the first page; 0 before it was read. */
	firstLength: number;
}

export const FIRST_POSITION: ListPosition = { page: 1, firstLength: 0 };

/**
 * Reads some pages of the list from a position on, the last updated inspections first. `next` is undefined after the last
 * page.
 *
 * The first page is read alone, because it shows the templates of most organizations. Only an empty page ends the list: a
 * service may send fewer inspections on a page than it is asked for. Behind a short first page most likely nothing comes,
 * so the second page is read alone, too.
 */
export async function readRecent(
	service: InspectionServiceClient,
	{ page, firstLength }: ListPosition,
	includes: readonly Include[] = [],
): Promise<{ inspections: InspectionRecord[]; next: ListPosition | undefined }> {
	const isOpen = page === 1 || (page === 2 && firstLength < MAX_PAGE_SIZE);
	const count = isOpen ? 1 : PAGES_AT_ONCE;
	const pages = await Promise.all(
		Array.from({ length: count }, async (_, index) => {
			const { inspections } = await service.list({
				sortBy: 'updated_at',
				sortOrder: 'desc',
				page: page + index,
				pageSize: MAX_PAGE_SIZE,
				includes,
			});
			return inspections;
		}),
	);
	const inspections = pages.flat();
	if (pages.some(({ length }) => length === 0)) return { inspections, next: undefined };
	const first = page === 1 ? inspections.length : firstLength;
	return { inspections, next: { page: page + count, firstLength: first } };
}

/**
 * How many inspections are looked through for a chosen one. The service lists inspections only page by page. As many as
 * a list without a filter reads (`recentSearch`).
 */
export const INSPECTIONS_READ = 2_500;

/** The inspection with this id, where it is among the recent ones. */
export async function findRecent(
	service: InspectionServiceClient,
	id: string,
	includes: readonly Include[] = [],
): Promise<InspectionRecord | undefined> {
	const wanted = id.trim().toLowerCase();
	let next: ListPosition | undefined = FIRST_POSITION;
	let count = 0;
	while (next !== undefined && count < INSPECTIONS_READ) {
		const read = await readRecent(service, next, includes);
		const found = read.inspections.find((inspection) => inspection.id.toLowerCase() === wanted);
		if (found !== undefined) return found;
		next = read.next;
		count += read.inspections.length;
	}
	return undefined;
}
