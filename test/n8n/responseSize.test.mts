import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { startRawServer } from './rawServer.mts';
import { errorOf, executionClient } from './serviceClient.mts';

const apiKey = 'abcdefghijkl';
const PAGE = { sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 100 } as const;
const MEGABYTE = 1024 * 1024;
const TOO_LARGE = /cannot be used: it is larger than 64 MB$/;

/** Calls a service that responds with `respond`, and counts its requests. */
async function withResponse<Value>(
	respond: (response: ServerResponse) => void,
	play: (client: Awaited<ReturnType<typeof executionClient>>) => Promise<Value>,
) {
	let requests = 0;
	const server = await startRawServer((_request, response) => {
		requests += 1;
		respond(response);
	});
	try {
		const value = await play(await executionClient({ baseUrl: server.url, apiKey }));
		return { value, requests };
	} finally {
		await server.close();
	}
}

/** Writes without an end, as fast as it is read. */
function endless(response: ServerResponse, onWritten: (bytes: number) => void) {
	const chunk = Buffer.alloc(MEGABYTE, ' ');
	const write = () => {
		while (!response.destroyed) {
			onWritten(chunk.length);
			if (!response.write(chunk)) return;
		}
	};
	response.on('drain', write);
	write();
}

test('an endless response is read to the limit once, and its connection is closed', async () => {
	let written = 0;
	const { value: error, requests } = await withResponse(
		(response) => endless(response, (bytes) => (written += bytes)),
		async (client) => await errorOf(client.listInspections(PAGE)),
	);
	expect(error.message).toMatch(TOO_LARGE);
	expect(requests).toBe(1);
	expect(written).toBeLessThan(90 * MEGABYTE);
});

test('a small response that unpacks to a large one is read to the same limit, once', async () => {
	// 200 MB of blanks are 200 kB.
	const bomb = gzipSync(Buffer.alloc(200 * MEGABYTE, ' '));
	const { value: error, requests } = await withResponse(
		(response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
		async (client) => await errorOf(client.getTemplate('x', { includeControls: true })),
	);
	expect(error.message).toMatch(TOO_LARGE);
	expect(requests).toBe(1);
});

test('a create with such a response may have taken effect, and is not repeated', async () => {
	const { value: error, requests } = await withResponse(
		(response) => endless(response, () => undefined),
		async (client) => await errorOf(client.createInspection({ template_id: 'x' })),
	);
	expect(error.message).toMatch(
		/^The inspection may have been created, or not\..*larger than 64 MB/,
	);
	expect(requests).toBe(1);
});

test('of an endless error the beginning is read, and its words are shown', async () => {
	let written = 0;
	const { value: error } = await withResponse(
		(response) => {
			response.writeHead(400).write('No such page');
			endless(response, (bytes) => (written += bytes));
		},
		async (client) => await errorOf(client.listInspections(PAGE)),
	);
	expect(error.message).toMatch(/\(400\): No such page/);
	expect(written).toBeLessThan(10 * MEGABYTE);
});

test('a large page within the limit comes whole, letters of several bytes included', async () => {
	const name = `ä€😀${randomBytes(10 * MEGABYTE).toString('hex')}`;
	const { value: inspections } = await withResponse(
		(response) => response.end(JSON.stringify([{ id: 'x', name }])),
		async (client) => await client.listInspections(PAGE),
	);
	expect(inspections[0]?.name).toBe(name);
});
