import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { Fault } from '#sandbox/service/faults.mts';
import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { at, get, pluck, post } from './apiCall.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ data: 'demo' });
});
afterAll(() => sandbox.close());
afterEach(() => {
	sandbox.faults.clear();
	sandbox.requests.clear();
});

const read = (query = '') => get(sandbox, `/v1/inspections${query}`);
const statusOf = async () => (await read()).status;
const create = (name: string) => post(sandbox, { template_id: 'SITE-SAFETY', name });
const wasCreated = (name: string) =>
	sandbox.store.inspections().some((inspection) => inspection.name === name);

describe('which requests', () => {
	const fault = { kind: 'status', status: 503 } as const;

	it('all, until it is removed', async () => {
		const handle = sandbox.faults.add({ do: fault });
		expect([await statusOf(), await statusOf()]).toEqual([503, 503]);
		expect(handle.hits).toBe(2);
		handle.remove();
		expect(await statusOf()).toBe(200);
	});

	it('a number of times', async () => {
		sandbox.faults.add({ times: 2, do: fault });
		expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([503, 503, 200]);
	});

	it('the n-th, once or more often', async () => {
		sandbox.faults.add({ on: { nth: 2 }, do: fault });
		expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([200, 503, 200]);
		sandbox.faults.clear();
		sandbox.faults.add({ on: { nth: 2 }, times: 2, do: fault });
		const statuses = [await statusOf(), await statusOf(), await statusOf(), await statusOf()];
		expect(statuses).toEqual([200, 503, 503, 200]);
	});

	it('of one operation, or those that a condition fits', async () => {
		sandbox.faults.add({ on: { operation: 'createInspection' }, do: fault });
		sandbox.faults.add({ on: { where: ({ query }) => query.get('page') === '2' }, do: fault });
		expect((await create('x')).status).toBe(503);
		expect(await statusOf()).toBe(200);
		expect((await read('?page=2')).status).toBe(503);
	});

	it('by their body', async () => {
		sandbox.faults.add({ on: { where: ({ body }) => body.includes('"unlucky"') }, do: fault });
		expect((await create('unlucky')).status).toBe(503);
		expect((await create('lucky')).status).toBe(200);
	});

	it('every handle takes back its own only', async () => {
		const first = sandbox.faults.add({ do: { kind: 'status', status: 500 } });
		sandbox.faults.add({ do: fault });
		expect(await statusOf()).toBe(500);
		first.remove();
		expect(await statusOf()).toBe(503);
	});
});

describe('answers', () => {
	const answerTo = async (fault: Fault) => {
		const handle = sandbox.faults.add({ do: fault });
		const reply = await read();
		handle.remove();
		return reply;
	};

	it('status with headers and a body', async () => {
		const reply = await answerTo({
			kind: 'status',
			status: 429,
			headers: { 'retry-after': '7' },
			body: { why: 'slow down' },
		});
		expect(reply.status).toBe(429);
		expect(reply.headers.get('retry-after')).toBe('7');
		expect(reply.json).toEqual({ why: 'slow down' });
	});

	it('html', async () => {
		const reply = await answerTo({ kind: 'html', status: 502 });
		expect(reply.status).toBe(502);
		expect(reply.headers.get('content-type')).toContain('text/html');
		expect(reply.text).toContain('<h1>502 Bad Gateway</h1>');
	});

	it.each<Fault>([{ kind: 'truncate' }, { kind: 'malformed' }])('%j is no JSON', async (fault) => {
		const reply = await answerTo(fault);
		expect(reply.status).toBe(200);
		expect(reply.text.length).toBeGreaterThan(100);
		expect(reply.json).toBeUndefined();
	});

	it('truncated by a broken connection', async () => {
		await expect(answerTo({ kind: 'truncate', reset: true })).rejects.toThrow('terminated');
		sandbox.faults.clear();
	});

	it('empty', async () => {
		expect(await answerTo({ kind: 'empty' })).toMatchObject({ status: 200, text: '' });
	});

	it('another body', async () => {
		expect((await answerTo({ kind: 'body', body: { data: 'none' } })).json).toEqual({
			data: 'none',
		});
	});

	it('redirect', async () => {
		const reply = await answerTo({
			kind: 'redirect',
			location: `${sandbox.filesUrl}/x`,
			status: 302,
		});
		expect(reply.status).toBe(302);
		expect(reply.headers.get('location')).toBe(`${sandbox.filesUrl}/x`);
	});

	it('latency delays each request, and none waits for another', async () => {
		sandbox.faults.add({ do: { kind: 'latency', ms: 150 } });
		const start = performance.now();
		await Promise.all(Array.from({ length: 8 }, () => read()));
		const took = performance.now() - start;
		expect(took).toBeGreaterThan(149);
		expect(took).toBeLessThan(8 * 150);
		expect(sandbox.requests.peakInFlight('listInspections')).toBe(8);
	});
});

