import type { InspectionRecord } from './inspectionPage';
import type { SortBy } from './inspectionQuery';
import { compareTimestamps, timestampOf, type Timestamp } from '../timestamp';

/**
 * Whether the service compares within a second. One that cuts its inspections' times to the second, but not the
 * filter's dates, leaves out the rest of a second behind a bound within it, and the list looks as if it had an end
 * or a gap there.
 *
 * The inspection that a page ended with tells: a range that starts at its time has to have it again. However times
 * are rounded, a later one is never rounded to before an earlier one, so where that inspection is not left out,
 * nothing behind it is.
 */
export class BoundTrust {
	private proven = false;

	/** True once an answer has shown that a bound within a second left nothing out. */
	get isProven(): boolean {
		return this.proven;
	}

	/** False where a page of the range that starts at `last` has nothing that is no later: something is left out. */
	check(page: readonly InspectionRecord[], sortBy: SortBy, last: Timestamp): boolean {
		const includesLast = page.some((inspection) => {
			const key = timestampOf(inspection[sortBy]);
			return key !== undefined && compareTimestamps(key, last) <= 0;
		});
		if (includesLast) this.proven = true;
		return includesLast;
	}
}
