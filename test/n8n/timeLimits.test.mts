/** Responses that take too long: what ends them, and when. */
import { afterAll, afterEach, describe, expect, test } from 'vitest';

import { REAL_TIMING } from '#connector/transport/deadline.ts';
import { startRawServer } from './rawServer.mts';
import {
	executionClient,
	failureOfCall,
	FIRST_PAGE,
	pollClient,
	SkippedTime,
	takeAll,
} from './serviceClient.mts';

const ID = '00000000-0000-4000-8000-000000000000';
const FILE = { inspectionId: ID, fileId: ID, maxBytes: 1_000_000 };

let opened = 0;
let requests = 0;
/** What happens when the address of a file is asked for. */
let onSigning: () => unknown = () => undefined;
/** What happens before a file is refused. */
let onRefusal: () => unknown = () => undefined;

/**
 * Signs every file, and answers everything else with bytes that never end and never pause; `/silent` with nothing, and
 * `/refused` with a 403.
 */
const service = await startRawServer(async (request, response) => {
	requests += 1;
	if (request.url?.endsWith('/url')) {
		const [path = '/file'] = /^\/(?:silent|refused)/.exec(request.url) ?? [];
		await onSigning();
		response.end(JSON.stringify({ url: service.url + path }));
		return;
	}
	if (request.url === '/refused') {
		await onRefusal();
		response.writeHead(403).end();
		return;
	}
	opened += 1;
	const timer = setInterval(() => response.write(' '), 20);
	if (request.url === '/silent') clearInterval(timer);
	else response.writeHead(200);
	response.on('close', () => {
		opened -= 1;
		clearInterval(timer);
	});
});
const credential = { baseUrl: service.url, apiKey: 'abcdefghijkl' };

// `opened` falls to 0 only when the requests are really over.
afterEach(async () => {
	while (opened > 0) await new Promise((resolve) => setTimeout(resolve, 5));
	requests = 0;
});

afterAll(service.close);

/** In ms. A busy machine may take hundreds of them until a request reaches the service at all. */
const SHORT = { read: 700, create: 700 };

describe('a response that trickles', () => {
	test('is asked for again, which ends when the execution is cancelled', async () => {
		const controller = new AbortController();
		const { signal } = controller;
		const client = await executionClient(credential, { timing: new SkippedTime(SHORT), signal });
		const failure = failureOfCall(client.list(FIRST_PAGE));
		while (requests < 2) await new Promise((resolve) => setTimeout(resolve, 5));
		controller.abort();
		expect((await failure).message).toMatch(/cancelled/);
		expect(requests).toBe(2);
	});

	test('is an error of a create, which may have happened', async () => {
		const client = await executionClient(credential, { timing: new SkippedTime(SHORT) });
		const error = await failureOfCall(client.createInspection({ template_id: 'x' }));
		expect(error.message).toMatch(/^The inspection may have been created, or not\. .*ETIMEDOUT/);
		expect(requests).toBe(1);
	});

	test('has as much time as its poll has left, and a second at least', async () => {
		const client = await pollClient(credential, { timing: new SkippedTime(), budgetMs: 1_400 });
		for (const leastMs of [1_200, 900]) {
			const started = performance.now();
			const error = await failureOfCall(client.list(FIRST_PAGE));
			expect(error.message).toMatch(/did not respond in time \(ETIMEDOUT\)/);
			expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
			expect(performance.now() - started).toBeGreaterThan(leastMs);
			// Far below the limit without a poll, and far above what a busy machine adds.
			expect(performance.now() - started).toBeLessThan(REAL_TIMING.limits.read / 6);
		}
		expect(requests).toBe(2);
	});
});

test.each(['', '/silent'])(
	'a file that is not there at the end of the poll is no cancelled execution, nor asked for again: %s',
	async (path) => {
		const timing = new SkippedTime();
		// The poll's time is over when the file is opened.
		onSigning = async () => await timing.sleep(300_000);
		const poll = { ...credential, baseUrl: service.url + path };
		const client = await pollClient(poll, { timing, budgetMs: 300_000 });
		for (const message of [/^The file storage at .* in time/, /^The file storage could not/]) {
			const error = await failureOfCall(client.download(FILE, takeAll));
			expect(error.message).toMatch(message);
			expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
			expect(error.httpCode).toBe('ETIMEDOUT');
			expect(requests).toBe(2);
		}
	},
);

test('a file that is refused just when the time of the poll is over is not signed again', async () => {
	const timing = new SkippedTime();
	onSigning = () => undefined;
	onRefusal = async () => await timing.sleep(300_000);
	const refused = { ...credential, baseUrl: `${service.url}/refused` };
	const client = await pollClient(refused, { timing, budgetMs: 300_000 });
	// The next poll asks for it again. A refusal for good would have another cause.
	const error = await failureOfCall(client.download(FILE, takeAll));
	expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
	expect(requests).toBe(2);
});
