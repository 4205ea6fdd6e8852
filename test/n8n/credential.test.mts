/** Tests which requests get the credential's API key, that no message has it, and what saving a credential reports. */
import type { RequestListener } from 'node:http';

import type { INodeCredentialTestResult } from 'n8n-workflow';
import { describe, expect, test, vi } from 'vitest';

import { testCredential } from '#connector/transport/credentialTest.ts';
import { builtNode } from '#harness/builtPackage.mts';
import { type Credential, CREDENTIAL_TYPE } from '#harness/credential.mts';
import { core } from '#harness/n8nCore.mts';
import { selfSigned, startRawServer } from '#harness/rawServer.mts';
import { OPERATIONS, serviceForTests, usableFailure } from './serviceClient.mts';

const { sandbox, credential, calls, clientWith, errorOf } = await serviceForTests();
const { apiKey } = credential;

const answering = async () => await startRawServer((_, response) => response.end('{}'));

describe('the API key', () => {
	test.each(OPERATIONS)('is in no error of %s if the response repeats it', async (operation) => {
		const location = `https://elsewhere.example/login/${apiKey}?key=${apiKey}`;
		for (const response of [
			{ status: 400, body: { message: `Key ${apiKey} is bad` } },
			{ status: 400, body: `Key ${apiKey}` },
			{ status: 302, headers: { location } },
		]) {
			const fault = sandbox.faults.add({ on: { operation }, do: { kind: 'status', ...response } });
			const error = await errorOf(operation);
			if (operation !== 'downloadFile') expect(error.message).toMatch(/\[API( |%20)key\]/);
			fault.remove();
		}
	});

	test("isn't redacted in the data of a success that repeats it", async () => {
		const body = '{"id":"1","name":"For abcd/efgh","abcd/efgh":"abcd\\u002Fefgh"}';
		sandbox.faults.add({ do: { kind: 'status', status: 200, body } });
		const client = await clientWith({}, { apiKey: 'abcd/efgh' });
		expect(await calls.getTemplate(client)).toEqual(JSON.parse(body));
	});

	test.each([
		[400, '{"message":"Key abcd\\/efgh"}'],
		[400, '{"message":"Key abcd\\u002fefgh"}'],
		[400, `{"message":"${'Key '.repeat(70)}abcd/efgh and more"}`],
		[200, '<html><title>Key abcd/efgh</title>'],
		[200, 'Key abcd/efgh'],
		[200, '{"abcd/efgh":1}'],
	])('is in no error for %i %s', async (status, body) => {
		const fault = sandbox.faults.add({ do: { kind: 'status', status, body } });
		const client = await clientWith({}, { apiKey: 'abcd/efgh' });
		const { message } = await usableFailure(calls.getTemplate(client), {
			...credential,
			apiKey: 'abcd',
		});
		expect(message).toMatch(/\[API(?: key\]|.{0,5}…)/);
		fault.remove();
	});

	test.each(OPERATIONS.filter((operation) => operation !== 'downloadFile'))(
		"isn't sent to the target of a redirect from %s",
		async (operation) => {
			await using elsewhere = await answering();
			const location = `${elsewhere.url}/login?session=secret`;
			sandbox.faults.add({ on: { operation }, do: { kind: 'redirect', location } });
			const error = await errorOf(operation);
			expect(error.message).toContain(`to ${elsewhere.url}/login`);
			expect(error.message).not.toContain('secret');
			expect(error.failure).toEqual({ cause: 'configuration-invalid' });
			expect(elsewhere.requests).toEqual([]);
		},
	);
});

test('builds the address from a base URL with spaces, a sub path, or the version', async () => {
	await using server = await answering();
	const client = await clientWith({}, { baseUrl: ` ${server.url}/proxy/api/v1/ ` });
	const call = client.getTemplate('../A B?x=ä', { includeControls: false });
	await usableFailure(call, credential);
	const path = '/proxy/api/v1/templates/..%2FA%20B%3Fx%3D%C3%A4';
	expect(server.requests.map(({ url }) => url)).toEqual([path]);
});

test("the error mentions a Create Path that the service doesn't have", async () => {
	const createPath = '/v1/templates/inspections';
	const client = clientWith({}, { advanced: true, createPath });
	const { description } = await errorOf('createInspection', client);
	expect(description).toContain("'Create Path' in the credential");
	expect(sandbox.requests.all()).toMatchObject([{ method: 'POST', path: createPath }]);
});

const context = new core.CredentialTestContext();
const saved = (changed: Partial<Credential>) => ({
	id: '1',
	name: 'Saved',
	type: CREDENTIAL_TYPE,
	data: { ...credential, ...changed },
});

/** Tests a credential as the editor does when the user saves it, with the method of either node. */
async function save(
	changed: Partial<Credential>,
	node: 'inspectionService' | 'inspectionServiceTrigger' = 'inspectionService',
): Promise<INodeCredentialTestResult> {
	const { description, methods } = builtNode(node);
	const [{ testedBy } = {}] = description.credentials ?? [];
	const ask = methods?.credentialTest?.[String(testedBy)];
	if (ask === undefined) throw new Error(`${node} has no test for its credential`);
	return await ask.call(context, saved(changed));
}

