/** Tests which failed requests are retried, and what is reported if they fail in the end. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { selfSigned, startRawServer } from '#harness/rawServer.mts';
import type { Fault } from '#sandbox/service/faults.mts';
import {
	failureOfCall,
	LimitsToPass,
	type Operation,
	OPERATIONS,
	READS,
	serviceForTests,
	SkippedTime,
} from './serviceClient.mts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

const { sandbox, calls, clientWith, errorOf } = await serviceForTests();

/**
 * Adds a fault and returns a client. If the fault makes a request hang, the request's time limit ends right after the
 * service has received the request. So the test doesn't wait.
 */
const clientWithFault = async (operation: Operation, fault: Fault, nth?: number) => {
	const timing = fault.kind === 'hang' ? new LimitsToPass() : new SkippedTime();
	const on = nth === undefined ? { operation } : { operation, nth };
	if (fault.kind === 'hang') {
		const when = fault.when ?? 'before';
		const passLimit = () => void (timing instanceof LimitsToPass && timing.passLimit());
		sandbox.faults.add({ on, do: { kind: 'run', when, run: passLimit } });
	}
	const added = sandbox.faults.add({ on, do: fault });
	return { client: await clientWith({ timing }), added };
};

/** Faults that can disappear after a moment. */
const PASSING: Record<string, Fault> = {
	'status 408': { kind: 'status', status: 408 },
	'status 429': { kind: 'status', status: 429 },
	'status 500': { kind: 'status', status: 500 },
	'status 502 as a web page': { kind: 'html', status: 502 },
	'status 503 with Retry-After': { kind: 'status', status: 503, headers: { 'retry-after': '7' } },
	'a connection that is reset': { kind: 'reset' },
	'no response': { kind: 'hang' },
	'a response that is cut off with a reset': { kind: 'truncate', reset: true },
};
/** Responses that aren't JSON. They are only faults of JSON operations, because a file can have any bytes. */
const GARBLED: Record<string, Fault> = {
	'a response that is cut off': { kind: 'truncate' },
	"a response that isn't JSON": { kind: 'malformed' },
	'a response that is empty': { kind: 'empty' },
};
/** Faults that occur after the request took effect. */
const TOO_LATE: Record<string, Fault> = {
	'status 504 afterwards': { kind: 'status', status: 504, when: 'after' },
	'a connection that is reset afterwards': { kind: 'reset', when: 'after' },
	'no response, although the request took effect': { kind: 'hang', when: 'after' },
};
/** Faults that a retry wouldn't change. */
const LASTING: Record<string, Fault> = {
	'status 300': { kind: 'status', status: 300 },
	'status 451 as a web page': { kind: 'html', status: 451 },
	'status 501': { kind: 'status', status: 501 },
};

const casesOf = (operations: readonly Operation[], faults: Record<string, Fault>) =>
	operations.flatMap((operation) =>
		Object.entries(faults).map(([name, fault]) => ({ operation, name, fault })),
	);
const PASSING_CASES = [
	...casesOf(READS, PASSING),
	...casesOf(['getTemplate', 'listInspections', 'getFileUrl'], GARBLED),
];

test.each(PASSING_CASES)(
	'retries a read by $operation after $name, but not endlessly',
	async ({ operation, fault }) => {
		const { client, added } = await clientWithFault(operation, fault, 1);
		await expect(calls[operation](client)).resolves.toBeDefined();
		expect(sandbox.requests.count(operation)).toBe(2);
		if (fault.kind === 'hang') return;

		added.remove();
		sandbox.requests.clear();
		sandbox.faults.add({ on: { operation }, do: fault });
		await errorOf(operation);
		expect(sandbox.requests.count(operation)).toBeGreaterThan(1);
		expect(sandbox.requests.count(operation)).toBeLessThanOrEqual(12);
	},
);

test.each(casesOf(OPERATIONS, LASTING))(
	'sends $operation once if the response is $name',
	async ({ operation, name, fault }) => {
		sandbox.faults.add({ on: { operation }, do: fault });
		const { message } = await errorOf(operation);
		const isOutcomeUnknown = operation === 'createInspection' && name === 'status 501';
		expect(message.includes('unknown whether the inspection was created')).toBe(isOutcomeUnknown);
		expect(sandbox.requests.count(operation)).toBe(1);
	},
);

