import { wellFormed } from './pathSegment';

/** A shorter text is no key: taking it out everywhere would only garble answers. */
const MIN_SECRET_LENGTH = 8;
const PLACEHOLDER = '[API key]';

/** A function that takes a secret out of text, in every form it can have there: plain, in JSON, in a URL. */
export function redactorOf(secret: string): (text: string) => string {
	if (secret.length < MIN_SECRET_LENGTH) return (text) => text;
	const forms = new Set([
		secret,
		JSON.stringify(secret).slice(1, -1),
		encodeURIComponent(wellFormed(secret)),
		new URLSearchParams([['', secret]]).toString().slice(1),
	]);
	return (text) =>
		Array.from(forms).reduce((rest, form) => rest.replaceAll(form, PLACEHOLDER), text);
}
