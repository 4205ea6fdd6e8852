import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { InspectionServiceClient } from '../../nodes/InspectionService/transport/inspectionServiceClient.ts';
import {
	startSandbox,
	type Fault,
	type Inspection,
	type Sandbox,
} from '../../sandbox/service/sandbox.mts';
import type { Credential } from '../harness/inspectionNodes.mts';
import { errorOf, executionClient, pollClient, SkippedTime } from './serviceClient.mts';

let sandbox: Sandbox;
let credential: Credential;
let withFile: Inspection;
let templateId: string;

beforeAll(async () => {
	sandbox = await startSandbox({ data: 'empty' });
	credential = { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north };
	templateId = sandbox.store.addTemplate({
		name: 'Ladder',
		identifier: 'LADDER',
		controls: [{ type: 'text', label: 'Rungs', fieldId: 'rungs' }],
	}).id;
	withFile = sandbox.store.addInspection({ template: templateId, files: [{ kind: 'image' }] });
});

afterAll(async () => {
	await sandbox.close();
});

beforeEach(() => {
	sandbox.requests.clear();
});

afterEach(() => {
	sandbox.faults.clear();
});

const READS = {
	getTemplate: (client: InspectionServiceClient) =>
		client.getTemplate('LADDER', { includeControls: true }),
	listInspections: (client: InspectionServiceClient) =>
		client.listInspections({ sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 10 }),
	getFileUrl: (client: InspectionServiceClient) =>
		client.getFileUrl(withFile.id, withFile.files[0]?.id ?? ''),
};
type Read = keyof typeof READS;
const READ_NAMES: Read[] = ['getTemplate', 'listInspections', 'getFileUrl'];

const LIMITS = { read: 150, create: 150 };

/** Faults that pass: the next request is served. */
const PASSING: Record<string, Fault> = {
	'a 408': { kind: 'status', status: 408 },
	'a 429 without a wait': { kind: 'status', status: 429 },
	'a 429 with seconds': { kind: 'status', status: 429, headers: { 'retry-after': '7' } },
	'a 500': { kind: 'status', status: 500 },
	'a 503 page of a gateway': { kind: 'html', status: 503 },
	'a reset before the answer': { kind: 'resetBefore' },
	'a reset instead of the answer': { kind: 'resetAfter' },
	'an answer that breaks off': { kind: 'truncate', reset: true },
	'an answer that is cut short': { kind: 'truncate' },
	'an answer that is no JSON': { kind: 'malformed' },
	'an empty answer': { kind: 'empty' },
	'no answer at all': { kind: 'hang' },
};
const LASTING: Record<string, Fault> = {
	'a 400': { kind: 'status', status: 400 },
	'a 401': { kind: 'status', status: 401 },
	'a 403': { kind: 'status', status: 403 },
	'a 404': { kind: 'status', status: 404 },
	'a 418': { kind: 'status', status: 418 },
	'a 501': { kind: 'status', status: 501 },
	'a redirect': { kind: 'redirect', location: 'http://127.0.0.1:9/elsewhere' },
	'a web page': { kind: 'html', status: 200 },
	'an answer of another shape': { kind: 'body', body: { surprise: true } },
};

describe.each(READ_NAMES)('%s', (operation) => {
	test.each(Object.entries(PASSING))('survives %s', async (_name, fault) => {
		sandbox.faults.add({ on: { operation }, times: 1, do: fault });
		const client = await executionClient(credential, { timing: new SkippedTime(LIMITS) });
		await READS[operation](client);
		expect(sandbox.requests.count(operation)).toBe(2);
	});

	test.each(Object.entries(PASSING))('gives up on %s that stays', async (_name, fault) => {
		sandbox.faults.add({ on: { operation }, do: fault });
		const timing = new SkippedTime({ read: 30 });
		const client = await executionClient(credential, { timing });
		const error = await errorOf(READS[operation](client));
		expect(error.message).not.toBe('');
		expect(error.description).toEqual(expect.any(String));
		expect(sandbox.requests.count(operation)).toBeLessThanOrEqual(12);
		expect(sandbox.requests.count(operation)).toBeGreaterThan(3);
	});

	test.each(Object.entries(LASTING))('asks once where it meets %s', async (_name, fault) => {
		sandbox.faults.add({ on: { operation }, do: fault });
		const client = await executionClient(credential);
		const error = await errorOf(READS[operation](client));
		expect(error.description).toEqual(expect.any(String));
		expect(sandbox.requests.count(operation)).toBe(1);
	});
});

