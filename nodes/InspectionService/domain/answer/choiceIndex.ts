import { foldName, plainText } from '../columnName';
import { separatorsIn } from './choiceParts';

/** Finds a question's choices by what somebody wrote. */
export interface ChoiceIndex {
	/** True where the template shows no choices. Then every text counts as a choice. */
	readonly isEmpty: boolean;
	/**
	 * The choice that a text means, in the template's spelling. Texts are compared exactly, then without outer blanks,
	 * then also without regard to Unicode forms and kinds of blanks, then also without regard to case. The first
	 * comparison that finds anything decides. Undefined where it finds several choices, or where none finds any.
	 */
	find(text: string): string | undefined;
	/** Separators in the choice that has the most of them; beyond MAX_SEPARATORS a choice does not count. */
	readonly mostSeparators: number;
}

/**
 * Separators (commas, semicolons, line breaks) that a choice may have and still be found among others in one text. A
 * choice with more of them is found where it stands alone, in double quotes or in an array. Chosen: few choices have
 * more. The number bounds the work, because a choice is looked for at each part of a text with up to so many parts
 * after it.
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
