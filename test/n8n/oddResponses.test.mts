/** Responses that nobody has announced: every one is a result or an error. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import { text } from '#harness/controls.mts';
import { triggerPolls } from '#harness/inspectionNodes.mts';
import { createParameters, getManyParameters, templateById } from '#harness/nodeParameters.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { startRawServer } from './rawServer.mts';
import { eachCall, executionClient, failureOfCall } from './serviceClient.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	name: 'Site walk',
	controls: [text('Area', 'area')],
});

describe('any bytes with any status', () => {
	const { getTemplate, listInspections, getFileUrl, createInspection } = eachCall(sandbox);
	const calls = { getTemplate, listInspections, getFileUrl, createInspection };
	const bodies = fc.oneof(
		fc.json().map((json) => Buffer.from(json)),
		fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
		fc
			.dictionary(
				fc.constantFrom('id', 'data', 'items', 'url', 'inspection', 'message', 'error', 'errors'),
				fc.jsonValue({ maxDepth: 3 }),
			)
			.map((value) => Buffer.from(JSON.stringify(value))),
		fc.string().map((words) => Buffer.from(`<html><title>${words}</title>${words}`)),
	);
	const statuses = fc.constantFrom(200, 201, 204, 301, 304, 400, 401, 404, 418, 422, 429, 500, 503);

	const expectResultOrError = async (call: Promise<unknown>) => {
		const [settled] = await Promise.allSettled([call]);
		if (settled.status === 'fulfilled') return;
		// A download URL that is not used is refused in words of our own.
		if (String(settled.reason).includes('The download URL that the service gave ')) return;
		const error = await failureOfCall(call);
		expect(error.constructor.name).toBe('NodeApiError');
		expect(error.message.trim()).not.toBe('');
		expect(error.message.length).toBeLessThan(1500);
		expect(error.description).toEqual(expect.any(String));
		// What n8n stores of it must be storable.
		expect(() => JSON.stringify(error)).not.toThrow();
	};

	test.each(Object.entries(calls))('to %s are a result or an error', async (_operation, call) => {
		let given = { status: 200, body: Buffer.alloc(0) };
		await using server = await startRawServer((_request, response) => {
			response.writeHead(given.status).end(given.body);
		});
		const client = await executionClient({ ...credential, baseUrl: server.url });
		await fc.assert(
			fc.asyncProperty(bodies, statuses, async (body, status) => {
				given = { body, status };
				await expectResultOrError(call(client));
			}),
			{ numRuns: 60 },
		);
	});
});

test('Create sends nothing where the template has no list of controls', async () => {
	const body = { id: template.id, name: 'Site walk', data: { fields: [] } };
	sandbox.faults.add({ on: { operation: 'getTemplate' }, do: { kind: 'body', body } });
	const parameters = createParameters(templateById(template.id));
	const create = actionNode(credential)(parameters, { items: [{ Area: 'North' }] });
	await expect(create).rejects.toThrow(
		/template has an unknown shape: no list of controls under "data\.controls"/,
	);
	expect(sandbox.requests.all('createInspection')).toEqual([]);
});

describe('an inspection nested 10,000 levels deep', () => {
	const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
	const listIs = (updatedAt: string) => {
		const body = `[${[
			`{"id":"deep","name":"Deep","updated_at":"${updatedAt}","extra":${deep},"files":[{"id":"f","x":${deep}}],`,
			`"data":{"items":[{"field_id":"area","label":"Area","response":{"value":${deep}}}]}},`,
			`{"id":"fine","name":"Fine","updated_at":"${updatedAt}"}`,
		].join('')}]`;
		const on = { operation: 'listInspections' } as const;
		sandbox.faults.add({ on, times: 1, do: { kind: 'body', body } });
	};

	test('costs itself at most', async () => {
		listIs('2026-03-01T08:00:00Z');
		const { jsons } = await actionNode(credential)(getManyParameters({ output: 'raw', limit: 2 }));
		expect(jsons.map(({ id }) => id)).toEqual(['deep', 'fine']);
		structuredClone(jsons);
		expect(JSON.stringify(jsons[0])).toContain('"nested more than 200 levels deep"');
	});

	test('does not stop the trigger', async () => {
		const poll = await triggerPolls({ credential, parameters: { output: 'row' } });
		await poll();
		listIs(new Date(Date.now() + 60_000).toISOString());
		const items = await poll();
		expect(items.map(({ json }) => json.id).sort()).toEqual(['deep', 'fine']);
		structuredClone(items.map(({ json }) => json));
	});
});
