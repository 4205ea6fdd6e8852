import { InputError } from '../inputError';
import { trimmedEnd } from '../plainText';
import { codePoint } from '../shownText';

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

/** createInspection of docs/service.openapi.yaml leaves its path open. The path of the list is the most likely one. */
const DEFAULT_CREATE_PATH = '/v1/inspections';

/**
 * The path of the create operation in a credential, with one leading slash; the default where none is given. Throws
 * InputError for a whole address, because the API key would be sent to another server than that of the base URL, and for
 * a path that leads out of the base URL's.
 */
export function normaliseCreatePath(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') return DEFAULT_CREATE_PATH;
	if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(text) || /[\s\\?#]/.test(text) || leadsOut(text)) {
		throw new InputError(
			`The create path "${shown(text)}" in the credential is not a path. Enter only what follows the base URL, for example ${DEFAULT_CREATE_PATH}`,
		);
	}
	return text.startsWith('/') ? text : `/${text}`;
}

/**
 * Whether a path has a segment `.` or `..`, also an encoded one: `%2e%2e` is `..` to an HTTP client. What is still
 * encoded when it was decoded once (`%252e`) counts as one, because a server behind a proxy may decode twice. So does
 * what cannot be decoded.
 */
function leadsOut(path: string): boolean {
	const plain = decoded(path);
	return plain === undefined || /%[\da-f]{2}|[\p{Cc}\\]|(^|\/)\.\.?(\/|$)/iu.test(plain);
}

function decoded(path: string): string | undefined {
	try {
		return decodeURIComponent(path);
	} catch {
		return undefined;
	}
}

/**
 * A value as exactly one segment of a path, so that no value can lead to another endpoint. `name` is the field's name
 * as the user sees it. Throws InputError for blanks, and for `.` and `..`, because HTTP clients take these for folders.
 */
export function pathSegment(name: string, value: string): string {
	const text = value.trim();
	if (text === '') throw new InputError(`${name} is empty. Enter the value to look up`);
	if (text === '.' || text === '..') {
		throw new InputError(`${name} "${text}" cannot be looked up. Enter an ID or identifier`);
	}
	return encodeURIComponent(wellFormed(text));
}

/** Half of a surrogate pair cannot be encoded for a URL: it becomes the replacement character. */
export function wellFormed(text: string): string {
	return Array.from(text, (character) =>
		/^[\ud800-\udfff]$/.test(character) ? '\ufffd' : character,
	).join('');
}
