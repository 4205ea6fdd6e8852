import { InputError } from '../inputError';

/**
 * The address of a file's storage without path and query string: these hold the signature. Throws InputError for a URL
 * that is not opened and not handed on: one that is no web address (`file:`, `javascript:`), because it would be opened
 * or clicked elsewhere, and one with a user name or password, because it shows another host than it leads to.
 */
export function storageOrigin(url: string): string {
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
		const scheme = parsed === undefined ? '' : ` It begins with "${parsed.protocol}".`;
		throw new InputError(
			`The download URL that the service gave is not a web address (http or https), so it is not used.${scheme}`,
		);
	}
	if (parsed.username !== '' || parsed.password !== '') {
		throw new InputError(
			`The download URL that the service gave holds a user name or password, so it is not used. It leads to ${parsed.origin}`,
		);
	}
	return parsed.origin;
}

/**
 * The server of a signed URL that is not encrypted (http), although the service is (https); undefined for any other URL.
 * Only the origin, because the rest of the URL is a permission to read the file.
 */
export function unencryptedOrigin(baseUrl: string, url: string): string | undefined {
	if (!baseUrl.startsWith('https:') || !URL.canParse(url)) return undefined;
	const { protocol, origin } = new URL(url);
	return protocol === 'http:' ? origin : undefined;
}
