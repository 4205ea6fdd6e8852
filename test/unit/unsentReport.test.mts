import { expect, test } from 'vitest';

import { unsentReport } from '#connector/domain/request/unsentReport.ts';

test.each([
	['http://10.1.2.3:8080/inspections', 'N8N_SSRF_ALLOWED_IP_RANGES=10.1.2.3/32 '],
	['https://[fd00::1]', 'N8N_SSRF_ALLOWED_IP_RANGES=fd00::1/128 '],
	['https://inspections.internal', 'N8N_SSRF_ALLOWED_HOSTNAMES=inspections.internal '],
	['http://localhost:4010', 'N8N_SSRF_ALLOWED_HOSTNAMES=localhost '],
])('n8n may reach %s with %s', (baseUrl, entry) => {
	const request = { operation: 'listInspections', baseUrl } as const;
	expect(unsentReport(request, { kind: 'blockedAddress' }).description).toContain(entry);
});
