/** Where a redirect wants requests to go. */
export interface RedirectTarget {
	/** Origin and path only, because a query string may hold secrets. */
	address: string;
	/** The new base URL; undefined unless the redirect has kept the request's path. */
	baseUrl?: string;
	/** True for a redirect from https to http, where others could read the API key on the way. */
	isDowngrade: boolean;
	/** True for a redirect to another host name, which may not be the service's. */
	isOtherHost: boolean;
}

/** Where a redirect leads; undefined where that is no web address. */
export function redirectTarget(
	request: { baseUrl: string; path: string },
	location: string | undefined,
): RedirectTarget | undefined {
	if (!location || !URL.canParse(location, request.baseUrl + request.path)) {
		return undefined;
	}
	const target = new URL(location, request.baseUrl + request.path);
	if (target.protocol !== 'https:' && target.protocol !== 'http:') return undefined;
	const base = new URL(request.baseUrl);
	const address = target.origin + target.pathname;
	const wanted = request.path.replace(/\?.*/s, '');
	const kept = [wanted, `${wanted}/`].find((path) => path !== '' && address.endsWith(path));
	const baseUrl = kept === undefined ? undefined : address.slice(0, -kept.length);
	return {
		address,
		...(baseUrl === undefined || baseUrl === request.baseUrl ? {} : { baseUrl }),
		isDowngrade: base.protocol === 'https:' && target.protocol === 'http:',
		isOtherHost: base.hostname !== target.hostname,
	};
}
