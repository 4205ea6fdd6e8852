import type { ListSource } from '../domain/list/readFirst';
import type { InspectionServiceClient } from './inspectionServiceClient';

/** A service's list. */
export function listOf(service: InspectionServiceClient): ListSource {
	return { list: async (query) => await service.listInspections(query) };
}
