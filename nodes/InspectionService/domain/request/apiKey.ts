import { characterIn } from '../formatting';
import { InputError } from '../inputError';
import { decodedTexts } from './decodedText';

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
 * Minimum length of a secret to redact, and of a part of it, in characters. Shorter text is probably not a key, and
 * redacting it would make messages unreadable.
 */
const MIN_SECRET_LENGTH = 8;
/** A secret whose decoded form is shorter than this is only searched as it is. The value is arbitrary. */
const MIN_FORM_LENGTH = 4;
const PLACEHOLDER = '[API key]';
/** Marks characters to redact. Unicode assigns no character to this code. */
const REDACTED = '\uffff';

/**
 * Returns a function that replaces a secret in text for people: an error, a hint, or a log line. The function finds each
 * part of the secret that has `MIN_SECRET_LENGTH` characters, because texts can be cut off. It finds the secret in any
 * mix of the encodings that `decodedTexts` knows.
 */
export function redactorOf(secret: string): (text: string) => string {
	const sent = secret.trim();
	if (sent.length < MIN_SECRET_LENGTH) return (text) => text;
	// The secret can contain what looks like an escape sequence, so look for its decoded form too.
	const forms = decodedTexts(sent, 0).filter(({ text }) => text.length >= MIN_FORM_LENGTH);
	const length = Math.min(MIN_SECRET_LENGTH, ...forms.map(({ text }) => text.length));
	const parts = new Set(forms.flatMap(({ text }) => partsOf(text, length)));
	return (text) => {
		const characters = text.split('');
		for (const decoded of decodedTexts(text)) {
			for (const [index, part] of partsOf(decoded.text, length).entries()) {
				if (!parts.has(part)) continue;
				characters.fill(REDACTED, decoded.starts[index], decoded.ends[index + length - 1]);
			}
		}
		return characters.join('').replace(/\uffff+/g, PLACEHOLDER);
	};
}

/** Returns all parts of this length. A space counts as `+`, because forms in URLs mix them up. */
function partsOf(text: string, length: number): string[] {
	const folded = text.replaceAll(' ', '+');
	const count = Math.max(0, text.length - length + 1);
	return Array.from({ length: count }, (_, start) => folded.slice(start, start + length));
}
