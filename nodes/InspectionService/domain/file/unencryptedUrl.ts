/**
 * A sentence about a signed URL (http) that is less protected than the service that gave it (https); undefined where
 * there is nothing to say. Of the URL its origin is named only: the rest is a permission to read the file.
 */
export function unencryptedUrlWarning(baseUrl: string, url: string): string | undefined {
	if (!baseUrl.startsWith('https:') || !URL.canParse(url)) return undefined;
	const { protocol, origin } = new URL(url);
	if (protocol !== 'http:') return undefined;
	return `The service gave a file's address without encryption (${origin}): others on the way can read the file. Ask whoever runs the service for https addresses`;
}
