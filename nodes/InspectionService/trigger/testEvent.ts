import { MAX_PAGE_SIZE } from '../domain/limits';
import type { TriggerParameters } from './parameters';

/** Pages looked through for an inspection that only this side can recognise. */
export const SAMPLE_PAGES = 10;
/** How many of the newest inspections that are, or a few less: each page begins with the last second of the one before. */
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
