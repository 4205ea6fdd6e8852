/** Decoded text. `starts` and `ends` map each character to its part of the original text. */
export interface DecodedText {
	readonly text: string;
	readonly starts: readonly number[];
	readonly ends: readonly number[];
}

/** Decoded runs that are shorter than this many characters can't contain a secret. */
const MIN_RUN = 8;
/** A text is decoded at most this many times. JSON in JSON in a URL in a web page needs four times. */
const MAX_ESCAPES = 6;
/** How many packings are undone, one inside another, such as hexadecimal digits of base64. */
const MAX_PACKINGS = 2;

/**
 * Matches an escape sequence of JSON, JavaScript, Python, PHP, .NET, URLs, or HTML. It stands for one character, or for
 * none: a backslash before another character is dropped.
 */
const ESCAPE =
	/\\+(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2}))?|%u([\da-f]{4})|%([\da-f]{2})|&#x([\da-f]{1,6});|&#(\d{1,7});|&([a-z]{2,6});/gi;

/** HTML's names of ASCII symbols (HTML Living Standard, section 13.5), in lowercase. */
const ENTITIES: Readonly<Record<string, string>> = Object.fromEntries(
	'amp& lt< gt> quot" apos\' plus+ sol/ equals= num# excl! dollar$ percnt% lpar( rpar) ast* midast* comma, period. colon: semi; quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_ grave` lcub{ lbrace{ verbar| vert| rcub} rbrace}'
		.split(' ')
		.map((pair) => [pair.slice(0, -1), pair.slice(-1)]),
);

const HEX = '0123456789abcdef';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The two common ways to write bytes as text. A digit has `bits` bits, and `digits` digits are whole bytes. */
const PACKINGS = [
	{
		run: /(?:[\da-f]{2}[ :+,-]?){8,}/gi,
		bits: 4,
		digits: 2,
		values: valuesOf(HEX, HEX.toUpperCase()),
	},
	{
		run: /[\w+/-]{11,}/g,
		bits: 6,
		digits: 4,
		values: valuesOf(BASE64, BASE64.replace('+/', '-_')),
	},
];
type Packing = (typeof PACKINGS)[number];

function valuesOf(...alphabets: readonly string[]): ReadonlyMap<string, number> {
	return new Map(
		alphabets.flatMap((digits) => Array.from(digits, (digit, value) => [digit, value] as const)),
	);
}

/**
 * Returns a text and everything that it can stand for: its escape sequences decoded repeatedly, and its hexadecimal and
 * base64 parts unpacked `packings` times. Takes time linear in the length of the text.
 */
export function decodedTexts(text: string, packings = MAX_PACKINGS): DecodedText[] {
	const starts = Array.from({ length: text.length }, (_, index) => index);
	const original = { text, starts, ends: starts.map((start) => start + 1) };
	let plain = [withoutEscapes(original)];
	const all = [original, ...plain];
	for (let packing = 0; packing < packings; packing++) {
		plain = plain.flatMap(unpacked).map(withoutEscapes);
		all.push(...plain);
	}
	return all;
}

/** Decodes escape sequences until none is left. */
function withoutEscapes(given: DecodedText): DecodedText {
	let decoded = given;
	for (let time = 0; time < MAX_ESCAPES; time++) {
		const once = withoutOuterEscapes(decoded);
		if (once.text.length === decoded.text.length) return once;
		decoded = once;
	}
	return decoded;
}

function withoutOuterEscapes({ text, starts, ends }: DecodedText): DecodedText {
	const decoded = new TextBuilder();
	let end = 0;
	const copyTo = (index: number) => {
		for (; end < index; end++) decoded.add(text[end] ?? '', starts[end] ?? 0, ends[end] ?? 0);
	};
	for (const match of text.matchAll(ESCAPE)) {
		const character = characterOf(match);
		if (character === undefined) continue;
		copyTo(match.index);
		end = match.index + match[0].length;
		decoded.add(character, starts[match.index] ?? 0, ends[end - 1] ?? 0);
	}
	copyTo(text.length);
	return decoded;
}

/** Returns the character of an escape sequence, empty text for a backslash, or undefined for an unknown name. */
function characterOf([whole, ...groups]: RegExpMatchArray): string | undefined {
	const name = groups[7]?.toLowerCase();
	if (name !== undefined) return ENTITIES[name];
	const decimal = groups[6];
	const hex = groups.slice(0, 6).find((digits) => digits !== undefined);
	if (decimal === undefined && hex === undefined) return whole.startsWith('\\') ? '' : undefined;
	const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
	// A secret contains only printable ASCII, so other characters only have to differ from it.
	return isPrintable(code) ? String.fromCharCode(code) : '\n';
}

function isPrintable(code: number): boolean {
	return code >= 0x20 && code <= 0x7e;
}

/**
 * Unpacks the runs of digits in a text. The first byte can begin at any of the first digits of a run, because other
 * characters can precede it.
 */
function unpacked(given: DecodedText): DecodedText[] {
	return PACKINGS.flatMap((packing) => {
		const runs = [...given.text.matchAll(packing.run)];
		return Array.from({ length: packing.digits }, (_, skipped) => {
			const bytes = new TextBuilder();
			for (const { 0: digits, index } of runs) {
				unpackInto(bytes, given, [index + skipped, index + digits.length], packing);
				bytes.add('\n', 0, 0);
			}
			return bytes;
		}).filter((bytes) => bytes.hasRun());
	});
}

function unpackInto(
	bytes: TextBuilder,
	{ text, starts, ends }: DecodedText,
	[from, to]: readonly [number, number],
	{ bits, values }: Packing,
): void {
	let value = 0;
	let filled = 0;
	let start = 0;
	for (let at = from; at < to; at++) {
		const digit = values.get(text[at] ?? '');
		// Skip what separates hexadecimal digits.
		if (digit === undefined) continue;
		if (filled === 0) start = starts[at] ?? 0;
		value = ((value << bits) | digit) & 0xffff;
		filled += bits;
		if (filled < 8) continue;
		filled -= 8;
		const code = (value >> filled) & 0xff;
		bytes.add(isPrintable(code) ? String.fromCharCode(code) : '\n', start, ends[at] ?? 0);
		start = starts[at] ?? 0;
	}
}

class TextBuilder implements DecodedText {
	readonly starts: number[] = [];
	readonly ends: number[] = [];
	text = '';

	/** Adds a character that stands for a part of the original text. Empty text adds nothing. */
	add(character: string, start: number, end: number): void {
		if (character === '') return;
		this.text += character;
		this.starts.push(start);
		this.ends.push(end);
	}

	hasRun(): boolean {
		return this.text.split('\n').some((run) => run.length >= MIN_RUN);
	}
}
