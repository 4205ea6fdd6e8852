/** What a credential says, in the requests of both nodes: where they go, and where the API key must never stand. */
import { NodeOperationError } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import type { Credential } from '#harness/credential.mts';
import { failureOf } from '#harness/failure.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { startRawServer } from './rawServer.mts';
import { eachCall, executionClient, expectUsable, OPERATIONS } from './serviceClient.mts';

const { sandbox, credential } = await sandboxForTests();
const calls = eachCall(sandbox);
const { apiKey } = credential;

/** A server that answers `{}` to everything, and the paths that it was asked for. */
async function listeningServer() {
	const paths: unknown[] = [];
	const server = await startRawServer(({ url }, response) => {
		paths.push(url);
		response.end('{}');
	});
	return Object.assign(server, { paths });
}

describe('the API key', () => {
	test.each(OPERATIONS)('is in no error of %s where the response repeats it', async (operation) => {
		const location = `https://elsewhere.example/login/${apiKey}?key=${apiKey}`;
		for (const response of [
			{ status: 400, body: { message: `Key ${apiKey} is bad` } },
			{ status: 400, body: `Key ${apiKey}` },
			{ status: 302, headers: { location } },
		]) {
			const fault = sandbox.faults.add({ on: { operation }, do: { kind: 'status', ...response } });
			const error = await failureOf(calls[operation](await executionClient(credential)));
			expectUsable(error, credential);
			if (operation !== 'downloadFile') expect(error.message).toMatch(/\[API( |%20)key\]/);
			fault.remove();
		}
	});

	test('is not in what a success gives on, should the service repeat it', async () => {
		const body = '{"id":"1","name":"For abcd\\u002Fefgh"}';
		sandbox.faults.add({ do: { kind: 'status', status: 200, body } });
		const client = await executionClient({ ...credential, apiKey: 'abcd/efgh' });
		expect(await calls.getTemplate(client)).toEqual({ id: '1', name: 'For [API key]' });
	});

	test('may come from an expression as a number', async () => {
		const numeric = Object.assign({ ...credential }, { apiKey: 1234567890123 });
		sandbox.faults.add({ do: { kind: 'status', status: 400, body: 'No key 1234567890123' } });
		const error = await failureOf(calls.listInspections(await executionClient(numeric)));
		expect(error.message).toContain('No key [API key]');
		expect(sandbox.requests.all().at(-1)?.headers['access-token']).toBe('1234567890123');
	});

	test.each(OPERATIONS.filter((operation) => operation !== 'downloadFile'))(
		'of %s does not follow a redirect, which is told without its query',
		async (operation) => {
			await using elsewhere = await listeningServer();
			const location = `${elsewhere.url}/login?session=secret`;
			sandbox.faults.add({ on: { operation }, do: { kind: 'redirect', location } });
			const error = await failureOf(calls[operation](await executionClient(credential)));
			expectUsable(error, credential);
			expect(error.message).toContain(`to ${elsewhere.url}/login`);
			expect(error.message).not.toContain('secret');
			expect(error.failure).toEqual({ cause: 'configuration-invalid' });
			expect(elsewhere.paths).toEqual([]);
		},
	);
});

test('the base URL may have blanks and the version around a sub path, and an id stays one segment behind it', async () => {
	await using server = await listeningServer();
	const client = await executionClient({ ...credential, baseUrl: ` ${server.url}/proxy/api/v1/ ` });
	await failureOf(client.getTemplate('../A B?x=ä', { includeControls: false }));
	expect(server.paths).toEqual(['/proxy/api/v1/templates/..%2FA%20B%3Fx%3D%C3%A4']);
});

test('a Create Path that the service does not have is named by the error', async () => {
	const createPath = '/v1/templates/inspections';
	const client = await executionClient({ ...credential, advanced: true, createPath });
	const { description } = await failureOf(calls.createInspection(client));
	expect(description).toContain('create path in the credential');
	expect(sandbox.requests.all()).toMatchObject([{ method: 'POST', path: createPath }]);
});

test.each<[string, Partial<Credential>, RegExp]>([
	['an address that is none', { baseUrl: 'ftp://host' }, /base URL "ftp:\/\/host"/],
	['a key that holds what is not seen', { apiKey: 'abcd\u200befgh' }, /Character 5 of the API key/],
	[
		'a create path elsewhere',
		{ advanced: true, createPath: 'https://elsewhere.example' },
		/is not a path/,
	],
])('with %s nothing is sent', async (_, wrong, message) => {
	const failing = executionClient({ ...credential, ...wrong });
	await expect(failing).rejects.toThrow(NodeOperationError);
	await expect(failing).rejects.toThrow(message);
});
