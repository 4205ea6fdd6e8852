/** Tests that n8n's own settings apply to the connector's requests: blocked addresses, and a proxy. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { testCredential } from '#connector/transport/credentialTest.ts';
import { CREDENTIAL_TYPE } from '#harness/credential.mts';
import { core } from '#harness/n8nCore.mts';
import { startRawServer } from '#harness/rawServer.mts';
import { failureOfCall, type Operation, serviceForTests } from './serviceClient.mts';

// Sets these variables first, because n8n reads them when it is loaded. They allow the service's address (localhost),
// but not the storage's address (127.0.0.1).
vi.hoisted(() => {
	process.env.N8N_SSRF_PROTECTION_ENABLED = 'true';
	process.env.N8N_SSRF_ALLOWED_HOSTNAMES = 'localhost';
});

const { sandbox, credential, calls, clientWith } = await serviceForTests();
const localhost = (url: string) => url.replace('127.0.0.1', 'localhost');
const ALLOW = 'the n8n administrator can allow the address';

describe('an address that n8n blocks', () => {
	test.each<Operation>(['listInspections', 'createInspection'])(
		'is reported without an unknown outcome for %s',
		async (operation) => {
			const error = await failureOfCall(calls[operation](await clientWith()));
			expect(error.message).toBe(
				'n8n did not send the request: its settings block the address 127.0.0.1',
			);
			expect(error.description).toContain(ALLOW);
			expect(error.failure).toEqual({ cause: 'configuration-invalid' });
			expect(sandbox.requests.all()).toEqual([]);
		},
	);

	test('is reported when the credential is saved', async () => {
		const saved = { id: '1', name: 'Saved', type: CREDENTIAL_TYPE, data: { ...credential } };
		const told = await testCredential(new core.CredentialTestContext(), saved);
		expect(told).toMatchObject({ status: 'Error', message: expect.stringContaining(ALLOW) });
	});

	test("is attributed to the service if it's a file's address", async () => {
		const client = await clientWith({}, { baseUrl: localhost(credential.baseUrl) });
		const error = await failureOfCall(calls.downloadFile(client));
		expect(error.message).toMatch(/its settings block the address 127\.0\.0\.1$/);
		expect(error.description).toMatch(
			/^The service provided this address\. If this is the address of your own server/,
		);
	});

	test('is reported if the storage redirects to it', async () => {
		await using storage = await startRawServer((request, response) => {
			const isSigning = request.url?.endsWith('/url') === true;
			const file = JSON.stringify({ url: localhost(`http://${request.headers.host ?? ''}/file`) });
			if (isSigning) response.end(file);
			else response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
		});
		const client = await clientWith({}, { baseUrl: localhost(storage.url) });
		const error = await failureOfCall(calls.downloadFile(client));
		expect(error.message).toMatch(/its settings block the address 169\.254\.169\.254$/);
	});
});

test('a proxy handles all requests, even those to the storage', async () => {
	await using proxy = await startRawServer(({ url }, response) => {
		const isSigning = url?.endsWith('/url') === true;
		response.end(isSigning ? '{"url":"http://localhost:2/file"}' : 'its bytes');
	});
	vi.stubEnv('HTTP_PROXY', proxy.url);
	onTestFinished(() => void vi.unstubAllEnvs());
	const client = await clientWith({}, { baseUrl: 'http://localhost:1' });
	expect(String(await calls.downloadFile(client))).toBe('its bytes');
	expect(proxy.requests.map(({ url }) => url)).toEqual([
		expect.stringMatching(/^http:\/\/localhost:1\/v1\//),
		'http://localhost:2/file',
	]);
});

describe('a proxy', () => {
	const PAGE = '<html><title>Stopped by Example Filter</title></html>';
	/** Starts a proxy that responds to every request, and to every CONNECT, with this status and a web page. */
	const respondingProxy = async (status: number) => {
		const proxy = await startRawServer((_, response) => response.writeHead(status).end(PAGE));
		proxy.server.on('connect', (_, socket) => {
			socket.end(`HTTP/1.1 ${String(status)} No\r\ncontent-type: text/html\r\n\r\n${PAGE}`);
		});
		return proxy;
	};
	const throughProxy = (url: string) => {
		vi.stubEnv('HTTP_PROXY', url);
		vi.stubEnv('HTTPS_PROXY', url);
		onTestFinished(() => void vi.unstubAllEnvs());
	};
	const told = async (operation: Operation, scheme: string) => {
		const client = await clientWith({}, { baseUrl: `${scheme}://localhost:1` });
		return await failureOfCall(calls[operation](client));
	};

	describe.each(['http', 'https'])('between n8n and a service with %s', (scheme) => {
		test('has the fix in the error if it blocks a request with a web page', async () => {
			await using proxy = await respondingProxy(403);
			throughProxy(proxy.url);
			const { message, description } = await told('createInspection', scheme);
			expect(message).toBe(
				'A proxy or filter blocked the request (403): Stopped by Example Filter',
			);
			expect(description).toBe(
				"The inspection was not created. Ask the n8n administrator to allow the service's address in the proxy, firewall, or web filter between n8n and the service.",
			);
		});

		test('has the fix in the error if it requires a login', async () => {
			await using proxy = await respondingProxy(407);
			throughProxy(proxy.url);
			const { message, description } = await told('listInspections', scheme);
			expect(message).toMatch(/^The proxy between n8n and the service requires a login \(407\)/);
			expect(description).toBe("Check the proxy settings of n8n's server.");
		});

		test.each([
			['has an unknown name', 'proxy.invalid:3128', 'proxy.invalid', 'no server with that name'],
			["isn't running", '127.0.0.1:9', '127.0.0.1:9', 'the connection was refused'],
		])('is named instead of the service if it %s', async (_, address, named, problem) => {
			throughProxy(`http://${address}`);
			const { message, description } = await told('listInspections', scheme);
			expect(message).toContain(`The proxy ${named} could not be reached: ${problem}`);
			expect(description).toContain("the proxy's address in n8n's settings HTTP_PROXY");
		});
	});
});
