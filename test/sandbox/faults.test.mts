import { describe, expect, it } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { FaultRule } from '#sandbox/service/faultBoard.mts';
import type { Fault, FaultMoment } from '#sandbox/service/faults.mts';
import type { LoggedRequest } from '#sandbox/service/requestLog.mts';
import { get, post } from './apiCall.mts';

const { sandbox } = await sandboxForTests({ data: 'demo' });

const read = (query = '') => get(sandbox, `/v1/inspections${query}`);
const create = (name: string) => post(sandbox, { template_id: 'SITE-SAFETY', name, task: {} });
const wasCreated = (name: string) =>
	sandbox.store.inspections().some((inspection) => inspection.name === name);

describe('which requests a fault hits', () => {
	const isPage4 = ({ url }: LoggedRequest) => url.endsWith('4');
	const unavailable = { kind: 'status', status: 503 } as const;

	it.each<[string, Omit<FaultRule, 'do'>, number[]]>([
		['all of them', {}, [503, 503, 503, 503]],
		['so many times', { times: 2 }, [503, 503, 200, 200]],
		['the n-th', { on: { nth: 2 } }, [200, 503, 200, 200]],
		['some from the n-th on', { on: { nth: 2 }, times: 2 }, [200, 503, 503, 200]],
		['those of one operation', { on: { operation: 'getTemplate' } }, [200, 200, 200, 200]],
		['those that a condition fits', { on: { where: isPage4 } }, [200, 200, 200, 503]],
	])('%s', async (_what, rule, expected) => {
		const fault = sandbox.faults.add({ ...rule, do: unavailable });
		const statuses = [];
		for (const page of [1, 2, 3, 4]) statuses.push((await read(`?page=${String(page)}`)).status);
		expect(statuses).toEqual(expected);
		expect(fault.hits).toBe(expected.filter((status) => status === 503).length);
	});

	it('a condition sees the body', async () => {
		sandbox.faults.add({ on: { where: ({ body }) => body.includes('"Bad"') }, do: unavailable });
		expect([(await create('Bad')).status, (await create('Good')).status]).toEqual([503, 200]);
	});

	it('each is taken back alone', async () => {
		const first = sandbox.faults.add({ do: { kind: 'status', status: 500 } });
		sandbox.faults.add({ do: unavailable });
		expect((await read()).status).toBe(500);
		first.remove();
		expect((await read()).status).toBe(503);
	});
});

// What the other faults do is seen by the tests of the connector that ask for them.
describe('what a fault does', () => {
	it('html is a page, with the content type of a page', async () => {
		sandbox.faults.add({ do: { kind: 'html', status: 502 } });
		const { status, headers, text } = await read();
		expect([status, headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8']);
		expect(text).toContain('<h1>502 Bad Gateway</h1>');
	});

	it('truncate with reset breaks the connection off', async () => {
		sandbox.faults.add({ do: { kind: 'truncate', reset: true } });
		await expect(read()).rejects.toThrow('terminated');
	});
});

describe('a create that is hit', () => {
	it.each<[Fault & { when: FaultMoment }, boolean, number]>([
		[{ kind: 'status', status: 500, when: 'before' }, false, 0],
		[{ kind: 'status', status: 500, when: 'while' }, true, 0],
		[{ kind: 'status', status: 500, when: 'after' }, true, 1],
		[{ kind: 'reset', when: 'before' }, false, 0],
		[{ kind: 'reset', when: 'while' }, true, 0],
		[{ kind: 'reset', when: 'after' }, true, 1],
	])('by %j has made its inspection: %j, its task: %i', async (fault, isThere, tasks) => {
		const before = sandbox.store.tasks.length;
		sandbox.faults.add({ do: fault });
		if (fault.kind === 'status') expect((await create('Hit')).status).toBe(500);
		else await expect(create('Hit')).rejects.toThrow('fetch failed');
		expect(wasCreated('Hit')).toBe(isThere);
		expect(sandbox.store.tasks.length - before).toBe(tasks);
	});
});

it('the log has operation, method, path, headers, query, body and status of each request', async () => {
	await read('?page=2');
	await create('logged');
	await get(sandbox, '/nowhere', null);
	const key = sandbox.keys.north;
	expect(sandbox.requests.all()).toMatchObject([
		{ operation: 'listInspections', method: 'GET', path: '/v1/inspections', status: 200 },
		{ operation: 'createInspection', method: 'POST', headers: { 'access-token': key } },
		{ operation: null, method: 'GET', path: '/nowhere', status: 404 },
	]);
	const [list, created] = sandbox.requests.all();
	expect(list?.query.get('page')).toBe('2');
	expect(created?.body).toContain('"name":"logged"');
	sandbox.requests.clear();
	expect(sandbox.requests.count()).toBe(0);
});
