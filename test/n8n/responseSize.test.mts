/** Responses larger than any that the service has: none fills n8n's memory, and none is asked for twice. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import type { InspectionServiceClient } from '#connector/transport/inspectionServiceClient.ts';
import { failureOf } from '#harness/failure.mts';
import { startRawServer } from './rawServer.mts';
import { executionClient, FIRST_PAGE } from './serviceClient.mts';

const MEGABYTE = 1024 * 1024;

/** Calls a service that responds with `respond`, and counts its requests. */
async function withResponse<Value>(
	respond: (response: ServerResponse) => void,
	call: (client: InspectionServiceClient) => Promise<Value>,
) {
	let requests = 0;
	await using server = await startRawServer((_request, response) => {
		requests += 1;
		respond(response);
	});
	const client = await executionClient({ baseUrl: server.url, apiKey: 'abcdefghijkl' });
	return { value: await call(client), requests };
}

const list = async (client: InspectionServiceClient) => await client.list(FIRST_PAGE);

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

const unpacksTo = (text: string) => (response: ServerResponse) =>
	response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
/** No more than 4 MB, which take 200 times as much memory. */
const MANY_VALUES = `{"id":"x","data":[${'{},'.repeat(1_100_000)}0]}`;

test('an endless response is read to the limit once, and its connection is closed', async () => {
	let written = 0;
	const { value: error, requests } = await withResponse(
		(response) => endless(response, (bytes) => (written += bytes)),
		async (client) => await failureOf(list(client)),
	);
	expect(error.message).toMatch(/cannot be used: it is larger than 64 MB$/);
	expect(requests).toBe(1);
	expect(written).toBeLessThan(90 * MEGABYTE);
});

test('a small response that is large when it is unpacked is read to the limit, once', async () => {
	const { value: error, requests } = await withResponse(
		unpacksTo(' '.repeat(65 * MEGABYTE)),
		async (client) => await failureOf(client.getTemplate('x', { includeControls: true })),
	);
	expect(error.message).toMatch(/it is larger than 64 MB$/);
	expect(requests).toBe(1);
});

test('a create with such a response may have taken effect, and is not repeated', async () => {
	const { value: error, requests } = await withResponse(
		unpacksTo(MANY_VALUES),
		async (client) => await failureOf(client.createInspection({ template_id: 'x' })),
	);
	expect(error.message).toMatch(/^The inspection may have been created, or not\..*million values/);
	expect(requests).toBe(1);
});

test('of an endless error the beginning is read, and its words are shown', async () => {
	let written = 0;
	const { value: error } = await withResponse(
		(response) => {
			response.writeHead(400).write('No such page');
			endless(response, (bytes) => (written += bytes));
		},
		async (client) => await failureOf(list(client)),
	);
	expect(error.message).toMatch(/\(400\): No such page/);
	expect(written).toBeLessThan(10 * MEGABYTE);
});

test('a large page within the limits comes whole, whatever stands in its texts', async () => {
	const name = 'ä€😀[{,"\\:'.repeat(300_000);
	const { value: page } = await withResponse(
		(response) => response.end(JSON.stringify([{ id: 'x', name }])),
		list,
	);
	expect(page.inspections[0]?.name).toBe(name);
});
