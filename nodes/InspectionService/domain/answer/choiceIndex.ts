import { foldName, plainText, withoutAccents } from '../plainText';

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
	/** Separators that are looked for inside of a choice: as many as a choice has, up to MAX_SEPARATORS. */
	readonly mostSeparators: number;
	/** Parts between separators that a text, or a list, of choices has at most. */
	readonly mostParts: number;
	/** Characters of the longest text or list that is read as choices. */
	readonly mostCharacters: number;
	/**
	 * The choice that a text means, in the template's spelling. Texts are compared exactly, then without outer blanks,
	 * then also without regard to Unicode forms and kinds of blanks, then to case, then to accents. The first
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
 * Separators that a choice may have and still be found among others without quotes. Few choices have more. The number
 * bounds the work: each part of a text is tried with up to so many parts after it.
 */
const MAX_SEPARATORS = 5;
/** Characters around each choice in a list: quotes, a comma and a blank. */
const AROUND_CHOICE = 4;
/** Characters beyond that: more blanks, and choices that are given twice. */
const SPARE_CHARACTERS = 2_000;
/** How often a choice may be given: lists that were put together of others repeat some. */
const TIMES_GIVEN = 2;
/** Where the template shows no choices: a thousand of twenty characters. */
const MOST_CHARACTERS_OF_ANY = 20_000;

/** Ways to compare a text with a choice, the strictest first: the first way that finds any choice decides. */
const WAYS: readonly ((text: string) => string)[] = [
	(text) => text.trim(),
	plainText,
	foldName,
	(text) => withoutAccents(foldName(text)),
];

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
	let [mostSeparators, mostParts, mostCharacters] = [0, 0, SPARE_CHARACTERS];
	for (const choice of exact) {
		const separators = separatorsIn(choice.trim());
		mostSeparators = Math.min(MAX_SEPARATORS, Math.max(mostSeparators, separators));
		mostParts += TIMES_GIVEN * (separators + 1);
		mostCharacters += choice.length + AROUND_CHOICE;
	}
	if (exact.size > 0) {
		return { isEmpty: false, mostSeparators, mostParts, mostCharacters, find, findTruth };
	}
	const unlimited = { mostParts: Infinity, mostCharacters: MOST_CHARACTERS_OF_ANY };
	return { isEmpty: true, mostSeparators, ...unlimited, find, findTruth };
}

function spellingsOf(choices: Iterable<string>, spell: (text: string) => string): Spellings {
	const spellings: Spellings = new Map();
	for (const choice of choices) {
		const spelling = spell(choice);
		spellings.set(spelling, spellings.has(spelling) ? SEVERAL : choice);
	}
	return spellings;
}
