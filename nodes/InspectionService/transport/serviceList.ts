import { PageCap } from '../domain/list/pageCap';
import type { ListSource } from '../domain/list/readFirst';
import type { InspectionServiceClient } from './inspectionServiceClient';

/** The page caps of the services that this process has read, by base URL. */
const caps = new Map<string, PageCap>();

/** A service's list, with what this process has learned of its page cap. */
export function listOf(service: InspectionServiceClient): ListSource {
	const cap = caps.get(service.baseUrl) ?? new PageCap();
	caps.set(service.baseUrl, cap);
	return { list: async (query) => await service.listInspections(query), cap };
}
