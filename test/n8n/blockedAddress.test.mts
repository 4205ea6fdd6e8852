/** n8n with its protection against requests to internal addresses (SSRF), through its own helpers. */
import { describe, expect, test, vi } from 'vitest';

import { testCredential } from '#connector/transport/credentialTest.ts';
import { core } from '#harness/n8nCore.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { errorOf, executionClient, FIRST_PAGE, takeAll } from './serviceClient.mts';

// n8n reads its settings when it is loaded, so they stand before that. The storage's address stays forbidden.
vi.hoisted(() => {
	process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';
	process.env.N8N_SSRF_ALLOWED_HOSTNAMES = 'localhost';
});

const { sandbox, credential } = await sandboxForTests();
const allowed = {
	...credential,
	baseUrl: credential.baseUrl.replace('127.0.0.1', 'localhost'),
};
const ALLOW = 'Whoever runs n8n allows it with N8N_SSRF_ALLOWED_IP_RANGES=127.0.0.1/32 beside';

describe('an address that n8n is set to refuse', () => {
	test('is named with the setting that allows it', async () => {
		const client = await executionClient(credential);
		const error = await errorOf(client.list(FIRST_PAGE));
		expect(error.message).toBe(
			`n8n did not send the request: it is set to refuse ${sandbox.apiUrl}`,
		);
		expect(error.description).toContain(ALLOW);
		expect(error.failure).toEqual({ cause: 'configuration-invalid' });
		expect(sandbox.requests.all()).toEqual([]);
	});

	test('leaves no doubt about a create', async () => {
		const client = await executionClient(credential);
		const error = await errorOf(client.createInspection({ template_id: 'any' }));
		expect(error.message).toMatch(/^n8n did not send the request/);
		expect(sandbox.requests.all()).toEqual([]);
	});

	test('is told when the credential is saved', async () => {
		const data = { ...credential };
		const saved = { id: '1', name: 'Saved', type: 'inspectionServiceApi', data };
		const told = await testCredential(new core.CredentialTestContext(), saved);
		expect(told).toMatchObject({ status: 'Error' });
		expect(told.message).toContain(ALLOW);
	});

	test('is the service’s doing where it is the address of a file', async () => {
		const template = sandbox.store.addTemplate({ name: 'Ladder' }).id;
		const { id, files } = sandbox.store.addInspection({ template, files: [{ kind: 'image' }] });
		const ids = { inspectionId: id, fileId: files[0]?.id ?? '' };
		const client = await executionClient(allowed);
		const error = await errorOf(client.download(ids, takeAll));
		expect(error.message).toContain(`it is set to refuse ${sandbox.filesUrl}`);
		expect(error.description).toMatch(/^The service gave this address\. Whoever runs n8n allows/);
	});
});

test('a host name that n8n is told to allow is asked', async () => {
	const client = await executionClient(allowed);
	await client.list(FIRST_PAGE);
	expect(sandbox.requests.count('listInspections')).toBe(1);
});
