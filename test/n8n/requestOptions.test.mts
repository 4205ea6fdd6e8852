import type { IncomingMessage, ServerResponse } from 'node:http';

import { expect, test } from 'vitest';

import { redactorOf } from '#connector/domain/request/apiKey.ts';
import { thrownFailure } from '#connector/transport/thrownFailure.ts';
import { REAL_TIMING } from '#connector/transport/timing.ts';
import { executeNode } from '#harness/inspectionNodes.mts';
import { startRawServer } from './rawServer.mts';
import { selfSigned } from './selfSigned.mts';
import { errorOf, executionClient, pollClient, SkippedTime, takeAll } from './serviceClient.mts';

const ID = '00000000-0000-4000-8000-000000000000';
const apiKey = 'abcdefghijkl';
const LATENCY_MS = 30;
const later = async () => await new Promise((resolve) => setTimeout(resolve, LATENCY_MS));

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

/** Plays with a service that signs files to itself and answers the rest as `answer` does. */
async function withService(answer: Answer, play: (baseUrl: string) => Promise<void>) {
	const server = await startRawServer((request, response) => {
		if (request.url?.endsWith('/url') !== true) return void answer(request, response);
		response.end(JSON.stringify({ url: `${server.url}/file` }));
	});
	try {
		await play(server.url);
	} finally {
		await server.close();
	}
}

/** How many are there at once, at most. */
class Peak {
	highest = 0;
	private now = 0;

	async during(work: () => Promise<unknown>) {
		this.highest = Math.max(this.highest, ++this.now);
		await work();
		this.now -= 1;
	}
}

test('ten requests are under way at once, and no more, also where each takes its time', async () => {
	const peak = new Peak();
	await withService(
		async (_request, response) => {
			await peak.during(later);
			response.end('{"id":"x"}');
		},
		async (baseUrl) => {
			const client = await executionClient({ baseUrl, apiKey });
			const asked = Array.from({ length: 45 }, async () => {
				await client.getTemplate('x', { includeControls: false });
			});
			await Promise.all(asked);
		},
	);
	expect(peak.highest).toBeLessThanOrEqual(10);
	expect(peak.highest).toBeGreaterThan(5);
});

test('six files are on their way at once, and no more, from their signing on', async () => {
	const peak = new Peak();
	await withService(
		async (_request, response) => {
			await peak.during(async () => {
				response.write('half');
				await later();
				response.end('half');
			});
		},
		async (baseUrl) => {
			const client = await executionClient({ baseUrl, apiKey });
			const ids = { inspectionId: ID, fileId: ID };
			const files = Array.from({ length: 25 }, async () => {
				return (await client.download(ids, takeAll)).length;
			});
			expect(new Set(await Promise.all(files))).toEqual(new Set([8]));
		},
	);
	expect(peak.highest).toBeLessThanOrEqual(6);
	expect(peak.highest).toBeGreaterThan(3);
});

test('a file is asked for as it is, not compressed, and without the key', async () => {
	const asked: IncomingMessage['headers'][] = [];
	await withService(
		({ headers }, response) => {
			asked.push(headers);
			response.end('x');
		},
		async (baseUrl) => {
			const client = await executionClient({ baseUrl, apiKey });
			const ids = { inspectionId: ID, fileId: ID };
			await client.download(ids, takeAll);
		},
	);
	expect(asked.map((headers) => headers['accept-encoding'])).toEqual(['identity']);
	expect(JSON.stringify(asked)).not.toContain(apiKey);
});

test('a storage whose certificate nobody vouches for gets no request', async () => {
	let requests = 0;
	const storage = await startRawServer((_request, response) => {
		requests += 1;
		response.end('x');
	}, selfSigned());
	const service = await startRawServer((_request, response) => {
		response.end(JSON.stringify({ url: `${storage.url}/file` }));
	});
	const client = await executionClient({ baseUrl: service.url, apiKey });
	const ids = { inspectionId: ID, fileId: ID };
	const error = await errorOf(client.download(ids, takeAll));
	await storage.close();
	await service.close();
	expect(error.message).toMatch(/^The file storage at https:.* its certificate is self-signed/);
	expect(error.description).toContain('NODE_EXTRA_CA_CERTS');
	expect(requests).toBe(0);
});

test.each(['name', 'file_name'])(
	'a file that neither header nor URL name has the name of the file object (%s)',
	async (field) => {
		const inspection = { id: ID, updated_at: '2026-01-01T00:00:00Z', name: 'I' };
		await withService(
			({ url }, response) => {
				const files = [{ id: ID, kind: 'image', [field]: 'Stairs.png' }];
				const isList = url?.startsWith('/v1/') === true;
				response.end(isList ? JSON.stringify([{ ...inspection, files }]) : 'bytes');
			},
			async (baseUrl) => {
				const { items } = await executeNode({
					credential: { baseUrl, apiKey },
					parameters: {
						resource: 'inspection',
						operation: 'getAll',
						returnAll: false,
						limit: 1,
						output: 'raw',
						options: { downloadFiles: true },
					},
				});
				expect(items[0]?.binary?.file_0).toMatchObject({
					fileName: 'Stairs.png',
					mimeType: 'image/png',
				});
			},
		);
	},
);

test('a request has as much time as its poll has left, and a second at least', async () => {
	const hanging: Answer = () => undefined;
	await withService(hanging, async (baseUrl) => {
		const timing = new SkippedTime();
		const client = await pollClient({ baseUrl, apiKey }, { timing, budgetMs: 1400 });
		const started = performance.now();
		await errorOf(client.getTemplate('x', { includeControls: false }));
		const first = performance.now() - started;
		expect(first).toBeGreaterThan(1200);
		// Far below the limit without a poll, and far above what a busy machine adds.
		expect(first).toBeLessThan(REAL_TIMING.limits.read / 6);
		const error = await errorOf(client.getTemplate('x', { includeControls: false }));
		expect(performance.now() - started - first).toBeGreaterThan(900);
		expect(error.message).toMatch(/in time/);
	});
});

test('what n8n says when it sends nothing is shown without the key', async () => {
	const connection = { deadline: { isCancelled: () => false }, redact: redactorOf(apiKey) };
	expect(thrownFailure(new Error(`No domain for ${apiKey}`), connection)).toEqual({
		kind: 'notSent',
		detail: 'No domain for [API key]',
	});
});

test.each(['ERR_CANCELED', 'ECONNABORTED'])(
	'what this side ended (%s) had no more time, unless somebody cancelled it',
	(code) => {
		const error = Object.assign(new Error('wrapped'), {
			cause: Object.assign(new Error('ended'), { code, isAxiosError: true }),
		});
		const failureWhere = (isCancelled: boolean) =>
			thrownFailure(error, { deadline: { isCancelled: () => isCancelled }, redact: String });
		expect(failureWhere(false)).toEqual({ kind: 'timeUp' });
		expect(failureWhere(true)).toEqual({ kind: 'cancelled', sent: true });
	},
);
