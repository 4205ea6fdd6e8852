import { InputError } from '../inputError';
import { cleanLine } from '../shownText';

/** What n8n's request options say about the way of a request. The options of its older helper have `uri` for `url`. */
export interface Destination {
	url?: unknown;
	uri?: unknown;
	/** What `url` or `uri` is relative to. */
	baseURL?: unknown;
	proxy?: unknown;
	headers?: unknown;
	/** Settings of Node's agent, which can connect to another server than the one that the address names. */
	agentOptions?: unknown;
}

const CONNECTS_TO = ['host', 'hostname', 'port', 'path', 'lookup', 'socketPath'];

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
	const other = originsOf(request).find((one) => one !== origin);
	if (other !== undefined) {
		return `goes to ${cleanLine(other, 100)}. Enter a URL that begins with ${origin}, or use another credential`;
	}
	if (request.proxy) {
		return "has a proxy of its own, which could read the key. Remove the option Proxy: n8n's own proxy settings apply";
	}
	const agent = membersOf(request.agentOptions).find(([name]) => CONNECTS_TO.includes(name));
	if (agent !== undefined) return `says where to connect (${agent[0]} of agentOptions). Remove it`;
	// A server in front of several others chooses among them by this header.
	const hosts = membersOf(request.headers).filter(([name]) => name.trim().toLowerCase() === 'host');
	if (hosts.some(([, value]) => String(value).trim().toLowerCase() !== host)) {
		return 'names another server in its header Host. Remove the header Host';
	}
	return undefined;
}

/**
 * The origin of every address that the request names, also of a base by itself: versions of n8n differ in which one they
 * take, and clients in how they read `//other.example` below a base. n8n also takes URL objects.
 */
function originsOf({ url, uri, baseURL }: Destination): string[] {
	const base = String(baseURL ?? '');
	const named = [url, uri, base].map((address) => String(address ?? '')).filter(Boolean);
	return (named.length === 0 ? [''] : named).map((address) => originOf(address, base));
}

function originOf(address: string, base: string): string {
	if (!URL.canParse(address, base || undefined)) return 'no whole address';
	const { origin, protocol } = new URL(address, base || undefined);
	return origin === 'null' ? protocol : origin;
}

function membersOf(value: unknown): [string, unknown][] {
	return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
