import type { NodeApiError } from 'n8n-workflow';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import type { InspectionServiceClient } from '../../nodes/InspectionService/transport/inspectionServiceClient.ts';
import {
	type Fault,
	type Sandbox,
	startSandbox,
	type Template,
} from '../../sandbox/service/sandbox.mts';
import type { Credential } from '../harness/inspectionNodes.mts';
import { executionClient, pollClient, SkippedTime } from './serviceClient.mts';

let sandbox: Sandbox;
let template: Template;
let credential: Credential;
let inspectionId: string;
let fileId: string;

beforeAll(async () => {
	sandbox = await startSandbox({ data: 'empty' });
	credential = { baseUrl: sandbox.apiUrl, apiKey: sandbox.keys.north };
	template = sandbox.store.addTemplate({
		name: 'Ladder',
		identifier: 'LADDER',
		controls: [{ type: 'text', label: 'Rungs', fieldId: 'rungs' }],
	});
	const inspection = sandbox.store.addInspection({
		template: template.id,
		files: [{ kind: 'attachment' }],
	});
	inspectionId = inspection.id;
	fileId = inspection.files[0]?.id ?? '';
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

type Call = (client: InspectionServiceClient) => Promise<unknown>;

const READS = {
	getTemplate: async (client) => await client.getTemplate('LADDER', { includeControls: true }),
	listInspections: async (client) =>
		await client.listInspections({ sortBy: 'updated_at', sortOrder: 'asc', page: 1, pageSize: 10 }),
	getFileUrl: async (client) => await client.getFileUrl(inspectionId, fileId),
	downloadFile: async (client) =>
		await client.downloadFile({ inspectionId, fileId }, async ({ body }) => {
			const chunks: Buffer[] = [];
			for await (const chunk of body) chunks.push(Buffer.from(chunk));
			const { length } = Buffer.concat(chunks);
			return { taken: length, bytes: length };
		}),
} satisfies Record<string, Call>;
const OPERATIONS = ['getTemplate', 'listInspections', 'getFileUrl', 'downloadFile'] as const;
type Read = (typeof OPERATIONS)[number];
const ALL = [...OPERATIONS, 'createInspection'] as const;

const create: Call = async (client) =>
	await client.createInspection({ template_id: template.id, name: 'One of a kind' });
const callOf = (operation: (typeof ALL)[number]): Call =>
	operation === 'createInspection' ? create : READS[operation];

/** A hanging answer is given up after this many milliseconds. */
const SOON = { read: 100, create: 100, openFile: 100, idleFile: 100 };
const timingFor = ({ kind }: Fault, later = {}) =>
	kind === 'hang' ? new SkippedTime(SOON, later) : new SkippedTime();
const clientFor = async (fault: Fault, later = {}) =>
	await executionClient(credential, { timing: timingFor(fault, later) });

async function failureOf(call: Call, client?: InspectionServiceClient): Promise<NodeApiError> {
	const used = client ?? (await executionClient(credential));
	return await call(used).then(
		(value: unknown) => {
			throw new Error(`nothing failed, it gave ${JSON.stringify(value)}`);
		},
		(error: NodeApiError) => error,
	);
}

/** Whatever an error can show anywhere: in the panel, in the execution data, in a log. */
function allTextOf(error: NodeApiError): string {
	const own = Object.getOwnPropertyNames(error).map((name) => Reflect.get(error, name) as unknown);
	return [error.stack, JSON.stringify(error), ...own.map((value) => JSON.stringify(value))].join();
}

function expectUsable(error: NodeApiError): void {
	expect(error.name).toBe('NodeApiError');
	expect(error.message.length).toBeGreaterThan(20);
	expect(error.message).not.toMatch(/undefined|\[object|\n/);
	expect(error.description).toMatch(/[a-z]/);
	expect(error.failure ?? { cause: 'cancelled' }).toHaveProperty('cause');
	expect(allTextOf(error)).not.toContain(credential.apiKey);
}

/** What may be over the next moment. Those of `after` took effect before they failed. */
const PASSING: Record<string, Fault> = {
	'status 408': { kind: 'status', status: 408 },
	'status 429': { kind: 'status', status: 429 },
	'status 500': { kind: 'status', status: 500 },
	'status 502 as a web page': { kind: 'html', status: 502 },
	'status 503 with Retry-After': { kind: 'status', status: 503, headers: { 'retry-after': '7' } },
	'status 504 after': { kind: 'status', status: 504, when: 'after' },
	'reset before': { kind: 'resetBefore' },
	'reset after': { kind: 'resetAfter' },
	hang: { kind: 'hang' },
	'hang after': { kind: 'hang', when: 'after' },
	'cut off with a reset': { kind: 'truncate', reset: true },
};
/** Bodies that JSON cannot be: a file's bytes are whatever they are. */
const GARBLED: Record<string, Fault> = {
	'cut off': { kind: 'truncate' },
	malformed: { kind: 'malformed' },
	empty: { kind: 'empty' },
};
/** What repeating does not change. */
const LASTING: Record<string, Fault> = {
	'status 402': { kind: 'status', status: 402 },
	'status 405': { kind: 'status', status: 405 },
	'status 413': { kind: 'status', status: 413 },
	'status 501': { kind: 'status', status: 501 },
	'status 451 as a web page': { kind: 'html', status: 451 },
};

const cases = (operations: readonly Read[], faults: Record<string, Fault>) =>
	operations.flatMap((operation) =>
		Object.entries(faults).map(([name, fault]) => [operation, name, fault] as const),
	);
const JSON_READS = OPERATIONS.filter((operation) => operation !== 'downloadFile');

describe('a read that fails once succeeds the second time', () => {
	test.each([...cases(OPERATIONS, PASSING), ...cases(JSON_READS, GARBLED)])(
		'%s: %s',
		async (operation, _, fault) => {
			const handle = sandbox.faults.add({ on: { operation, nth: 1 }, do: fault });
			const client = await clientFor(fault);
			await expect(READS[operation](client)).resolves.toBeDefined();
			expect(handle.hits).toBe(1);
			expect(sandbox.requests.count(operation)).toBe(2);
		},
	);
});

describe('a read that keeps failing', () => {
	test.each([...cases(OPERATIONS, PASSING), ...cases(JSON_READS, GARBLED)])(
		'%s: %s ends with an error',
		async (operation, _, fault) => {
			sandbox.faults.add({ on: { operation }, do: fault });
			expectUsable(await failureOf(READS[operation], await clientFor(fault, SOON)));
			expect(sandbox.requests.count(operation)).toBeGreaterThan(1);
			expect(sandbox.requests.count(operation)).toBeLessThanOrEqual(12);
		},
	);

	test.each(cases(OPERATIONS, LASTING))('%s: %s is asked for once', async (operation, _, fault) => {
		sandbox.faults.add({ on: { operation }, do: fault });
		expectUsable(await failureOf(READS[operation]));
		expect(sandbox.requests.count(operation)).toBe(1);
	});
});

describe('a create', () => {
	const made = () => sandbox.store.inspections().filter(({ name }) => name === 'One of a kind');

	afterEach(() => {
		for (const { id } of made()) sandbox.store.removeInspection(id);
	});

	const uncertain = Object.entries({ ...PASSING, ...GARBLED }).filter(
		([name]) => name !== 'status 429',
	);

	test.each(uncertain)('is sent once: %s', async (_, fault) => {
		sandbox.faults.add({ on: { operation: 'createInspection' }, do: fault });
		const error = await failureOf(create, await clientFor(fault));
		expectUsable(error);
		expect(error.message).toMatch(/^The inspection may have been created, or not\./);
		expect(error.description).toMatch(/It was not sent again.*named "One of a kind"/);
		expect(sandbox.requests.count('createInspection')).toBe(1);
		expect(made().length).toBeLessThanOrEqual(1);
	});

	test.each(Object.entries(LASTING))('refused is not repeated: %s', async (name, fault) => {
		sandbox.faults.add({ on: { operation: 'createInspection' }, do: fault });
		const error = await failureOf(create);
		expectUsable(error);
		expect(/may have been created/.test(error.message)).toBe(name === 'status 501');
		expect(sandbox.requests.count('createInspection')).toBe(1);
		expect(made()).toHaveLength(0);
	});

	test('that was refused as one too many is sent again', async () => {
		sandbox.faults.add({
			on: { operation: 'createInspection' },
			times: 3,
			do: { kind: 'status', status: 429, headers: { 'retry-after': '2' } },
		});
		const timing = new SkippedTime();
		await create(await executionClient(credential, { timing }));
		expect(made()).toHaveLength(1);
		expect(sandbox.requests.count('createInspection')).toBe(4);
		expect(timing.slept.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThanOrEqual(6000);
	});

	test('where nothing listens was sent nowhere, and is tried again', async () => {
		const closed = await startSandbox({ data: 'empty' });
		await closed.close();
		const timing = new SkippedTime();
		const client = await executionClient({ ...credential, baseUrl: closed.apiUrl }, { timing });
		const error = await failureOf(create, client);
		expectUsable(error);
		expect(error.message).toMatch(/could not be reached.*nothing listens.*ECONNREFUSED/);
		expect(timing.slept).toHaveLength(3);
	});
});

describe('under a limit of 50 requests a second', () => {
	/** Refuses what is more than `limit` in a second of the client's own, skipped time. */
	function limitTo(limit: number, timing: SkippedTime, retryAfter: Record<string, string>): void {
		let started: number[] = [];
		const isOver = () => {
			const now = timing.now();
			started = started.filter((at) => now - at < 1000);
			if (started.length >= limit) return true;
			started.push(now);
			return false;
		};
		sandbox.faults.add({
			on: { operation: 'createInspection', where: isOver },
			do: { kind: 'status', status: 429, headers: retryAfter },
		});
	}

	test.each([
		['with Retry-After', { 'retry-after': '1' }],
		['without', {}],
	])(
		'500 creates all happen, each exactly once (%s)',
		async (_, headers: Record<string, string>) => {
			const timing = new SkippedTime();
			limitTo(50, timing, headers);
			const client = await executionClient(credential, { timing });
			const names = Array.from({ length: 500 }, (__, n) => `Limited ${n}`);
			await Promise.all(
				names.map(
					async (name) => await client.createInspection({ template_id: template.id, name }),
				),
			);
			const made = sandbox.store.inspections().map(({ name }) => name);
			const limited = made.filter((name) => name.startsWith('Limited '));
			expect(limited.toSorted()).toEqual(names.toSorted());
			expect(sandbox.requests.peakInFlight('createInspection')).toBeLessThanOrEqual(10);
			const refused = sandbox.requests.count(({ status }) => status === 429);
			expect(refused).toBeLessThan(150);
			for (const { id, name } of sandbox.store.inspections()) {
				if (name.startsWith('Limited ')) sandbox.store.removeInspection(id);
			}
		},
	);
});

describe('waiting', () => {
	const throttle = (seconds: number) =>
		sandbox.faults.add({
			on: { operation: 'listInspections' },
			do: { kind: 'status', status: 429, headers: { 'retry-after': String(seconds) } },
		});

	test('takes the service’s word in seconds', async () => {
		const timing = new SkippedTime();
		sandbox.faults.add({
			times: 1,
			do: { kind: 'status', status: 429, headers: { 'retry-after': '30' } },
		});
		await READS.listInspections(await executionClient(credential, { timing }));
		expect(timing.slept).toEqual([expect.closeTo(30_050, -2)]);
	});

	test('takes a date by the service’s own clock, however wrong n8n’s is', async () => {
		const timing = new SkippedTime();
		sandbox.clock.advance(3 * 24 * 3600 * 1000);
		sandbox.faults.add({
			times: 1,
			do: { kind: 'rateLimit', perSecond: 0, retryAfter: 'date', retryAfterSeconds: 20 },
		});
		await READS.listInspections(await executionClient(credential, { timing }));
		sandbox.clock.setOffset(0);
		expect(timing.slept).toEqual([expect.closeTo(20_050, -3)]);
	});

	test('grows from attempt to attempt', async () => {
		const timing = new SkippedTime();
		sandbox.faults.add({ do: { kind: 'status', status: 500 } });
		await failureOf(READS.listInspections, await executionClient(credential, { timing }));
		expect(timing.slept).toEqual([375, 750, 1500]);
	});

	test('is shared: on a 429 no other request starts', async () => {
		const timing = new SkippedTime();
		sandbox.faults.add({
			times: 1,
			do: { kind: 'status', status: 429, headers: { 'retry-after': '10' } },
		});
		const client = await executionClient(credential, { timing });
		await Promise.all(Array.from({ length: 40 }, () => READS.listInspections(client)));
		expect(sandbox.requests.count()).toBe(41);
		expect(timing.slept[0]).toBeCloseTo(10_050, -2);
		expect(sandbox.requests.peakInFlight()).toBeLessThanOrEqual(10);
	});

	test('longer than a minute is for n8n’s scheduler: the error says how long', async () => {
		throttle(600);
		const timing = new SkippedTime();
		const error = await failureOf(
			READS.listInspections,
			await executionClient(credential, { timing }),
		);
		expectUsable(error);
		expect(error.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 600_000 });
		expect(error.description).toContain('Wait 10 minutes');
		expect(timing.slept).toEqual([]);
	});

	test('longer than a poll may take is thrown, not slept', async () => {
		throttle(40);
		const timing = new SkippedTime();
		const client = await pollClient(credential, { timing, budgetMs: 36_000 });
		const error = await failureOf(READS.listInspections, client);
		expect(error.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 40_000 });
		expect(timing.slept).toEqual([]);
	});

	test('holds back the other requests of the same execution', async () => {
		throttle(600);
		const client = await executionClient(credential);
		await failureOf(READS.listInspections, client);
		const error = await failureOf(READS.getTemplate, client);
		expectUsable(error);
		expect(error.httpCode).toBe('429');
		expect(sandbox.requests.count('getTemplate')).toBe(0);
	});

	test('holds them back with the status and the words of the answer that asked for it', async () => {
		sandbox.faults.add({
			do: {
				kind: 'status',
				status: 503,
				headers: { 'retry-after': '3600' },
				body: { message: 'Closed until noon' },
			},
		});
		const client = await executionClient(credential);
		const first = await failureOf(create, client);
		expect(first.message).toMatch(/may have been created/);
		const error = await failureOf(create, client);
		expect(error.message).toBe(
			'Not sent: The service has trouble of its own (503): Closed until noon',
		);
		expect(error.description).toMatch(/^This was the response to another request/);
		expect(error.failure).toEqual({
			cause: 'temporarily-unavailable',
			retryAfterMs: expect.closeTo(3_600_000, -5),
		});
		expect(sandbox.requests.count()).toBe(1);
	});

	test.each([404, 500])('a Retry-After with %d holds back nobody else', async (status) => {
		sandbox.faults.add({
			on: { operation: 'listInspections' },
			do: { kind: 'status', status, headers: { 'retry-after': '3600' } },
		});
		const client = await executionClient(credential);
		const error = await failureOf(READS.listInspections, client);
		expect(error.httpCode).toBe(String(status));
		await expect(READS.getTemplate(client)).resolves.toBeDefined();
	});
});

describe('cancelling the execution', () => {
	test.each(ALL)('ends %s in the middle of a hanging request', async (operation) => {
		const controller = new AbortController();
		sandbox.faults.add({
			on: { operation },
			do: { kind: 'run', run: () => controller.abort() },
		});
		sandbox.faults.add({ on: { operation }, do: { kind: 'hang' } });
		const client = await executionClient(credential, { signal: controller.signal });
		const error = await failureOf(callOf(operation), client);
		expect(error.message).toMatch(/cancelled/);
		expect(sandbox.requests.count(operation)).toBe(1);
	});

	test('ends a wait', async () => {
		const controller = new AbortController();
		sandbox.faults.add({ do: { kind: 'status', status: 503 } });
		const timing = Object.assign(new SkippedTime(), {
			sleep: async () => {
				controller.abort();
				await new Promise(() => undefined);
			},
		});
		const client = await executionClient(credential, { timing, signal: controller.signal });
		await failureOf(READS.getTemplate, client);
		expect(sandbox.requests.count()).toBe(1);
	});
});

describe('the API key', () => {
	test('goes nowhere by a redirect; the error names the base URL to set', async () => {
		const elsewhere = await startSandbox({ data: 'empty' });
		try {
			for (const operation of [...JSON_READS, 'createInspection'] as const) {
				sandbox.faults.add({
					on: { operation, nth: 1 },
					do: { kind: 'redirect', location: `${elsewhere.apiUrl}/login?session=secret` },
				});
				const error = await failureOf(callOf(operation));
				expectUsable(error);
				expect(error.message).toContain(`to ${elsewhere.apiUrl}/login`);
				expect(error.message).not.toContain('secret');
			}
			sandbox.faults.add({
				on: { operation: 'getTemplate', nth: 1 },
				do: { kind: 'redirect', location: `${elsewhere.apiUrl}/eu/v1/templates/LADDER` },
			});
			const error = await failureOf(READS.getTemplate);
			expect(error.description).toContain(`to ${elsewhere.apiUrl}/eu`);
			expect(elsewhere.requests.count()).toBe(0);
		} finally {
			await elsewhere.close();
		}
	});

	test.each(ALL)('is in no error of %s, also where the answer repeats it', async (operation) => {
		const { apiKey } = credential;
		for (const body of [{ message: `Key ${apiKey} is bad` }, `Key ${apiKey}`, apiKey]) {
			const fault = sandbox.faults.add({
				on: { operation },
				do: { kind: 'status', status: 400, body },
			});
			expectUsable(await failureOf(callOf(operation)));
			fault.remove();
		}
	});
});
