import { characterIn, cleanLine } from '../formatting';
import { InputError } from '../inputError';
import { isObject } from '../json';
import { percentDecoded, trimmedEnd } from '../normalizeText';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/**
 * A URL parser drops most of these (UTS 46, "ignored"), so the request would go to a different host than the text
 * shows.
 */
const INVISIBLE = /[^\P{White_Space} ]|[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Normalizes a credential's base URL, and adds `https://` if it has no scheme. Throws InputError if requests can't
 * use it.
 */
export function normaliseBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') {
		throw new InputError(
			'The credential has no base URL. Enter the address of your Inspection Service, for example https://api.example.com',
		);
	}
	const [position, number] = characterIn(text, INVISIBLE);
	if (position !== undefined) {
		throw new InputError(
			`Character ${position} of the base URL in the credential (${String(number)}) is invisible and not part of an address. Type the URL again, for example https://api.example.com`,
		);
	}
	const whole = SCHEME.test(text) ? text : `https://${text}`;
	// With only one slash, `https:/h` would be parsed as the host `https`.
	if (!URL.canParse(whole) || /\s|^https?:(?!\/\/)/i.test(text)) {
		throw new InputError(
			`The base URL "${shownAddress(text)}" in the credential is not an address. Enter it in the form https://api.example.com`,
		);
	}
	const { protocol, username, password, search, hash, origin, pathname } = new URL(whole);
	const isWeb = protocol === 'https:' || protocol === 'http:';
	if (!isWeb || [username, password, search, hash].some((part) => part !== '')) {
		throw new InputError(
			`The base URL "${shownAddress(text)}" in the credential must start with https:// or http://, end before "?" and "#", and contain no user name or password. Enter only the address, for example https://api.example.com`,
		);
	}
	// Every path of the service begins with `/v1`, so a pasted `/v1` would be duplicated.
	return origin + trimmedEnd(pathname, '/').replace(/\/v1$/, '');
}

/** Whether `normaliseBaseUrl` adds the scheme. */
export function isHttpsAssumed(value: unknown): boolean {
	return typeof value === 'string' && value.trim() !== '' && !SCHEME.test(value.trim());
}

/** Formats an address for a message, without parts that can contain a key or a password. */
function shownAddress(address: string): string {
	const scheme = SCHEME.exec(address)?.[0] ?? '';
	return address.includes('@') ? `${scheme}…` : address.replace(/[?#].*/s, '…');
}

/**
 * createInspection of docs/service.openapi.yaml doesn't specify its path. The path of the list is the most likely
 * one.
 */
const DEFAULT_CREATE_PATH = '/v1/inspections';

/**
 * Normalizes a credential's create path. Throws InputError for a full address, or a path that leads outside the base
 * URL.
 */
export function normaliseCreatePath(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') return DEFAULT_CREATE_PATH;
	// Detects `.` and `..` segments, even if encoded once (`%2e`) or twice: a server behind a proxy can decode twice.
	const leadsOut = /%[\da-f]{2}|[\p{Cc}\\]|(?:^|\/)\.\.?(?:\/|$)/iu.test(
		percentDecoded(text) ?? '..',
	);
	if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(text) || /[\s\\?#]/.test(text) || leadsOut) {
		throw new InputError(
			`The create path "${shownAddress(text)}" in the credential is not a path. Enter only what follows the base URL, for example ${DEFAULT_CREATE_PATH}`,
		);
	}
	return text.startsWith('/') ? text : `/${text}`;
}

/**
 * Encodes a value as exactly one path segment. Throws InputError if it's blank, or `.` or `..`, which clients treat
 * as folders.
 */
export function pathSegment(name: string, value: string): string {
	const text = value.trim();
	if (text === '') throw new InputError(`${name} is empty. Enter the value to look up`);
	if (text === '.' || text === '..') {
		throw new InputError(`${name} "${text}" can't be looked up. Enter an ID or identifier`);
	}
	// Replace lone surrogates with the replacement character, because they can't be URL-encoded.
	return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
}

/**
 * n8n's HTTP Request node can use the credential for any address. Throws InputError if the API key would be sent
 * elsewhere.
 */
export function checkDestination(
	request: Partial<
		Record<'url' | 'uri' | 'baseURL' | 'proxy' | 'headers' | 'agentOptions', unknown>
	>,
	baseUrl: string,
): void {
	const { origin, host } = new URL(baseUrl);
	const refusal = (message: string) =>
		new InputError(
			`The credential's API key is only sent to ${origin}, and this request ${message}`,
		);
	const { url, uri, baseURL, proxy, headers, agentOptions } = request;
	// n8n versions differ in which of these they use, and clients in how they resolve `//other.example` against a
	// base URL.
	const base = String(baseURL ?? '');
	const named = [url, uri, base].map((address) => String(address ?? '')).filter(Boolean);
	const origins = (named.length === 0 ? [''] : named).map((address) => originOf(address, base));
	const other = origins.find((one) => one !== origin);
	if (other !== undefined) {
		const fix = `Enter a URL that begins with ${origin}, or use another credential`;
		throw refusal(`goes to ${cleanLine(other, 100)}. ${fix}`);
	}
	if (proxy) {
		const fix = "Remove the option Proxy: n8n's own proxy settings apply";
		throw refusal(`uses its own proxy, which could read the key. ${fix}`);
	}
	// Node's agent can connect to a different server than the address names.
	const connectsTo = ['host', 'hostname', 'port', 'path', 'lookup', 'socketPath'];
	const agent = connectsTo.find((name) => isObject(agentOptions) && name in agentOptions);
	if (agent !== undefined)
		throw refusal(`sets where to connect (${agent} of agentOptions). Remove it`);
	// A reverse proxy can use this header to choose the server.
	const members = isObject(headers) ? Object.entries(headers) : [];
	const hosts = members.filter(([name]) => name.trim().toLowerCase() === 'host');
	if (hosts.some(([, value]) => String(value).trim().toLowerCase() !== host)) {
		throw refusal('names another server in its header Host. Remove the header Host');
	}
}

function originOf(address: string, base: string): string {
	if (!URL.canParse(address, base || undefined)) return 'no whole address';
	const { origin, protocol } = new URL(address, base || undefined);
	return origin === 'null' ? protocol : origin;
}
