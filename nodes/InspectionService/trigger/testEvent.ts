import { MAX_PAGE_SIZE } from '../domain/limits';
import type { InspectionRecord } from '../domain/list/inspectionPage';
import { type ListQuestion, type ListSource, readFirst } from '../domain/list/readFirst';
import type { TriggerParameters } from './parameters';

/** Pages looked through for an inspection that only this side can recognise. */
const MAX_PAGES = 10;
/** How many of the newest inspections that are, or a few less: each page begins with the last second of the one before. */
export const SAMPLE_SIZE = MAX_PAGES * MAX_PAGE_SIZE;

export interface Sample {
	/** The newest inspection that the trigger would emit; undefined where none was found. */
	inspection: InspectionRecord | undefined;
	/** True where the service has more than was looked through. */
	hasMore: boolean;
}

/** Looks for the newest inspection that the trigger would emit. */
export async function newestMatch(
	question: Omit<ListQuestion, 'sortOrder'>,
	source: ListSource,
): Promise<Sample> {
	const newestFirst = { ...question, sortOrder: 'desc' } as const;
	const { inspections, isCutShort } = await readFirst(newestFirst, 1, source, MAX_PAGES);
	return { inspection: inspections[0], hasMore: isCutShort };
}

/** The filters that a test was made with, as a person reads them: `status completed; template ROOF-01`. */
export function filtersText({
	statuses,
	teamId,
	template,
}: Pick<TriggerParameters, 'statuses' | 'teamId' | 'template'>): string {
	const filters = [
		...(statuses.length === 0 ? [] : [`status ${statuses.join(' or ')}`]),
		...(teamId === undefined ? [] : [`team ${teamId}`]),
		...(template === undefined ? [] : [`template ${template}`]),
	];
	return filters.length === 0 ? 'none is set' : filters.join('; ');
}