describe('a create', () => {
	const made = () => sandbox.store.inspections().filter(({ name }) => name === 'One of a kind');
	const doubts = Object.entries({ ...PASSING, ...GARBLED, ...TOO_LATE });
	const outcomeUnknown = doubts.filter(([name]) => name !== 'status 429');

	test.each(outcomeUnknown)('is never resent if it may have happened: %s', async (_, fault) => {
		const { client } = await clientWithFault('createInspection', fault);
		const error = await errorOf('createInspection', Promise.resolve(client));
		expect(error.message).toMatch(/^It's unknown whether the inspection was created\./);
		expect(error.description).toMatch(/didn't send the request again.*named "One of a kind"/);
		expect(sandbox.requests.count('createInspection')).toBe(1);
		expect(made().length).toBeLessThanOrEqual(1);
	});

	test('can be found by the template and time in its error if it has no name', async () => {
		sandbox.faults.add({ on: { operation: 'createInspection' }, do: { kind: 'reset' } });
		const client = await clientWith();
		const error = await failureOfCall(client.createInspection({ template_id: NOWHERE }));
		const lookedFor = /created at about \d{4}-.* and is named after the template and the time\./;
		expect(error.description).toMatch(lookedFor);
	});

	test('is retried after the requested time if the rate limit rejected it', async () => {
		const wait: Fault = { kind: 'status', status: 429, headers: { 'retry-after': '2' } };
		sandbox.faults.add({ on: { operation: 'createInspection' }, times: 3, do: wait });
		const timing = new SkippedTime();
		await calls.createInspection(await clientWith({ timing }));
		expect(made()).toHaveLength(1);
		expect(sandbox.requests.count('createInspection')).toBe(4);
		expect(timing.slept.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThanOrEqual(6000);
	});
});

describe('an unreachable service', () => {
	const errorAt = async (baseUrl: string, timing = new SkippedTime()) =>
		await errorOf('createInspection', clientWith({ timing }, { baseUrl }));

	test('is retried if nothing listens, even for a create', async () => {
		const gone = await startRawServer(() => undefined);
		await gone.close();
		const timing = new SkippedTime();
		const { message } = await errorAt(gone.url, timing);
		expect(message).toMatch(/could not be reached.*nothing listens.*ECONNREFUSED/);
		expect(timing.slept).toHaveLength(3);
	});

	test("is retried if the port doesn't use TLS", async () => {
		const { message } = await errorAt(sandbox.apiUrl.replace('http:', 'https:'));
		expect(message).toContain('no encrypted connection could be established');
		expect(sandbox.requests.count()).toBe(0);
	});

	test('gets no request if its certificate is untrusted, be it the service or a storage', async () => {
		const certificate = await selfSigned();
		await using secret = await startRawServer((_, response) => response.end('{}'), certificate);
		const body = { url: `${secret.url}/file` };
		sandbox.faults.add({ on: { operation: 'getFileUrl' }, do: { kind: 'body', body } });
		for (const [error, subject] of [
			[await errorAt(secret.url), 'The service at https:'],
			[await errorOf('downloadFile'), 'The file storage at https:'],
		] as const) {
			expect(error.message).toContain(subject);
			expect(error.message).toContain("n8n doesn't trust its certificate: self-signed certificate");
			expect(error.description).toContain('NODE_EXTRA_CA_CERTS');
			expect(error.failure).toEqual({ cause: 'configuration-invalid' });
		}
		expect(secret.requests).toEqual([]);
	});
});

/** The shortest timer that counts as a time limit, in ms. n8n and the sandbox set shorter timers themselves. */
const SHORTEST_LIMIT = 10_000;

test.each<[Operation, string, number]>([
	...READS.map((operation): [Operation, string, number] => [operation, 'one minute', 60_000]),
	['createInspection', 'two minutes', 120_000],
])('each part of a response to %s can take %s', async (operation, _, limit) => {
	const client = await clientWith();
	const signals = vi.spyOn(AbortSignal, 'timeout');
	const timers = vi.spyOn(globalThis, 'setTimeout');
	onTestFinished(() => void vi.restoreAllMocks());
	await calls[operation](client);
	const waits = [...signals.mock.calls, ...timers.mock.calls.map(([, ms]) => [ms])].flat();
	expect(new Set(waits.filter((ms = 0) => ms > SHORTEST_LIMIT))).toEqual(new Set([limit]));
});

describe('canceling the execution', () => {
	test.each(OPERATIONS)('ends %s during a hanging request', async (operation) => {
		const controller = new AbortController();
		const cancel: Fault = { kind: 'run', run: () => controller.abort() };
		sandbox.faults.add({ on: { operation }, do: cancel });
		sandbox.faults.add({ on: { operation }, do: { kind: 'hang' } });
		const client = clientWith({ signal: controller.signal });
		expect((await errorOf(operation, client)).message).toMatch(/canceled/);
		expect(sandbox.requests.count(operation)).toBe(1);
	});

	test('ends a wait', async () => {
		const controller = new AbortController();
		const { signal } = controller;
		sandbox.faults.add({ do: { kind: 'status', status: 503 } });
		const sleep = async () => {
			controller.abort();
			await new Promise(() => undefined);
		};
		const timing = Object.assign(new SkippedTime(), { sleep });
		await errorOf('getTemplate', clientWith({ timing, signal }));
		expect(sandbox.requests.count()).toBe(1);
	});
});
