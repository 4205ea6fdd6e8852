import { characterIn } from '../formatting';
import { InputError } from '../inputError';

/** Matches a character that HTTP headers can't contain (RFC 9110, section 5.5). */
const NOT_SENDABLE = /[^\x20-\x7e]/u;

/**
 * Maximum length of an API key, in characters. A signed token has a few thousand, and web servers accept 8 kB of
 * headers in total (nginx, Apache).
 */
const MAX_KEY_LENGTH = 4_096;

/**
 * Returns the API key of a credential without surrounding spaces. Throws InputError for a key that HTTP clients would
 * change or reject.
 */
export function normaliseApiKey(value: unknown): string {
	const key = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (key === '') {
		throw new InputError(
			'The credential has no API key. Enter the private API key of your organization',
		);
	}
	if (key.length > MAX_KEY_LENGTH) {
		throw new InputError(
			`The API key in the credential has ${String(key.length)} characters, but the limit is ${String(MAX_KEY_LENGTH)}. Copy only the key`,
		);
	}
	const [position, number] = characterIn(key, NOT_SENDABLE);
	if (position === undefined) return key;
	throw new InputError(
		`Character ${position} of the API key in the credential (${String(number)}) can't be sent. Copy the key again: a key has only ASCII letters, digits, and symbols, and no line breaks`,
	);
}

/**
 * Minimum length of a secret to redact, in characters. Shorter text is probably not a key, and redacting it would make
 * messages unreadable.
 */
const MIN_SECRET_LENGTH = 8;
const PLACEHOLDER = '[API key]';

/**
 * Returns a function that replaces a secret in text for people: an error, a hint, or a log line. The function finds the
 * secret in plain form, escaped in JSON once or twice, URL-encoded, and in base64. Its running time is up to the length
 * of the text times the length of the secret, so callers limit the text.
 */
export function redactorOf(secret: string): (text: string) => string {
	const sent = secret.trim();
	if (sent.length < MIN_SECRET_LENGTH) return (text) => text;
	const escaped = jsonEscaped(sent);
	const inUrl = encodeURIComponent(sent);
	const base64 = btoa(sent).replace(/=+$/, '');
	const forms = new Set([
		// Replace the most escaped form first. It contains the less escaped forms if they differ only in leading
		// backslashes.
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
