import { groupBy } from '../groupBy';
import { parseJson } from '../json';
import { nameAndMeant, nearestName } from '../nearestName';
import { foldName, isBlank, plainText, withoutAccents } from '../plainText';
import type { ValueProblem } from '../problem';
import { cleanLine, listText, shownValue } from '../shownText';
import type { Question } from '../template/questions';
import { isMark, wordsFor, yesNoOf, type YesNoWords } from './yesNo';

/** Choices in the template's spelling, or the texts that are no choice. */
type ChoiceReading =
	| { choices: string[]; unknown?: undefined }
	| { unknown: string[]; choices?: undefined };

/** The characters between choices in one text; a line break of Windows is one. */
const SEPARATORS = /\r\n|[,;\r\n]/g;
/** Separators in a choice that is found among others without quotes. The number bounds the work for each part. */
const MAX_SEPARATORS = 5;
/** How often a list may name each choice, and its characters around each and beyond that; without choices, in all. */
const TIMES_GIVEN = 2;
const [AROUND_CHOICE, SPARE_CHARACTERS, MOST_CHARACTERS_OF_ANY] = [4, 2_000, 20_000];

type Find = (text: string) => string | undefined;

/** Ways to compare a text with a choice, the strictest first: the first way that finds any choice decides. */
const SPELLINGS: readonly ((text: string) => string)[] = [
	(text) => text.trim(),
	plainText,
	foldName,
	(text) => withoutAccents(foldName(text)),
];

/** What is worked out once for the choices of a question. Where it has none, every text counts as one. */
function makeIndex(choices: ReadonlySet<string>) {
	const ways = SPELLINGS.map((spell) => ({ spell, spelled: groupBy(choices, spell) }));
	const find = (text: string) => {
		if (choices.size === 0 || choices.has(text)) return text;
		for (const { spell, spelled } of ways) {
			const found = spelled.get(spell(text));
			if (found !== undefined) return found.length === 1 ? found[0] : undefined;
		}
		return undefined;
	};
	// Yes for `true` and No for `false`, in any case, where the template has both of these choices.
	const [yes, no] = [find('Yes'), find('No')];
	const truths = new Map(yes && no ? Object.entries({ true: yes, false: no }) : []);
	// Longer lists are not divided: a form that anybody may fill in could keep n8n busy for seconds.
	let [mostSeparators, mostElements, mostCharacters] = [0, 0, SPARE_CHARACTERS];
	for (const choice of choices) {
		const separators = choice.trim().match(SEPARATORS)?.length ?? 0;
		mostSeparators = Math.min(MAX_SEPARATORS, Math.max(mostSeparators, separators));
		mostElements += TIMES_GIVEN * (separators + 1);
		mostCharacters += choice.length + AROUND_CHOICE;
	}
	if (choices.size === 0) [mostElements, mostCharacters] = [Infinity, MOST_CHARACTERS_OF_ANY];
	return { find, truths, mostSeparators, mostElements, mostCharacters };
}

const indexes = new WeakMap<readonly string[], ReturnType<typeof makeIndex>>();

function indexOf(choices: readonly string[]) {
	const index = indexes.get(choices) ?? makeIndex(new Set(choices));
	indexes.set(choices, index);
	return index;
}

/**
 * The template's choices that a value means, each once: one choice, an array, a JSON array as text, or a list with commas,
 * semicolons or line breaks, in which the longest choice that fits is taken from the left (docs/create/choices.md). A choice may
 * stand in double quotes. `choiceOfWord` knows other words, such as the `x` of the option Words for Yes.
 */
export function readChoices(
	given: unknown,
	choices: readonly string[],
	choiceOfWord: Find = () => undefined,
): ChoiceReading {
	const index = indexOf(choices);
	const find = (text: string) =>
		index.find(text) ?? choiceOfWord(text) ?? index.truths.get(foldName(text));
	if (typeof given !== 'string') {
		return readList(Array.isArray(given) ? given : [given], index, find);
	}
	if (given.length > index.mostCharacters) return { unknown: [given] };
	const whole = choices.length === 0 ? undefined : find(given);
	if (whole !== undefined) return { choices: [whole] };
	const list = given.trimStart().startsWith('[') ? parseJson(given) : undefined;
	if (Array.isArray(list)) return readList(list, index, find);
	const elements: ListElement[] = [];
	for (let from = 0; from < given.length; ) {
		const { end, ...element } = elementAt(given, from, index.mostSeparators, find);
		if (element.text !== '') elements.push(element);
		if (elements.length > index.mostElements) return { unknown: [given] };
		from = end + 1;
	}
	return choicesAmong(elements);
}

interface ListElement {
	text: string;
	choice: string | undefined;
}

function choicesAmong(elements: readonly ListElement[]): ChoiceReading {
	const unknown = elements.flatMap(({ text, choice }) => (choice === undefined ? [text] : []));
	if (unknown.length > 0) return { unknown };
	return { choices: [...new Set(elements.flatMap(({ choice }) => choice ?? []))] };
}

