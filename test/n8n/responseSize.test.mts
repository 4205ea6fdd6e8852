// @module-tag slow
/** Tests responses that are larger than any normal response. None of them fills n8n's memory or is requested twice. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { startRawServer } from '#harness/rawServer.mts';
import { type Call, executionClient, failureOfCall, FIRST_PAGE } from './serviceClient.mts';

const MEGABYTE = 1024 * 1024;

type Respond = (response: ServerResponse) => void;

const list: Call = async (client) => await client.list(FIRST_PAGE);

/** Calls a service that sends this response. Returns the call's error, and checks that there was only one request. */
async function failureAfter(respond: Respond, call: Call) {
	await using server = await startRawServer((_, response) => respond(response));
	const client = await executionClient({ baseUrl: server.url, apiKey: 'abcdefghijkl' });
	const failure = await failureOfCall(call(client));
	expect(server.requests).toHaveLength(1);
	return failure;
}

let written = 0;

/** Sends bytes without end, as fast as the client reads them. */
const endless: Respond = (response) => {
	const chunk = Buffer.alloc(MEGABYTE, ' ');
	written = 0;
	const write = () => {
		while (!response.destroyed) {
			written += chunk.length;
			if (!response.write(chunk)) return;
		}
	};
	response.on('drain', write);
	write();
};

const unpacksTo =
	(text: string): Respond =>
	(response) =>
		response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text));
/** A response of less than 4 MB whose values need 200 times as much memory when they are parsed. */
const MANY_VALUES = `{"id":"x","data":[${'{},'.repeat(1_100_000)}0]}`;

test('reads an endless response to the limit, once', async () => {
	const { message, description } = await failureAfter(endless, list);
	expect(message).toMatch(/can't be used: it is larger than 64 MB$/);
	expect(description).toContain('Request less at once: choose an output without answers');
	expect(written).toBeLessThan(90 * MEGABYTE);
});

test('reads a response that is small compressed but large uncompressed to the limit, once', async () => {
	const { message } = await failureAfter(unpacksTo(' '.repeat(65 * MEGABYTE)), list);
	expect(message).toMatch(/it is larger than 64 MB$/);
});

test('a create whose response has too many values has an unknown outcome', async () => {
	const { message } = await failureAfter(
		unpacksTo(MANY_VALUES),
		async (client) => await client.createInspection({ template_id: 'x' }),
	);
	expect(message).toMatch(/^It's unknown whether the inspection was created\..*million values/);
});

test('shows the message at the beginning of an endless error', async () => {
	const { message } = await failureAfter((response) => {
		response.writeHead(400).write('No such page');
		endless(response);
	}, list);
	expect(message).toMatch(/\(400\): No such page/);
	expect(written).toBeLessThan(10 * MEGABYTE);
});

test('a large page within the limits arrives complete, whatever its texts contain', async () => {
	const name = 'ä€😀[{,"\\:'.repeat(300_000);
	const body = JSON.stringify([{ id: 'x', name }]);
	await using server = await startRawServer((_, response) => response.end(body));
	const client = await executionClient({ baseUrl: server.url, apiKey: 'abcdefghijkl' });
	expect((await client.list(FIRST_PAGE)).inspections[0]?.name).toBe(name);
});
