import type { InspectionRecord } from './inspectionPage';
import type { Include, InspectionFilter, InspectionPageQuery } from './inspectionQuery';
import type { KeysetOrder } from './keyset';

/** A request that a reader wants made. Told apart by identity: hand the same object back with its answer. */
export interface PageRequest {
	readonly query: InspectionPageQuery;
}

/**
 * Decides which pages to ask for and what of the answers counts; makes no requests itself. Ask `requests()`
 * at the start and after every answer: it hands out what may be asked now beside what is under way. It is
 * done when nothing is under way and `requests()` is empty.
 */
export interface InspectionReader {
	requests(): PageRequest[];
	/** Takes one answer. Throws UnexpectedResponseError where reading on would skip inspections or never end. */
	receive(request: PageRequest, page: readonly InspectionRecord[]): void;
	/** What was read, in the order asked for. */
	result(): InspectionRecord[];
}

/** What is to be read from the list. */
export interface ReadQuestion extends KeysetOrder {
	readonly filter: InspectionFilter;
	readonly includes: readonly Include[];
	/** The part of the filter that the service does not have and this side applies. */
	readonly isWanted?: ((inspection: InspectionRecord) => boolean) | undefined;
}
