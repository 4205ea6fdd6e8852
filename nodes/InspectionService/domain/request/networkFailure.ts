import { cleanLine } from '../formatting';
import { isObject, textOf } from '../json';
import { CANCELLED_BEFORE, failureOf, RequestFailure } from './requestFailure';
import type { RequestInfo } from './requestInfo';
import type { RequestEvent } from './retryPolicy';

const CHECK_NAME =
	"Check the base URL in the credential. If it's right, check the DNS settings of n8n's server.";
const CHECK_CONNECTION =
	'This is often temporary. If this continues, check the base URL in the credential: its port, and whether the service needs http:// or https://. Also check the proxy and firewall between n8n and the service.';
const CHECK_CERTIFICATE =
	'Ask the service administrator for a valid certificate, or add its certificate authority to n8n (NODE_EXTRA_CA_CERTS). Also check that the base URL in the credential has the right host name.';
const CHECK_ENCRYPTION =
	'Check the base URL in the credential: its port, and whether the service needs http:// or https://.';

/** `what` completes the sentence "The service could not be reached: …". */
type NetworkProblem = readonly [event: RequestEvent, what: string, fix: string];

const failed = (what: string, fix = CHECK_CONNECTION) => ['connectionFailed', what, fix] as const;
const lost = (what: string) => ['connectionLost', what, CHECK_CONNECTION] as const;
const insecure = (what: string, fix: string) => ['connectionInsecure', what, fix] as const;

const KNOWN = new Map<string, NetworkProblem>([
	['ENOTFOUND', failed('no server with that name was found', CHECK_NAME)],
	['EAI_AGAIN', failed('its host name could not be looked up', CHECK_NAME)],
	[
		'ECONNREFUSED',
		failed('the connection was refused, because nothing listens at that address and port'),
	],
	['ETIMEDOUT', lost('it did not respond in time')],
	['ECONNRESET', lost('the connection was closed before the response was complete')],
]);
/** The system calls that tell whether the request can have been sent, whatever the error's code is. */
const OF_CALL = new Map<string, RequestEvent>([
	['connect', 'connectionFailed'],
	['read', 'connectionLost'],
	['write', 'connectionLost'],
]);

/** Matches OpenSSL's messages about a failed encrypted connection. */
const HANDSHAKE =
	/wrong version number|handshake|unsupported protocol|packet length too long|unrecognized name|http request/i;
const BEFORE_TLS = /before secure TLS connection was established/i;

/** Matches the codes of Node for a certificate that it doesn't trust. The message of the error explains why. */
const CERTIFICATE = /(?:^|_)CERT(?:_|$)|LEAF_SIGNATURE$/;

function classifyNetworkError(code: string, detail: string, syscall: string): NetworkProblem {
	if (BEFORE_TLS.test(detail)) return failed('the connection was closed before it was encrypted');
	const isEncryption = /^(?:EPROTO|ERR_SSL_)/.test(code);
	if (isEncryption && HANDSHAKE.test(`${code.replaceAll('_', ' ')} ${detail}`)) {
		return insecure('no encrypted connection could be established', CHECK_ENCRYPTION);
	}
	const words = cleanLine(detail, 200);
	const reason = words && `: ${words}`;
	if (CERTIFICATE.test(code)) {
		return insecure(`n8n doesn't trust its certificate${reason}`, CHECK_CERTIFICATE);
	}
	const [event, what, fix] = KNOWN.get(code) ?? lost(`the connection failed${reason}`);
	return [OF_CALL.get(syscall) ?? event, what, fix];
}

const PROXY_FIX =
	"n8n sends its requests through this proxy. Ask the n8n administrator to check the proxy's address in n8n's settings HTTP_PROXY, HTTPS_PROXY, and ALL_PROXY.";
const STORAGE_FIX =
	"The service provided this address. If the error continues, check that n8n's server can reach the address (DNS, proxy, and firewall). Also check that n8n trusts its certificate (NODE_EXTRA_CA_CERTS).";

/** Matches the codes of Node's decompressors: zlib, Brotli, and Zstandard. */
const DECOMPRESSION = /^(?:Z_|ERR__ERROR_FORMAT_|ERR_BROTLI_|ZSTD_)/;

interface NetworkError {
	code: string;
	detail?: string;
	syscall?: string;
	/** The proxy's host and port, if the problem is between n8n and a proxy. */
	proxy?: string | undefined;
}

/** Creates the error for a network problem. If it's unknown whether the request was sent, it counts as sent. */
function networkFailure(
	info: RequestInfo,
	{ code, detail = '', syscall = '', proxy }: NetworkError,
): RequestFailure {
	if (DECOMPRESSION.test(code)) {
		return failureOf(info, 'responseBroken', {
			message: `The service sent a damaged response: it can't be decompressed (${code})`,
			description: `The node received the response, but it's damaged. If this continues, ask the service administrator, or check the proxy between n8n and the service.`,
		});
	}
	const { operation, baseUrl } = info;
	const [event, what, fix] = classifyNetworkError(code, detail, syscall);
	const ofService = operation === 'downloadFile' ? STORAGE_FIX : fix;
	const at = baseUrl && ` at ${baseUrl}`;
	const who = proxy === undefined ? `The service${at}` : `The proxy ${proxy}`;
	return failureOf(info, event, {
		message: `${who} could not be reached: ${what}${code && ` (${code})`}`,
		description: proxy === undefined ? ofService : PROXY_FIX,
	});
}

