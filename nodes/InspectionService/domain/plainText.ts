import { isRecord } from './json';

/** n8n's Extract from File leaves the mark in front of a CSV's first column. */
export function withoutByteOrderMark(name: string): string {
	return name.replace(/^\ufeff/, '');
}

/** Text as people compare it: accents in one form (NFC), every run of blanks as one, none at the ends. Case stays. */
export function plainText(text: string): string {
	// `\s` covers non-breaking blanks and the byte order mark; U+200B is a blank without width. Other characters that are not
	// seen come with text from Word or a chat: a soft hyphen, a mark of direction, a joiner.
	return composedText(text)
		.replace(/[\s\u200b\u2800\u3164]+/g, ' ')
		.replace(/\p{Cf}/gu, '')
		.trim();
}

export function isSameText(a: unknown, b: unknown): boolean {
	return typeof a === 'string' && typeof b === 'string' && plainText(a) === plainText(b);
}

/** A character that is seen: no white space, none without width, and neither the blank of Braille nor that of Korean. */
const SEEN = /[^\s\p{Cf}\u2800\u3164]/u;

/** Whether a value means "no answer". `0` and `false` are answers. */
export function isBlank(cell: unknown): boolean {
	if (typeof cell === 'string') return !SEEN.test(cell);
	return cell === undefined || cell === null;
}

/** Also of `[{"Name": ""}]`. But the empty list says something: a repeatable section has no instances. */
export function saysNothing(cell: unknown, levels = 20): boolean {
	if (!Array.isArray(cell) && !isRecord(cell)) return isBlank(cell);
	const inside: unknown[] = Object.values(cell);
	if (inside.length === 0) return !Array.isArray(cell);
	return levels > 0 && inside.every((inner) => saysNothing(inner, levels - 1));
}

export function foldName(name: string): string {
	return plainText(name).toLowerCase();
}

/** Letters of Europe with a stroke or two letters in one, which Unicode does not divide into a letter and its accent. */
const WHOLE_LETTERS = new Map(
	Object.entries({ ł: 'l', đ: 'd', ø: 'o', œ: 'oe', æ: 'ae', ß: 'ss' }),
);

/** A folded name without the accents of Latin, Greek and Cyrillic letters: `element` for `élément`. */
export function withoutAccents(folded: string): string {
	if (/^[ -~]*$/.test(folded) || TOO_MANY_MARKS.test(folded)) return folded;
	const bare = folded.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
	return bare.replace(/[łđøœæß]/g, (one) => WHOLE_LETTERS.get(one) ?? one).normalize('NFC');
}

export function foldPath(path: string): string {
	return foldName(path).replace(/ ?\/ ?/g, '/');
}

/** More marks in a row than any language has (Unicode Standard Annex 15, "Stream-Safe Text Format", allows 30). */
const TOO_MANY_MARKS = /\p{M}{31}/u;

/** Text in the form NFC. With too many marks in a row it stays as it is: sorting them takes the square of their number. */
export function composedText(text: string): string {
	return TOO_MANY_MARKS.test(text) ? text : text.normalize('NFC');
}

/** Undefined where a percent sign begins no character. */
export function percentDecoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}

/** A text without the characters at its end that are among `cut`. Linear, which the pattern `/0+$/` is not. */
export function trimmedEnd(text: string, cut: string): string {
	let end = text.length;
	while (end > 0 && cut.includes(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}
