/** Tests that either all bytes of a file arrive from the storage, or an error occurs. */
import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import type { RequestListener } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { startRawServer } from '#harness/rawServer.mts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { Fault } from '#sandbox/service/faults.mts';
import {
	type ClientOptions,
	executionClient,
	failureOfCall,
	LimitsToPass,
	readToEnd,
} from './serviceClient.mts';

const { sandbox, credential } = await sandboxForTests();
const { id: inspectionId, files } = sandbox.store.addInspection({
	template: sandbox.store.addTemplate({ name: 'Ladder', controls: [] }).id,
	files: [{ kind: 'image' }],
});
const MAX_BYTES = 100_000;
const FILE = { inspectionId, fileId: files[0]?.id ?? '', maxBytes: MAX_BYTES, kind: 'image' };
const download = async (
	options?: ClientOptions,
	take: typeof readToEnd = readToEnd,
	maxBytes = MAX_BYTES,
) =>
	String(await (await executionClient(credential, options)).download({ ...FILE, maxBytes }, take));

/** The default listener of the file storage. */
const sendAll: RequestListener = (_request, response) => response.end(SENT);
let respond = sendAll;
const storage = await startRawServer((request, response) => respond(request, response));
const asked = storage.requests;

beforeEach(() => void asked.splice(0));

afterAll(storage.close);

/** Downloads a file from the storage, which responds with this listener. */
async function bytesFrom(listener: RequestListener, ...how: Parameters<typeof download>) {
	respond = listener;
	const body = { url: `${storage.url}/file` };
	sandbox.faults.add({ on: { operation: 'getFileUrl' }, do: { kind: 'body', body } });
	return await download(...how);
}

const SENT = Buffer.from('every byte of it, '.repeat(500));
/** Random bytes, which can't be compressed. */
const NOISE = randomBytes(50_000);
const ZIPPED = gzipSync(NOISE);

const zipped =
	(bytes: Buffer): RequestListener =>
	(_request, response) => {
		const headers = { 'content-encoding': 'gzip', 'content-length': gzipSync(bytes).length };
		response.writeHead(200, headers).end(gzipSync(bytes));
	};
const zippedChunked =
	(bytes: Buffer): RequestListener =>
	(_request, response) =>
		response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes));
const sendTo =
	(location: string): RequestListener =>
	(_request, response) =>
		response.writeHead(302, { location }).end();
