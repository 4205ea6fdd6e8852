/** Decoded runs that are shorter than this many characters can't contain a secret. */
const MIN_RUN = /.{8}/;
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

/** The two common ways to write bytes as text. A digit has `bits` bits, and `digits` digits are whole bytes. */
const PACKINGS = [
	{ encoding: 'hex', run: /(?:[\da-f]{2}[ :+,-]?){8,}/gi, digit: /[\da-f]/gi, bits: 4, digits: 2 },
	{ encoding: 'base64', run: /[\w+/-]{11,}/g, digit: /[\w+/-]/g, bits: 6, digits: 4 },
] as const;

/** Decoded text. `starts` and `ends` map each character to its part of the original text. */
class DecodedText {
	readonly starts: number[] = [];
	readonly ends: number[] = [];
	text = '';

	/** Adds a character that stands for a part of the original text. Empty text adds nothing. */
	add(character: string, start = 0, end = 0): void {
		if (character === '') return;
		this.text += character;
		this.starts.push(start);
		this.ends.push(end);
	}

	copy({ text, starts, ends }: DecodedText, from: number, to: number): void {
		for (let at = from; at < to; at++) this.add(text.charAt(at), starts[at], ends[at]);
	}
}

/**
 * Returns a text and everything that it can stand for: its escape sequences decoded repeatedly, and its hexadecimal and
 * base64 parts unpacked `packings` times. Takes time linear in the length of the text.
 */
export function decodedTexts(text: string, packings = MAX_PACKINGS): DecodedText[] {
	const original = new DecodedText();
	for (const [at, character] of text.split('').entries()) original.add(character, at, at + 1);
	let plain = [withoutEscapes(original)];
	const all = [original, ...plain];
	for (let packing = 0; packing < packings; packing++) {
		plain = plain.flatMap(unpacked).map((bytes) => withoutEscapes(bytes));
		all.push(...plain);
	}
	return all;
}

/** Decodes escape sequences until none is left, at most `times`. */
function withoutEscapes(given: DecodedText, times = MAX_ESCAPES): DecodedText {
	const decoded = new DecodedText();
	let end = 0;
	for (const match of given.text.matchAll(ESCAPE)) {
		const character = escapedCharacter(match);
		if (character === undefined) continue;
		decoded.copy(given, end, match.index);
		end = match.index + match[0].length;
		decoded.add(character, given.starts[match.index], given.ends[end - 1]);
	}
	if (end === 0 || times === 0) return given;
	decoded.copy(given, end, given.text.length);
	return withoutEscapes(decoded, times - 1);
}

/** Returns the character of an escape sequence, empty text for a backslash, or undefined for an unknown name. */
function escapedCharacter([, ...groups]: RegExpMatchArray): string | undefined {
	const [decimal, name] = groups.slice(6);
	if (name !== undefined) return ENTITIES[name.toLowerCase()];
	if (decimal !== undefined) return characterOf(Number(decimal));
	const hex = groups.slice(0, 6).find((digits) => digits !== undefined);
	return hex === undefined ? '' : characterOf(parseInt(hex, 16));
}

/** A secret contains only printable ASCII, so other characters only have to differ from it. */
function characterOf(code: number): string {
	return code >= 0x20 && code <= 0x7e ? String.fromCharCode(code) : '\n';
}

/**
 * Unpacks the runs of digits in a text. The first byte can begin at any of the first digits of a run, because other
 * characters can precede it.
 */
function unpacked({ text, starts, ends }: DecodedText): DecodedText[] {
	const unpackedTexts = PACKINGS.flatMap(({ encoding, run, digit, bits, digits }) => {
		const runs = Array.from(text.matchAll(run), ({ 0: characters, index }) =>
			Array.from(characters.matchAll(digit), (found) => index + found.index),
		);
		return Array.from({ length: digits }, (_, skipped) => {
			const bytes = new DecodedText();
			for (const places of runs.map((all) => all.slice(skipped))) {
				const packed = places.map((place) => text.charAt(place)).join('');
				for (const [byte, code] of Buffer.from(packed, encoding).entries()) {
					const first = Math.floor((byte * 8) / bits);
					const last = Math.ceil(((byte + 1) * 8) / bits) - 1;
					bytes.add(characterOf(code), starts[places[first] ?? 0], ends[places[last] ?? 0]);
				}
				bytes.add('\n');
			}
			return bytes;
		});
	});
	return unpackedTexts.filter((bytes) => MIN_RUN.test(bytes.text));
}
