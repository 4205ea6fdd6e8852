import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { REAL_TIMING } from '#connector/transport/timing.ts';
import type { Credential } from '#harness/inspectionNodes.mts';
import { type RawServer, startRawServer } from './rawServer.mts';
import { errorOf, executionClient, FIRST_PAGE, pollClient, SkippedTime } from './serviceClient.mts';

const ID = '00000000-0000-4000-8000-000000000000';

let service: RawServer;
let credential: Credential;
let opened = 0;
let requests = 0;

/** Signs every file, and answers everything else with bytes that never end and never pause. */
beforeAll(async () => {
	service = await startRawServer((request, response) => {
		requests += 1;
		if (request.url?.endsWith('/url')) {
			response.end(JSON.stringify({ url: `${service.url}/file` }));
			return;
		}
		opened += 1;
		response.writeHead(200);
		const timer = setInterval(() => response.write(' '), 20);
		response.on('close', () => {
			opened -= 1;
			clearInterval(timer);
		});
	});
	credential = { baseUrl: service.url, apiKey: 'abcdefghijkl' };
});

afterEach(async () => {
	while (opened > 0) await new Promise((resolve) => setTimeout(resolve, 5));
	requests = 0;
});

afterAll(async () => {
	await service.close();
});

/** In ms. A busy machine may take hundreds of them until a request reaches the service at all. */
const SHORT = { read: 1_000, create: 1_000 };
/** Of a poll: it begins before the client is made, and the address of a file is asked for first. */
const BUDGET_MS = 4_000;

// `opened` falls to 0 only when the requests are really over.
describe('an answer that trickles has a time limit', () => {
	test('in an execution: a read is tried again and then an error', async () => {
		const client = await executionClient(credential, { timing: new SkippedTime(SHORT, SHORT) });
		const error = await errorOf(client.list(FIRST_PAGE));
		expect(error.message).toMatch(/did not respond in time \(ETIMEDOUT\)/);
		expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
		expect(requests).toBe(4);
	});

	test('in an execution: a create may have happened', async () => {
		const client = await executionClient(credential, { timing: new SkippedTime(SHORT, SHORT) });
		const error = await errorOf(client.createInspection({ template_id: 'x' }));
		expect(error.message).toMatch(/^The inspection may have been created, or not\. .*ETIMEDOUT/);
		expect(requests).toBe(1);
	});

	test('also where the execution can be cancelled, which still ends it', async () => {
		const controller = new AbortController();
		const { signal } = controller;
		const timing = new SkippedTime(SHORT, SHORT);
		const limited = await executionClient(credential, { timing, signal });
		expect((await errorOf(limited.list(FIRST_PAGE))).message).toMatch(/ETIMEDOUT/);
		const client = await executionClient(credential, { signal });
		const before = requests;
		const failure = errorOf(client.list(FIRST_PAGE));
		while (requests === before) await new Promise((resolve) => setImmediate(resolve));
		controller.abort();
		expect((await failure).message).toMatch(/cancelled/);
	});

	test('in a poll: it ends with the poll', async () => {
		const client = await pollClient(credential, { timing: REAL_TIMING, budgetMs: BUDGET_MS });
		const error = await errorOf(client.list(FIRST_PAGE));
		expect(error.message).toMatch(/did not respond in time/);
		expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
	});
});

describe('a download in a poll', () => {
	test('whose storage is silent ends with the poll in the same way', async () => {
		const silent = await startRawServer((request, response) => {
			if (request.url?.endsWith('/url')) response.end(JSON.stringify({ url: silent.url }));
		});
		const poll = { ...credential, baseUrl: silent.url };
		const client = await pollClient(poll, { timing: REAL_TIMING, budgetMs: BUDGET_MS });
		const ids = { inspectionId: ID, fileId: ID };
		const file = client.download(ids, async () => ({ taken: '', bytes: 0 }));
		expect((await errorOf(file)).httpCode).toBe('ETIMEDOUT');
		await silent.close();
	});

	test('that comes to the poll’s end is no cancelled execution, and is not asked for again', async () => {
		const client = await pollClient(credential, { timing: REAL_TIMING, budgetMs: BUDGET_MS });
		const download = async () =>
			await client.download({ inspectionId: ID, fileId: ID }, async ({ body }) => {
				let bytes = 0;
				for await (const chunk of body) bytes += chunk.length;
				return { taken: bytes, bytes };
			});
		const error = await errorOf(download());
		expect(error.message).toMatch(/^The file storage at .* in time \(ETIMEDOUT\)$/);
		expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
		expect(error.httpCode).toBe('ETIMEDOUT');
		expect(requests).toBe(2);
		const late = await errorOf(download());
		expect(late).toMatchObject({ httpCode: 'ETIMEDOUT', failure: error.failure });
		expect(late.message).toMatch(/^The file storage could not/);
		expect(requests).toBe(2);
	});
});
