import { isRecord } from './json';

/** n8n's Extract from File keeps the byte order mark before the first column of a CSV file. */
export function withoutByteOrderMark(name: string): string {
	return name.replace(/^\ufeff/, '');
}

/** Normalizes text for comparison: composes accents (NFC), collapses whitespace, and trims. Keeps case. */
export function plainText(text: string): string {
	// `\s` includes non-breaking spaces and the byte order mark. U+200B is a zero-width space. Text from Word or a chat
	// can contain other invisible characters: soft hyphens, direction marks, joiners.
	return composedText(text)
		.replace(/[\s\u200b\u2800\u3164]+/g, ' ')
		.replace(/\p{Cf}/gu, '')
		.trim();
}

export function isSameText(a: unknown, b: unknown): boolean {
	return typeof a === 'string' && typeof b === 'string' && plainText(a) === plainText(b);
}

/** A visible character: not whitespace, not zero-width, and not the blank of Braille or Korean. */
const SEEN = /[^\s\p{Cf}\u2800\u3164]/u;

/** Whether a value means "no answer". `0` and `false` are answers. */
export function isBlank(cell: unknown): boolean {
	if (typeof cell === 'string') return !SEEN.test(cell);
	return cell === undefined || cell === null;
}

/**
 * Like `isBlank`, and also true for `[{"Name": ""}]`. False for an empty list, which means that a repeatable section
 * has no instances.
 */
export function hasNoValue(cell: unknown, levels = 20): boolean {
	if (!Array.isArray(cell) && !isRecord(cell)) return isBlank(cell);
	const inside: unknown[] = Object.values(cell);
	if (inside.length === 0) return !Array.isArray(cell);
	return levels > 0 && inside.every((inner) => hasNoValue(inner, levels - 1));
}

export function foldName(name: string): string {
	return plainText(name).toLowerCase();
}

/** European letters with a stroke, and ligatures, which Unicode doesn't decompose into a letter and its accent. */
const WHOLE_LETTERS = new Map(
	Object.entries({ ł: 'l', đ: 'd', ø: 'o', œ: 'oe', æ: 'ae', ß: 'ss' }),
);

/** Removes the accents of Latin, Greek, and Cyrillic letters from a folded name: `element` for `élément`. */
export function withoutAccents(folded: string): string {
	if (/^[ -~]*$/.test(folded) || TOO_MANY_MARKS.test(folded)) return folded;
	const bare = folded.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
	return bare.replace(/[łđøœæß]/g, (one) => WHOLE_LETTERS.get(one) ?? one).normalize('NFC');
}

export function foldPath(path: string): string {
	return foldName(path).replace(/ ?\/ ?/g, '/');
}

/** More marks in a row than any language uses (Unicode Standard Annex 15, "Stream-Safe Text Format", allows 30). */
const TOO_MANY_MARKS = /\p{M}{31}/u;

/**
 * Normalizes text to NFC. Text with too many marks in a row stays unchanged, because sorting them takes quadratic time.
 */
export function composedText(text: string): string {
	return TOO_MANY_MARKS.test(text) ? text : text.normalize('NFC');
}

/** Undefined if a percent sign doesn't begin a valid character. */
export function percentDecoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}

/** Removes the characters in `cut` from the end of text. Linear, unlike the pattern `/0+$/`. */
export function trimmedEnd(text: string, cut: string): string {
	let end = text.length;
	while (end > 0 && cut.includes(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}