/** Tests a credential as `save` does, for a server with this listener. */
async function saveFor(...serving: Parameters<typeof startRawServer>) {
	await using server = await startRawServer(...serving);
	return await save({ baseUrl: server.url });
}

const responding =
	(status: number, body: string, headers = {}): RequestListener =>
	(_, response) =>
		response.writeHead(status, headers).end(body);

const error = (message: RegExp) => ({ status: 'Error', message: expect.stringMatching(message) });

test('a credential passes its test with the version after the address, in the trigger, or without inspections', async () => {
	expect(await save({ baseUrl: `${sandbox.apiUrl}/v1/` })).toMatchObject({ status: 'OK' });
	expect(await save({}, 'inspectionServiceTrigger')).toMatchObject({ status: 'OK' });
	expect(await saveFor(responding(200, '{"data":[]}'))).toMatchObject({ status: 'OK' });
});

describe('saving an invalid credential reports how to fix', () => {
	test.each([
		['no key', { apiKey: ' ' }, /^The credential has no API key\. Enter/],
		[
			'no address',
			{ baseUrl: 'http:/x' },
			/is not an address of the service\. Enter it in the form/,
		],
		['a wrong create path', { createPath: 'https://elsewhere.example' }, /create path/i],
		['a wrong key', { apiKey: 'wrong' }, /refused the API key \(401\).*Check the API key/],
		[
			'a key without permission to list',
			{ apiKey: sandbox.keys.noList },
			/valid, but doesn't have permission to list inspections \(403\).*permission to read inspections/,
		],
		[
			'a wrong path',
			{ baseUrl: `${sandbox.apiUrl}/other` },
			/^Nothing responds at \/v1\/inspections below this base URL \(404\).*without "\/v1"/,
		],
	])('%s', async (_, changed, message) => {
		expect(await save(changed)).toMatchObject(error(message));
	});

	test('a wrong address without https://, by showing that https was assumed', async () => {
		const { host } = new URL(sandbox.apiUrl);
		const { message } = await save({ baseUrl: host });
		expect(message).toContain(`The service at https://${host} could not be reached`);
		expect(message).toContain('whether the service needs http:// or https://');
	});

	test('an untrusted certificate', async () => {
		const told = await saveFor(responding(200, '[]'), await selfSigned());
		expect(told).toMatchObject(
			error(/doesn't trust its certificate: self-signed certificate.*NODE_EXTRA_CA_CERTS/),
		);
	});

	test.each([
		[200, '<!doctype html><title>Portal</title>', /it is a web page titled "Portal", not JSON/],
		[200, '{"message":"hello"}', /list of inspections in an unknown form/],
		[429, '', /too many requests \(429\)\. Wait 30 seconds/],
		[500, `{"message":"Bad key ${credential.apiKey}"}`, /request \(500\): Bad key \[API key\]/],
	])('%i %s', async (status, body, message) => {
		const told = await saveFor(responding(status, body, { 'retry-after': '30' }));
		expect(told).toMatchObject(error(message));
		expect(told.message).not.toContain(credential.apiKey);
	});

	test("a redirect, which the key doesn't follow", async () => {
		await using target = await startRawServer(responding(200, '[]'));
		const told = await saveFor(responding(301, '', { location: `${target.url}/v1/inspections` }));
		expect(told).toMatchObject(error(/redirects requests .*The redirect isn't followed/));
		expect(told.message).toContain(new URL(target.url).host);
		expect(target.requests).toEqual([]);
	});

	test("a server that doesn't respond", async () => {
		await using silent = await startRawServer(() => undefined);
		const noTime = { sleep: async () => await Promise.resolve() };
		const told = await testCredential(context, saved({ baseUrl: silent.url }), noTime);
		expect(told).toMatchObject(error(/it did not respond in time/));
	});

	test.each<[string, RequestListener]>([
		['whose beginning trickles', ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\nx-slow: ')],
		[
			'that trickles',
			(_request, response) => void response.writeHead(200, { 'content-length': 9_999 }).write(' '),
		],
	])('a response %s, whose connection then ends', async (_, begin) => {
		let hasEnded = false;
		let passTime: () => void = () => undefined;
		const timePasses = new Promise<void>((resolve) => void (passTime = resolve));
		await using trickling = await startRawServer((request, response) => {
			begin(request, response);
			const timer = setInterval(() => request.socket.write(' '), 20);
			request.socket.on('close', () => {
				clearInterval(timer);
				hasEnded = true;
			});
			setTimeout(passTime, 100);
		});
		const timing = { sleep: async () => await timePasses };
		const told = await testCredential(context, saved({ baseUrl: trickling.url }), timing);
		expect(told).toMatchObject(error(/it did not respond in time/));
		await vi.waitUntil(() => hasEnded, 5_000);
	});
});