describe('createInspection', () => {
	const create = async (timing = new SkippedTime(LIMITS)) => {
		const client = await executionClient(credential, { timing });
		return await client.createInspection({ template_id: templateId, name: 'Ladder 7' });
	};
	const stored = () => sandbox.store.inspections().filter(({ name }) => name === 'Ladder 7').length;

	test.each([
		['a 429 without a wait', { kind: 'status', status: 429 }],
		['a 429 with a wait', { kind: 'status', status: 429, headers: { 'retry-after': '7' } }],
	] satisfies [string, Fault][])('is sent again after %s', async (_name, fault) => {
		const before = stored();
		sandbox.faults.add({ on: { operation: 'createInspection' }, times: 1, do: fault });
		await create();
		expect(sandbox.requests.count('createInspection')).toBe(2);
		expect(stored() - before).toBe(1);
	});

	test.each([
		['a 408', { kind: 'status', status: 408 }, 0],
		['a 500 before', { kind: 'status', status: 500 }, 0],
		['a 500 afterwards', { kind: 'status', status: 500, when: 'after' }, 1],
		['a 503 with a wait', { kind: 'status', status: 503, headers: { 'retry-after': '1' } }, 0],
		['a page of a gateway', { kind: 'html', status: 502 }, 0],
		['a reset before', { kind: 'resetBefore' }, 0],
		['a reset afterwards', { kind: 'resetAfter' }, 1],
		['no answer', { kind: 'hang' }, 0],
		['no answer afterwards', { kind: 'hang', when: 'after' }, 1],
		['an answer that breaks off', { kind: 'truncate', reset: true }, 1],
		['an answer that is cut short', { kind: 'truncate' }, 1],
		['an answer that is no JSON', { kind: 'malformed' }, 1],
		['an empty answer', { kind: 'empty' }, 1],
		['an answer of another shape', { kind: 'body', body: [1, 2] }, 1],
		['a web page', { kind: 'html', status: 200 }, 0],
	] satisfies [string, Fault, number][])(
		'is never sent again after %s, and the error says that it may exist',
		async (_name, fault, made) => {
			const before = stored();
			sandbox.faults.add({ on: { operation: 'createInspection' }, do: fault });
			const error = await errorOf(create());
			expect(sandbox.requests.count('createInspection')).toBe(1);
			expect(stored() - before).toBe(made);
			expect(error.message).toMatch(/^The inspection may have been created, or not\. ./);
			expect(error.description).toMatch(/"Ladder 7" created at about \d{4}-\d\d-\d\dT/);
		},
	);

	test.each([400, 401, 403, 404, 405, 409, 422])(
		'is refused by a %d: nothing was created',
		async (status) => {
			sandbox.faults.add({ do: { kind: 'status', status } });
			const error = await errorOf(create());
			expect(sandbox.requests.count('createInspection')).toBe(1);
			expect(error.httpCode).toBe(String(status));
			expect(error.message).not.toContain('may have been created');
		},
	);

	test('is sent again where nobody listens, and says that nothing was sent', async () => {
		const timing = new SkippedTime();
		const client = await executionClient(
			{ ...credential, baseUrl: 'http://127.0.0.1:9' },
			{ timing },
		);
		const error = await errorOf(client.createInspection({ template_id: templateId }));
		expect(timing.slept).toHaveLength(3);
		expect(error.message).toBe(
			'The service at http://127.0.0.1:9 could not be reached: the connection was refused, nothing listens at that address and port (ECONNREFUSED)',
		);
		expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
	});
});

