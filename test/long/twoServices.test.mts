// A service that goes silent in the middle of large responses must not delay the reads of another service.
import type { RequestListener } from 'node:http';

import { expect, test } from 'vitest';

import { REAL_TIMING } from '#connector/transport/deadline.ts';
import { connectToService } from '#connector/transport/inspectionServiceClient.ts';
import { executeContext, oneNodeWorkflow } from '#harness/inspectionNodes.mts';
import { startRawServer } from '#harness/rawServer.mts';

const MEGABYTE = 2 ** 20;
const apiKey = 'a key of thirty characters or so';
const FIRST_PAGE = { sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 10 } as const;
const json = { 'content-type': 'application/json' };

/** Sends 60 MB of a list, and never the rest. */
const sendHanging: RequestListener = (_request, response) => {
	response.writeHead(200, json).write(`[{"pad":"${'x'.repeat(60 * MEGABYTE)}`);
};
const PAGE = JSON.stringify([
	{
		id: '00000000-0000-4000-8000-000000000001',
		created_at: '2026-01-01T00:00:00Z',
		updated_at: '2026-01-01T00:00:00Z',
		pad: 'x'.repeat(8 * MEGABYTE),
	},
]);

test('six hanging responses of 60 MB delay the reads of another service by less than 30 s', async () => {
	await using silent = await startRawServer(sendHanging);
	await using other = await startRawServer((_, response) =>
		response.writeHead(200, json).end(PAGE),
	);
	const clientOf = async (baseUrl: string, signal?: AbortSignal) => {
		const credential = { baseUrl, apiKey };
		const oneNode = await oneNodeWorkflow('inspectionService', { parameters: {}, credential });
		return await connectToService(executeContext(oneNode, { signal }), REAL_TIMING);
	};
	const read = async (readOther: () => Promise<unknown>) => {
		const start = performance.now();
		await Promise.all(Array.from({ length: 10 }, readOther));
		return performance.now() - start;
	};
	const client = await clientOf(other.url);
	const alone = await read(async () => await client.list(FIRST_PAGE));
	const controller = new AbortController();
	const hanging = await clientOf(silent.url, controller.signal);
	const hung = Array.from({ length: 6 }, async () => await hanging.list(FIRST_PAGE));
	const ended = Promise.allSettled(hung);
	await expect.poll(() => silent.requests.length, { timeout: 20_000 }).toBe(6);
	const beside = await read(async () => await client.list(FIRST_PAGE));
	controller.abort();
	await ended;
	console.log(`${alone.toFixed(0)} ms alone, ${beside.toFixed(0)} ms with the other service`);
	expect(beside - alone).toBeLessThan(30_000);
});
