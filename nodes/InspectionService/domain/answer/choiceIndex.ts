import { foldName, plainText } from '../columnName';
import { separatorsIn } from './choiceParts';

/** The choices of a question, to be found by what somebody wrote. */
export interface ChoiceIndex {
	/** True where the template shows no choices: then every text is one. */
	readonly isEmpty: boolean;
	/**
	 * The choice a single text means, in the template's spelling: exactly, else without regard to outer blanks, else
	 * without regard to Unicode forms and kinds of blanks, else without regard to case as well. Undefined where none or
	 * more than one fits.
	 */
	find(text: string): string | undefined;
	/** Separators in the choice that has the most of them; beyond MAX_SEPARATORS a choice does not count. */
	readonly mostSeparators: number;
}

/**
 * Commas, semicolons and line breaks that a choice may have to be found among others in one text. Each beginning of
 * a choice is tried with so many ends, which bounds the work on a text that consists of commas. A choice with more of
 * them is found alone, in double quotes and in an array.
 */
const MAX_SEPARATORS = 20;

/** Ways to compare a text with a choice, the strictest first: the first way that finds any choice decides. */
const WAYS: readonly ((text: string) => string)[] = [(text) => text.trim(), plainText, foldName];

/** Stands for a spelling that more than one choice has. */
const SEVERAL = Symbol('several');
type Spellings = Map<string, string | typeof SEVERAL>;

/** Built in one pass over the choices; each look-up costs the length of the text. */
export function choiceIndex(choices: readonly string[]): ChoiceIndex {
	const exact = new Set(choices);
	const ways = WAYS.map((spell) => ({ spell, spellings: spellingsOf(exact, spell) }));
	let mostSeparators = 0;
	for (const choice of exact) {
		const separators = separatorsIn(choice.trim());
		if (separators <= MAX_SEPARATORS) mostSeparators = Math.max(mostSeparators, separators);
	}
	const find = (text: string) => {
		if (exact.size === 0 || exact.has(text)) return text;
		for (const { spell, spellings } of ways) {
			const found = spellings.get(spell(text));
			if (found !== undefined) return found === SEVERAL ? undefined : found;
		}
		return undefined;
	};
	return { isEmpty: exact.size === 0, find, mostSeparators };
}

function spellingsOf(choices: Iterable<string>, spell: (text: string) => string): Spellings {
	const spellings: Spellings = new Map();
	for (const choice of choices) {
		const spelling = spell(choice);
		spellings.set(spelling, spellings.has(spelling) ? SEVERAL : choice);
	}
	return spellings;
}
