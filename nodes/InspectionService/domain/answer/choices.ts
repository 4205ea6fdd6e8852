import { shownValue } from '../formatting';
import { groupBy } from '../groupBy';
import { jsonText, parseJson } from '../json';
import { foldName, isBlank, plainText, withoutAccents } from '../normalizeText';

/** Choices in the template's spelling, or the given values that match no choice. */
type ChosenNames =
	| { choices: string[]; unknown?: undefined }
	| { unknown: string[]; choices?: undefined };

/** The characters between choices. A Windows line break (CRLF) counts as one separator. */
const SEPARATORS = /\r\n|[,;\r\n]/g;
/**
 * Maximum separators inside one unquoted choice, such as two in `Red, green, blue`. Limits the work for each element of
 * a list.
 */
const MAX_SEPARATORS = 5;
/**
 * Maximum characters of a list, in addition to those of all choices. Limits the work for a long text, such as one from a
 * public form. For a question without choices, `MOST_CHARACTERS_OF_ANY` is the limit.
 */
const [SPARE_CHARACTERS, MOST_CHARACTERS_OF_ANY] = [500, 20_000];

type Find = (text: string) => string | undefined;

/**
 * Ways to normalize text and choices before comparing them, strictest first. The first way that finds any choice
 * decides.
 */
const SPELLINGS: readonly ((text: string) => string)[] = [
	(text) => text.trim(),
	plainText,
	foldName,
	(text) => withoutAccents(foldName(text)),
];

interface ChoiceIndex {
	/** Finds the choice that the given text means. */
	readonly find: Find;
	/** The choices that `true` and `false` mean. Empty if the template lacks Yes or No. */
	readonly truths: ReadonlyMap<string, string>;
	readonly mostSeparators: number;
	readonly mostCharacters: number;
}

/** Builds the index of a question's choices. If the question has no choices, any text counts as a choice. */
function makeIndex(choices: ReadonlySet<string>): ChoiceIndex {
	const ways = SPELLINGS.map((spell) => ({ spell, spelled: groupBy(choices, spell) }));
	const find = (text: string) => {
		if (choices.has(text)) return text;
		if (choices.size === 0) return text === '' ? undefined : text;
		for (const { spell, spelled } of ways) {
			const found = spelled.get(spell(text));
			if (found !== undefined) return found.length === 1 ? found[0] : undefined;
		}
		return undefined;
	};
	// Maps `true` to Yes and `false` to No, ignoring case, if the template has both choices.
	const [yes, no] = [find('Yes'), find('No')];
	const truths = new Map(yes && no ? Object.entries({ true: yes, false: no }) : []);
	const all = [...choices];
	// In a list, each choice can have quotes, a comma, and a space.
	const mostCharacters =
		all.length === 0 ? MOST_CHARACTERS_OF_ANY : all.join('", "').length + SPARE_CHARACTERS;
	return {
		find,
		truths,
		mostSeparators: all.some(hasSeparator) ? MAX_SEPARATORS : 0,
		mostCharacters,
	};
}

const indexes = new WeakMap<readonly string[], ChoiceIndex>();

function indexOf(choices: readonly string[]): ChoiceIndex {
	const index = indexes.get(choices) ?? makeIndex(new Set(choices));
	indexes.set(choices, index);
	return index;
}

/** Returns the choice that text means. Undefined if there's none, or several. */
export function findChoice(text: string, choices: readonly string[]): string | undefined {
	return indexOf(choices).find(text);
}

/**
 * Returns the template's choices that a value means, each once. Accepts one choice, an array, a JSON array as text, or
 * a list separated by commas, semicolons, or line breaks. In a list, the longest matching choice is read from the left
 * (docs/sheets.md). A choice can be in double quotes. `choiceOfWord` maps other words to choices, such as an
 * `x` from the option Words for Yes.
 */
export function readChoices(
	given: unknown,
	choices: readonly string[],
	choiceOfWord: Find = () => undefined,
): ChosenNames {
	const index = indexOf(choices);
	const find = (text: string) =>
		index.find(text) ?? choiceOfWord(text) ?? index.truths.get(foldName(text));
	if (typeof given !== 'string') {
		return readList(Array.isArray(given) ? given : [given], index.mostCharacters, find);
	}
	if (given.length > index.mostCharacters) return { unknown: [given] };
	const whole = choices.length === 0 ? undefined : find(given);
	if (whole !== undefined) return { choices: [whole] };
	const list = given.trimStart().startsWith('[') ? parseJson(given) : undefined;
	if (Array.isArray(list)) return readList(list, index.mostCharacters, find);
	const elements: ListElement[] = [];
	for (let from = 0; from < given.length; ) {
		const element = elementAt(given, from, index.mostSeparators, find);
		if (element.text !== '' || element.choice !== undefined) elements.push(element);
		from = element.end + 1;
	}
	return choicesAmong(elements);
}

interface ListElement {
	text: string;
	choice: string | undefined;
}

function choicesAmong(elements: readonly ListElement[]): ChosenNames {
	const unknown = elements.flatMap(({ text, choice }) => (choice === undefined ? [text] : []));
	if (unknown.length > 0) return { unknown };
	return { choices: [...new Set(elements.flatMap(({ choice }) => choice ?? []))] };
}

const SCALARS: readonly string[] = ['string', 'number', 'bigint', 'boolean'];

function readList(given: readonly unknown[], mostCharacters: number, find: Find): ChosenNames {
	// A template can have an empty choice.
	const filled = given.filter((one) => !isBlank(one) || (one === '' && find(one) === one));
	const length = jsonText(filled)?.length ?? Infinity;
	if (length > mostCharacters) return { unknown: [shownValue(filled)] };
	return choicesAmong(
		filled.map((one) => {
			if (!SCALARS.includes(typeof one)) return { text: shownValue(one), choice: undefined };
			return { text: String(one), choice: find(String(one)) };
		}),
	);
}

/** Matches double-quoted text between two separators. Inside the text, `""` stands for one quote. */
const QUOTED_CHOICE = /[^\S\r\n]*"([^"]*(?:""[^"]*)*)"[^\S\r\n]*(?=[,;\r\n]|$)/y;

/**
 * Returns the list element that starts at `from`, and the position where the element ends. The element's text is empty
 * if only spaces precede the next separator.
 */
function elementAt(
	text: string,
	from: number,
	mostSeparators: number,
	find: Find,
): ListElement & { end: number } {
	/** The positions of the next separators. The element can end at any of them. */
	const ends: number[] = [];
	SEPARATORS.lastIndex = from;
	for (const { index } of text.matchAll(SEPARATORS)) {
		if (ends.push(index) > mostSeparators) break;
	}
	if (ends.length <= mostSeparators) ends.push(text.length);
	const [firstEnd = text.length] = ends;
	const first = text.slice(from, firstEnd);
	if (isBlank(first)) return { text: '', choice: undefined, end: firstEnd };
	QUOTED_CHOICE.lastIndex = from;
	const inner = QUOTED_CHOICE.exec(text)?.[1]?.replaceAll('""', '"');
	const end = QUOTED_CHOICE.lastIndex;
	const quoted = inner === undefined ? undefined : { text: inner, choice: find(inner), end };
	if (quoted !== undefined && (inner === '' || quoted.choice !== undefined)) return quoted;
	for (const end of ends.toReversed()) {
		const one = text.slice(from, end).trim();
		const choice = find(one);
		if (choice !== undefined) return { text: one, choice, end };
	}
	return quoted ?? { text: first.trim(), choice: undefined, end: firstEnd };
}

export function hasSeparator(text: string): boolean {
	return text.search(SEPARATORS) >= 0;
}
