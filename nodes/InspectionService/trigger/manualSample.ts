import type { InspectionRecord } from '../domain/list/inspectionPage';
import type { Include, InspectionFilter, SortBy } from '../domain/list/inspectionQuery';
import { LimitedListReader } from '../domain/list/limitedListReader';
import type { InspectionServiceClient } from '../transport/inspectionServiceClient';

/** Pages looked through for an inspection that only this side can recognise: the newest 1,000 inspections. */
const MAX_PAGES = 10;

export interface SampleQuestion {
	sortBy: SortBy;
	filter: Pick<InspectionFilter, 'teamId' | 'status'>;
	includes: readonly Include[];
	/** The part of the filter that is applied on this side; undefined where there is none. */
	isWanted: ((inspection: InspectionRecord) => boolean) | undefined;
}

/** The newest inspection that the trigger would emit; undefined where there is none. */
export async function newestMatch(
	service: InspectionServiceClient,
	question: SampleQuestion,
): Promise<InspectionRecord | undefined> {
	const reader = new LimitedListReader({ ...question, sortOrder: 'desc' }, 1);
	for (let pages = 0; pages < MAX_PAGES; pages++) {
		const [request] = reader.requests();
		if (request === undefined) break;
		reader.receive(request, await service.listInspections(request.query));
	}
	return reader.result()[0];
}
