import { MAX_PAGE_SIZE } from '../domain/limits';
import type { TriggerParameters } from './parameters';

/** Pages that "Fetch test event" looks through for a match. Chosen: a user waits for them. */
export const SAMPLE_PAGES = 10;
/** Inspections on these pages, at most: the pages overlap, because each begins with the last second of the one before. */
export const SAMPLE_SIZE = SAMPLE_PAGES * MAX_PAGE_SIZE;

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
