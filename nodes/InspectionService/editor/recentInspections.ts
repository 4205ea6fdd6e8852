import type { InspectionRecord } from '../domain/list/inspectionPage';
import { type Include, MAX_PAGE_SIZE } from '../domain/list/inspectionQuery';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';

/** Pages asked for at once. Half of what the connection sends at once (MAX_ACTIVE). */
const PAGES_AT_ONCE = 5;

/** Pages that the editor looks through: some 2,500 inspections, so that a person waits a few seconds at most. */
const PAGES_READ = 25;

/** Some pages of the list, read at once. */
interface RecentPages {
	inspections: InspectionRecord[];
	/** The page behind them, from 1; undefined where they are the last. */
	next: number | undefined;
	/** How many inspections were read so far. */
	count: number;
}

/**
 * Reads the list from a page on, the last updated inspections first, as far as PAGES_READ. It reads on only when it is
 * asked to.
 *
 * The first page is read alone, because it shows the templates of most organizations. Only an empty page ends the list: a
 * service may send fewer inspections on a page than it is asked for. Behind a short first page most likely nothing comes,
 * so the second page is read alone, too.
 */
export async function* recentPages(
	service: InspectionServiceClient,
	{ from = 1, includes = [] }: { from?: number; includes?: readonly Include[] } = {},
): AsyncGenerator<RecentPages> {
	const sort = { sortBy: 'updated_at', sortOrder: 'desc', pageSize: MAX_PAGE_SIZE } as const;
	let page = from;
	let count = 0;
	while (page < from + PAGES_READ) {
		const isAlone = page === 1 || (page === 2 && count < MAX_PAGE_SIZE);
		const numbers = Array.from({ length: isAlone ? 1 : PAGES_AT_ONCE }, (_, n) => page + n);
		const pages = await Promise.all(
			numbers.map(async (number) => {
				const { inspections } = await service.list({ ...sort, page: number, includes });
				return inspections;
			}),
		);
		page += numbers.length;
		const inspections = pages.flat();
		count += inspections.length;
		const isLast = pages.some(({ length }) => length === 0);
		yield { inspections, next: isLast ? undefined : page, count };
		if (isLast) return;
	}
}

/** The inspection with this id, where it is among the recent ones. */
export async function findRecent(
	service: InspectionServiceClient,
	id: string,
	includes: readonly Include[] = [],
): Promise<InspectionRecord | undefined> {
	const wanted = id.trim().toLowerCase();
	for await (const { inspections } of recentPages(service, { includes })) {
		const found = inspections.find((inspection) => inspection.id.toLowerCase() === wanted);
		if (found !== undefined) return found;
	}
	return undefined;
}