describe('Waiting', () => {
	const list = READS.listInspections;

	test('takes the service’s word in seconds', async () => {
		const timing = new SkippedTime();
		sandbox.faults.add({
			times: 1,
			do: { kind: 'status', status: 429, headers: { 'retry-after': '30' } },
		});
		await list(await executionClient(credential, { timing }));
		expect(timing.slept).toEqual([expect.closeTo(30_050, -2)]);
	});

	test('takes a date by the service’s own clock, however wrong n8n’s is', async () => {
		const timing = new SkippedTime();
		sandbox.clock.advance(3 * 24 * 3600 * 1000);
		sandbox.faults.add({
			times: 1,
			do: { kind: 'rateLimit', perSecond: 0, retryAfter: 'date', retryAfterSeconds: 20 },
		});
		await list(await executionClient(credential, { timing }));
		expect(timing.slept).toEqual([expect.closeTo(20_050, -3)]);
	});

	test('has an end: a wait of an hour is an error that names it', async () => {
		const timing = new SkippedTime();
		sandbox.faults.add({ do: { kind: 'status', status: 429, headers: { 'retry-after': '3600' } } });
		const client = await executionClient(credential, { timing });
		const error = await errorOf(list(client));
		expect(timing.slept).toEqual([]);
		expect(error.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 3_600_000 });
		expect(error.description).toContain('60 minutes');
		const next = await errorOf(list(client));
		expect(next.failure).toMatchObject({ cause: 'rate-limited' });
		expect(sandbox.requests.count()).toBe(1);
	});

	test('is thrown in a poll that ends before it', async () => {
		const timing = new SkippedTime();
		sandbox.faults.add({ do: { kind: 'status', status: 429, headers: { 'retry-after': '30' } } });
		const client = await pollClient(credential, { timing, budgetMs: 20_000 });
		const error = await errorOf(list(client));
		expect(timing.slept).toEqual([]);
		expect(error.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 30_000 });
	});

	test('grows from attempt to attempt', async () => {
		const timing = new SkippedTime();
		sandbox.faults.add({ do: { kind: 'status', status: 500 } });
		await errorOf(list(await executionClient(credential, { timing })));
		expect(timing.slept).toEqual([375, 750, 1500]);
	});

	test('ends with the execution', async () => {
		const cancel = new AbortController();
		sandbox.faults.add({ do: { kind: 'status', status: 500 } });
		const timing = new SkippedTime();
		timing.sleep = async () => {
			cancel.abort();
			await new Promise(() => undefined);
		};
		const client = await executionClient(credential, { timing, signal: cancel.signal });
		await errorOf(list(client));
		expect(sandbox.requests.count()).toBe(1);
	});

	test('on an answer ends with the execution too, and a create may exist then', async () => {
		const cancel = new AbortController();
		sandbox.faults.add({ do: { kind: 'run', run: () => cancel.abort() } });
		sandbox.faults.add({ do: { kind: 'hang' } });
		const client = await executionClient(credential, { signal: cancel.signal });
		const error = await errorOf(client.createInspection({ template_id: templateId }));
		expect(error.message).toContain(
			'The inspection may have been created, or not. The execution was cancelled',
		);
	});

	test('is shared: on a 429 no other request starts', async () => {
		const timing = new SkippedTime();
		sandbox.faults.add({
			times: 1,
			do: { kind: 'status', status: 429, headers: { 'retry-after': '10' } },
		});
		const client = await executionClient(credential, { timing });
		await Promise.all(Array.from({ length: 40 }, () => list(client)));
		expect(sandbox.requests.count()).toBe(41);
		expect(timing.slept[0]).toBeCloseTo(10_050, -2);
		expect(sandbox.requests.peakInFlight()).toBeLessThanOrEqual(10);
	});
});

test(
	'500 creates under 50 requests a second all happen, once each',
	{ timeout: 60_000 },
	async () => {
		const { REAL_TIMING } = await import('../../nodes/InspectionService/transport/timing.ts');
		const limit = sandbox.faults.add({ do: { kind: 'rateLimit', perSecond: 50 } });
		const client = await executionClient(credential, { timing: REAL_TIMING });
		const names = Array.from({ length: 500 }, (_, n) => `Limited ${String(n)}`);
		await Promise.all(
			names.map((name) => client.createInspection({ template_id: templateId, name })),
		);

		const made = sandbox.store
			.inspections()
			.map(({ name }) => name)
			.filter((name) => name.startsWith('Limited'));
		expect(made.toSorted()).toEqual(names.toSorted());
		expect(sandbox.requests.peakInFlight()).toBeLessThanOrEqual(10);
		expect(limit.hits).toBeLessThan(50);
	},
);