describe('before and after a create took effect', () => {
	it('a reset before: nothing happened', async () => {
		sandbox.faults.add({ do: { kind: 'reset' } });
		await expect(create('lost')).rejects.toThrow('fetch failed');
		expect(wasCreated('lost')).toBe(false);
	});

	it('a reset after: it happened, and nobody was told', async () => {
		sandbox.faults.add({ do: { kind: 'reset', when: 'after' } });
		await expect(create('kept')).rejects.toThrow('fetch failed');
		expect(wasCreated('kept')).toBe(true);
		expect(sandbox.requests.all().at(-1)?.status).toBe(0);
	});

	it.each([
		['before', false],
		['while', true],
		['after', true],
	] as const)('a 500 %s', async (when, expected) => {
		sandbox.faults.add({ do: { kind: 'status', status: 500, when } });
		expect((await create(`status ${when}`)).status).toBe(500);
		expect(wasCreated(`status ${when}`)).toBe(expected);
	});

	it.each([
		['before', false, 0],
		['while', true, 0],
		['after', true, 1],
	] as const)(
		'a reset %s: is there an inspection, and how many tasks',
		async (when, isThere, tasks) => {
			const before = sandbox.store.tasks.length;
			sandbox.faults.add({ do: { kind: 'reset', when } });
			const name = `task ${when}`;
			const sent = post(sandbox, { template_id: 'SITE-SAFETY', name, task: {} });
			await expect(sent).rejects.toThrow('fetch failed');
			expect(wasCreated(name)).toBe(isThere);
			expect(sandbox.store.tasks.length - before).toBe(tasks);
		},
	);

	it.each([
		['before', false],
		['after', true],
	] as const)('no answer at all %s', async (when, expected) => {
		sandbox.faults.add({ do: { kind: 'hang', when } });
		const abort = new AbortController();
		const name = `hang ${when}`;
		const request = fetch(`${sandbox.apiUrl}/v1/inspections`, {
			method: 'POST',
			headers: { 'access-token': sandbox.keys.north },
			body: JSON.stringify({ template_id: 'SITE-SAFETY', name }),
			signal: abort.signal,
		});
		// The list is answered after the create was received: both go to one event loop.
		while (sandbox.requests.count() === 0) await fetch(sandbox.filesUrl);
		const isThere = await Promise.race([
			request.then(() => 'answered'),
			fetch(`${sandbox.filesUrl}/`).then(() => 'waiting'),
		]);
		abort.abort();
		await expect(request).rejects.toThrow();
		expect(isThere).toBe('waiting');
		expect(wasCreated(name)).toBe(expected);
	});
});

describe('rate limit', () => {
	it('lets so many requests through in a second', async () => {
		sandbox.faults.add({ do: { kind: 'rateLimit', perSecond: 3 } });
		const replies = await Promise.all(Array.from({ length: 5 }, () => read()));
		const refused = replies.filter(({ status }) => status === 429);
		expect(refused).toHaveLength(2);
		expect(refused[0]?.headers.get('retry-after')).toBe('1');
	});

	it('says when as a date of the service’s clock, as given seconds, or not at all', async () => {
		const headerWith = async (extra: object) => {
			sandbox.faults.add({ do: { kind: 'rateLimit', perSecond: 0, ...extra } });
			const { headers } = await read();
			sandbox.faults.clear();
			return headers;
		};
		sandbox.clock.freeze('2030-01-01T00:00:00Z');
		const headers = await headerWith({ retryAfter: 'date', retryAfterSeconds: 30 });
		expect(headers.get('retry-after')).toBe('Tue, 01 Jan 2030 00:00:30 GMT');
		expect(headers.get('date')).toBe('Tue, 01 Jan 2030 00:00:00 GMT');
		sandbox.clock.resume();
		sandbox.clock.setOffset(0);
		expect((await headerWith({ retryAfterSeconds: 0 })).get('retry-after')).toBe('0');
		expect((await headerWith({ retryAfter: 'none' })).get('retry-after')).toBeNull();
	});
});

it('run: the data changes between two pages', async () => {
	const moved = sandbox.store.inspections(sandbox.tenants.north.organization.id)[0]?.id ?? '';
	sandbox.faults.add({
		on: { operation: 'listInspections', nth: 2 },
		do: { kind: 'run', run: ({ store }) => store.updateInspection(moved) },
	});
	const first = pluck((await read('?page_size=50')).json, 'data', 'id');
	const second = pluck((await read('?page_size=50&page=2')).json, 'data', 'id');
	expect(first[0]).toBe(moved);
	const eleventh = sandbox.store.inspections(sandbox.tenants.north.organization.id)[49]?.id;
	expect([...first, ...second]).not.toContain(eleventh);
	expect(sandbox.store.inspections(sandbox.tenants.north.organization.id).at(-1)?.id).toBe(moved);
});

it('the log knows operation, headers, body and status of every request', async () => {
	await read('?page=2');
	await create('logged');
	await get(sandbox, '/nowhere', null);
	expect(
		sandbox.requests
			.all()
			.map(({ operation, method, path, status }) => [operation, method, path, status]),
	).toEqual([
		['listInspections', 'GET', '/v1/inspections', 200],
		['createInspection', 'POST', '/v1/inspections', 200],
		[null, 'GET', '/nowhere', 404],
	]);
	const [first, second] = sandbox.requests.all();
	expect(first?.headers['access-token']).toBe(sandbox.keys.north);
	expect(first?.query.get('page')).toBe('2');
	expect(at(JSON.parse(second?.body ?? ''), 'name')).toBe('logged');
	expect(sandbox.requests.count('listInspections')).toBe(1);
	sandbox.requests.clear();
	expect(sandbox.requests.count()).toBe(0);
});

it('closing ends requests that wait for ever', async () => {
	const other = await startSandbox({ data: 'empty' });
	other.faults.add({ do: { kind: 'hang' } });
	const waiting = expect(get(other, '/v1/inspections')).rejects.toThrow();
	while (other.requests.count() === 0) await fetch(other.filesUrl);
	await other.close();
	await waiting;
});
