import { describe, expect, test } from 'vitest';

import type { InspectionServiceClient } from '#connector/transport/inspectionServiceClient.ts';
import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { Fault } from '#sandbox/service/faults.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';
import {
	errorOf,
	executionClient,
	expectUsable,
	FIRST_PAGE,
	SkippedTime,
	takeAll,
} from './serviceClient.mts';

const { sandbox, credential } = await sandboxForTests();
const template = sandbox.store.addTemplate({
	name: 'Ladder',
	identifier: 'LADDER',
	controls: [{ type: 'text', label: 'Rungs', fieldId: 'rungs' }],
});
const { id: inspectionId, files } = sandbox.store.addInspection({
	template: template.id,
	files: [{ kind: 'attachment' }],
});
const fileId = files[0]?.id ?? '';

type Call = (client: InspectionServiceClient) => Promise<unknown>;

const READS = {
	getTemplate: async (client) => await client.getTemplate('LADDER', { includeControls: true }),
	listInspections: async (client) => await client.list(FIRST_PAGE),
	getFileUrl: async (client) => await client.getFileUrl(inspectionId, fileId),
	downloadFile: async (client) => await client.download({ inspectionId, fileId }, takeAll),
} satisfies Record<string, Call>;
const OPERATIONS = ['getTemplate', 'listInspections', 'getFileUrl', 'downloadFile'] as const;
type Read = (typeof OPERATIONS)[number];
const ALL = [...OPERATIONS, 'createInspection'] as const;

const create: Call = async (client) =>
	await client.createInspection({ template_id: template.id, name: 'One of a kind' });
const callOf = (operation: (typeof ALL)[number]): Call =>
	operation === 'createInspection' ? create : READS[operation];

/** When a hanging response is given up, in ms: long enough for a busy machine to send the request first. */
const SOON = 500;
/** The time limits of one operation alone: what it needs of others before may take its time. */
const limitOf = (operation: (typeof ALL)[number]) => {
	if (operation === 'downloadFile') return { openFile: SOON, idleFile: SOON };
	return operation === 'createInspection' ? { create: SOON } : { read: SOON };
};
const clientFor = async (operation: (typeof ALL)[number], { kind }: Fault, later = {}) => {
	const timing = kind === 'hang' ? new SkippedTime(limitOf(operation), later) : new SkippedTime();
	return await executionClient(credential, { timing });
};

/** The error that a call ends with. */
const failureOf = async (call: Call, client?: InspectionServiceClient) =>
	await errorOf(call(client ?? (await executionClient(credential))));

/** What may be over the next moment. Those of `after` took effect before they failed. */
const PASSING: Record<string, Fault> = {
	'status 408': { kind: 'status', status: 408 },
	'status 429': { kind: 'status', status: 429 },
	'status 500': { kind: 'status', status: 500 },
	'status 502 as a web page': { kind: 'html', status: 502 },
	'status 503 with Retry-After': { kind: 'status', status: 503, headers: { 'retry-after': '7' } },
	'status 504 after': { kind: 'status', status: 504, when: 'after' },
	'reset before': { kind: 'reset' },
	'reset after': { kind: 'reset', when: 'after' },
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
			const client = await clientFor(operation, fault);
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
			const client = await clientFor(operation, fault, limitOf(operation));
			expectUsable(await failureOf(READS[operation], client), credential);
			expect(sandbox.requests.count(operation)).toBeGreaterThan(1);
			expect(sandbox.requests.count(operation)).toBeLessThanOrEqual(12);
		},
	);

	test.each(cases(OPERATIONS, LASTING))('%s: %s is asked for once', async (operation, _, fault) => {
		sandbox.faults.add({ on: { operation }, do: fault });
		expectUsable(await failureOf(READS[operation]), credential);
		expect(sandbox.requests.count(operation)).toBe(1);
	});
});

describe('a create', () => {
	const made = () => sandbox.store.inspections().filter(({ name }) => name === 'One of a kind');

	const uncertain = Object.entries({ ...PASSING, ...GARBLED }).filter(
		([name]) => name !== 'status 429',
	);

	test.each(uncertain)('is sent once: %s', async (_, fault) => {
		sandbox.faults.add({ on: { operation: 'createInspection' }, do: fault });
		const error = await failureOf(create, await clientFor('createInspection', fault));
		expectUsable(error, credential);
		expect(error.message).toMatch(/^The inspection may have been created, or not\./);
		expect(error.description).toMatch(/It was not sent again.*named "One of a kind"/);
		expect(sandbox.requests.count('createInspection')).toBe(1);
		expect(made().length).toBeLessThanOrEqual(1);
	});

	test.each(Object.entries(LASTING))('refused is not repeated: %s', async (name, fault) => {
		sandbox.faults.add({ on: { operation: 'createInspection' }, do: fault });
		const error = await failureOf(create);
		expectUsable(error, credential);
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
		expectUsable(error, credential);
		expect(error.message).toMatch(/could not be reached.*nothing listens.*ECONNREFUSED/);
		expect(timing.slept).toHaveLength(3);
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
				expectUsable(error, credential);
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
			expectUsable(await failureOf(callOf(operation)), credential);
			fault.remove();
		}
	});
});
