/** What a credential says, in the requests of both nodes: where they go, and where the API key must never stand. */
import { describe, expect, test } from 'vitest';

import { startRawServer } from './rawServer.mts';
import { OPERATIONS, serviceForTests, usableFailure } from './serviceClient.mts';

const { sandbox, credential, calls, clientWith, errorOf } = await serviceForTests();
const { apiKey } = credential;

const answering = async () => await startRawServer((_, response) => response.end('{}'));

describe('the API key', () => {
	test.each(OPERATIONS)('is in no error of %s where the response repeats it', async (operation) => {
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

	test('is not in what a success gives on, should the service repeat it', async () => {
		const body = '{"id":"1","name":"For abcd\\u002Fefgh"}';
		sandbox.faults.add({ do: { kind: 'status', status: 200, body } });
		const client = await clientWith({}, { apiKey: 'abcd/efgh' });
		expect(await calls.getTemplate(client)).toEqual({ id: '1', name: 'For [API key]' });
	});

	test.each(OPERATIONS.filter((operation) => operation !== 'downloadFile'))(
		'of %s does not follow a redirect, which is told without its query',
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

test('the base URL may have blanks and the version around a sub path, and an id stays one segment behind it', async () => {
	await using server = await answering();
	const client = await clientWith({}, { baseUrl: ` ${server.url}/proxy/api/v1/ ` });
	const call = client.getTemplate('../A B?x=ä', { includeControls: false });
	await usableFailure(call, credential);
	const path = '/proxy/api/v1/templates/..%2FA%20B%3Fx%3D%C3%A4';
	expect(server.requests.map(({ url }) => url)).toEqual([path]);
});

test('a Create Path that the service does not have is named by the error', async () => {
	const createPath = '/v1/templates/inspections';
	const client = clientWith({}, { advanced: true, createPath });
	const { description } = await errorOf('createInspection', client);
	expect(description).toContain('create path in the credential');
	expect(sandbox.requests.all()).toMatchObject([{ method: 'POST', path: createPath }]);
});
