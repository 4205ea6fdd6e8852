import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/service/sandbox.mts';
import { executionClient } from './serviceClient.mts';

let sandbox: Sandbox;
let proxy: Server;
const forwarded: string[] = [];

beforeAll(async () => {
	sandbox = await startSandbox({ data: 'empty' });
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
	await sandbox.close();
});

test('n8n’s proxy settings hold for the service and for the storage', async () => {
	const template = sandbox.store.addTemplate({ name: 'Ladder' }).id;
	const inspection = sandbox.store.addInspection({ template, files: [{ kind: 'image' }] });
	const fileId = inspection.files[0]?.id ?? '';
	const client = await executionClient({
		baseUrl: sandbox.apiUrl,
		apiKey: sandbox.keys.north,
	});
	const bytes = await client.downloadFile(
		{ inspectionId: inspection.id, fileId },
		async ({ body }) => {
			let length = 0;
			for await (const chunk of body) length += Buffer.from(chunk).length;
			return { taken: length, bytes: length };
		},
	);
	expect(bytes).toBeGreaterThan(0);
	const origins = forwarded.map((url) => new URL(url).origin);
	expect(origins).toEqual([sandbox.apiUrl, sandbox.filesUrl]);
});
