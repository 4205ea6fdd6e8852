// @module-tag slow
/**
 * Tests a service that limits requests. The connector waits as long as the service demands. The wait applies to all
 * requests of the execution, and nothing is lost or duplicated.
 */
import { describe, expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import type { Fault } from '#sandbox/service/faults.mts';
import { serviceForTests, SkippedTime } from './serviceClient.mts';

const { sandbox, credential, calls, clientWith, errorOf } = await serviceForTests();
const { id: templateId } = sandbox.store.addTemplate({ name: 'Ladder', controls: [] });

const wait = (retryAfter: number | string, status = 429, body = {}): Fault => ({
	kind: 'status',
	status,
	body,
	headers: { 'retry-after': String(retryAfter) },
});

test.each([
	['requests', 'listInspections', 10],
	['files, from their signing on,', 'downloadFile', 6],
] as const)(
	'%s of an execution run concurrently: %s, at most %i, and as many again after some successes following a 429',
	async (_, operation, concurrency) => {
		sandbox.faults.add({ do: { kind: 'latency', ms: 50 } });
		const client = await clientWith();
		for (const refused of [0, 1, 0]) {
			sandbox.requests.clear();
			if (refused > 0) sandbox.faults.add({ on: { operation }, times: 1, do: wait(1) });
			await Promise.all(Array.from({ length: 40 }, () => calls[operation](client)));
			expect(sandbox.requests.count(operation)).toBe(40 + refused);
			expect(sandbox.requests.peakInFlight()).toBeLessThanOrEqual(concurrency);
			if (refused === 0) expect(sandbox.requests.peakInFlight()).toBeGreaterThan(concurrency / 2);
		}
	},
);

/**
 * Makes the service reject more than 50 create requests per second. Seconds are measured with the client's clock, which
 * skips waits.
 */
function limitCreates(timing: SkippedTime, headers: Record<string, string>): void {
	let started: number[] = [];
	const where = () => {
		const now = timing.now();
		started = started.filter((at) => now - at < 1000);
		const isOver = started.length >= 50;
		if (!isOver) started.push(now);
		return isOver;
	};
	const refusal: Fault = { kind: 'status', status: 429, headers };
	sandbox.faults.add({ on: { operation: 'createInspection', where }, do: refusal });
}

const createAll = async (client: Awaited<ReturnType<typeof clientWith>>, names: string[]) =>
	await Promise.all(
		names.map(async (name) => await client.createInspection({ template_id: templateId, name })),
	);
const namesMade = () => sandbox.store.inspections().map(({ name }) => name);

test.each<Record<string, string>>([{ 'retry-after': '1' }, {}])(
	'under a limit of 50 requests per second, 500 creates all succeed exactly once: %j',
	async (headers) => {
		const timing = new SkippedTime();
		limitCreates(timing, headers);
		const names = Array.from({ length: 500 }, (_, n) => `Limited ${n}`);
		await createAll(await clientWith({ timing }), names);
		const made = namesMade().filter((name) => name.startsWith('Limited'));
		expect(made.toSorted()).toEqual(names.toSorted());
		expect(sandbox.requests.peakInFlight('createInspection')).toBeLessThanOrEqual(10);
		expect(sandbox.requests.count(({ status }) => status === 429)).toBeLessThan(60);
	},
);

describe('waiting', () => {
	test('follows the service’s seconds, or its date by its own clock, however wrong n8n’s clock is', async () => {
		const timing = new SkippedTime();
		sandbox.clock.advance(3 * 24 * 3600 * 1000);
		const date = new Date(sandbox.clock.date().getTime() + 20_000).toUTCString();
		sandbox.faults.add({ on: { nth: 1 }, do: wait(59) });
		sandbox.faults.add({ on: { nth: 2 }, do: wait(date) });
		await calls.listInspections(await clientWith({ timing }));
		expect(timing.slept).toEqual([expect.closeTo(59_050, -4), expect.closeTo(20_050, -4)]);
	});

	test('is shared: after a 429, no other request starts, and the rejected one comes next', async () => {
		const timing = new SkippedTime();
		sandbox.faults.add({ times: 1, do: wait(10) });
		const client = await clientWith({ timing });
		const names = Array.from({ length: 40 }, (_, n) => `Shared ${n}`);
		await createAll(client, names);
		expect(sandbox.requests.count()).toBe(41);
		// The wait ends ten seconds after the response. On a busy machine, a part of that time passes before the wait
		// begins.
		expect(timing.slept[0]).toBeGreaterThan(5_000);
		expect(timing.slept[0]).toBeLessThan(10_100);
		expect(namesMade().indexOf('Shared 0')).toBeLessThan(namesMade().indexOf('Shared 20'));
	});

	test.each([
		['a minute', 61, {}],
		['a poll may take', 40, { budgetMs: 36_000 }],
	])(
		'for longer than %s is left to n8n, whose error has the duration',
		async (_, seconds, limit) => {
			sandbox.faults.add({ do: wait(seconds) });
			const timing = new SkippedTime();
			const error = await errorOf('listInspections', clientWith({ timing, ...limit }));
			expect(error.failure).toEqual({ cause: 'rate-limited', retryAfterMs: seconds * 1000 });
			expect(error.description).toMatch(/Wait (61 s|40 s)/);
			expect(timing.slept).toEqual([]);
		},
	);

	test('delays the other requests, whose errors have the status and message of the response that requested it', async () => {
		sandbox.faults.add({ do: wait(3600, 503, { message: 'Closed until noon' }) });
		const client = clientWith();
		const first = await errorOf('createInspection', client);
		expect(first.message).toMatch(/unknown whether the inspection was created/);
		for (const operation of ['createInspection', 'getTemplate'] as const) {
			const error = await errorOf(operation, client);
			const told = "Not sent: The service couldn't process the request (503): Closed until noon";
			expect(error.message).toBe(told);
			expect(error.description).toMatch(
				/^The service responded to an earlier request with this message/,
			);
			expect(error.failure).toEqual({
				cause: 'temporarily-unavailable',
				retryAfterMs: expect.closeTo(3_600_000, -5),
			});
		}
		expect(sandbox.requests.count()).toBe(1);
	});
});

test('a run that waited for the rate limit has a hint with the time, and a run that didn’t wait has none', async () => {
	const run = actionNode(credential);
	const parameters = { resource: 'template', operation: 'get', templateId };
	expect((await run(parameters)).hints).toEqual([]);
	// This wait takes two real seconds, because a test can't replace the clock of a whole node.
	sandbox.faults.add({ times: 1, do: wait(2) });
	expect((await run(parameters)).hints).toEqual([
		'The service limited the rate of requests, so this run waited 2 seconds in total.',
	]);
});
