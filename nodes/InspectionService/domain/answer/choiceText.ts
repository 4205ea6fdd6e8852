import { parseJson } from '../json';

/** What given choices turned out to be: the template's own spellings, or what is none of them. */
export type ChoiceReading =
	| { choices: string[]; unknown?: undefined }
	| { unknown: string[]; choices?: undefined };

const SEPARATOR = /[,;\r\n]/;
const BLANK = /[ \t\u00a0]/;

/**
 * The template's choices that a value means, each once: an array, one choice, a JSON array as text, or one
 * text of several choices with a comma, semicolon or line break between them. A choice may hold those
 * characters itself, and may stand in double quotes as in CSV. Of several readings the one with the longest
 * choice in front wins. Case and outer blanks do not matter where no choice fits exactly.
 *
 * `true` and `false` mean a choice of that name, else Yes and No where the template has both. Empty elements
 * are no choice. Where the template shows no choices, every part of a text is taken as one.
 */
export function readChoices(given: unknown, choices: readonly string[]): ChoiceReading {
	if (Array.isArray(given)) return readList(given, choices);
	if (typeof given !== 'string') return readList([given], choices);
	if (choices.length === 0) return readList(parseList(given) ?? anyParts(given), choices);
	const whole = matchChoice(given, choices);
	if (whole !== undefined) return { choices: [whole] };
	const list = parseList(given);
	if (list !== undefined) return readList(list, choices);
	const split = splitChoices(given, choices);
	return split === undefined ? { unknown: unknownParts(given, choices) } : { choices: split };
}

/** The choice a single text means, in the template's spelling: exactly, else without regard to case and outer blanks. */
function matchChoice(text: string, choices: readonly string[]): string | undefined {
	if (choices.length === 0) return text;
	if (choices.includes(text)) return text;
	const trimmed = text.trim();
	const exact = choices.filter((choice) => choice.trim() === trimmed);
	if (exact.length > 0) return onlyOne(exact);
	const folded = trimmed.toLowerCase();
	return onlyOne(choices.filter((choice) => choice.trim().toLowerCase() === folded));
}

function onlyOne(choices: string[]): string | undefined {
	return choices.length === 1 ? choices[0] : undefined;
}

function readList(given: unknown[], choices: readonly string[]): ChoiceReading {
	const found = new Set<string>();
	const unknown: string[] = [];
	for (const element of given) {
		if (element === null || element === undefined || element === '') continue;
		const choice = matchScalar(element, choices);
		if (choice === undefined) unknown.push(shown(element));
		else found.add(choice);
	}
	return unknown.length > 0 ? { unknown } : { choices: [...found] };
}

function matchScalar(value: unknown, choices: readonly string[]): string | undefined {
	switch (typeof value) {
		case 'string':
			return matchChoice(value, choices);
		case 'number':
		case 'bigint':
			return matchChoice(String(value), choices);
		case 'boolean':
			return matchChoice(String(value), choices) ?? matchYesNo(value, choices);
		default:
			return undefined;
	}
}

function matchYesNo(value: boolean, choices: readonly string[]): string | undefined {
	const yes = matchChoice('Yes', choices);
	const no = matchChoice('No', choices);
	if (yes === undefined || no === undefined) return undefined;
	return value ? yes : no;
}

