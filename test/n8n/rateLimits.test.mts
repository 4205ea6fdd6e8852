// @module-tag slow
/**
 * Tests a service that limits requests. The connector waits as long as the service demands. The wait applies to all
 * requests of the execution, and nothing is lost or duplicated.
 */
import { describe, expect, test } from 'vitest';

import { actionNode } from '#harness/actionNode.mts';
import type { Fault } from '#sandbox/service/faults.mts';
import { LimitsToPass, type Operation, serviceForTests, SkippedTime } from './serviceClient.mts';

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
	'%s of an execution run concurrently, even some time after a 429: %s, at most %i',
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
		// Its clock stands still, so a busy machine doesn't change how many requests fit into a second.
		const timing = new LimitsToPass();
		limitCreates(timing, headers);
		const names = Array.from({ length: 500 }, (_, n) => `Limited ${n}`);
		await createAll(await clientWith({ timing }), names);
		const made = namesMade().filter((name) => name.startsWith('Limited'));
		expect(made.toSorted()).toEqual(names.toSorted());
		expect(sandbox.requests.peakInFlight('createInspection')).toBeLessThanOrEqual(10);
		expect(sandbox.requests.count(({ status }) => status === 429)).toBeLessThan(100);
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

	test('lets no other request start before the rejected one', async () => {
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
		['a minute', 62, {}],
		['a poll may take', 40, { budgetMs: 36_000 }],
	])('longer than %s is left to n8n, whose error has the duration', async (_, seconds, limit) => {
		sandbox.faults.add({ do: wait(seconds) });
		const timing = new SkippedTime();
		const error = await errorOf('listInspections', clientWith({ timing, ...limit }));
		expect(error.failure).toEqual({ cause: 'rate-limited', retryAfterMs: seconds * 1000 });
		expect(error.description).toMatch(/Wait (62 s|40 s)/);
		expect(timing.slept).toEqual([]);
	});

	test.each<[string, Record<string, string>]>([
		['Retry-After: 60', { 'retry-after': '60' }],
		['RateLimit-Reset: 60', { 'ratelimit-reset': '60' }],
		['a date in a minute', {}],
	])('can last a whole minute: %s', async (_, headers) => {
		const timing = new SkippedTime();
		const date = new Date(sandbox.clock.date().getTime() + 60_000).toUTCString();
		const asked = Object.keys(headers).length > 0 ? headers : { 'retry-after': date };
		sandbox.faults.add({ times: 1, do: { kind: 'status', status: 429, headers: asked } });
		await calls.listInspections(await clientWith({ timing }));
		expect(timing.slept).toEqual([expect.closeTo(60_000, -4)]);
	});

	test('delays the other requests with errors that quote the response that requested it', async () => {
		sandbox.faults.add({ do: wait(3600, 503, { message: 'Closed until noon' }) });
		const client = clientWith();
		const first = await errorOf('createInspection', client);
		expect(first.message).toMatch(/unknown whether the inspection was created/);
		for (const operation of ['createInspection', 'getTemplate'] as const) {
			const error = await errorOf(operation, client);
			const told = "Not sent: The service couldn't process the request (503): Closed until noon";
			expect(error.message).toBe(told);
			expect(error.description).toMatch(
				/^The service rejected an earlier request, so this one wasn't sent\./,
			);
			expect(error.failure).toEqual({
				cause: 'temporarily-unavailable',
				retryAfterMs: expect.closeTo(3_600_000, -5),
			});
		}
		expect(sandbox.requests.count()).toBe(1);
	});
});

describe('a service that rejects requests without end', () => {
	const LONG = 59;
	/** Calls an operation for many items, and starts no new call after the last. Returns the errors and the waits. */
	async function failAll(operation: Operation, fault: Fault) {
		const timing = new SkippedTime();
		sandbox.faults.add({ do: fault });
		const client = await clientWith({ timing });
		const all = Array.from({ length: 100 }, () => errorOf(operation, Promise.resolve(client)));
		const errors = await Promise.all(all);
		const minutes = timing.slept.reduce((sum, ms) => sum + ms, 0) / 60_000;
		return { errors, minutes, client };
	}

	test.each([
		['listInspections', 429],
		['createInspection', 429],
		['getFileUrl', 429],
		['downloadFile', 429],
		['listInspections', 503],
		['createInspection', 503],
	] as const)(
		'ends all waiting requests together, after the attempts of one: %s, %i',
		async (operation, status) => {
			const { errors, minutes, client } = await failAll(operation, wait(LONG, status));
			// Twelve attempts take 11 minutes. Because this clock skips waits, the first ten requests wait one after the other.
			expect(minutes).toBeLessThan(21);
			expect(sandbox.requests.count()).toBeLessThan(50);
			for (const { message, description } of errors.slice(-20)) {
				expect(message).toMatch(/^Not sent: The service/);
				expect(description).toContain(`The service rejected an earlier request`);
				expect(description).toMatch(/so this run waited \d+ minutes in total\.$/);
			}
			// A later request isn't sent either, until the service's wait has passed.
			const count = sandbox.requests.count();
			expect((await errorOf(operation, Promise.resolve(client))).message).toMatch(/^Not sent: /);
			expect(sandbox.requests.count()).toBe(count);
		},
	);

	test('serves all requests once its wait has passed', async () => {
		const timing = new SkippedTime();
		sandbox.faults.add({ times: 12, do: wait(LONG) });
		const client = await clientWith({ timing });
		await errorOf('listInspections', Promise.resolve(client));
		await timing.sleep(LONG * 1_000);
		const all = Array.from({ length: 20 }, () => calls.listInspections(client));
		expect(await Promise.all(all)).toHaveLength(20);
	});
});

test('a hint with the waited time appears only after a run that waited for the rate limit', async () => {
	const run = actionNode(credential);
	const parameters = { resource: 'template', operation: 'get', templateId };
	expect((await run(parameters)).hints).toEqual([]);
	// This wait takes two real seconds, because a test can't replace the clock of a whole node.
	sandbox.faults.add({ times: 1, do: wait(2) });
	expect((await run(parameters)).hints).toEqual([
		'The service asked for waits, so this run waited 2 seconds in total.',
	]);
});
