import { InputError } from '../inputError';
import { isObject } from '../json';
import { percentDecoded, trimmedEnd } from '../plainText';
import { characterIn, cleanLine } from '../shownText';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** A URL parser drops most of these (UTS 46, "ignored"): another host would be asked than the text seems to name. */
const INVISIBLE = /[^\P{White_Space} ]|[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;

/** A credential's base URL, with `https://` where it has no scheme. Throws InputError for what is no address for requests. */
export function normaliseBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') {
		throw new InputError(
			'The credential has no base URL. Enter the address of your Inspection Service, for example https://api.example.com',
		);
	}
	const [place, number] = characterIn(text, INVISIBLE);
	if (place !== undefined) {
		throw new InputError(
			`Character ${place} of the base URL in the credential (${String(number)}) cannot be seen and belongs to no address. Type the address anew, for example https://api.example.com`,
		);
	}
	const whole = SCHEME.test(text) ? text : `https://${text}`;
	// With one slash only, `https:/h` would be read as the host `https`.
	if (!URL.canParse(whole) || /\s|^https?:(?!\/\/)/i.test(text)) {
		throw new InputError(
			`The base URL "${shownAddress(text)}" in the credential is not an address. Enter it in the form https://api.example.com`,
		);
	}
	const { protocol, username, password, search, hash, origin, pathname } = new URL(whole);
	const isWeb = protocol === 'https:' || protocol === 'http:';
	if (!isWeb || [username, password, search, hash].some((part) => part !== '')) {
		throw new InputError(
			`The base URL "${shownAddress(text)}" in the credential must start with https:// or http://, end before "?" and "#", and hold no user name or password. Enter only the address, for example https://api.example.com`,
		);
	}
	// Every path of the service begins with `/v1`: a pasted one would double it.
	return origin + trimmedEnd(pathname, '/').replace(/\/v1$/, '');
}

/** An address for a message, without what may hold a key or a password. */
function shownAddress(address: string): string {
	const scheme = SCHEME.exec(address)?.[0] ?? '';
	return address.includes('@') ? `${scheme}…` : address.replace(/[?#].*/s, '…');
}

/** createInspection of docs/service.openapi.yaml leaves its path open. The path of the list is the most likely one. */
const DEFAULT_CREATE_PATH = '/v1/inspections';

/** A credential's create path. Throws InputError for a whole address and for a path that leads out of the base URL's. */
export function normaliseCreatePath(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '') return DEFAULT_CREATE_PATH;
	// Whether a segment is `.` or `..`, also encoded (`%2e`) or encoded twice: a server behind a proxy may decode twice.
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

/** A value as exactly one segment of a path. Throws InputError for blanks, and for `.` and `..`: clients take them for folders. */
export function pathSegment(name: string, value: string): string {
	const text = value.trim();
	if (text === '') throw new InputError(`${name} is empty. Enter the value to look up`);
	if (text === '.' || text === '..') {
		throw new InputError(`${name} "${text}" cannot be looked up. Enter an ID or identifier`);
	}
	// Half of a surrogate pair cannot be encoded for a URL: it becomes the replacement character.
	return encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));
}

/** n8n's HTTP Request node can use the credential for any address. Throws InputError where the API key would go elsewhere. */
export function checkDestination(
	request: Partial<
		Record<'url' | 'uri' | 'baseURL' | 'proxy' | 'headers' | 'agentOptions', unknown>
	>,
	baseUrl: string,
): void {
	const { origin, host } = new URL(baseUrl);
	const refusal = (wrong: string) =>
		new InputError(`The credential's API key is sent to ${origin} only, and this request ${wrong}`);
	const { url, uri, baseURL, proxy, headers, agentOptions } = request;
	// Versions of n8n differ in which of them they take, and clients in how they read `//other.example` below a base.
	const base = String(baseURL ?? '');
	const named = [url, uri, base].map((address) => String(address ?? '')).filter(Boolean);
	const origins = (named.length === 0 ? [''] : named).map((address) => originOf(address, base));
	const other = origins.find((one) => one !== origin);
	if (other !== undefined) {
		const cure = `Enter a URL that begins with ${origin}, or use another credential`;
		throw refusal(`goes to ${cleanLine(other, 100)}. ${cure}`);
	}
	if (proxy) {
		const cure = "Remove the option Proxy: n8n's own proxy settings apply";
		throw refusal(`has a proxy of its own, which could read the key. ${cure}`);
	}
	// Node's agent can connect to another server than the address names.
	const connectsTo = ['host', 'hostname', 'port', 'path', 'lookup', 'socketPath'];
	const agent = connectsTo.find((name) => isObject(agentOptions) && name in agentOptions);
	if (agent !== undefined)
		throw refusal(`says where to connect (${agent} of agentOptions). Remove it`);
	// A server in front of several others chooses among them by this header.
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
