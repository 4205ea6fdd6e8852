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
 * alignment, of which only the cells within `limit` of the diagonal are worked out.
 */
function typingErrors(a: string, b: string, limit: number): number | undefined {
	if (Math.abs(a.length - b.length) > limit) return undefined;
	let twoAbove: Row = [];
	let above: Row = Array.from({ length: b.length + 1 }, (_, j) => j);
	for (let i = 1; i <= a.length; i++) {
		[twoAbove, above] = [above, nextRow(a, b, { i, limit, above, twoAbove })];
	}
	const errors = above[b.length] ?? Infinity;
	return errors <= limit ? errors : undefined;
}

/** A row of the table, with holes outside of the diagonal. */
type Row = readonly number[];

function nextRow(
	a: string,
	b: string,
	{ i, limit, above, twoAbove }: { i: number; limit: number; above: Row; twoAbove: Row },
): Row {
	const row = [i];
	for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
		const isExchange = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
		row[j] = Math.min(
			(above[j - 1] ?? Infinity) + (a[i - 1] === b[j - 1] ? 0 : 1),
			(above[j] ?? Infinity) + 1,
			(row[j - 1] ?? Infinity) + 1,
			isExchange ? (twoAbove[j - 2] ?? Infinity) + 1 : Infinity,
		);
	}
	return row;
}
