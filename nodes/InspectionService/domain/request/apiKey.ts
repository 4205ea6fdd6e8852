import { InputError } from '../inputError';
import { characterIn } from '../shownText';

/** What a header cannot hold (RFC 9110, section 5.5). */
const NOT_SENDABLE = /[^\x20-\x7e]/u;

/** Characters of a key. A signed token has some thousand, and servers take 8 kB of all headers (nginx, Apache). */
const MAX_KEY_LENGTH = 4_096;

/** A credential's API key as it is sent. Throws InputError for a key that HTTP clients would change or refuse. */
export function normaliseApiKey(value: unknown): string {
	const key = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (key === '') {
		throw new InputError(
			'The credential has no API key. Enter the private API key of your organization',
		);
	}
	if (key.length > MAX_KEY_LENGTH) {
		throw new InputError(
			`The API key in the credential has ${String(key.length)} characters, and ${String(MAX_KEY_LENGTH)} is the most. Copy the key alone`,
		);
	}
	const [place, number] = characterIn(key, NOT_SENDABLE);
	if (place === undefined) return key;
	throw new InputError(
		`Character ${place} of the API key in the credential (${String(number)}) cannot be sent. Copy the key again: it has no line breaks and only letters, digits and signs of ASCII`,
	);
}

/** A shorter text is hardly a key, and to take it out of every response would garble them. */
const MIN_SECRET_LENGTH = 8;
const PLACEHOLDER = '[API key]';

/** A function that takes a secret out of text: as it is, escaped in JSON or in a URL, and in base64. */
export function redactorOf(secret: string): (text: string) => string {
	const sent = secret.trim();
	if (sent.length < MIN_SECRET_LENGTH) return (text) => text;
	const spelled = Array.from(sent, spellingsOf).join('');
	const base64 = btoa(sent).replace(/=+$/, '').replaceAll('+', '[+-]').replaceAll('/', '[/_]');
	const pattern = new RegExp(`${spelled}|${base64}`, 'gi');
	return (text) => text.replace(pattern, PLACEHOLDER);
}

/** A pattern for a character, such as `\+`: `+`, `\\+`, `\u002b` or `%2b`. Up to three backslashes are JSON within JSON. */
function spellingsOf(character: string): string {
	const hex = (character.codePointAt(0) ?? 0).toString(16).padStart(2, '0');
	const plain = /\w/.test(character) ? character : `\\\\{0,3}\\x${hex}`;
	return `(?:${plain}|\\\\{1,2}u00${hex}|%${hex}${character === ' ' ? '|\\+' : ''})`;
}
