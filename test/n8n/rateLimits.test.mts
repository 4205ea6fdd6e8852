/** A service that asks to wait: its own word counts, everything of the execution waits, and nothing is lost or doubled. */
import { describe, expect, test } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import {
	errorOf,
	executionClient,
	expectUsable,
	FIRST_PAGE,
	pollClient,
	SkippedTime,
} from './serviceClient.mts';

const { sandbox, credential } = await sandboxForTests();
const { id: templateId } = sandbox.store.addTemplate({ name: 'Ladder', controls: [] });

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
				names.map(async (name) => await client.createInspection({ template_id: templateId, name })),
			);
			const made = sandbox.store.inspections().map(({ name }) => name);
			expect(made.toSorted()).toEqual(names.toSorted());
			expect(sandbox.requests.peakInFlight('createInspection')).toBeLessThanOrEqual(10);
			const refused = sandbox.requests.count(({ status }) => status === 429);
			expect(refused).toBeLessThan(150);
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
		await (await executionClient(credential, { timing })).list(FIRST_PAGE);
		expect(timing.slept).toEqual([expect.closeTo(30_050, -4)]);
	});

	test('takes a date by the service’s own clock, however wrong n8n’s is', async () => {
		const timing = new SkippedTime();
		sandbox.clock.advance(3 * 24 * 3600 * 1000);
		const date = new Date(sandbox.clock.date().getTime() + 20_000).toUTCString();
		sandbox.faults.add({
			times: 1,
			do: { kind: 'status', status: 429, headers: { 'retry-after': date } },
		});
		await (await executionClient(credential, { timing })).list(FIRST_PAGE);
		expect(timing.slept).toEqual([expect.closeTo(20_050, -4)]);
	});

	test('grows from attempt to attempt', async () => {
		const timing = new SkippedTime();
		sandbox.faults.add({ do: { kind: 'status', status: 500 } });
		await errorOf((await executionClient(credential, { timing })).list(FIRST_PAGE));
		expect(timing.slept).toEqual([375, 750, 1500]);
	});

	test('is shared: on a 429 no other request starts', async () => {
		const timing = new SkippedTime();
		sandbox.faults.add({
			times: 1,
			do: { kind: 'status', status: 429, headers: { 'retry-after': '10' } },
		});
		const client = await executionClient(credential, { timing });
		await Promise.all(Array.from({ length: 40 }, () => client.list(FIRST_PAGE)));
		expect(sandbox.requests.count()).toBe(41);
		// What a busy machine has taken meanwhile is not waited for again.
		expect(timing.slept[0]).toBeGreaterThan(5_000);
		expect(timing.slept[0]).toBeLessThan(10_100);
		expect(sandbox.requests.peakInFlight()).toBeLessThanOrEqual(10);
	});

	test('longer than a minute is for n8n’s scheduler: the error says how long', async () => {
		throttle(600);
		const timing = new SkippedTime();
		const client = await executionClient(credential, { timing });
		const error = await errorOf(client.list(FIRST_PAGE));
		expectUsable(error, credential);
		expect(error.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 600_000 });
		expect(error.description).toContain('Wait 10 minutes');
		expect(timing.slept).toEqual([]);
	});

	test('longer than a poll may take is thrown, not slept', async () => {
		throttle(40);
		const timing = new SkippedTime();
		const client = await pollClient(credential, { timing, budgetMs: 36_000 });
		const error = await errorOf(client.list(FIRST_PAGE));
		expect(error.failure).toEqual({ cause: 'rate-limited', retryAfterMs: 40_000 });
		expect(timing.slept).toEqual([]);
	});

	test('holds back the other requests of the same execution', async () => {
		throttle(600);
		const client = await executionClient(credential);
		await errorOf(client.list(FIRST_PAGE));
		const error = await errorOf(client.getTemplate(templateId, { includeControls: true }));
		expectUsable(error, credential);
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
		const first = await errorOf(client.createInspection({ template_id: templateId }));
		expect(first.message).toMatch(/may have been created/);
		const error = await errorOf(client.createInspection({ template_id: templateId }));
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
		const error = await errorOf(client.list(FIRST_PAGE));
		expect(error.httpCode).toBe(String(status));
		await expect(client.getTemplate(templateId, { includeControls: true })).resolves.toBeDefined();
	});
});
