import { MAX_PAGE_SIZE } from '../domain/limits';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import type { Include } from '../domain/list/inspectionQuery';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';

/** Pages asked for at once. Chosen: half of what the connection sends at once (MAX_ACTIVE). */
const PAGES_AT_ONCE = 5;

/** How far a search has read. */
export interface ListPosition {
	/** The next page to read, from 1. */
	page: number;
	/** Inspections on a full page: as many as asked for, or the service's page cap. 0 before the first page. */
	pageLength: number;
}

export const FIRST_POSITION: ListPosition = { page: 1, pageLength: 0 };

/**
 * Reads some pages of the list from a position on, the last updated inspections first. `next` is undefined after the last
 * page.
 *
 * The first page is read alone, because it shows the templates of most organizations. A service may have a page cap, so a
 * short first page need not be the last one: the second page is read too. The last page is one that is shorter than the
 * first.
 */
export async function readRecent(
	service: InspectionServiceClient,
	{ page, pageLength }: ListPosition,
	includes: readonly Include[] = [],
): Promise<{ inspections: InspectionRecord[]; next: ListPosition | undefined }> {
	const isOpen = page === 1 || (page === 2 && pageLength < MAX_PAGE_SIZE);
	const count = isOpen ? 1 : PAGES_AT_ONCE;
	const pages = await Promise.all(
		Array.from({ length: count }, async (_, index) => {
			const { inspections } = await service.listInspections({
				sortBy: 'updated_at',
				sortOrder: 'desc',
				page: page + index,
				pageSize: MAX_PAGE_SIZE,
				includes,
			});
			return inspections;
		}),
	);
	const fullLength = Math.max(pageLength, pages[0]?.length ?? 0);
	const isEnd = pages.some(({ length }) => length === 0 || length < fullLength);
	const next = isEnd ? undefined : { page: page + count, pageLength: fullLength };
	return { inspections: pages.flat(), next };
}
