import { cleanLine } from '../shownText';
import type { RequestFailure, ServiceOperation } from './requestFailure';

/** A request that n8n did not send. */
type Unsent = Extract<RequestFailure, { kind: 'notSent' | 'blockedAddress' }>;

/** An IP address as the host name of a URL: `10.0.0.5`, or `[::1]`. */
const IP_ADDRESS = /^(?:\[(?<v6>.+)\]|(?<v4>[\d.]+))$/;

/** Why n8n did not send a request, and what to do about it. */
export function unsentReport(
	{ operation, baseUrl }: { operation: ServiceOperation; baseUrl: string },
	failure: Unsent,
) {
	const isStorage = operation === 'downloadFile';
	const { reason, cure } =
		failure.kind === 'blockedAddress'
			? {
					reason: `it is set to refuse ${baseUrl}`,
					cure: `${isStorage ? 'The service gave this address. ' : ''}${howToAllow(baseUrl)}`,
				}
			: {
					reason: cleanLine(failure.detail, 300) || 'no reason given',
					cure: `Check ${isStorage ? '' : 'the credential of this node, and '}what n8n allows it to reach.`,
				};
	return {
		message: `n8n did not send the request: ${reason}`,
		description: cure,
		failure: { cause: 'configuration-invalid' as const },
	};
}

/**
 * How to allow an address where n8n refuses all those of private networks (`N8N_SSRF_PROTECTION_ENABLED`). It looks for
 * an IP address among the allowed ranges only, and for a name among the allowed names first.
 */
function howToAllow(address: string): string {
	const host = URL.canParse(address) ? new URL(address).hostname : address;
	const { v4, v6 } = IP_ADDRESS.exec(host)?.groups ?? {};
	const range = v4 === undefined ? v6 && `${v6}/128` : `${v4}/32`;
	const entry =
		range === undefined
			? `N8N_SSRF_ALLOWED_HOSTNAMES=${host}`
			: `N8N_SSRF_ALLOWED_IP_RANGES=${range}`;
	return `Whoever runs n8n allows it with ${entry} beside N8N_SSRF_PROTECTION_ENABLED, and starts n8n again.`;
}
