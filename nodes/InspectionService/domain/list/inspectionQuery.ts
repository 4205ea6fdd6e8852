/**
 * Seconds for which an inspection may stay invisible after a newer one is seen. The trigger's Lookback by default, and how
 * far back Create looks again for a unique key. Services show what is new within a second or two.
 */
export const LATE_COMMIT_SECONDS = 60;

/** Inspections on one page of a list (listInspections of docs/service.openapi.yaml: page_size 1 to 100). */
export const MAX_PAGE_SIZE = 100;

/** Statuses of an inspection (Status of docs/service.openapi.yaml). */
export const STATUSES = ['new', 'in_progress', 'completed', 'canceled'] as const;
export type Status = (typeof STATUSES)[number];

/** What a list can be enriched with (listInspections of docs/service.openapi.yaml, includes). */
export const INCLUDES = ['data', 'files', 'shared_with_users'] as const;
export type Include = (typeof INCLUDES)[number];

export type SortBy = 'updated_at' | 'created_at';
export type SortOrder = 'asc' | 'desc';

/** The list's filters (listInspections of docs/service.openapi.yaml). Dates are ISO 8601 text in UTC, ends included. */
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

/** One request of the list operation: one page. `pageSize` is 1 to 100, `page` starts at 1. */
export interface InspectionPageQuery extends InspectionFilter {
	includes?: readonly Include[];
	sortBy: SortBy;
	sortOrder: SortOrder;
	page: number;
	pageSize: number;
}
