/** What the editor says when a credential is saved. Each case goes through n8n's own helper, over real HTTP. */
import type { RequestListener } from 'node:http';

import type { INodeCredentialTestResult } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import { testCredential } from '#connector/transport/credentialTest.ts';
import { loadNode } from '#harness/builtPackage.mts';
import { type Credential, CREDENTIAL_TYPE } from '#harness/credential.mts';
import { core } from '#harness/n8nCore.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { startRawServer } from './rawServer.mts';
import { selfSigned } from './selfSigned.mts';

const { sandbox, credential } = await sandboxForTests();

const context = new core.CredentialTestContext();
const saved = (changed: Partial<Credential>) => ({
	...{ id: '1', name: 'Saved', type: CREDENTIAL_TYPE },
	data: { ...credential, ...changed },
});

/** Saves a credential in the editor, from either node. */
async function save(
	changed: Partial<Credential>,
	node: 'inspectionService' | 'inspectionServiceTrigger' = 'inspectionService',
): Promise<INodeCredentialTestResult> {
	const { description, methods } = await loadNode(node);
	const [{ testedBy } = {}] = description.credentials ?? [];
	const ask = methods?.credentialTest?.[String(testedBy)];
	if (ask === undefined) throw new Error(`${node} has no test for its credential`);
	return await ask.call(context, saved(changed));
}

/** Saves a credential for a server that responds so. */
async function saveFor(listener: RequestListener, certificate?: ReturnType<typeof selfSigned>) {
	await using server = await startRawServer(listener, certificate);
	return await save({ baseUrl: server.url });
}

const responding =
	(status: number, body: string, headers = {}): RequestListener =>
	(_, response) =>
		response.writeHead(status, headers).end(body);

const error = (message: RegExp) => ({ status: 'Error', message: expect.stringMatching(message) });

test('a credential works with its version behind the address, from the trigger too, also without inspections', async () => {
	expect(await save({ baseUrl: `${sandbox.apiUrl}/v1/` })).toMatchObject({ status: 'OK' });
	expect(await save({}, 'inspectionServiceTrigger')).toMatchObject({ status: 'OK' });
	expect(await saveFor(responding(200, '{"data":[]}'))).toMatchObject({ status: 'OK' });
});

describe('what is wrong is said with what to do', () => {
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
	])('%s', async (_, changed, message) => {
		expect(await save(changed)).toMatchObject(error(message));
	});

	test('a certificate that nobody vouches for', async () => {
		const told = await saveFor(responding(200, '[]'), selfSigned());
		expect(told).toMatchObject(error(/its certificate is self-signed.*NODE_EXTRA_CA_CERTS/));
	});

	test.each([
		[200, '<!doctype html><title>Portal</title>', /it is a web page titled "Portal", not JSON/],
		[200, '{"message":"hello"}', /list of inspections has an unknown shape/],
		[429, '', /too many requests \(429\)\. Wait 30 s/],
		[500, `{"message":"Bad key ${credential.apiKey}"}`, /own \(500\): Bad key \[API key\]/],
	])('%i %s', async (status, body, message) => {
		const told = await saveFor(responding(status, body, { 'retry-after': '30' }));
		expect(told).toMatchObject(error(message));
		expect(told.message).not.toContain(credential.apiKey);
	});

	test('a redirect, which the key does not follow', async () => {
		await using target = await startRawServer(responding(200, '[]'));
		const told = await saveFor(responding(301, '', { location: `${target.url}/v1/inspections` }));
		expect(told).toMatchObject(error(/sends requests elsewhere .*and they are not followed/));
		expect(told.message).toContain(new URL(target.url).host);
		expect(target.requests).toEqual([]);
	});

	test('a server that does not answer', async () => {
		await using silent = await startRawServer(() => undefined);
		const noTime = { sleep: async () => await Promise.resolve() };
		const told = await testCredential(context, saved({ baseUrl: silent.url }), noTime);
		expect(told).toMatchObject(error(/it did not respond in time/));
	});
});
