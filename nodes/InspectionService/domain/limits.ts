/** Template identifier string, characters (interface, "Limits"). */
export const MAX_IDENTIFIER_LENGTH = 20;
/** Inspections on one page of a list (interface, "Limits": page_size 1 to 100). */
export const MAX_PAGE_SIZE = 100;
/** Data items in one create request (interface, "Limits"). */
export const MAX_DATA_ITEMS = 1000;
/** Assignees of one task (interface, "Limits"). */
export const MAX_ASSIGNEES = 50;
