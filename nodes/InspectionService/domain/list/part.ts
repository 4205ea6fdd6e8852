import type { Timestamp } from '../timestamp';
import type { BegunSecond } from './readFullSecond';

/** A place behind a second: the number of its page from there on, and how many pages the part probably has. */
export interface Look {
	readonly page: number;
	readonly pages: number;
	/** Whether `pages` is a guess, because nothing behind the part was found by its number. */
	readonly isGuess: boolean;
}

/** A part of a list, oldest first, that one lane reads until it comes to what was read. */
export type Part =
	| (Look & { readonly kind: 'pages'; readonly after: Timestamp })
	| {
			readonly kind: 'second';
			readonly begun: BegunSecond;
			/** How what follows the second is read, after it; undefined where another part reads that. */
			readonly then: Look | undefined;
	  };

/** A part that is read page by page. */
export type PagesPart = Part & { readonly kind: 'pages' };

/** A part that is a full second. */
export type SecondPart = Part & { readonly kind: 'second' };

/** A list with more pages is long: what a request costs that finds nothing is little beside the time that lanes save. */
export const LONG_LIST_PAGES = 10;
/**
 * Pages behind the first one that are asked for at once: the next one, one in the middle and one at the end of the first
 * thousand inspections. Where the last of them is empty the list is short, and nothing more is asked for by chance.
 */
export const FIRST_LOOKS: readonly Look[] = [
	{ page: 1, pages: 5, isGuess: false },
	{ page: 6, pages: 5, isGuess: false },
	{ page: LONG_LIST_PAGES + 1, pages: 1, isGuess: true },
];
/** A part counts at most so many times as many pages as were read: a guess from few pages may be far too high. */
const MOST_GROWTH = 8;
const MS_PER_SECOND = 1_000;

/**
 * How many pages probably lie within so many milliseconds, of which a page at the begin and one at the end span these
 * many, after so many pages were read.
 */
export function pagesWithin(ms: number, spans: readonly [number, number], read: number): number {
	const pages = Math.ceil((ms / spans[0] + ms / spans[1]) / 2);
	// A second cannot be cut.
	return Math.max(1, Math.floor(Math.min(pages, ms / MS_PER_SECOND, MOST_GROWTH * read)));
}

/**
 * Takes parts for the lanes that are free, the longest first. While there are fewer parts than free lanes, the longest
 * that can be halved is halved, again and again, unless the list is short.
 */
export function takeParts(
	todo: readonly Part[],
	free: number,
	isLong: boolean,
): { taken: Part[]; left: Part[] } {
	const parts = todo.toSorted(byLength);
	while (isLong && parts.length < free) {
		const index = parts.findIndex((part) => halvesOf(part) !== undefined);
		const halves = halvesOf(parts[index]);
		if (halves === undefined) break;
		parts.splice(index, 1, ...halves);
		parts.sort(byLength);
	}
	return { taken: parts.slice(0, free), left: parts.slice(free) };
}

/**
 * A part as two; undefined where it is too short. Two pages that are both asked for by number have no second in common,
 * so that another request would have to look between them: a part that begins with one has at least two pages.
 */
function halvesOf(part: Part | undefined): [PagesPart, PagesPart] | undefined {
	if (part?.kind !== 'pages' || part.pages < (part.page > 1 ? 4 : 3)) return undefined;
	const half = Math.floor(part.pages / 2);
	return [
		{ ...part, pages: half, isGuess: false },
		{ ...part, pages: part.pages - half, page: part.page + half },
	];
}

/** How many pages a part probably has. A full second has more than one, and nobody knows how many. */
function lengthOf(part: Part): number {
	return part.kind === 'second' ? Infinity : part.pages;
}

function byLength(a: Part, b: Part): number {
	const [one, other] = [lengthOf(a), lengthOf(b)];
	return one === other ? 0 : other - one;
}
