import { jsonText, parseJson } from '../json';
import { isBlank } from '../plainText';
import { type ChoiceIndex, choiceIndexOf, SEPARATOR } from './choiceIndex';

/** The result of reading choices: choices in the template's spelling, or the texts that are no choice. */
export type ChoiceReading =
	| { choices: string[]; unknown?: undefined }
	| { unknown: string[]; choices?: undefined };

/**
 * The template's choices that a value means, each once. The value is one choice, an array, a JSON array as text, or a
 * list with commas, semicolons or line breaks, in which the longest choice that fits is taken from the left. A choice
 * may stand in double quotes as in CSV. Where the template shows no choices, every part of a text is one.
 *
 * `true` and `false` mean a choice of that name, else Yes and No where the template has both; so does the text TRUE or
 * FALSE in any case, as a CSV file has it. `choiceOfWord` knows other words for a choice, such as the `x` of the option
 * Yes Words. A choice of that name goes before. Empty elements are no choice.
 *
 * What is longer than the choices can be, or has more different parts, is unknown as a whole and not divided. Otherwise
 * a form that anybody may fill in could keep n8n busy for seconds.
 */
export function readChoices(
	given: unknown,
	choices: readonly string[],
	choiceOfWord: (word: string) => string | undefined = () => undefined,
): ChoiceReading {
	const index = choiceIndexOf(choices);
	const find = (text: string) => index.find(text) ?? choiceOfWord(text) ?? index.findTruth(text);
	if (Array.isArray(given)) return readList(given, index, find);
	if (typeof given !== 'string') return readList([given], index, find);
	if (given.length > index.mostCharacters) return { unknown: [given] };
	const whole = index.isEmpty ? undefined : find(given);
	if (whole !== undefined) return { choices: [whole] };
	const list = given.trimStart().startsWith('[') ? parseJson(given) : undefined;
	return Array.isArray(list) ? readList(list, index, find) : readText(given, index, find);
}

type Find = ChoiceIndex['find'];

/** An element of a list, or a part of a text. */
interface Element {
	text: string;
	/** Undefined where the text is no choice. */
	choice: string | undefined;
}

/** Elements of a list that is refused as a whole. A message shows the beginning. */
const SHOWN_ELEMENTS = 20;
const SCALARS: readonly string[] = ['string', 'number', 'bigint', 'boolean'];

function readList(given: readonly unknown[], index: ChoiceIndex, find: Find): ChoiceReading {
	const filled = given.filter((one) => !isBlank(one));
	const texts = filled.map((one) => (SCALARS.includes(typeof one) ? String(one) : undefined));
	const length = texts.reduce((sum, text = '') => sum + text.length, 0);
	if (length > index.mostCharacters || filled.length > index.mostParts) {
		return { unknown: [shown(filled.slice(0, SHOWN_ELEMENTS))] };
	}
	return readingOf(
		filled.map((one, place) => {
			const text = texts[place];
			return { text: text ?? shown(one), choice: text === undefined ? undefined : find(text) };
		}),
	);
}

function readingOf(elements: readonly Element[]): ChoiceReading {
	const found = new Set<string>();
	const unknown: string[] = [];
	for (const { text, choice } of elements) {
		if (choice === undefined) unknown.push(text);
		else found.add(choice);
	}
	return unknown.length > 0 ? { unknown } : { choices: [...found] };
}

function shown(value: unknown): string {
	if (typeof value === 'string') return value;
	return jsonText(value) ?? 'a value that is no JSON';
}

function readText(text: string, index: ChoiceIndex, find: Find): ChoiceReading {
	const parts = partsOf(text);
	const filled = parts.filter(({ isBlank }) => !isBlank);
	if (filled.length > index.mostParts) return { unknown: [text] };
	const elements: Element[] = [];
	let end = -1;
	parts.forEach(({ from, isBlank }, place) => {
		if (from <= end || isBlank) return;
		const within = parts.slice(place, place + index.mostSeparators + 1);
		const element = elementAt(text, within, find);
		if (element.text !== '') elements.push(element);
		end = element.end;
	});
	return readingOf(elements);
}

/** A piece of a text between two separators, by its positions. */
interface TextPart {
	readonly from: number;
	readonly to: number;
	readonly isBlank: boolean;
}

/** The parts of a text between commas, semicolons and line breaks, empty ones included; at least one. */
function partsOf(text: string): TextPart[] {
	const parts: TextPart[] = [];
	let from = 0;
	const add = (to: number) => parts.push({ from, to, isBlank: isBlank(text.slice(from, to)) });
	for (const { 0: separator, index } of text.matchAll(SEPARATOR)) {
		add(index);
		from = index + separator.length;
	}
	add(text.length);
	return parts;
}

/** What stands at the first of these parts, and the position of its end. */
function elementAt(
	text: string,
	[first, ...others]: readonly TextPart[],
	find: Find,
): Element & { end: number } {
	const { from, to } = first ?? { from: 0, to: text.length };
	const quoted = quotedAt(text, from, find);
	if (quoted !== undefined && (quoted.text === '' || quoted.choice !== undefined)) return quoted;
	for (const end of [...others.map((part) => part.to).reverse(), to]) {
		const one = text.slice(from, end).trim();
		const choice = find(one);
		if (choice !== undefined) return { text: one, choice, end };
	}
	return quoted ?? { text: text.slice(from, to).trim(), choice: undefined, end: to };
}

/** A text in double quotes that fills a part. A doubled quote in it is one quote. */
const QUOTED = /[^\S\r\n]*"([^"]*(?:""[^"]*)*)"[^\S\r\n]*(?=[,;\r\n]|$)/y;

function quotedAt(text: string, from: number, find: Find): (Element & { end: number }) | undefined {
	QUOTED.lastIndex = from;
	const inner = QUOTED.exec(text)?.[1]?.replaceAll('""', '"');
	return inner === undefined
		? undefined
		: { text: inner, choice: find(inner), end: QUOTED.lastIndex };
}

/** Whether two lists hold the same choices, in whatever order. */
export function isSameSet(a: readonly string[], b: readonly string[]): boolean {
	const [first, second] = [new Set(a), new Set(b)];
	return first.size === second.size && [...first].every((choice) => second.has(choice));
}
