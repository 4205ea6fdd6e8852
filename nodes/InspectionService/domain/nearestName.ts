import { foldName, withoutAccents } from './plainText';

/** Characters of a name that are compared. Labels above columns are rarely longer. */
const COMPARED_LENGTH = 64;
/** One typing error for so many characters. "Wether" is near "Weather", "Door" is not near "Roof". */
const CHARACTERS_PER_ERROR = 3;
/** Typing errors that are allowed at most. With more it is another name, however long. */
const MAX_ERRORS = 3;

/**
 * The name that is most likely meant by a text that is none of the names: the one with the fewest typing errors, without
 * regard to case, blanks and accents. Undefined where no name is near, or two are equally near.
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

/** A name in quotes, with the one that is most likely meant: `"Wether" (did you mean "Weather"?)`. */
export function nameAndMeant(name: string, meant: string | undefined): string {
	return meant === undefined ? `"${name}"` : `"${name}" (did you mean "${meant}"?)`;
}

function comparedPart(name: string): string {
	return withoutAccents(foldName(name.slice(0, 2 * COMPARED_LENGTH))).slice(0, COMPARED_LENGTH);
}

/**
 * The Levenshtein distance of two texts, where two characters in wrong order are one error ("Hgih"); Infinity as soon as it
 * must be more than `limit`.
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
