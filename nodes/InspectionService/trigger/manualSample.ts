import type { InspectionRecord } from '../domain/list/inspectionPage';
import type { Include, InspectionFilter, SortBy } from '../domain/list/inspectionQuery';
import { MAX_PAGE_SIZE } from '../domain/limits';
import { LimitedListReader } from '../domain/list/limitedListReader';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';

/** Pages looked through for an inspection that only this side can recognise. */
const MAX_PAGES = 10;
/** How many of the newest inspections that are, or a few less: each page begins with the last second of the one before. */
export const SAMPLE_SIZE = MAX_PAGES * MAX_PAGE_SIZE;

export interface SampleQuestion {
	sortBy: SortBy;
	filter: Pick<InspectionFilter, 'teamId' | 'status'>;
	includes: readonly Include[];
	/** The part of the filter that is applied on this side; undefined where there is none. */
	isWanted: ((inspection: InspectionRecord) => boolean) | undefined;
}

export interface Sample {
	/** The newest inspection that the trigger would emit; undefined where none was found. */
	inspection: InspectionRecord | undefined;
	/** True where the service has more than was looked through. */
	hasMore: boolean;
}

/** Looks for the newest inspection that the trigger would emit. */
export async function newestMatch(
	service: InspectionServiceClient,
	question: SampleQuestion,
): Promise<Sample> {
	const reader = new LimitedListReader({ ...question, sortOrder: 'desc' }, 1);
	for (let pages = 0; pages < MAX_PAGES; pages++) {
		const [request] = reader.requests();
		if (request === undefined) break;
		reader.receive(request, await service.listInspections(request.query));
	}
	return { inspection: reader.result()[0], hasMore: reader.requests().length > 0 };
}
