import { InputError } from '../inputError';
import { codePoint } from './codePoint';

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
