import { InputError } from '../inputError';
import { codePoint } from '../shownText';

/** Characters that a header cannot hold: a key may have visible ASCII and blanks (RFC 9110, section 5.5). */
const NOT_SENDABLE = /[^\x20-\x7e]/u;

/**
 * A credential's API key as it is sent: without blanks and line breaks around it. A number, which an expression may give,
 * becomes its digits. Throws InputError for a key with a character that HTTP clients drop or refuse: a line break, a
 * zero-width blank, NUL, letters beyond ASCII. With such a character the key that is sent would differ from the text that
 * `redactorOf` takes out of errors.
 */
export function normaliseApiKey(value: unknown): string {
	const key = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (key === '') {
		throw new InputError(
			'The credential has no API key. Enter the private API key of your organization',
		);
	}
	const [character] = NOT_SENDABLE.exec(key) ?? [];
	if (character === undefined) return key;
	const place = Array.from(key).indexOf(character) + 1;
	throw new InputError(
		`Character ${String(place)} of the API key in the credential (${codePoint(character)}) cannot be sent. Copy the key again: it has no line breaks and only letters, digits and signs of ASCII`,
	);
}

/** A shorter text is hardly a key, and to take it out of every response would garble them. */
const MIN_SECRET_LENGTH = 8;
const PLACEHOLDER = '[API key]';
/** Spellings of a character in URLs and HTML that do not use its number. */
const NAMED: Readonly<Record<string, string>> = {
	' ': '\\+',
	'"': '&quot;',
	'&': '&amp;',
	"'": '&apos;',
	'<': '&lt;',
	'>': '&gt;',
};

/**
 * A function that takes a secret out of text, also where JSON, JSON within JSON, URLs or HTML spell it in their own way.
 * JSON stays JSON. Blanks around the secret do not count, because they are not sent.
 */
export function redactorOf(secret: string): (text: string) => string {
	const sent = secret.trim();
	if (sent.length < MIN_SECRET_LENGTH) return (text) => text;
	const spelled = new RegExp(Array.from(sent, spellingsOf).join(''), 'gi');
	// A text without an escape of one of these characters stays as it is, because unescaping a large page takes long.
	const escaped = new RegExp(`\\\\u00(?:${Array.from(`${sent}%&\\`, hexOf).join('|')})`, 'i');
	return (text) => (escaped.test(text) ? unescaped(text) : text).replace(spelled, PLACEHOLDER);
}

/**
 * A pattern for all spellings of a character. Letters, digits and `_.~-` need no escape anywhere; `unescaped` does the
 * rest.
 */
function spellingsOf(character: string): string {
	if (/[\w.~-]/.test(character)) return character.replace('.', '\\.');
	const hex = hexOf(character);
	const inUrl = Array.from(
		new TextEncoder().encode(character),
		(byte) => `%(?:25)*${hexOf(String.fromCharCode(byte))}`,
	).join('');
	const inHtml = `&#(?:0*${Number.parseInt(hex, 16)}|x0*${hex});`;
	const plain = character.replace(/[^\p{L}\s]/u, '\\$&');
	const forms = [plain, `u${hex.padStart(4, '0')}`, inUrl, inHtml, NAMED[character] ?? inHtml];
	return `\\\\{0,4}(?:${forms.join('|')})`;
}

/** The character's number as hexadecimal digits, at least two. */
const hexOf = (character: string) => (character.codePointAt(0) ?? 0).toString(16).padStart(2, '0');

/** Replaces the JSON escapes of ASCII characters by the characters. Some services escape `+`, `<` or `'`, for example. */
function unescaped(text: string): string {
	return text.replace(/\\(?:u00([2-7][\da-f])|[^])/gi, (escape: string, hex?: string) => {
		if (hex === undefined) return escape;
		const plain = String.fromCharCode(Number.parseInt(hex, 16));
		return plain.replace(/["\\]/, '\\$&');
	});
}
