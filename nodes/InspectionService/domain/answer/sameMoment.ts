import { msSinceEpoch, timestampOf } from '../timestamp';

/**
 * Milliseconds within which two times count as the same, because n8n evaluates `{{ $now }}` for each row anew. Chosen:
 * the rows of one inspection are evaluated faster, and two times that differ on purpose differ by more.
 */
const SAME_MOMENT_MS = 60_000;

/** A date with a time, as `{{ $now }}` stands in a text. */
const MOMENT =
	/\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:?\d{2}(?!\d))?/g;

/** Whether two texts differ only in times that are less than a minute apart, such as `Walk 2026-05-31T14:30:00.123Z`. */
export function isSameButForNow(a: string, b: string): boolean {
	if (a === b) return true;
	const [first, second] = [a.match(MOMENT) ?? [], b.match(MOMENT) ?? []];
	if (first.length === 0 || first.length !== second.length) return false;
	if (a.replace(MOMENT, '…') !== b.replace(MOMENT, '…')) return false;
	return first.every((moment, at) => isSameMoment(moment, second[at] ?? ''));
}

function isSameMoment(a: string, b: string): boolean {
	const [first, second] = [timestampOf(a), timestampOf(b)];
	if (first === undefined || second === undefined) return a === b;
	return Math.abs(msSinceEpoch(first) - msSinceEpoch(second)) < SAME_MOMENT_MS;
}
