import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { executionClient, takeAll } from './serviceClient.mts';

const { sandbox, credential } = await sandboxForTests();
let proxy: Server;
const forwarded: string[] = [];

beforeAll(async () => {
	proxy = createServer((incoming, outgoing) => {
		const url = incoming.url ?? '';
		forwarded.push(url);
		const { method, headers } = incoming;
		const onward = forward(url, { method, headers }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		incoming.pipe(onward);
	});
	await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', () => resolve()));
	process.env.HTTP_PROXY = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
});

afterEach(() => {
	forwarded.length = 0;
});

afterAll(async () => {
	delete process.env.HTTP_PROXY;
	proxy.closeAllConnections();
	proxy.close();
});

test('n8n’s proxy settings hold for the service and for the storage', async () => {
	const template = sandbox.store.addTemplate({ name: 'Ladder' }).id;
	const inspection = sandbox.store.addInspection({ template, files: [{ kind: 'image' }] });
	const fileId = inspection.files[0]?.id ?? '';
	const client = await executionClient(credential);
	const bytes = await client.download({ inspectionId: inspection.id, fileId }, takeAll);
	expect(bytes).not.toHaveLength(0);
	const origins = forwarded.map((url) => new URL(url).origin);
	expect(origins).toEqual([sandbox.apiUrl, sandbox.filesUrl]);
});
