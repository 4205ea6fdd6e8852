/** Answers the connector's queries with the sandbox's model of a list. */
import type {
	InspectionFilter,
	InspectionPageQuery,
} from '#connector/domain/list/inspectionQuery.ts';
import type {
	InspectionList,
	ListedInspection,
	ListFilters,
	ListRules,
} from '#sandbox/service/inspectionList.mts';

/** Returns the query, after checking that its page number and size are valid for listInspections. */
export function allowed(query: InspectionPageQuery): InspectionPageQuery {
	const { page, pageSize } = query;
	if (page >= 1 && pageSize >= 1 && pageSize <= 100) return query;
	throw new Error(`The list has no page ${String(page)} with page size ${String(pageSize)}`);
}

/** Returns the filters by status and time as parameters of listInspections. */
export const filtersIn = (filter: InspectionFilter): ListFilters => ({
	status: filter.status,
	created_after: filter.createdAfter,
	created_before: filter.createdBefore,
	updated_after: filter.updatedAfter,
	updated_before: filter.updatedBefore,
});

/**
 * Returns one page as the connector's client returns it. If the service responds to that page with an error, the page
 * is empty.
 */
export function pageOf<Row extends ListedInspection>(
	list: InspectionList<Row>,
	query: InspectionPageQuery,
	rules: ListRules<Row>,
): readonly Row[] {
	const { page, pageSize: page_size, sortBy: sort_by, sortOrder: sort_order } = query;
	const asked = { page, page_size, sort_by, sort_order, ...filtersIn(query) };
	const { rows } = list.page(asked, rules);
	return typeof rows === 'string' ? [] : rows;
}
