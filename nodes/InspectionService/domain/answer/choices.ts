import { foldName, plainText } from '../columnName';
import { jsonText, parseJson } from '../json';
import { partsOf, quotedAt, separatorsIn, type TextPart } from './choiceParts';

/** The result of reading choices: choices in the template's spelling, or the texts that are no choice. */
export type ChoiceReading =
	| { choices: string[]; unknown?: undefined }
	| { unknown: string[]; choices?: undefined };

/**
 * Characters of a text that is read as choices. Chosen: a hundred choices of a thousand characters. A longer text is no
 * answer that anybody gave, and its parts would keep n8n busy for seconds.
 */
export const MAX_CHOICE_TEXT = 100_000;

/**
 * The template's choices that a value means, each once. The value is an array, one choice, a JSON array as text, or
 * several choices in one text with commas, semicolons or line breaks between them. A choice may hold such separators
 * itself, and may stand in double quotes as in CSV. Where a text can be read in several ways, the longest first choice
 * wins. Case, blanks and Unicode forms do not matter where no choice fits exactly.
 *
 * `true` and `false` mean a choice of that name, else Yes and No where the template has both. The same goes for a cell
 * that is the text TRUE or FALSE in any case, as a CSV file has it. Empty elements are no
 * choice. Where the template shows no choices, every part of a text is taken for a choice.
 *
 * A text of more than `MAX_CHOICE_TEXT` characters is not divided: it is unknown as a whole. Linear in the length of the
 * value and of the choices.
 */
export function readChoices(given: unknown, choices: readonly string[]): ChoiceReading {
	const index = indexOf(choices);
	if (Array.isArray(given)) return readList(given, index);
	if (typeof given !== 'string') return readList([given], index);
	if (given.length > MAX_CHOICE_TEXT) return { unknown: [given] };
	if (index.isEmpty) return readList(parseList(given) ?? anyParts(given), index);
	const whole = index.find(given) ?? matchYesNo(given, index);
	if (whole !== undefined) return { choices: [whole] };
	const list = parseList(given);
	if (list !== undefined) return readList(list, index);
	const split = splitChoices(given, index);
	return split === undefined ? { unknown: unknownParts(given, index) } : { choices: split };
}

function readList(given: readonly unknown[], index: ChoiceIndex): ChoiceReading {
	const found = new Set<string>();
	const unknown: string[] = [];
	for (const element of given) {
		if (element === null || element === undefined || element === '') continue;
		const choice = matchScalar(element, index);
		if (choice === undefined) unknown.push(shown(element));
		else found.add(choice);
	}
	return unknown.length > 0 ? { unknown } : { choices: [...found] };
}

function matchScalar(value: unknown, index: ChoiceIndex): string | undefined {
	switch (typeof value) {
		case 'string':
			return index.find(value) ?? matchYesNo(value, index);
		case 'number':
		case 'bigint':
			return index.find(String(value));
		case 'boolean':
			return index.find(String(value)) ?? matchYesNo(String(value), index);
		default:
			return undefined;
	}
}

/** Yes for `true` and No for `false`, in any case. */
function matchYesNo(value: string, index: ChoiceIndex): string | undefined {
	const truth = foldName(value);
	if (truth !== 'true' && truth !== 'false') return undefined;
	const yes = index.find('Yes');
	const no = index.find('No');
	if (yes === undefined || no === undefined) return undefined;
	return truth === 'true' ? yes : no;
}

function shown(value: unknown): string {
	if (typeof value === 'string') return value;
	return jsonText(value) ?? 'a value that is no JSON';
}

function parseList(text: string): unknown[] | undefined {
	const value = text.trimStart().startsWith('[') ? parseJson(text) : undefined;
	return Array.isArray(value) ? value : undefined;
}

/** The parts of a text where the template shows no choices. A part in double quotes stays whole. */
function anyParts(text: string): string[] {
	const parts = partsOf(text);
	const found: string[] = [];
	for (let at = 0; at < parts.length; ) {
		const quoted = quotedAt(text, parts, at);
		found.push(quoted?.inner ?? textIn(text, parts[at]));
		at = quoted?.next ?? at + 1;
	}
	return found;
}

function unknownParts(text: string, index: ChoiceIndex): string[] {
	const parts = partsOf(text).map((part) => textIn(text, part));
	const unknown = parts.filter((part) => part !== '' && index.find(part) === undefined);
	return unknown.length > 0 ? unknown : [text];
}

function textIn(text: string, part: TextPart | undefined): string {
	return part === undefined ? '' : text.slice(part.from, part.to);
}

/** One way to read a text on from a part: the choice there (undefined for an empty part), and the part after it. */
interface Step {
	choice: string | undefined;
	next: number;
}

/**
 * Splits `text` so that every part belongs to a choice; undefined where that is impossible. The work begins at the end
 * of the text, so that each part is looked at once and no dead end is tried twice.
 */
function splitChoices(text: string, index: ChoiceIndex): string[] | undefined {
	const parts = partsOf(text);
	const steps: (Step | undefined)[] = [];
	steps[parts.length] = { choice: undefined, next: parts.length };
	for (let at = parts.length - 1; at >= 0; at--) {
		steps[at] = stepsAt(text, parts, at, index).find(({ next }) => steps[next] !== undefined);
	}
	const found = new Set<string>();
	for (let at = 0; at < parts.length; ) {
		const step = steps[at];
		if (step === undefined) return undefined;
		if (step.choice !== undefined) found.add(step.choice);
		at = step.next;
	}
	return [...found];
}

/** The choices that can be read at a part, longest first; a quoted one after them, an empty part last. */
function stepsAt(text: string, parts: readonly TextPart[], at: number, index: ChoiceIndex): Step[] {
	const within = parts.slice(at, at + index.mostSeparators + 1);
	const [first] = within;
	if (first === undefined) return [];
	const steps: Step[] = within.flatMap(({ to }, n) => {
		const choice = index.find(text.slice(first.from, to));
		return choice === undefined ? [] : [{ choice, next: at + n + 1 }];
	});
	steps.reverse();
	const quoted = quotedAt(text, parts, at);
	const choice = quoted && index.find(quoted.inner);
	if (quoted && choice !== undefined) steps.push({ choice, next: quoted.next });
	if (first.from >= first.to) steps.push({ choice: undefined, next: at + 1 });
	return steps;
}

/** The index of a question's choices is made once, however many rows answer it. */
const indexes = new WeakMap<readonly string[], ChoiceIndex>();

function indexOf(choices: readonly string[]): ChoiceIndex {
	const index = indexes.get(choices) ?? choiceIndex(choices);
	indexes.set(choices, index);
	return index;
}

/** Finds a question's choices by what somebody wrote. */
interface ChoiceIndex {
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
function choiceIndex(choices: readonly string[]): ChoiceIndex {
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

/** Whether two lists hold the same choices, in whatever order. */
export function isSameSet(a: readonly string[], b: readonly string[]): boolean {
	const [first, second] = [new Set(a), new Set(b)];
	return first.size === second.size && [...first].every((choice) => second.has(choice));
}
