import { InputError } from '../inputError';
import { trimmedEnd } from '../trimmedEnd';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/**
 * A credential's base URL made usable: blanks and trailing slashes off, `https://` in front where no scheme is
 * given, port and sub path kept. Throws InputError for anything that no request could be sent to.
 */
export function normaliseBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') {
		throw new InputError(
			'The credential has no base URL. Enter the address of your Inspection Service, for example https://api.example.com',
		);
	}
	const url = parseUrl(SCHEME.test(text) ? text : `https://${text}`);
	// Of `https:/h` a URL would make the host `https`.
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

/**
 * An address without the parts that people paste keys and passwords in. A password may hold any character, `/` and `?`
 * too, so of an address with an `@` nothing is shown but its scheme.
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
