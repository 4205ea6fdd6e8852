import { jsonText, parseJson } from '../json';
import { choiceIndexOf, SEPARATOR } from './choiceIndex';

/** The result of reading choices: choices in the template's spelling, or the texts that are no choice. */
export type ChoiceReading =
	| { choices: string[]; unknown?: undefined }
	| { unknown: string[]; choices?: undefined };

/**
 * Characters of a text that is read as choices: a hundred choices of a thousand characters. A longer text is no answer
 * that anybody gave, and its parts would keep n8n busy for seconds.
 */
export const MAX_CHOICE_TEXT = 100_000;

/**
 * The template's choices that a value means, each once. The value is an array, one choice, a JSON array as text, or
 * several choices in one text with commas, semicolons or line breaks between them. A choice may hold such separators
 * itself, and may stand in double quotes as in CSV. Where a text can be read in several ways, the longest first choice
 * wins. Case, blanks and Unicode forms do not matter where no choice fits exactly.
 *
 * `true` and `false` mean a choice of that name, else Yes and No where the template has both. The same goes for a cell
 * that is the text TRUE or FALSE in any case, as a CSV file has it. `choiceOfWord` knows other words for a choice, such
 * as the `x` of the option Yes Is; a choice of that name goes before. Empty elements are no choice. Where the template
 * shows no choices, every part of a text is taken for a choice.
 *
 * A text of more than `MAX_CHOICE_TEXT` characters is not divided: it is unknown as a whole. Linear in the length of the
 * value and of the choices.
 */
export function readChoices(
	given: unknown,
	choices: readonly string[],
	choiceOfWord: (word: string) => string | undefined = () => undefined,
): ChoiceReading {
	const { isEmpty, mostSeparators, find, findTruth } = choiceIndexOf(choices);
	const known: KnownChoices = {
		mostSeparators,
		find: (text) => find(text) ?? choiceOfWord(text) ?? findTruth(text),
	};
	if (Array.isArray(given)) return readList(given, known);
	if (typeof given !== 'string') return readList([given], known);
	if (given.length > MAX_CHOICE_TEXT) return { unknown: [given] };
	if (isEmpty) return readList(parseList(given) ?? anyParts(given), known);
	const whole = known.find(given);
	if (whole !== undefined) return { choices: [whole] };
	const list = parseList(given);
	if (list !== undefined) return readList(list, known);
	const split = splitChoices(given, known);
	return split === undefined ? { unknown: unknownParts(given, known) } : { choices: split };
}

/** The choices of a question, with the other words that stand for them; see `ChoiceIndex`. */
interface KnownChoices {
	mostSeparators: number;
	find(text: string): string | undefined;
}

const SCALARS: readonly string[] = ['string', 'number', 'bigint', 'boolean'];

function readList(given: readonly unknown[], known: KnownChoices): ChoiceReading {
	const found = new Set<string>();
	const unknown: string[] = [];
	for (const element of given) {
		if (element === null || element === undefined || element === '') continue;
		const choice = SCALARS.includes(typeof element) ? known.find(String(element)) : undefined;
		if (choice === undefined) unknown.push(shown(element));
		else found.add(choice);
	}
	return unknown.length > 0 ? { unknown } : { choices: [...found] };
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

function unknownParts(text: string, known: KnownChoices): string[] {
	const parts = partsOf(text).map((part) => textIn(text, part));
	const unknown = parts.filter((part) => part !== '' && known.find(part) === undefined);
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
function splitChoices(text: string, known: KnownChoices): string[] | undefined {
	const parts = partsOf(text);
	const steps: (Step | undefined)[] = [];
	steps[parts.length] = { choice: undefined, next: parts.length };
	for (let at = parts.length - 1; at >= 0; at--) {
		steps[at] = stepsAt(text, parts, at, known).find(({ next }) => steps[next] !== undefined);
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
function stepsAt(
	text: string,
	parts: readonly TextPart[],
	at: number,
	known: KnownChoices,
): Step[] {
	const within = parts.slice(at, at + known.mostSeparators + 1);
	const [first] = within;
	if (first === undefined) return [];
	const steps: Step[] = within.flatMap(({ to }, n) => {
		const choice = known.find(text.slice(first.from, to));
		return choice === undefined ? [] : [{ choice, next: at + n + 1 }];
	});
	steps.reverse();
	const quoted = quotedAt(text, parts, at);
	const choice = quoted && known.find(quoted.inner);
	if (quoted && choice !== undefined) steps.push({ choice, next: quoted.next });
	if (first.from >= first.to) steps.push({ choice: undefined, next: at + 1 });
	return steps;
}

/** Whether two lists hold the same choices, in whatever order. */
export function isSameSet(a: readonly string[], b: readonly string[]): boolean {
	const [first, second] = [new Set(a), new Set(b)];
	return first.size === second.size && [...first].every((choice) => second.has(choice));
}

/** A piece of a text between two separators; positions in the text. */
interface TextPart {
	/** Position of the first character that is no blank; the part's end where it has only blanks. */
	readonly from: number;
	/**
	 * Position after the last character that is no blank. The part's beginning where it has only blanks: `to` <= `from`.
	 */
	readonly to: number;
	/** Position of the separator after the part, or of the end of the text. */
	readonly end: number;
}

/** The parts of a text between commas, semicolons and line breaks, empty ones included; at least one. */
function partsOf(text: string): TextPart[] {
	const parts: TextPart[] = [];
	let start = 0;
	const add = (end: number, next: number) => {
		const part = text.slice(start, end);
		const from = end - part.trimStart().length;
		parts.push({ from, to: start + part.trimEnd().length, end });
		start = next;
	};
	for (const { 0: separator, index } of text.matchAll(SEPARATOR)) {
		add(index, index + separator.length);
	}
	add(text.length, text.length);
	return parts;
}

/** A text in double quotes, and the part after it. */
interface QuotedPart {
	inner: string;
	/** Index of the part that follows. */
	next: number;
}

/**
 * The text in double quotes that a part begins with. As in CSV, it may hold separators, and a doubled quote in it is
 * one quote. Undefined where the part begins with no such text, or where anything but blanks stands between it and the
 * next separator.
 *
 * Linear in total when asked for every part: a search that leaves its part ends no later than where the next such
 * search begins.
 */
function quotedAt(text: string, parts: readonly TextPart[], at: number): QuotedPart | undefined {
	const first = parts[at];
	if (first === undefined || text[first.from] !== '"') return undefined;
	let quote = text.indexOf('"', first.from + 1);
	while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
	if (quote < 0) return undefined;
	let last = at;
	while ((parts[last]?.end ?? text.length) < quote) last++;
	const end = parts[last]?.end ?? text.length;
	if (text.slice(quote + 1, end).trim() !== '') return undefined;
	const inner = text.slice(first.from + 1, quote).replaceAll('""', '"');
	return { inner, next: last + 1 };
}
