/** What the editor says when a credential is saved. Each case goes through n8n's own helper, over real HTTP. */
import type { INodeCredentialTestResult } from 'n8n-workflow';
import { afterAll, describe, expect, test } from 'vitest';

import { testCredential } from '#connector/transport/credentialTest.ts';
import { type Credential, loadNode } from '#harness/inspectionNodes.mts';
import { core } from '#harness/n8nCore.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { type RawServer, startRawServer } from './rawServer.mts';
import { selfSigned } from './selfSigned.mts';

const { sandbox, credential } = await sandboxForTests();

const servers: RawServer[] = [];
afterAll(async () => {
	for (const server of servers) await server.close();
});
const serve = async (...args: Parameters<typeof startRawServer>) => {
	const server = await startRawServer(...args);
	servers.push(server);
	return server;
};
/** A server that gives one response to everything. */
const answering = async (status: number, body: string, headers = {}) =>
	(await serve((_, response) => response.writeHead(status, headers).end(body))).url;

/** Saves a credential in the editor, from either node. */
async function save(
	changed: Partial<Credential>,
	node: 'inspectionService' | 'inspectionServiceTrigger' = 'inspectionService',
): Promise<INodeCredentialTestResult> {
	const { description, methods } = await loadNode(node);
	const [{ testedBy } = {}] = description.credentials ?? [];
	const ask = methods?.credentialTest?.[String(testedBy)];
	if (ask === undefined) throw new Error(`${node} has no test for its credential`);
	const saved = { id: '1', name: 'Saved', type: 'inspectionServiceApi' };
	const context = new core.CredentialTestContext();
	return await ask.call(context, { ...saved, data: { ...credential, ...changed } });
}

describe('a credential that works', () => {
	test.each(['', '/', '/v1', '/v1/ '])('with "%s" behind the address', async (end) => {
		expect(await save({ baseUrl: sandbox.apiUrl + end })).toMatchObject({ status: 'OK' });
	});

	test('from the trigger', async () => {
		expect(await save({}, 'inspectionServiceTrigger')).toMatchObject({ status: 'OK' });
	});

	test.each(['[]', '{"data":[]}', '{"inspections":[]}'])(
		'in an organization without inspections: %s',
		async (body) => {
			expect(await save({ baseUrl: await answering(200, body) })).toMatchObject({ status: 'OK' });
		},
	);
});

describe('what is wrong is said with what to do, for', () => {
	test.each([
		['no key', { apiKey: ' ' }, /^The credential has no API key\. Enter/],
		['no address', { baseUrl: 'http:/x' }, /is not an address\. Enter it in the form/],
		['a wrong create path', { createPath: 'https://elsewhere.example' }, /create path/i],
		['a wrong key', { apiKey: 'wrong' }, /refused the API key \(401\).*Check the API key/],
		[
			'a key that may not list',
			{ apiKey: sandbox.keys.noList },
			/valid, but may not list inspections \(403\).*the permission to read inspections/,
		],
		[
			'a wrong path',
			{ baseUrl: `${sandbox.apiUrl}/other` },
			/^Nothing answers at \/v1\/inspections below this base URL \(404\).*without "\/v1"/,
		],
		[
			'a server that does not exist',
			{ baseUrl: 'https://inspections.invalid' },
			/^The service at https:\/\/inspections\.invalid could not be reached: (no server of that name was found|its host name could not be looked up) \(\w+\)\. Check the base URL/,
		],
		[
			'a port without a server',
			{ baseUrl: 'http://127.0.0.1:9' },
			/could not be reached: the connection was refused, .*check the base URL/,
		],
		[
			'https where the server has none',
			{ baseUrl: sandbox.apiUrl.replace('http:', 'https:') },
			/no encrypted connection could be made .*https:\/\/ as the service wants it/,
		],
	])('%s', async (_, changed, message) => {
		const result = await save(changed);
		expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(message) });
	});

	test('a certificate that nobody vouches for', async () => {
		const { url } = await serve((_, response) => response.end('[]'), selfSigned());
		expect(await save({ baseUrl: url })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/its certificate is self-signed.*NODE_EXTRA_CA_CERTS/),
		});
	});

	test.each([
		[200, '<!doctype html><title>Portal</title>', /it is a web page titled "Portal", not JSON/],
		[200, '', /\(200\) cannot be used: it is empty/],
		[200, '{"message":"hello"}', /list of inspections has an unknown shape/],
		[404, '<html><body>Not here</body></html>', /The response was a web page/],
		[429, '', /too many requests \(429\)\. Wait 30 s/],
		[500, '{"code":500,"message":"Broken"}', /trouble of its own \(500\): Broken/],
		[503, '', /trouble of its own \(503\).*It may have passed in a while/],
	])('%i %s', async (status, body, message) => {
		const baseUrl = await answering(status, body, { 'retry-after': '30' });
		expect(await save({ baseUrl })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(message),
		});
	});

	test.each([301, 302, 307, 308])(
		'a redirect (%i), which the key does not follow',
		async (status) => {
			const seen: unknown[] = [];
			const target = await serve((request, response) => {
				seen.push(request.headers);
				response.end('[]');
			});
			const location = `${target.url}/v1/inspections?page_size=1`;
			const { message } = await save({ baseUrl: await answering(status, '', { location }) });
			expect(message).toMatch(/sends requests elsewhere .*and they are not followed/);
			expect(message).toContain(new URL(target.url).host);
			expect(seen).toEqual([]);
		},
	);

	test('a server that does not answer', async () => {
		const { url: baseUrl } = await serve(() => undefined);
		const context = new core.CredentialTestContext();
		const saved = { id: '1', name: 'Saved', type: 'inspectionServiceApi' };
		const noTime = { sleep: async () => await Promise.resolve() };
		const data = { ...credential, baseUrl };
		expect(await testCredential(context, { ...saved, data }, noTime)).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('it did not respond in time'),
		});
	});
});

test('a key that the response repeats is not shown', async () => {
	const body = JSON.stringify({ code: 500, message: `Bad key ${credential.apiKey}` });
	const { message } = await save({ baseUrl: await answering(500, body) });
	expect(message).toContain('Bad key');
	expect(message).not.toContain(credential.apiKey);
});