export function timeUp(info: RequestInfo): RequestFailure {
	return networkFailure(info, { code: 'ETIMEDOUT' }).with({ httpCode: 'ETIMEDOUT' });
}

/**
 * Maximum length of a chain of causes. The chain can contain errors of n8n, axios, and Node, and an AggregateError. One
 * more is allowed as a reserve.
 */
const MAX_CAUSES = 5;
const ENDED = new Set<unknown>(['ERR_CANCELED', 'ABORT_ERR', 'ECONNABORTED']);
const BLOCKED = new Set<unknown>(['SsrfBlockedIpError', 'SsrfBlockedHostnameError']);

/**
 * Suggests allowing only the address of the user's own server. The service chooses the addresses of files, and could
 * choose an internal address such as `169.254.169.254`.
 */
const HOW_TO_ALLOW =
	"If this is the address of your own server, the n8n administrator can allow the address with n8n's settings N8N_SSRF_ALLOWED_HOSTNAMES and N8N_SSRF_ALLOWED_IP_RANGES.";
const CANCELLED_UNDERWAY = {
	...CANCELLED_BEFORE.facts,
	message: 'The execution was canceled before the service responded',
};

/**
 * Converts an error of n8n's request helper into a RequestFailure. The error can have four causes:
 * - The node ended the request, because its time limit was reached or the execution was canceled.
 * - n8n's settings block the address.
 * - A network problem, which is among the causes of n8n's error.
 * - Anything else. The request then wasn't sent, unless its response had already started (`hasBegun`).
 */
export function thrownFailure(
	info: RequestInfo,
	error: unknown,
	{
		isCancelled,
		hasBegun = false,
		redact,
	}: { isCancelled: boolean; hasBegun?: boolean; redact: (text: string) => string },
): RequestFailure {
	if (error instanceof RequestFailure) return error;
	const chain = causes(error);
	if (chain.some(({ code }) => ENDED.has(code))) {
		return isCancelled ? failureOf(info, 'canceledAfterSending', CANCELLED_UNDERWAY) : timeUp(info);
	}
	const isStorage = info.operation === 'downloadFile';
	const blocked = chain.find(({ name }) => BLOCKED.has(name));
	if (blocked !== undefined) {
		const address = textOf(blocked.ip) ?? textOf(blocked.hostname) ?? info.baseUrl;
		const given = isStorage ? 'The service provided this address. ' : '';
		return notSent(info, `its settings block the address ${redact(address)}`, given + HOW_TO_ALLOW);
	}
	const isNetwork = chain.some(
		({ isAxiosError, syscall }) => isAxiosError === true || typeof syscall === 'string',
	);
	if (!isNetwork && !hasBegun) {
		const credential = isStorage ? '' : 'the credential of this node, and ';
		const fix = `Check ${credential}the addresses that n8n's settings allow.`;
		return notSent(info, redact(firstText(chain, 'message')), fix);
	}
	const deepest = (name: string) => firstText(chain.toReversed(), name);
	return networkFailure(info, {
		code: deepest('code'),
		detail: redact(deepest('message')),
		syscall: deepest('syscall'),
		proxy: proxyIn(chain, info.baseUrl),
	});
}

/**
 * Returns the host or port that a connection failed to reach, if it's not the one of the request. It is then the one of
 * a proxy, because redirects of requests to the service aren't followed.
 */
function proxyIn(chain: readonly Record<string, unknown>[], baseUrl: string): string | undefined {
	const connecting = chain.find(
		({ syscall }) => syscall === 'getaddrinfo' || syscall === 'connect',
	);
	if (connecting === undefined || !URL.canParse(baseUrl)) return undefined;
	const { hostname, port, protocol } = new URL(baseUrl);
	const host = textOf(connecting.hostname);
	if (host !== undefined) return host === hostname ? undefined : cleanLine(host, 100);
	const ownPort = Number(port) || (protocol === 'https:' ? 443 : 80);
	if (typeof connecting.port !== 'number' || connecting.port === ownPort) return undefined;
	return `${textOf(connecting.address) ?? 'of n8n'}:${String(connecting.port)}`;
}

function causes(error: unknown): Record<string, unknown>[] {
	const chain: Record<string, unknown>[] = [];
	let next = error;
	while (isObject(next) && chain.length < MAX_CAUSES) {
		chain.push(next);
		// Node tries several addresses of a host. Its error then contains one error for each address.
		next = next.cause ?? (Array.isArray(next.errors) ? next.errors[0] : undefined);
	}
	return chain;
}

function firstText(chain: readonly Record<string, unknown>[], name: string): string {
	return chain.map((error) => textOf(error[name])).find((text) => text !== undefined) ?? '';
}

function notSent(info: RequestInfo, reason: string, fix: string): RequestFailure {
	return failureOf(info, 'notSent', {
		message: `n8n did not send the request: ${cleanLine(reason, 300) || 'no reason given'}`,
		description: fix,
	});
}
