import { foldName, withoutAccents } from './plainText';

/** Characters of a name that are compared. Labels above columns are rarely longer. */
const COMPARED_LENGTH = 64;
/** One typing error for so many characters. "Wehater" is near "Weather", "Door" is not near "Roof". */
const CHARACTERS_PER_ERROR = 3;
/** Typing errors that are allowed at most. With more it is another name, however long. */
const MAX_ERRORS = 3;

/**
 * The name that is most likely meant by a text that is none of the names. It has the fewest typing errors (a character
 * missing, added or replaced, or two neighbours exchanged), without regard to case, blanks and accents. Undefined where no name
 * is near, or two are equally near. The work is at most 64 × 7 steps for each name.
 */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
	return nearestAmong(names)(given);
}

/** `nearestName` for several texts: the names are made ready once. */
export function nearestAmong(names: Iterable<string>): (given: string) => string | undefined {
	const candidates = [...new Set(names)].map((name) => ({ name, compared: comparedPart(name) }));
	return (given) => {
		const wanted = comparedPart(given);
		let limit = Math.min(MAX_ERRORS, Math.floor(wanted.length / CHARACTERS_PER_ERROR));
		let nearest: string[] = [];
		for (const { name, compared } of candidates) {
			const errors = typingErrors(wanted, compared, limit);
			if (errors === undefined) continue;
			if (errors !== limit) nearest = [];
			nearest.push(name);
			limit = errors;
		}
		return nearest.length === 1 ? nearest[0] : undefined;
	};
}

/** A name in quotes, with the one that is most likely meant: `"Wether" (did you mean "Weather"?)`. */
export function nameAndMeant(name: string, meant: string | undefined): string {
	return meant === undefined ? `"${name}"` : `"${name}" (did you mean "${meant}"?)`;
}

function comparedPart(name: string): string {
	return withoutAccents(foldName(name.slice(0, 2 * COMPARED_LENGTH))).slice(0, COMPARED_LENGTH);
}

/**
 * Typing errors between two texts, undefined where there are more than `limit`. The usual table of optimal string
 * alignment, row by row, of which only the cells within `limit` of the diagonal are worked out. It ends with a row in which
 * all cells are beyond the limit.
 */
function typingErrors(a: string, b: string, limit: number): number | undefined {
	if (Math.abs(a.length - b.length) > limit) return undefined;
	const beyond = limit + 1;
	let twoAbove: number[] = [];
	let above = Array.from({ length: b.length + 1 }, (_, j) => Math.min(j, beyond));
	for (let i = 1; i <= a.length; i++) {
		const row = new Array<number>(b.length + 1).fill(beyond);
		row[0] = Math.min(i, beyond);
		let least = row[0];
		for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
			const replaced = (above[j - 1] ?? beyond) + (a[i - 1] === b[j - 1] ? 0 : 1);
			const missingOrAdded = Math.min(above[j] ?? beyond, row[j - 1] ?? beyond) + 1;
			const isExchange = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
			const exchanged = isExchange ? (twoAbove[j - 2] ?? beyond) + 1 : beyond;
			const errors = Math.min(replaced, missingOrAdded, exchanged, beyond);
			row[j] = errors;
			least = Math.min(least, errors);
		}
		if (least > limit) return undefined;
		[twoAbove, above] = [above, row];
	}
	const errors = above[b.length] ?? beyond;
	return errors > limit ? undefined : errors;
}
