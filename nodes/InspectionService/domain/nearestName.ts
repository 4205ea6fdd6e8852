import { foldName, withoutAccents } from './normalizeText';

/** Only this many characters of a name are compared. Few column headers are longer. */
const COMPARED_LENGTH = 64;
/**
 * One typo is allowed for each group of this many characters. So "Wether" is similar to "Weather", but "Door" isn't
 * similar to "Roof".
 */
const CHARACTERS_PER_ERROR = 3;
/** Maximum typos, even in a long name. A name with more typos counts as a different name. */
const MAX_ERRORS = 3;

/**
 * Returns the name that a user probably meant: the one with the fewest typos, ignoring case, spaces, and accents.
 * Undefined if no name is similar, or if two names are equally similar.
 */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
	const wanted = comparedPart(given);
	let fewest = Math.min(MAX_ERRORS, Math.floor(wanted.length / CHARACTERS_PER_ERROR));
	let nearest: string[] = [];
	for (const name of new Set(names)) {
		const errors = typingErrors(wanted, comparedPart(name), fewest);
		if (errors > fewest) continue;
		if (errors < fewest) nearest = [];
		nearest.push(name);
		fewest = errors;
	}
	return nearest.length === 1 ? nearest[0] : undefined;
}

/** Formats a name with the name that the user probably meant: `"Wether" (did you mean "Weather"?)`. */
export function nameAndMeant(name: string, meant: string | undefined): string {
	return meant === undefined ? `"${name}"` : `"${name}" (did you mean "${meant}"?)`;
}

function comparedPart(name: string): string {
	return withoutAccents(foldName(name.slice(0, 2 * COMPARED_LENGTH))).slice(0, COMPARED_LENGTH);
}

/**
 * Returns the Levenshtein distance of two strings. Two swapped characters ("Hgih") count as one error. Returns Infinity
 * if the distance exceeds `limit`.
 */
function typingErrors(a: string, b: string, limit: number): number {
	if (Math.abs(a.length - b.length) > limit) return Infinity;
	let twoAbove: readonly number[] = [];
	let above = Array.from({ length: b.length + 1 }, (_, j) => j);
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
			const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
			const swapped = isSwapped ? (twoAbove[j - 2] ?? 0) + 1 : Infinity;
			row.push(Math.min(replaced, swapped, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
		}
		if (Math.min(...row) > limit) return Infinity;
		twoAbove = above;
		above = row;
	}
	return above[b.length] ?? 0;
}
