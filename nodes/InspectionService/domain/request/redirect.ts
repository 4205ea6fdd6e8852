/** Where a redirect wants requests to go. */
export interface RedirectTarget {
	/** Origin and path only, because a query string may hold secrets. */
	address: string;
	/** Given where the redirect kept the request's path, so that only the base changed. */
	baseUrl?: string;
	/** From https to http: the API key could be read on the way. */
	isDowngrade: boolean;
	/** To another host name: nothing says that it is the service's. */
	isOtherHost: boolean;
}

/** Undefined for a redirect that leads to no web address. */
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
