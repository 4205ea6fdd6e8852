import fc from 'fast-check';
import { NodeOperationError } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';

import type { InspectionServiceClient } from '#connector/transport/inspectionServiceClient.ts';
import { executeNode } from '#harness/inspectionNodes.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { ErrorBody } from '#sandbox/service/settings.mts';
import { startRawServer } from './rawServer.mts';
import { selfSigned } from './selfSigned.mts';
import { errorOf, everythingOf, executionClient, FIRST_PAGE } from './serviceClient.mts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

const { sandbox, credential } = await sandboxForTests();
const templateId = sandbox.store.addTemplate({ name: 'Ladder', identifier: 'A B/C' }).id;

const clientWith = async (apiKey: string) => await executionClient({ ...credential, apiKey });

describe('what the document lists is told with its cure', () => {
	const anyTemplate = (client: InspectionServiceClient) =>
		client.getTemplate(NOWHERE, { includeControls: false });

	test.each(['expired', 'noOrganization', 'noPublicApi'] as const)('key %s', async (name) => {
		const error = await errorOf(anyTemplate(await clientWith(sandbox.keys[name])));
		expect(error.message).toBe(
			'The service refused the API key (401): Access denied because of invalid or missing credentials',
		);
		expect(error.description).toContain('Check the API key in the credential');
		expect(error.httpCode).toBe('401');
		expect(error.failure).toEqual({ cause: 'credential-invalid' });
	});

	test('a template that is not there', async () => {
		const error = await errorOf(anyTemplate(await clientWith(sandbox.keys.north)));
		expect(error.message).toMatch(
			/^The template "[^"]+" was not found \(404\): Template not found$/,
		);
		expect(error.failure).toEqual({ cause: 'configuration-invalid' });
	});

	test('a template that a create names wrongly', async () => {
		const client = await clientWith(sandbox.keys.north);
		const error = await errorOf(client.createInspection({ template_id: NOWHERE }));
		expect(error.message).toMatch(/^The template was not found, or the team is not .* \(404\): ./);
		expect(error.description).toContain('The inspection was not created');
	});

	test('a key that may not create', async () => {
		const client = await clientWith(sandbox.keys.readOnly);
		const error = await errorOf(client.createInspection({ template_id: templateId }));
		expect(error.message).toMatch(/^The API key may not create this inspection \(403\): ./);
	});

	test('a Create Path of the credential that the service does not have', async () => {
		const createPath = '/v1/templates/inspections';
		const client = await executionClient({ ...credential, createPath });
		const error = await errorOf(client.createInspection({ template_id: templateId }));
		expect(error.description).toContain('create path in the credential');
		expect(sandbox.requests.all()).toMatchObject([{ method: 'POST', path: createPath }]);
	});

	test('a filter that the service does not take', async () => {
		const client = await clientWith(sandbox.keys.north);
		const error = await errorOf(client.list({ ...FIRST_PAGE, teamId: NOWHERE }));
		expect(error.message).toMatch(/\((400|404)\): ./);
		expect(error.description).toContain('team');
	});

	test('an inspection or file that is not there', async () => {
		const client = await clientWith(sandbox.keys.north);
		const error = await errorOf(client.getFileUrl(NOWHERE, NOWHERE));
		expect(error.message).toMatch(/^The inspection or the file was not found \(404\): ./);
	});

	test.each([
		'codeMessage',
		'error.message',
		'errorText',
		'errorsArray',
		'errorsObject',
		'problem',
		'text',
		'html',
		'empty',
	] satisfies ErrorBody[])('in whatever body the words come: %s', async (shape) => {
		sandbox.settings.errorBody = shape;
		const client = await clientWith(sandbox.keys.readOnly);
		const error = await errorOf(client.createInspection({ template_id: templateId }));
		const words = shape === 'empty' || shape === 'html' ? '' : 'permission|allowed|permitted';
		expect(error.message).toMatch(
			new RegExp(`may not create this inspection \\(403\\).*${words}`, 'i'),
		);
		expect(error.message).not.toMatch(/[<{[]/);
	});
});

describe('the API key', () => {
	test.each([
		['text', (key: string) => `No such key: ${key}`],
		['JSON', (key: string) => ({ code: 500, message: `Key ${key} broke it`, key })],
	])('is taken out of an error that repeats it as %s', async (_name, body) => {
		sandbox.faults.add({ do: { kind: 'status', status: 400, body: body(credential.apiKey) } });
		const client = await executionClient(credential);
		const error = await errorOf(client.list(FIRST_PAGE));
		expect(error.message).toContain('[API key]');
		expect(everythingOf(error)).not.toContain(credential.apiKey);
	});

	test.each([
		['a blank at its end', 'abcdefghijkl ', '{"message":"Key abcdefghijkl is bad"}'],
		['a slash that PHP escapes', 'abcd/efgh/ijkl', '{"message":"Key abcd\\/efgh\\/ijkl"}'],
		['a plus that .NET escapes', 'abcd+efgh', '{"message":"Key abcd\\u002Befgh"}'],
		['a page of HTML', 'abcd&efgh', '<html><title>Key abcd&amp;efgh</title></html>'],
	])('is taken out of an error also with %s', async (_name, apiKey, body) => {
		sandbox.faults.add({ do: { kind: 'status', status: 400, body } });
		const error = await errorOf((await clientWith(apiKey)).list(FIRST_PAGE));
		expect(error.message).toContain('Key [API key]');
		sandbox.faults.clear();
		sandbox.faults.add({
			do: { kind: 'status', status: 302, headers: { location: `/login/${apiKey.trim()}` } },
		});
		const redirect = await errorOf((await clientWith(apiKey)).list(FIRST_PAGE));
		expect(redirect.message).toMatch(/\/login\/\[API( |%20)key\]$/);
	});

	test('is in no error, whatever failed', async () => {
		const dead = { ...credential, baseUrl: 'http://127.0.0.1:9' };
		const client = await executionClient(dead);
		const errors = [
			await errorOf(client.list(FIRST_PAGE)),
			await errorOf(client.createInspection({ template_id: templateId })),
		];
		sandbox.faults.add({ do: { kind: 'reset', when: 'after' } });
		errors.push(await errorOf((await executionClient(credential)).list(FIRST_PAGE)));
		for (const error of errors) expect(everythingOf(error)).not.toContain(credential.apiKey);
	});

	test('is taken out also where an expression gives it as a number', async () => {
		const client = await executionClient(
			Object.assign({ ...credential }, { apiKey: 1234567890123 }),
		);
		sandbox.faults.add({ do: { kind: 'status', status: 400, body: 'No key 1234567890123' } });
		const error = await errorOf(client.list(FIRST_PAGE));
		expect(error.message).toContain('No key [API key]');
		expect(sandbox.requests.all().at(-1)?.headers['access-token']).toBe('1234567890123');
	});

	test.each(['abcd\u200befgh', 'abcd\nefgh', 'abcd\u0000efgh'])(
		'that would be sent without an invisible character is refused: %j',
		async (apiKey) => {
			await expect(clientWith(apiKey)).rejects.toThrow(
				/Character 5 of the API key .* cannot be sent/,
			);
		},
	);

	test('is not in what a success gives on, should the service repeat it', async () => {
		sandbox.faults.add({
			do: { kind: 'body', body: { id: templateId, name: `For ${credential.apiKey}` } },
		});
		const client = await executionClient(credential);
		const template = await client.getTemplate(templateId, { includeControls: false });
		expect(template.name).toBe('For [API key]');
		sandbox.faults.clear();
		const body = '{"id":"1","name":"For abcd\\u002Fefgh"}';
		sandbox.faults.add({ do: { kind: 'status', status: 200, body } });
		const escaped = await (
			await clientWith('abcd/efgh')
		).getTemplate('x', { includeControls: false });
		expect(escaped.name).toBe('For [API key]');
	});

	test('goes nowhere but to the base URL: a redirect is told, not followed', async () => {
		const { server, url, requests } = await listeningServer();
		sandbox.faults.add({
			do: { kind: 'redirect', location: `${url}/api/v1/templates/${templateId}?token=secret` },
		});
		const client = await executionClient(credential);
		const error = await errorOf(client.getTemplate(templateId, { includeControls: false }));
		await server.close();
		expect(requests).toEqual([]);
		expect(error.description).toBe(`Set the base URL in the credential to ${url}/api`);
		expect(error.message).not.toContain('secret');
		expect(error.failure).toEqual({ cause: 'configuration-invalid' });
	});
});

/** A server that answers `{}` to everything, and the paths that it was asked for. */
async function listeningServer() {
	const requests: string[] = [];
	const server = await startRawServer((request, response) => {
		requests.push(request.url ?? '');
		response.end('{}');
	});
	return { server, requests, url: server.url };
}

describe('a service that cannot be reached', () => {
	const messageAt = async (baseUrl: string) => {
		const client = await executionClient({ ...credential, baseUrl });
		return await errorOf(client.createInspection({ template_id: templateId }));
	};

	test('because its name does not exist', async () => {
		const error = await messageAt('http://no-such-host.invalid');
		expect(error.message).toMatch(
			/(no server of that name was found|host name could not be looked up) \(E\w+\)$/,
		);
		expect(error.description).toContain('base URL');
	});

	test('because its certificate is its own', async () => {
		const server = await startRawServer((_request, response) => response.end('{}'), selfSigned());
		const error = await messageAt(server.url);
		await server.close();
		expect(error.message).toContain('its certificate is self-signed');
		expect(error.description).toContain('NODE_EXTRA_CA_CERTS');
		expect(error.failure).toEqual({ cause: 'configuration-invalid' });
	});

	test('because it speaks no TLS at that port', async () => {
		const error = await messageAt(sandbox.apiUrl.replace('http:', 'https:'));
		expect(error.message).toContain('no encrypted connection could be made');
		expect(sandbox.requests.count()).toBe(0);
	});
});

describe('the base URL', () => {
	test.each([
		['a trailing slash', (url: string) => `${url}/`],
		['blanks', (url: string) => `  ${url}  `],
		['the version', (url: string) => `${url}/v1/`],
	])('may have %s', async (_name, change) => {
		const client = await executionClient({ ...credential, baseUrl: change(sandbox.apiUrl) });
		await client.list(FIRST_PAGE);
		expect(client.baseUrl).toBe(sandbox.apiUrl);
	});

	test('may have a sub path', async () => {
		const { server, url, requests } = await listeningServer();
		const client = await executionClient({ ...credential, baseUrl: `${url}/proxy/api/` });
		await errorOf(client.getTemplate('x', { includeControls: false }));
		await server.close();
		expect(requests[0]).toBe('/proxy/api/v1/templates/x');
	});

	test.each(['', ' ', 'ftp://host', 'not an address', 'https://user:pw@host', 'https://host/?a=1'])(
		'"%s" is refused before anything is sent',
		async (baseUrl) => {
			await expect(executionClient({ ...credential, baseUrl })).rejects.toThrow(NodeOperationError);
		},
	);
});

describe('an id is one segment of the path', () => {
	test.each([
		['A B/C', 'a%20b%2Fc'],
		['../inspections', '..%2Finspections'],
		['x?includes=data', 'x%3Fincludes%3Ddata'],
		['ä%2F#', '%C3%A4%252F%23'],
	])('%s', async (identifier, segment) => {
		const client = await executionClient(credential);
		await client.getTemplate(identifier, { includeControls: false }).catch(() => undefined);
		expect(sandbox.requests.all().at(-1)?.path.toLowerCase()).toBe(
			`/v1/templates/${segment}`.toLowerCase(),
		);
	});

	test.each(['', '  ', '.', '..'])('"%s" is refused before anything is sent', async (id) => {
		const client = await executionClient(credential);
		await expect(client.getTemplate(id, { includeControls: false })).rejects.toThrow(/Template/);
		expect(sandbox.requests.count()).toBe(0);
	});
});

test('the item that failed is the item that is named', async () => {
	const failing = executeNode({
		credential,
		items: [{}, {}],
		parameters: {
			resource: 'template',
			operation: 'get',
			templateId: {
				__rl: true,
				mode: 'id',
				value: `={{ $itemIndex ? '${NOWHERE}' : '${templateId}' }}`,
			},
		},
	});
	await expect(failing).rejects.toMatchObject({
		httpCode: '404',
		message: expect.stringMatching(/^Row 2: /) as string,
	});
});

describe('any answer', () => {
	const operations = {
		getTemplate: (client: InspectionServiceClient) =>
			client.getTemplate('x', { includeControls: true }),
		createInspection: (client: InspectionServiceClient) =>
			client.createInspection({ template_id: 'x' }),
		listInspections: (client: InspectionServiceClient) => client.list(FIRST_PAGE),
		getFileUrl: (client: InspectionServiceClient) => client.getFileUrl(NOWHERE, NOWHERE),
	};

	/** A service that answers with whatever it is told, byte for byte. */
	const answering = async (
		judge: (client: InspectionServiceClient, set: SetAnswer) => Promise<void>,
	) => {
		let answer: Answer = { status: 200, body: Buffer.alloc(0) };
		const server = await startRawServer((_request, response) => {
			response.writeHead(answer.status).end(answer.body);
		});
		const client = await executionClient({ ...credential, baseUrl: server.url });
		await judge(client, (next) => {
			answer = next;
		});
		await server.close();
	};

	const expectAnswerOrError = async (call: Promise<unknown>) => {
		const [settled] = await Promise.allSettled([call]);
		if (settled.status === 'fulfilled') return;
		// A download URL that is not used is refused in words of our own.
		const refusal = settled.reason instanceof Error ? settled.reason.message : '';
		if (refusal.startsWith('The download URL that the service gave ')) return;
		const outcome = await errorOf(call);
		expect(outcome.message.trim()).not.toBe('');
		expect(outcome.message.length).toBeLessThan(1500);
		expect(outcome.description).toEqual(expect.any(String));
		// What n8n stores of it must be storable.
		expect(() => JSON.stringify(outcome)).not.toThrow();
	};

	const bodies = fc.oneof(
		fc.json().map((text) => Buffer.from(text)),
		fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
		fc
			.dictionary(
				fc.constantFrom('id', 'data', 'items', 'url', 'inspection', 'message', 'error', 'errors'),
				fc.jsonValue({ maxDepth: 3 }),
			)
			.map((value) => Buffer.from(JSON.stringify(value))),
		fc.string().map((text) => Buffer.from(`<html><title>${text}</title>${text}`)),
	);
	const statuses = fc.constantFrom(200, 201, 204, 301, 304, 400, 401, 404, 418, 422, 429, 500, 503);

	test.each(Object.entries(operations))(
		'to %s is a result or an error with a message',
		{ timeout: 60_000 },
		async (_name, call) => {
			await answering(async (client, set) => {
				await fc.assert(
					fc.asyncProperty(bodies, statuses, async (body, status) => {
						set({ body, status });
						await expectAnswerOrError(call(client));
					}),
					{ numRuns: 100 },
				);
			});
		},
	);
});

interface Answer {
	status: number;
	body: Buffer;
}
type SetAnswer = (answer: Answer) => void;