/** Returns a listener that sends these headers and bytes, then closes the connection normally. */
const cutOff =
	(headers: string, bytes: Buffer): RequestListener =>
	({ socket }) => {
		const isChunked = headers.includes('chunked');
		socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`);
		if (isChunked) socket.write(`${bytes.length.toString(16)}\r\n`);
		socket.write(bytes);
		socket.end(isChunked ? '\r\n' : '');
	};

describe('a downloaded file', () => {
	test('is requested uncompressed, without the API key', async () => {
		await expect(bytesFrom(sendAll)).resolves.toBe(String(SENT));
		const headers = asked.map((request) => request.headers);
		expect(headers).toEqual([expect.objectContaining({ 'accept-encoding': 'identity' })]);
		expect(JSON.stringify(headers)).not.toContain(credential.apiKey);
	});

	const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };
	test.each(Object.entries(packers))(
		'needs an uncompressed retry if it arrives compressed anyway (%s)',
		async (encoding, pack) => {
			for (const bytes of [SENT, NOISE]) {
				const packed = pack(bytes);
				for (const length of [packed.length, packed.length - 8, packed.length >> 1]) {
					const sendPacked: RequestListener = (_request, response) => {
						response.writeHead(200, { 'content-encoding': encoding, 'content-length': length });
						response.end(packed.subarray(0, length));
					};
					asked.splice(0);
					await expect(bytesFrom(sendPacked)).rejects.toThrow(/was sent compressed|was cut off/);
					expect(asked).toHaveLength(2);
					asked.splice(0);
					const second = bytesFrom((request, response) =>
						(asked.length === 1 ? sendPacked : sendAll)(request, response),
					);
					await expect(second).resolves.toBe(String(SENT));
				}
			}
		},
	);

	test("arrives through the storage's redirect, without the API key", async () => {
		await using elsewhere = await startRawServer((_, response) => response.end('the moved file'));
		await expect(bytesFrom(sendTo(elsewhere.url))).resolves.toBe('the moved file');
		const all = [...asked, ...elsewhere.requests];
		expect(all.map(({ headers }) => headers['access-token'])).toEqual([undefined, undefined]);
	});

	const zippedLength = `Content-Encoding: gzip\r\nContent-Length: ${ZIPPED.length}`;
	const zippedChunks = 'Content-Encoding: gzip\r\nTransfer-Encoding: chunked';
	const resetting: RequestListener = (_request, response) => {
		response.writeHead(200, { 'content-length': '10000' });
		response.write(SENT, () => setImmediate(() => response.destroy()));
	};
	test.each<[string, RequestListener]>([
		['the connection is closed', cutOff('Content-Length: 10000\r\nConnection: close', SENT)],
		['the connection is kept', cutOff('Content-Length: 10000\r\nConnection: keep-alive', SENT)],
		['a chunk is missing', cutOff('Transfer-Encoding: chunked', SENT)],
		['compressed', cutOff(zippedLength, ZIPPED.subarray(0, 20_000))],
		['compressed, in chunks', cutOff(zippedChunks, ZIPPED.subarray(0, 20_000))],
		['the connection is reset', resetting],
	])(
		'is never cut off unnoticed, but requested again, if its bytes end early: %s',
		async (_, listener) => {
			const second = bytesFrom((request, response) =>
				(asked.length === 1 ? listener : sendAll)(request, response),
			);
			await expect(second).resolves.toBe(String(SENT));
			await expect(bytesFrom(listener)).rejects.toThrow(`The file from ${storage.url} was cut off`);
			expect(asked).toHaveLength(2 + 2);
		},
	);

	const announced: RequestListener = (_request, response) => {
		response.writeHead(200, { 'content-length': String(MAX_BYTES + 1) }).write('its beginning');
	};
	test.each<[string, RequestListener]>([
		['announced', announced],
		['in chunks', (_request, response) => void response.end(Buffer.alloc(MAX_BYTES + 1))],
		['when they are unpacked', zippedChunked(Buffer.alloc(50 * MAX_BYTES))],
	])('fails without a retry if it exceeds the size limit: %s', async (_, listener) => {
		await expect(bytesFrom(listener)).rejects.toThrow(
			'The file is larger than 0.095 MB after decompression',
		);
		expect(asked).toHaveLength(1);
	});

	test('is ended as soon as it unpacks to more than was announced', async () => {
		const zeros = zipped(Buffer.alloc(40 * 1024 * 1024));
		let read = 0;
		const countBytes: typeof readToEnd = async ({ body }) => {
			for await (const chunk of body) read += chunk.length;
			return { value: Buffer.alloc(0), bytes: read };
		};
		const reading = bytesFrom(zeros, {}, countBytes, 1e9);
		await expect(reading).rejects.toThrow(/was sent compressed, so the node can't check/);
		expect(read).toBeLessThan(1024 * 1024);
		expect(asked).toHaveLength(2);
	});

	test("fails if n8n's store doesn't receive all of its bytes", async () => {
		const losing = bytesFrom(sendAll, {}, async (file) => {
			return { ...(await readToEnd(file)), bytes: 7_000 };
		});
		await expect(losing).rejects.toThrow(/cut off: 7000 of 9000 bytes arrived/);
	});

	/** Returns a function that reads a file. When `atBytes` have arrived, the download's time limit ends. */
	const readSlowly =
		(timing: LimitsToPass, atBytes: number, onPassed?: () => void): typeof readToEnd =>
		async ({ body }) => {
			let bytes = 0;
			const passLimit = async function* () {
				for await (const chunk of body) {
					bytes += chunk.length;
					yield chunk;
					if (bytes !== atBytes) continue;
					timing.passLimit();
					onPassed?.();
				}
			};
			return await readToEnd({ body: passLimit() });
		};

	test.each([
		['stop coming', 7_000],
		['come too slowly', 60_000],
	])('fails when the time limit passes if its bytes %s', async (_, sent) => {
		const timing = new LimitsToPass();
		const stalled = bytesFrom(
			(_request, response) => {
				response.writeHead(200, { 'content-length': '90000' }).write('x'.repeat(sent));
			},
			{ timing },
			readSlowly(timing, sent),
		);
		await expect(stalled).rejects.toThrow(/cut off: .*stopped sending, or sends too slowly/);
		expect(asked).toHaveLength(2);
	});

	test('arrives completely if its bytes come slowly but steadily', async () => {
		const timing = new LimitsToPass();
		let sendRest: () => void;
		const steady = bytesFrom(
			(_, response) => {
				response.write('x'.repeat(70_000));
				sendRest = () => void response.end('y');
			},
			{ timing },
			readSlowly(timing, 70_000, () => {
				sendRest();
			}),
		);
		await expect(steady).resolves.toHaveLength(70_001);
		expect(asked).toHaveLength(1);
	});

	test('fails without a retry if it takes longer than an hour', async () => {
		const timing = new LimitsToPass();
		const read = readSlowly(timing, 70_000);
		const lasting = bytesFrom(
			(_, response) => void response.write('x'.repeat(70_000)),
			{ timing },
			async (file) => {
				void timing.sleep(3_600_000);
				return await read(file);
			},
		);
		await expect(lasting).rejects.toThrow("was cut off: it didn't arrive within an hour");
		expect(asked).toHaveLength(1);
	});

	test('leaves no pending waits', async () => {
		const timers = vi.spyOn(AbortSignal, 'timeout');
		onTestFinished(() => {
			timers.mockRestore();
		});
		await bytesFrom(sendAll);
		await bytesFrom((_, response) => response.writeHead(404).end('gone')).catch(() => undefined);
		const signals = timers.mock.results.map(({ value }) => value as EventTarget);
		expect(signals.length).toBeGreaterThan(2);
		expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
	});

	test.each([202, 204, 206])(
		"fails with status %d, which isn't that of a whole file",
		async (status) => {
			const part = status === 204 ? undefined : 'a part of it';
			const incomplete = bytesFrom((_, response) => response.writeHead(status).end(part));
			const message = `The file storage responded in an unexpected way (${status})`;
			await expect(incomplete).rejects.toThrow(message);
			expect(asked).toHaveLength(1);
		},
	);

	test.each(['application/json', 'text/xml', 'text/html'])(
		'arrives completely if it is a photo that is sent in small pieces as %s',
		async (type) => {
			const photo = Buffer.concat([
				Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
				NOISE.subarray(0, 1_500),
			]);
			const asLatin1: typeof readToEnd = async (file) => {
				const { value, bytes } = await readToEnd(file);
				return { value: Buffer.from(value.toString('latin1')), bytes };
			};
			const sent = bytesFrom(
				(_, response) => {
					response.writeHead(200, { 'content-type': type });
					for (const byte of photo) response.write(Buffer.from([byte]));
					response.end();
				},
				{},
				asLatin1,
			);
			await expect(sent).resolves.toBe(photo.toString('latin1'));
			expect(asked).toHaveLength(1);
		},
	);

	test('fails if it is a sign-in page, whatever the storage calls it', async () => {
		for (const type of ['image/jpeg', 'application/octet-stream']) {
			const page = bytesFrom((_, response) =>
				response.writeHead(200, { 'content-type': type }).end('<!DOCTYPE html>Sign in'),
			);
			await expect(page).rejects.toThrow('The file storage sent a web page instead of the file');
		}
	});

	test('fails after one retry if it is a web page', async () => {
		const page = bytesFrom((_, response) =>
			response.writeHead(200, { 'content-type': 'text/html' }).end('Sign in'),
		);
		await expect(page).rejects.toThrow('The file storage sent a web page instead of the file');
		expect(asked).toHaveLength(2);
	});

	test.each([
		['application/json', '{"error": "blob is locked"}'],
		['application/xml', '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'],
	])(
		'fails after one retry if an error document (%s) arrives instead of a photo',
		async (type, document) => {
			const refusal = bytesFrom((_, response) =>
				response.writeHead(200, { 'content-type': type }).end(document),
			);
			await expect(refusal).rejects.toThrow(
				`The file storage sent an error document (${type}) instead of the file`,
			);
			expect(asked).toHaveLength(2);
		},
	);

	test('fails after redirects in a circle', async () => {
		await expect(bytesFrom(sendTo('/file'))).rejects.toThrow(/redirect/i);
	});

	test('stops when the execution is canceled', async () => {
		const controller = new AbortController();
		const cancelled = bytesFrom(
			(_, response) => {
				response.write('half of it', () => setImmediate(() => controller.abort()));
			},
			{ signal: controller.signal },
		);
		await expect(cancelled).rejects.toThrow(/canceled/);
		expect(asked).toHaveLength(1);
	});

	test("fails without a retry if n8n can't store it", async () => {
		const noSpace = new Error('ENOSPC: no space left on device');
		const full = bytesFrom(sendAll, {}, async () => await Promise.reject(noSpace));
		await expect(full).rejects.toThrow(noSpace.message);
		expect(asked).toHaveLength(1);
	});
});

describe('a signed URL that the storage rejects', () => {
	const opened = { operation: 'downloadFile' } as const;

	test('is requested once more if it has expired meanwhile', async () => {
		const expire: Fault = { kind: 'run', run: ({ clock }) => clock.advance(3_600_000) };
		sandbox.faults.add({ on: { ...opened, nth: 1 }, do: expire });
		await download();
		expect(sandbox.requests.count('getFileUrl')).toBe(2);
		expect(sandbox.requests.count('downloadFile')).toBe(2);
	});

	test.each([400, 401, 403, 404, 410])(
		'fails if the storage rejects the new one with %d as well',
		async (status) => {
			sandbox.faults.add({ on: opened, do: { kind: 'status', status, body: 'Too old' } });
			const { message, description } = await failureOfCall(download());
			expect(message).toBe(`The storage refused the signed download URL (${status}): Too old`);
			expect(description).toMatch(/also refused a new URL/);
			expect(sandbox.requests.count('downloadFile')).toBe(2);
			expect(sandbox.requests.count('getFileUrl')).toBe(2);
		},
	);
});
