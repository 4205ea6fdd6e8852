import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { type RawServer, startRawServer } from './rawServer.mts';
import { executionClient, SkippedTime, takeAll } from './serviceClient.mts';

const { sandbox, credential } = await sandboxForTests();
const inspection = sandbox.store.addInspection({
	template: sandbox.store.addTemplate({ name: 'Ladder', controls: [] }).id,
	files: [{ kind: 'image' }],
});
const ids = { inspectionId: inspection.id, fileId: inspection.files[0]?.id ?? '' };
let storage: RawServer;
let requests = 0;

const SENT = Buffer.from('every byte of it, '.repeat(500));

/** No compressor makes it smaller. */
const NOISE = randomBytes(50_000);
const ZIPPED = gzipSync(NOISE);

const chunk = (bytes: Buffer) => [`${bytes.length.toString(16)}\r\n`, bytes, '\r\n'];
/** Answers that end before they are complete, each on a connection that is closed in order. */
const CUT: Record<string, (string | Buffer)[] | undefined> = {
	'/cut/closed': ['HTTP/1.1 200 OK\r\nContent-Length: 10000\r\nConnection: close\r\n\r\n', SENT],
	'/cut/kept': ['HTTP/1.1 200 OK\r\nContent-Length: 10000\r\nConnection: keep-alive\r\n\r\n', SENT],
	'/cut/http10': ['HTTP/1.0 200 OK\r\nContent-Length: 10000\r\n\r\n', SENT],
	'/cut/chunked': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', ...chunk(SENT)],
	'/cut/gzip': [
		`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${ZIPPED.length}\r\n\r\n`,
		ZIPPED.subarray(0, 20_000),
	],
	'/cut/gzip-chunked': [
		'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n',
		...chunk(ZIPPED.subarray(0, 20_000)),
	],
};

beforeAll(async () => {
	storage = await startRawServer((request, response) => {
		requests += 1;
		switch (request.url) {
			case '/stalls':
				response.writeHead(200, { 'content-length': '1000' });
				response.write('half of it');
				break;
			case '/trickles': {
				response.writeHead(200);
				const timer = setInterval(() => response.write('.'), 20);
				response.on('close', () => clearInterval(timer));
				break;
			}
			case '/short':
				response.writeHead(200, { 'content-length': '10000' });
				response.write(SENT, () => setImmediate(() => response.destroy()));
				break;
			case '/zipped': {
				const zipped = gzipSync(SENT);
				response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': zipped.length });
				response.end(zipped);
				break;
			}
			case '/zipped-larger': {
				const zipped = gzipSync(NOISE);
				response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': zipped.length });
				response.end(zipped);
				break;
			}
			case '/announced':
				response.writeHead(200, { 'content-length': SENT.length });
				response.end(SENT);
				break;
			case '/202':
			case '/204':
			case '/206':
				response.writeHead(Number(request.url.slice(1)));
				response.end(request.url === '/204' ? undefined : 'a part of it');
				break;
			case '/round':
				response.writeHead(302, { location: '/round' });
				response.end();
				break;
			default: {
				const cut = CUT[request.url ?? ''];
				if (cut === undefined) response.end(SENT);
				else for (const part of cut) request.socket.write(part);
				if (cut !== undefined) request.socket.end();
			}
		}
	});
});

afterAll(async () => {
	await storage.close();
});

beforeEach(() => {
	requests = 0;
});

type Client = Awaited<ReturnType<typeof executionClient>>;

async function bytesFrom(path: string, client?: Client): Promise<string> {
	const fault = sandbox.faults.add({
		on: { operation: 'getFileUrl' },
		do: { kind: 'body', body: { url: storage.url + path } },
	});
	try {
		const used = client ?? (await executionClient(credential));
		return String(await used.download(ids, takeAll));
	} finally {
		fault.remove();
	}
}

describe('the bytes of a file', () => {
	test('that a storage sends compressed arrive as they were before', async () => {
		await expect(bytesFrom('/zipped')).resolves.toBe(String(SENT));
	});

	test('that a storage makes larger by compressing them arrive all the same', async () => {
		expect(ZIPPED.length).toBeGreaterThan(NOISE.length);
		await expect(bytesFrom('/zipped-larger')).resolves.toBe(String(NOISE));
		expect(requests).toBe(1);
	});

	test.each(Object.keys(CUT))('that end early are never a short file: %s', async (path) => {
		await expect(bytesFrom(path)).rejects.toThrow(`The file from ${storage.url} was cut off`);
		expect(requests).toBe(2);
	});

	test('that get lost behind the connection are an error', async () => {
		const client = await executionClient(credential);
		sandbox.faults.add({
			on: { operation: 'getFileUrl' },
			times: 2,
			do: { kind: 'body', body: { url: `${storage.url}/announced` } },
		});
		const losing = client.download(ids, async ({ body }) => {
			for await (const part of body) expect(part).toBeDefined();
			return { taken: 'half', bytes: SENT.length - 2000 };
		});
		await expect(losing).rejects.toThrow(/cut off: 7000 of 9000 bytes arrived/);
	});

	test('that end early are an error that says where from', async () => {
		await expect(bytesFrom('/short')).rejects.toThrow(`The file from ${storage.url} was cut off`);
		expect(requests).toBe(2);
	});

	test('that stay away in the middle are not waited for without end', async () => {
		const timing = new SkippedTime({ idleFile: 100 });
		const client = await executionClient(credential, { timing });
		await expect(bytesFrom('/stalls', client)).rejects.toThrow(/cut off: .*stopped sending/);
		expect(requests).toBe(2);
	});

	test.each([202, 204, 206])('that come with status %d are no whole file', async (status) => {
		const refused = bytesFrom(`/${status}`);
		await expect(refused).rejects.toMatchObject({
			message: `The file storage responded in an unknown way (${status})`,
			httpCode: String(status),
		});
		expect(requests).toBe(1);
	});

	test('that go round in circles are an error', async () => {
		await expect(bytesFrom('/round')).rejects.toThrow(/redirect/i);
	});

	test('end when the execution is cancelled', async () => {
		const controller = new AbortController();
		const client = await executionClient(credential, { signal: controller.signal });
		const failure = expect(bytesFrom('/trickles', client)).rejects.toThrow(/cancelled/);
		while (requests === 0) await new Promise((resolve) => setImmediate(resolve));
		controller.abort();
		await failure;
		expect(requests).toBe(1);
	});
});

test('a store that fails is no download that fails: it is told as it is, and not tried again', async () => {
	const client = await executionClient(credential);
	const full = client.download(ids, async () => {
		throw new Error('ENOSPC: no space left on device');
	});
	await expect(full).rejects.toThrow('ENOSPC: no space left on device');
	expect(sandbox.requests.count('downloadFile')).toBe(1);
});