function shown(value: unknown): string {
	if (typeof value === 'string') return value;
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function parseList(text: string): unknown[] | undefined {
	const value = text.trimStart().startsWith('[') ? parseJson(text) : undefined;
	return Array.isArray(value) ? value : undefined;
}

/** The parts of a text whose choices are not known, those in double quotes whole. */
function anyParts(text: string): string[] {
	const parts: string[] = [];
	for (let at = 0; at < text.length; ) {
		while (BLANK.test(text[at] ?? '')) at++;
		const quoted = text[at] === '"' ? readQuoted(text, at) : undefined;
		const behind = quoted === undefined ? -1 : nextPart(text, quoted.next);
		const length = text.slice(at).search(SEPARATOR);
		const end = length < 0 ? text.length : at + length;
		parts.push(quoted !== undefined && behind >= 0 ? quoted.inner : text.slice(at, end).trim());
		at = behind >= 0 ? behind : end + 1;
	}
	return parts;
}

function unknownParts(text: string, choices: readonly string[]): string[] {
	const parts = text
		.split(SEPARATOR)
		.map((part) => part.trim())
		.filter((part) => part !== '');
	const unknown = parts.filter((part) => matchChoice(part, choices) === undefined);
	return unknown.length > 0 ? unknown : [text];
}

/** A way to read one choice at a position of a text: the choice, and where the text goes on. */
interface Step {
	choice: string | undefined;
	next: number;
}

/**
 * The reading of `text` in which every part is a choice, undefined where there is none. Worked out from the
 * end, so that each position is looked at once: a reading that leads nowhere is never tried twice.
 */
function splitChoices(text: string, choices: readonly string[]): string[] | undefined {
	const readAt = choiceReader(text, choices);
	const steps: (Step | undefined)[] = [];
	steps[text.length] = { choice: undefined, next: text.length };
	for (let at = text.length - 1; at >= 0; at--) {
		steps[at] = readAt(at)
			.map(({ choice, next }) => ({ choice, next: nextPart(text, next) }))
			.find(({ next }) => steps[next] !== undefined);
		const skippable = SEPARATOR.test(text[at] ?? '') || BLANK.test(text[at] ?? '');
		if (steps[at] === undefined && skippable && steps[at + 1] !== undefined) {
			steps[at] = { choice: undefined, next: at + 1 };
		}
	}
	const found = new Set<string>();
	for (let at = 0; at < text.length; ) {
		const step = steps[at];
		if (step === undefined) return undefined;
		if (step.choice !== undefined) found.add(step.choice);
		at = step.next;
	}
	return [...found];
}

/** Where the next part begins when one ends at `at`, or -1 where something other than a separator follows. */
function nextPart(text: string, at: number): number {
	let next = at;
	while (next < text.length && BLANK.test(text[next] ?? '')) next++;
	if (next === text.length) return next;
	return SEPARATOR.test(text[next] ?? '') ? next + 1 : -1;
}

/** The choices that can be read at a position, longest first; a quoted one last. */
function choiceReader(text: string, choices: readonly string[]) {
	const folded = fold(text);
	const spellings = choices
		.map((choice) => fold(choice.trim()))
		.filter((spelling) => spelling !== '')
		.sort((a, b) => b.length - a.length);

	return (at: number): { choice: string; next: number }[] => {
		const found: { choice: string; next: number }[] = [];
		for (const spelling of spellings) {
			if (!folded.startsWith(spelling, at)) continue;
			const next = at + spelling.length;
			const choice = matchChoice(text.slice(at, next), choices);
			if (choice !== undefined) found.push({ choice, next });
		}
		const quoted = text[at] === '"' ? readQuoted(text, at) : undefined;
		const choice = quoted && matchChoice(quoted.inner, choices);
		if (quoted && choice !== undefined) found.push({ choice, next: quoted.next });
		return found;
	};
}

/** Lower case, unless that changes the length and with it all positions. */
function fold(text: string): string {
	const lower = text.toLowerCase();
	return lower.length === text.length ? lower : text;
}

/** The text in double quotes that begins at `at`, a doubled quote being one quote, as in CSV. */
function readQuoted(text: string, at: number): { inner: string; next: number } | undefined {
	let inner = '';
	for (let i = at + 1; i < text.length; i++) {
		if (text[i] !== '"') inner += text[i] ?? '';
		else if (text[i + 1] === '"') inner += text[i++] ?? '';
		else return { inner, next: i + 1 };
	}
	return undefined;
}
