/** An IP address as the host name of a URL: `10.0.0.5`, or `[::1]`. */
const IP_ADDRESS = /^(?:\[(?<v6>.+)\]|(?<v4>[\d.]+))$/;

/**
 * What to do where n8n is set to refuse the address, which is any in a private network unless it is allowed
 * (`N8N_SSRF_PROTECTION_ENABLED`). n8n looks for an IP address among the allowed ranges only, and for a name among the
 * allowed names first.
 */
export function allowAddress(address: string): string {
	const host = URL.canParse(address) ? new URL(address).hostname : address;
	const { v4, v6 } = IP_ADDRESS.exec(host)?.groups ?? {};
	const range = v4 === undefined ? v6 && `${v6}/128` : `${v4}/32`;
	const entry =
		range === undefined
			? `N8N_SSRF_ALLOWED_HOSTNAMES=${host}`
			: `N8N_SSRF_ALLOWED_IP_RANGES=${range}`;
	return `Whoever runs n8n allows it with ${entry} beside N8N_SSRF_PROTECTION_ENABLED, and starts n8n again.`;
}
