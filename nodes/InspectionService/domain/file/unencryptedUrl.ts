/**
 * A warning about a signed URL that is not encrypted (http), although the service is (https); undefined for any other
 * URL. The warning shows only the URL's origin, because the rest is a permission to read the file.
 */
export function unencryptedUrlWarning(baseUrl: string, url: string): string | undefined {
	if (!baseUrl.startsWith('https:') || !URL.canParse(url)) return undefined;
	const { protocol, origin } = new URL(url);
	if (protocol !== 'http:') return undefined;
	return `The service gave a file's address without encryption (${origin}): others on the way can read the file. Ask whoever runs the service for https addresses`;
}
