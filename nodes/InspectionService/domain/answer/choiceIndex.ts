import { separatorsIn } from './choiceParts';

/** The choices of a question, to be found by what somebody wrote. */
export interface ChoiceIndex {
	/** True where the template shows no choices: then every text is one. */
	readonly isEmpty: boolean;
	/**
	 * The choice a single text means, in the template's spelling: exactly, else without regard to outer blanks, else
	 * without regard to case as well. Undefined where none or more than one fits.
	 */
	find(text: string): string | undefined;
	/** Characters of the longest choice, without outer blanks. */
	readonly longest: number;
	/** Separators in the choice that has the most of them; beyond MAX_SEPARATORS a choice does not count. */
	readonly mostSeparators: number;
}

/**
 * Commas, semicolons and line breaks that a choice may have to be found among others in one text. Each beginning of
 * a choice is tried with so many ends, which bounds the work on a text that consists of commas. A choice with more of
 * them is found alone, in double quotes and in an array.
 */
const MAX_SEPARATORS = 20;

/** Stands for a spelling that more than one choice has. */
const SEVERAL = Symbol('several');
type Spellings = Map<string, string | typeof SEVERAL>;

/** Built in one pass over the choices; each look-up costs the length of the text. */
export function choiceIndex(choices: readonly string[]): ChoiceIndex {
	const exact = new Set(choices);
	const trimmed: Spellings = new Map();
	const folded: Spellings = new Map();
	let longest = 0;
	let mostSeparators = 0;
	for (const choice of exact) {
		const spelling = choice.trim();
		addSpelling(trimmed, spelling, choice);
		addSpelling(folded, spelling.toLowerCase(), choice);
		longest = Math.max(longest, spelling.length, spelling.toLowerCase().length);
		const separators = separatorsIn(spelling);
		if (separators <= MAX_SEPARATORS) mostSeparators = Math.max(mostSeparators, separators);
	}
	const find = (text: string) => {
		if (exact.size === 0 || exact.has(text)) return text;
		const spelling = text.trim();
		const found = trimmed.get(spelling) ?? folded.get(spelling.toLowerCase());
		return found === SEVERAL ? undefined : found;
	};
	return { isEmpty: exact.size === 0, find, longest, mostSeparators };
}

function addSpelling(spellings: Spellings, spelling: string, choice: string): void {
	spellings.set(spelling, spellings.has(spelling) ? SEVERAL : choice);
}
