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

/** A shorter text is hardly a key, and to redact it would garble messages. */
const MIN_SECRET_LENGTH = 8;
const PLACEHOLDER = '[API key]';

/**
 * Returns a function that replaces a secret in text that a person will read: an error, a hint, or a line of a log. It finds
 * the secret as sent, escaped in JSON once or twice, encoded in a URL, and in base64. Its work is at most the length of the
 * text times that of the secret, so callers limit the text.
 */
export function redactorOf(secret: string): (text: string) => string {
	const sent = secret.trim();
	if (sent.length < MIN_SECRET_LENGTH) return (text) => text;
	const escaped = jsonEscaped(sent);
	const inUrl = encodeURIComponent(sent);
	const base64 = btoa(sent).replace(/=+$/, '');
	const forms = new Set([
		// The most escaped form first: it contains the others if they differ only in the backslashes before them.
		jsonEscaped(escaped),
		escaped,
		sent,
		inUrl,
		inUrl.replace(/%../g, (code) => code.toLowerCase()),
		base64,
		base64.replaceAll('+', '-').replaceAll('/', '_'),
	]);
	return (text) => {
		let redacted = text;
		for (const form of forms) redacted = redacted.replaceAll(form, PLACEHOLDER);
		return redacted;
	};
}

function jsonEscaped(text: string): string {
	return JSON.stringify(text).slice(1, -1);
}
