import { foldName, withoutAccents } from './normalizeText';

/** Maximum characters of a name to compare. Column headers are rarely longer. */
const COMPARED_LENGTH = 64;
/** Allows one typo per this many characters. "Wether" is similar to "Weather", "Door" isn't similar to "Roof". */
const CHARACTERS_PER_ERROR = 3;
/** Maximum typos. With more, it's a different name, whatever its length. */
const MAX_ERRORS = 3;

/**
 * Returns the most likely name for text that matches none: the name with the fewest typos, ignoring case, spaces, and
 * accents. Undefined if no name is similar, or if two are equally similar.
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

/** Returns a name in quotes with the most likely intended name: `"Wether" (did you mean "Weather"?)`. */
export function nameAndMeant(name: string, meant: string | undefined): string {
	return meant === undefined ? `"${name}"` : `"${name}" (did you mean "${meant}"?)`;
}

function comparedPart(name: string): string {
	return withoutAccents(foldName(name.slice(0, 2 * COMPARED_LENGTH))).slice(0, COMPARED_LENGTH);
}

/**
 * Returns the Levenshtein distance of two strings. Two swapped characters count as one error ("Hgih"). Returns Infinity
 * as soon as it must exceed `limit`.
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
