/** Tests that responses that take too long are ended: by a time limit, or by canceling the execution. */
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';

import { startRawServer } from '#harness/rawServer.mts';
import {
	executionClient,
	failureOfCall,
	FIRST_PAGE,
	LimitsToPass,
	readToEnd,
} from './serviceClient.mts';

const ID = '00000000-0000-4000-8000-000000000000';
const FILE = { inspectionId: ID, fileId: ID, maxBytes: 1_000_000 };

let opened = 0;
/**
 * The server calls `onRequest` before each response. It calls `onOpened` when it has begun a response, or when it
 * leaves a request for `/silent` open.
 */
let onRequest: (path: string) => unknown;
let onOpened: () => void;

/**
 * A server that signs every file's URL. It responds to `/silent` with nothing, to `/refused` with a 403, and to all
 * other paths with endless bytes.
 */
const service = await startRawServer(async (request, response) => {
	const { url = '' } = request;
	await onRequest(url);
	if (url.endsWith('/url')) {
		const [path = '/file'] = /^\/(?:silent|refused)/.exec(url) ?? [];
		return void response.end(JSON.stringify({ url: service.url + path }));
	}
	if (url === '/refused') return void response.writeHead(403).end();
	opened += 1;
	const timer = setInterval(() => response.write(' '), 20);
	if (url === '/silent') clearInterval(timer);
	else response.writeHead(200).write(' ');
	onOpened();
	response.on('close', () => {
		opened -= 1;
		clearInterval(timer);
	});
});
const { requests } = service;
const credential = { baseUrl: service.url, apiKey: 'abcdefghijkl' };

beforeEach(() => {
	onRequest = () => undefined;
	onOpened = () => undefined;
});

// Waits until no response is open, which proves that the client has ended all requests.
afterEach(async () => {
	await vi.waitUntil(() => opened === 0, 5_000);
	requests.splice(0);
});

afterAll(service.close);

test('a trickling response is requested again until the execution is canceled', async () => {
	const controller = new AbortController();
	const { signal } = controller;
	const timing = new LimitsToPass();
	onOpened = () => {
		if (requests.length === 1) timing.passLimit();
	};
	const client = await executionClient(credential, { timing, signal });
	const failure = failureOfCall(client.list(FIRST_PAGE));
	await vi.waitUntil(() => requests.length === 2, 5_000);
	controller.abort();
	expect((await failure).message).toMatch(/canceled/);
	expect(requests).toHaveLength(2);
});

test('a trickling response has the time that its poll has left, but at least a second', async () => {
	const timing = new LimitsToPass();
	onOpened = () => timing.passLimit();
	const client = await executionClient(credential, { timing, budgetMs: 1_400 });
	for (const count of [1, 2]) {
		const error = await failureOfCall(client.list(FIRST_PAGE));
		expect(error.message).toMatch(/did not respond in time \(ETIMEDOUT\)/);
		expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
		expect(requests).toHaveLength(count);
	}
	expect(timing.limitsSet).toEqual([1_400, 1_000]);
});

test.each([
	['is not there', '/v1', '/url'],
	['sends nothing', '/silent', '/url'],
	['is refused', '/refused', '/refused'],
])(
	'a file that %s at the end of the poll is neither a canceled execution nor retried',
	async (_, path, last) => {
		const timing = new LimitsToPass();
		onOpened = () => timing.passLimit();
		// This request uses up the poll's whole time.
		onRequest = async (asked) => asked.endsWith(last) && (await timing.sleep(300_000));
		const poll = { ...credential, baseUrl: service.url + path };
		const client = await executionClient(poll, { timing, budgetMs: 300_000 });
		for (const message of [/^The file storage at .* in time/, /^The file storage could not/]) {
			const error = await failureOfCall(client.download(FILE, readToEnd));
			expect(error.message).toMatch(message);
			expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
			expect(error.httpCode).toBe('ETIMEDOUT');
			expect(requests).toHaveLength(2);
		}
	},
);
