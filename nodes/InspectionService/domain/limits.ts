/** Characters of a template's identifier (Template of docs/service.openapi.yaml). */
export const MAX_IDENTIFIER_LENGTH = 20;
/** Inspections on one page of a list (listInspections of docs/service.openapi.yaml: page_size 1 to 100). */
export const MAX_PAGE_SIZE = 100;
/** Data items in one create request (CreateInspection of docs/service.openapi.yaml). */
export const MAX_DATA_ITEMS = 1000;
/**
 * Seconds for which an inspection may stay invisible after a newer one is seen. The trigger's Lookback by default, and how
 * far back Create looks again for a unique key. Chosen: services show what is new within a second or two.
 */
export const LATE_COMMIT_SECONDS = 60;
/** Assignees of one task (Task of docs/service.openapi.yaml). */
export const MAX_ASSIGNEES = 50;
