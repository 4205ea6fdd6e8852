/**
 * How long a new or updated inspection can be missing from the list while later ones already appear, in seconds.
 * Chosen: services usually need one or two seconds.
 */
export const LATE_COMMIT_SECONDS = 60;

/** Maximum `page_size` of listInspections (docs/service.openapi.yaml). */
export const MAX_PAGE_SIZE = 100;

export const STATUSES = ['new', 'in_progress', 'completed', 'canceled'] as const;
export type Status = (typeof STATUSES)[number];

export const INCLUDES = ['data', 'files', 'shared_with_users'] as const;
export type Include = (typeof INCLUDES)[number];

export type SortBy = 'updated_at' | 'created_at';
export type SortOrder = 'asc' | 'desc';

/**
 * Filters of the operation listInspections (docs/service.openapi.yaml). Dates are ISO 8601 text in UTC. The range from
 * an "after" date to a "before" date includes both dates.
 */
export interface InspectionFilter {
	teamId?: string;
	status?: readonly Status[];
	updatedAfter?: string;
	updatedBefore?: string;
	createdAfter?: string;
	createdBefore?: string;
	flaggedItemsOnly?: boolean;
	templateControlIds?: readonly string[];
}

/** The parameters of one list request. `page` starts at 1, and `pageSize` is 1 to 100. */
export interface InspectionPageQuery extends InspectionFilter {
	includes?: readonly Include[];
	sortBy: SortBy;
	sortOrder: SortOrder;
	page: number;
	pageSize: number;
}

/** The order and page size for suggestions in the editor, which are based on the most recently updated inspections. */
export const NEWEST_FIRST = {
	sortBy: 'updated_at',
	sortOrder: 'desc',
	pageSize: MAX_PAGE_SIZE,
} as const;

/**
 * The format of the `data_filter` parameter. The API doesn't document the format, so users can choose it in the
 * credential.
 */
export type DataFilterFormat = 'brackets' | 'json';

/**
 * Builds the query string of a list request (`listInspections` in docs/service.openapi.yaml). An array becomes one
 * parameter for each element, all with the same name. Includes `data` if the list is filtered by answers, because such
 * a filter has no effect without `data`.
 */
export function listQueryString(query: InspectionPageQuery, format: DataFilterFormat): string {
	const { includes = [] } = query;
	const parameters = {
		page: String(query.page),
		page_size: String(query.pageSize),
		sort_by: query.sortBy,
		sort_order: query.sortOrder,
		includes: isDataFiltered(query) ? [...new Set(['data', ...includes])] : includes,
		team_id: query.teamId,
		status: query.status,
		updated_after: query.updatedAfter,
		updated_before: query.updatedBefore,
		created_after: query.createdAfter,
		created_before: query.createdBefore,
		...dataFilter(query, format),
	};
	const search = new URLSearchParams();
	for (const [name, value = []] of Object.entries(parameters)) {
		const values = typeof value === 'string' ? [value] : value;
		for (const one of values) if (one !== '') search.append(name, one);
	}
	return search.toString();
}

export function isDataFiltered(filter: InspectionFilter): boolean {
	return filter.flaggedItemsOnly === true || (filter.templateControlIds ?? []).length > 0;
}

function dataFilter(
	{ flaggedItemsOnly = false, templateControlIds = [] }: InspectionFilter,
	format: DataFilterFormat,
): Record<string, string | readonly string[] | undefined> {
	const flagged = flaggedItemsOnly || undefined;
	const controls = templateControlIds.length > 0 ? templateControlIds : undefined;
	if (format === 'brackets') {
		return {
			'data_filter[flagged_items_only]': flagged && 'true',
			'data_filter[template_control_ids]': controls,
		};
	}
	if (flagged === undefined && controls === undefined) return {};
	const filter = { flagged_items_only: flagged, template_control_ids: controls };
	return { data_filter: JSON.stringify(filter) };
}
