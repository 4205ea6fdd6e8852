import { InputError } from '../inputError';
import { cleanLine, messageText } from '../shownText';
import { shown } from './serviceAddress';

/** Characters of another address that a message shows. Its host is in them. */
const SHOWN_ADDRESS = 100;

/** What n8n's request options say about the way of a request. The options of its older helper have `uri` for `url`. */
export interface Destination {
	url?: unknown;
	uri?: unknown;
	/** What `url` or `uri` is relative to. */
	baseURL?: unknown;
	proxy?: unknown;
	headers?: unknown;
}

/**
 * Throws InputError for a request that would take the API key to another server than the base URL's. n8n's HTTP Request
 * node can use the credential for any address, with a proxy of its own and with any headers. `baseUrl` is a base URL as
 * `normaliseBaseUrl` gives it.
 */
export function checkDestination(request: Destination, baseUrl: string): void {
	const wrong = strangeness(request, new URL(baseUrl));
	if (wrong === undefined) return;
	throw new InputError(
		`The credential's API key is sent to ${new URL(baseUrl).origin} only, and this request ${wrong}`,
	);
}

/** What leads the request away from the base URL's server, with the cure; undefined where nothing does. */
function strangeness(request: Destination, { origin, host }: URL): string | undefined {
	const other = addressesOf(request).find((address) => originOf(address) !== origin);
	if (other !== undefined) {
		return `goes to ${shownAddress(other)}. Enter a URL that begins with ${origin}, or use another credential`;
	}
	if (request.proxy !== undefined && request.proxy !== '' && request.proxy !== false) {
		return "has a proxy of its own, which could read the key. Remove the option Proxy: n8n's own proxy settings apply";
	}
	// A server in front of several others chooses among them by this header.
	if (hostHeaders(request.headers).some((value) => value.toLowerCase() !== host)) {
		return 'names another server in its header Host. Remove the header Host';
	}
	return undefined;
}

/**
 * Every address that the request names, as a whole address where it is relative to `baseURL`. All of them count, because
 * which one a version of n8n takes differs. So does how a relative one is read: `//other.example` is another server to
 * some and a path to others.
 */
function addressesOf({ url, uri, baseURL }: Destination): string[] {
	const [base] = textsOf([baseURL]);
	const addresses = textsOf([url, uri]).map((address) => wholeAddress(address, base));
	return base === undefined && addresses.length > 0 ? addresses : [base ?? '', ...addresses];
}

/** The values as texts, without those that are not there. n8n also takes URL objects. */
function textsOf(values: readonly unknown[]): string[] {
	return values
		.filter((value) => value !== undefined && value !== null && value !== '')
		.map(String);
}

function wholeAddress(address: string, base: string | undefined): string {
	return URL.canParse(address, base) ? new URL(address, base).href : address;
}

/** Scheme, host and port; undefined where the text is no address. */
function originOf(address: string): string | undefined {
	return URL.canParse(address) ? new URL(address).origin : undefined;
}

function shownAddress(address: string): string {
	const origin = originOf(address);
	return origin === undefined || origin === 'null'
		? `"${messageText(cleanLine(shown(address), SHOWN_ADDRESS))}"`
		: cleanLine(origin, SHOWN_ADDRESS);
}

function hostHeaders(headers: unknown): string[] {
	if (typeof headers !== 'object' || headers === null) return [];
	return Object.entries(headers)
		.filter(([name]) => name.trim().toLowerCase() === 'host')
		.map(([, value]) => String(value).trim());
}
