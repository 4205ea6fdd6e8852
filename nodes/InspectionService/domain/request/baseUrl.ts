import { InputError } from '../inputError';
import { trimmedEnd } from '../trimmedEnd';
import { codePoint } from './codePoint';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/**
 * Characters that nobody sees in an address, without the plain blank. A URL parser drops most of them, such as U+200B
 * (UTS 46, "ignored"): another host would be asked than the text seems to name.
 */
const INVISIBLE = /[^\P{White_Space} ]|[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/**
 * A credential's base URL, made usable. Blanks and trailing slashes are taken off, and `https://` is put in front where
 * no scheme is given. Port and sub path are kept. Throws InputError for a text that is no address for requests.
 */
export function normaliseBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') {
		throw new InputError(
			'The credential has no base URL. Enter the address of your Inspection Service, for example https://api.example.com',
		);
	}
	checkVisible(text);
	const url = parseUrl(SCHEME.test(text) ? text : `https://${text}`);
	// With one slash only, `https:/h` would be read as the host `https`.
	if (url === undefined || /\s|^https?:(?!\/\/)/i.test(text)) {
		throw new InputError(
			`The base URL "${shown(text)}" in the credential is not an address. Enter it in the form https://api.example.com`,
		);
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw new InputError(
			`The base URL "${shown(text)}" in the credential must start with https:// or http://`,
		);
	}
	if (url.username !== '' || url.password !== '') {
		throw new InputError(
			'The base URL in the credential holds a user name or password. Leave them out: the service asks for the API key only',
		);
	}
	if (url.search !== '' || url.hash !== '') {
		throw new InputError(
			`The base URL "${shown(text)}" in the credential must end before "?" and "#". Enter only the address, for example ${url.origin}`,
		);
	}
	return url.origin + withoutVersion(trimmedEnd(url.pathname, '/'));
}

function checkVisible(text: string): void {
	const [character] = INVISIBLE.exec(text) ?? [];
	if (character === undefined) return;
	const place = Array.from(text).indexOf(character) + 1;
	throw new InputError(
		`Character ${String(place)} of the base URL in the credential (${codePoint(character)}) cannot be seen and belongs to no address. Type the address anew, for example https://api.example.com`,
	);
}

/**
 * An address for a message, without its query string and fragment: people paste keys there. Of an address with an `@`
 * only the scheme is shown. It may hold a password, and a password may hold any character, also `/` and `?`.
 */
export function shown(address: string): string {
	const scheme = SCHEME.exec(address)?.[0] ?? '';
	return address.includes('@') ? `${scheme}…` : address.replace(/[?#].*/s, '…');
}

/** Every path of the service begins with `/v1` (such as getTemplate of docs/service.openapi.yaml): a pasted one would double it. */
function withoutVersion(path: string): string {
	return path.replace(/\/v1$/, '');
}

function parseUrl(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}