const SHOWN_ELEMENTS = 20;
const SCALARS: readonly string[] = ['string', 'number', 'bigint', 'boolean'];

function readList(
	given: readonly unknown[],
	{ mostElements, mostCharacters }: { mostElements: number; mostCharacters: number },
	find: Find,
): ChoiceReading {
	const filled = given.filter((one) => !isBlank(one));
	const texts = filled.map((one) => (SCALARS.includes(typeof one) ? String(one) : undefined));
	const length = texts.reduce((sum, text = '') => sum + text.length, 0);
	if (length > mostCharacters || filled.length > mostElements) {
		return { unknown: [shownValue(filled.slice(0, SHOWN_ELEMENTS))] };
	}
	return choicesAmong(
		texts.map((text, place) => {
			if (text === undefined) return { text: shownValue(filled[place]), choice: undefined };
			return { text, choice: find(text) };
		}),
	);
}

/** A text in double quotes that fills a part. A doubled quote in it is one quote. */
const QUOTED_CHOICE = /[^\S\r\n]*"([^"]*(?:""[^"]*)*)"[^\S\r\n]*(?=[,;\r\n]|$)/y;

/** What stands from there on, and where it ends. Its text is empty where the part up to the next separator is blank. */
function elementAt(
	text: string,
	from: number,
	mostSeparators: number,
	find: Find,
): ListElement & { end: number } {
	/** Where the first part ends, then each part behind it. */
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

/** Signs that people write between choices. A comma, a semicolon, and a line break are read. */
const OTHER_SEPARATORS = ['|', '+', '&', '/', '\\', '·', '•', '\t', ' - ', ' – '];
/** Characters of a text that is divided otherwise, letters of a word between choices (`und`, `oraz`), and words tried. */
const [MAX_APART, MAX_WORD, MAX_WORDS] = [500, 4, 10];

/** The choices of a text that has another sign or a short word between them; undefined if any part is no choice. */
function choicesApart(text: string, choices: readonly string[]): string[] | undefined {
	if (choices.length === 0 || text.length > MAX_APART) return undefined;
	const { find } = indexOf(choices);
	const line = text.trim();
	const words = [...new Set(line.split(/\s+/))].filter((word) => word.length <= MAX_WORD);
	const separators = [...OTHER_SEPARATORS, ...words.slice(0, MAX_WORDS).map((word) => ` ${word} `)];
	for (const separator of separators) {
		const parts = line.split(separator).filter((part) => !isBlank(part));
		const found = parts.flatMap((part) => find(part.trim()) ?? []);
		if (found.length > 1 && found.length === parts.length) return found;
	}
	return undefined;
}

/** A choice as it is written into a list with commas. */
function listedChoice(choice: string): string {
	const line = cleanLine(choice);
	return hasSeparator(line) ? `"${line}"` : line;
}

const SHOWN_CHOICES = 12;

export function notAChoice(
	unknown: readonly string[],
	question: Question,
	words: YesNoWords | undefined,
): ValueProblem {
	const { choices } = question;
	const nearest = nearestName(unknown[0] ?? '', choices);
	const meant = nearest && cleanLine(nearest);
	const shown = unknown
		.slice(0, SHOWN_CHOICES)
		.map((text, place) => nameAndMeant(cleanLine(text), place === 0 ? meant : undefined));
	const yesNo = words && yesNoOf(question);
	const listed = choices
		.slice(0, SHOWN_CHOICES)
		.map((choice) => cleanLine(choice) + (yesNo ? wordsFor(choice, yesNo, words) : ''));
	const possible = listText(listed, choices.length, ' | ');
	const verb = unknown.length === 1 ? 'is' : 'are';
	const wrong = `${verb} not among its choices; possible: ${possible}${cureOf(unknown, question, words)}`;
	return { value: listText(shown, unknown.length), wrong };
}

function cureOf(
	unknown: readonly string[],
	question: Question,
	words: YesNoWords | undefined,
): string {
	const { type, choices } = question;
	const isWord = (text: string) =>
		[words?.yes, words?.no].some((known) => known?.has(foldName(text)));
	if (choices.length > 0 && unknown.every(isWord)) {
		return choices.length === 2
			? '; which of them is meant cannot be told from their names, so write the choice itself'
			: '; Words for Yes and Words for No are read where there are two choices only, so write the choice itself';
	}
	if (words === undefined && yesNoOf(question) !== undefined && unknown.every(isMark)) {
		return '; the options Words for Yes and Words for No read other words for them';
	}
	if (type === 'radio') return '';
	const apart = unknown.map((text) => choicesApart(text, choices));
	if (apart.length > 0 && apart.every((found) => found !== undefined)) {
		const listed = [...new Set(apart.flat())].slice(0, SHOWN_CHOICES);
		return `; write several choices with commas: ${listed.map(listedChoice).join(', ')}`;
	}
	if (unknown.some((text) => hasSeparator(cleanLine(text)))) return '; give each choice once';
	return choices.some(hasSeparator) ? '; put a choice with a comma into double quotes' : '';
}
