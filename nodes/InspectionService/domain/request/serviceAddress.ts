import { characterIn, cleanLine } from '../formatting';
import { InputError } from '../inputError';
import { isObject } from '../json';
import { percentDecoded, trimmedEnd } from '../normalizeText';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/**
 * Matches an invisible character. URL parsers remove most of them (UTS 46, "ignored"), so a request would go to a
 * different host than the text suggests.
 */
const INVISIBLE = /[^\P{White_Space} ]|[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Normalizes the base URL of a credential. Adds `https://` if the URL has no scheme. Throws InputError if the URL can't
 * be used for requests.
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
	const url = URL.canParse(whole) ? new URL(whole) : undefined;
	const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
	const others = [url?.username, url?.password, url?.search, url?.hash];
	// Reject `https:/h`. Because it has no `://`, the code above added `https://`, and the host would be `https`.
	if (!isWeb || others.some(Boolean) || /\s|^https?:(?!\/\/)/i.test(text)) {
		throw new InputError(
			`The base URL "${shownAddress(text)}" in the credential is not an address of the service. Enter it in the form https://api.example.com, without "?", "#", a user name, or a password`,
		);
	}
	// Remove `/v1`, because every path of the service already begins with it.
	return url.origin + trimmedEnd(url.pathname, '/').replace(/\/v1$/, '');
}

/** Formats an address for a message. Leaves out the parts that can contain a key or a password. */
function shownAddress(address: string): string {
	const scheme = SCHEME.exec(address)?.[0] ?? '';
	return address.includes('@') ? `${scheme}…` : address.replace(/[?#].*/s, '…');
}

/**
 * The path for creating inspections. The service's documentation doesn't name a path (createInspection of
 * docs/service.openapi.yaml). The most likely one is the path that lists inspections.
 */
const DEFAULT_CREATE_PATH = '/v1/inspections';

/**
 * Normalizes the create path of a credential. Throws InputError for a full address, and for a path that leads outside
 * the base URL.
 */
export function normaliseCreatePath(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') return DEFAULT_CREATE_PATH;
	// Reject `.` and `..` segments, even if they are encoded (`%2e`). Also reject them if they are encoded twice, because
	// servers after a proxy can decode a path again.
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
 * Encodes a value as one path segment. Throws InputError for blank text, and for `.` and `..`, which HTTP clients
 * interpret as folders.
 */
export function pathSegment(name: string, value: string): string {
	const text = value.trim();
	if (['', '.', '..'].includes(text)) {
		throw new InputError(
			`The field '${name}' has the value "${text}", which can't be an ID or an identifier. Enter the ID or identifier`,
		);
	}
	// Replace unpaired surrogates with the replacement character, because they can't be URL-encoded.
	return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
}

/**
 * Throws InputError if a request would send the API key to a server other than that of the base URL. n8n's HTTP Request
 * node can use the credential for any address.
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
	// Check all of these addresses, because n8n versions use different ones. HTTP clients also differ in how they combine
	// `//other.example` with a base URL.
	const base = String(baseURL ?? '');
	const named = [url, uri, base].map((address) => String(address ?? '')).filter(Boolean);
	const origins = (named.length === 0 ? [''] : named).map((address) => originOf(address, base));
	const other = origins.find((one) => one !== origin);
	if (other !== undefined) {
		const fix = `Enter a URL that begins with ${origin}, or use a different credential`;
		throw refusal(`goes to ${cleanLine(other, 100)}. ${fix}`);
	}
	if (proxy) {
		const fix = "Remove the option 'Proxy': n8n's own proxy settings apply";
		throw refusal(`uses a separate proxy, which could read the key. ${fix}`);
	}
	// With these options, Node's agent can connect to a different server than the one in the URL.
	const connectsTo = ['host', 'hostname', 'port', 'path', 'lookup', 'socketPath'];
	const agent = connectsTo.find((name) => isObject(agentOptions) && name in agentOptions);
	if (agent !== undefined)
		throw refusal(
			`has the setting "${agent}" under agentOptions, which changes the server that n8n connects to. Remove this setting`,
		);
	// A reverse proxy can choose the server by the Host header.
	const members = isObject(headers) ? Object.entries(headers) : [];
	const hosts = members.filter(([name]) => name.trim().toLowerCase() === 'host');
	if (hosts.some(([, value]) => String(value).trim().toLowerCase() !== host)) {
		throw refusal(
			'has a header named "Host" with a different server. Remove this header from the node that sends the request',
		);
	}
}

function originOf(address: string, base: string): string {
	if (!URL.canParse(address, base || undefined)) return 'an incomplete address';
	const { origin, protocol } = new URL(address, base || undefined);
	return origin === 'null' ? protocol : origin;
}
