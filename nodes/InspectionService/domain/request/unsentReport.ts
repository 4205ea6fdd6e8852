import { cleanLine } from '../shownText';
import type { RequestFailure, ServiceOperation } from './requestFailure';

/** A request that n8n did not send. */
type Unsent = Extract<RequestFailure, { kind: 'notSent' | 'blockedAddress' }>;

/**
 * Where n8n refuses addresses of private networks (`N8N_SSRF_PROTECTION_ENABLED`), its settings are named without a value
 * to copy: the service chooses where its redirects and files lead, `169.254.169.254` for example.
 */
const HOW_TO_ALLOW =
	"Where that is a server of your own, whoever runs n8n can allow it: see n8n's settings N8N_SSRF_ALLOWED_HOSTNAMES and N8N_SSRF_ALLOWED_IP_RANGES.";

/** Why n8n did not send a request, and what to do about it. */
export function unsentReport(
	{ operation, baseUrl }: { operation: ServiceOperation; baseUrl: string },
	failure: Unsent,
) {
	const isStorage = operation === 'downloadFile';
	const { reason, cure } =
		failure.kind === 'blockedAddress'
			? {
					reason: `it is set to refuse ${cleanLine(failure.target, 300) || baseUrl}`,
					cure: `${isStorage ? 'The service gave this address. ' : ''}${HOW_TO_ALLOW}`,
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
