import { isRecord } from './json';

/**
 * Normalizes text for comparison: composes accents (NFC), replaces whitespace with single spaces, and trims. Keeps
 * upper and lower case.
 */
export function plainText(text: string): string {
	// `\s` includes non-breaking spaces and the byte order mark. U+200B is a zero-width space. `\p{Cf}` matches other
	// invisible characters in text from Word or a chat: soft hyphens, direction marks, and joiners.
	return composedText(text)
		.replace(/[\s\u200b\u2800\u3164]+/g, ' ')
		.replace(/\p{Cf}/gu, '')
		.trim();
}

/** Matches decimal digits of any script, and the signs of dates and numbers in full width. */
const OTHER_DIGITS = /(?!\d)\p{Nd}|[．，／：]/gu;

/** Returns text for reading a number or a date: like `plainText`, with ASCII digits for digits of any script. */
export function withPlainDigits(given: string): string {
	const text = plainText(given);
	if (/^[ -~]*$/.test(text)) return text;
	return text.replace(OTHER_DIGITS, (sign) => {
		const plain = sign.normalize('NFKC');
		if (plain <= '~') return plain;
		// Unicode has the ten digits of a script in a row, and digits of several styles directly after each other.
		const code = sign.codePointAt(0) ?? 0;
		let first = code;
		while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
		return String((code - first) % 10);
	});
}

export function isSameText(a: unknown, b: unknown): boolean {
	return typeof a === 'string' && typeof b === 'string' && plainText(a) === plainText(b);
}

/** Matches a visible character: not whitespace, not zero-width, and not the blank characters of Braille and Korean. */
const VISIBLE = /[^\s\p{Cf}\u2800\u3164]/u;

/**
 * Whether a value means "no answer": null, undefined, or text without a visible character. `0` and `false` are answers.
 */
export function isBlank(cell: unknown): boolean {
	if (typeof cell === 'string') return !VISIBLE.test(cell);
	return cell === undefined || cell === null;
}

/**
 * Like `isBlank`, but also true for lists and objects that contain only such values, such as `[{"Name": ""}]`. False
 * for an empty list, which means that a repeatable section has no instances.
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

/** European letters with a stroke, and ligatures. Unicode doesn't decompose them into a letter and an accent. */
const WHOLE_LETTERS = new Map(
	Object.entries({ ł: 'l', đ: 'd', ø: 'o', œ: 'oe', æ: 'ae', ß: 'ss' }),
);

/**
 * Removes accents from Latin, Greek, and Cyrillic letters: `élément` becomes `element`. Expects the result of
 * `foldName`.
 */
export function withoutAccents(folded: string): string {
	if (/^[ -~]*$/.test(folded) || TOO_MANY_MARKS.test(folded)) return folded;
	const bare = folded.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
	return bare.replace(/[łđøœæß]/g, (one) => WHOLE_LETTERS.get(one) ?? one).normalize('NFC');
}

export function foldPath(path: string): string {
	return foldName(path).replace(/ ?\/ ?/g, '/');
}

/**
 * Matches more combining marks in a row than any language uses (Unicode Standard Annex 15, "Stream-Safe Text Format",
 * allows 30).
 */
const TOO_MANY_MARKS = /\p{M}{31}/u;

/**
 * Normalizes text to NFC. Returns text with too many combining marks in a row unchanged, because sorting the marks
 * takes quadratic time.
 */
export function composedText(text: string): string {
	return TOO_MANY_MARKS.test(text) ? text : text.normalize('NFC');
}

/** Decodes percent-encoding. Returns undefined if the encoding is invalid. */
export function percentDecoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}

/**
 * Removes the characters in `cut` from the end of text. The running time is linear, unlike that of a pattern such as
 * `/0+$/`.
 */
export function trimmedEnd(text: string, cut: string): string {
	let end = text.length;
	while (end > 0 && cut.includes(text.charAt(end - 1))) end--;
	return text.slice(0, end);
}
