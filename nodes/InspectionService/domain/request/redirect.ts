/**
 * Where a redirect wants requests to go. `address` is origin and path only, because a query string may hold
 * secrets. `baseUrl` is given where the redirect kept the request's path, so that only the base changed.
 */
export function redirectedBaseUrl(
	request: { baseUrl: string; path: string },
	location: string | undefined,
): { address: string; baseUrl?: string } | undefined {
	if (!location || !URL.canParse(location, request.baseUrl + request.path)) {
		return undefined;
	}
	const target = new URL(location, request.baseUrl + request.path);
	if (target.protocol !== 'https:' && target.protocol !== 'http:') return undefined;
	const address = target.origin + target.pathname;
	const wanted = request.path.split('?', 1)[0] ?? '';
	const kept = [wanted, `${wanted}/`].find((path) => path !== '' && address.endsWith(path));
	const baseUrl = kept === undefined ? undefined : address.slice(0, -kept.length);
	return baseUrl === undefined || baseUrl === request.baseUrl ? { address } : { address, baseUrl };
}
