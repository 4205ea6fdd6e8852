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
		async (client) => await errorOf(client.list(PAGE)),
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
		async (client) => await errorOf(client.list(PAGE)),
	);
	expect(error.message).toMatch(/\(400\): No such page/);
	expect(written).toBeLessThan(10 * MEGABYTE);
});

/** JSON around so many megabytes of one text. */
const filled = (text: string, megabytes: number) =>
	`{"id":"x","data":[${text.repeat((megabytes * MEGABYTE) / text.length)}0]}`;
const distinctKeys = () =>
	`{"id":"x",${Array.from({ length: 1_000_000 }, (_, n) => `"k${String(n)}":0`).join()}}`;

test.each([
	['objects', () => filled('{},', 4)],
	['lists', () => filled('[],', 4)],
	['numbers', () => filled('0,', 4)],
	[
		'lists in one another',
		() => `{"id":"x","data":${'['.repeat(MEGABYTE)}${']'.repeat(MEGABYTE)}}`,
	],
	['keys', distinctKeys],
	['objects whose key is an integer', () => filled('{"400":0},', 1)],
	['objects whose key is an integer in other words', () => filled('{"\\u0034":0},', 1)],
])('a response of more than a million values is not read: %s', async (_, textOf) => {
	const bomb = gzipSync(textOf());
	const { value: error, requests } = await withResponse(
		(response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
		async (client) => await errorOf(client.getTemplate('x', { includeControls: true })),
	);
	expect(error.message).toMatch(/cannot be used: it holds more than 1 million values$/);
	expect(requests).toBe(1);
});

test('texts may hold as many commas, brackets and quotes as they like, however they arrive', async () => {
	const name = '[{,"\\:'.repeat(500_000);
	const json = Buffer.from(JSON.stringify([{ id: 'x', name }]));
	const { value: inspections } = await withResponse(
		(response) => {
			// Pieces of an odd length: an escaped quote begins in one and ends in the next.
			for (let at = 0; at < json.length; at += 99_991)
				response.write(json.subarray(at, at + 99_991));
			response.end();
		},
		async (client) => (await client.list(PAGE)).inspections,
	);
	expect(inspections[0]?.name).toBe(name);
});

test('a large page within the limit comes whole, letters of several bytes included', async () => {
	const name = `ä€😀${randomBytes(10 * MEGABYTE).toString('hex')}`;
	const { value: inspections } = await withResponse(
		(response) => response.end(JSON.stringify([{ id: 'x', name }])),
		async (client) => (await client.list(PAGE)).inspections,
	);
	expect(inspections[0]?.name).toBe(name);
});
