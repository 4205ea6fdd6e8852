import { foldName, plainText } from '../plainText';

/** The characters between choices in one text; a line break of Windows is one. */
export const SEPARATOR = /\r\n|[,;\r\n]/g;

/** How many separators are in a text. */
export function separatorsIn(text: string): number {
	return text.match(SEPARATOR)?.length ?? 0;
}

/** Finds the choices of a question by what somebody wrote. */
export interface ChoiceIndex {
	/** True where the template shows no choices. Then every text counts as a choice. */
	readonly isEmpty: boolean;
	/** Separators in the choice that has the most of them; beyond MAX_SEPARATORS a choice does not count. */
	readonly mostSeparators: number;
	/**
	 * The choice that a text means, in the template's spelling. Texts are compared exactly, then without outer blanks,
	 * then also without regard to Unicode forms and kinds of blanks, then also without regard to case. The first
	 * comparison that finds anything decides. Undefined where it finds several choices, or where none finds any.
	 */
	find(text: string): string | undefined;
	/** Yes for `true` and No for `false`, in any case, where the template has both of these choices. */
	findTruth(text: string): string | undefined;
}

/** The index of a question's choices is made once, however many rows answer it. */
const indexes = new WeakMap<readonly string[], ChoiceIndex>();

export function choiceIndexOf(choices: readonly string[]): ChoiceIndex {
	const index = indexes.get(choices) ?? makeIndex(choices);
	indexes.set(choices, index);
	return index;
}

/**
 * Separators that a choice may have and still be found among others in one text. A choice with more of them is found
 * where it stands alone, in double quotes or in an array. Few choices have more. The number bounds the work, because a
 * choice is looked for at each part of a text with up to so many parts after it.
 */
const MAX_SEPARATORS = 20;

/** Ways to compare a text with a choice, the strictest first: the first way that finds any choice decides. */
const WAYS: readonly ((text: string) => string)[] = [(text) => text.trim(), plainText, foldName];

/** Stands for a spelling that more than one choice has. */
const SEVERAL = Symbol('several');
type Spellings = Map<string, string | typeof SEVERAL>;

/** Built in one pass over the choices; each look-up costs the length of the text. */
function makeIndex(choices: readonly string[]): ChoiceIndex {
	const exact = new Set(choices);
	const ways = WAYS.map((spell) => ({ spell, spellings: spellingsOf(exact, spell) }));
	const find = (text: string) => {
		if (exact.size === 0 || exact.has(text)) return text;
		for (const { spell, spellings } of ways) {
			const found = spellings.get(spell(text));
			if (found !== undefined) return found === SEVERAL ? undefined : found;
		}
		return undefined;
	};
	const [yes, no] = [find('Yes'), find('No')];
	const findTruth = (text: string) => {
		const truth = yes === undefined || no === undefined ? '' : foldName(text);
		if (truth === 'true') return yes;
		return truth === 'false' ? no : undefined;
	};
	const counts = [...exact].map((choice) => separatorsIn(choice.trim()));
	const mostSeparators = counts.reduce(
		(most, count) => (count > MAX_SEPARATORS ? most : Math.max(most, count)),
		0,
	);
	return { isEmpty: exact.size === 0, mostSeparators, find, findTruth };
}

function spellingsOf(choices: Iterable<string>, spell: (text: string) => string): Spellings {
	const spellings: Spellings = new Map();
	for (const choice of choices) {
		const spelling = spell(choice);
		spellings.set(spelling, spellings.has(spelling) ? SEVERAL : choice);
	}
	return spellings;
}
