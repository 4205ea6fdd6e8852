import { describe, expect, it } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { FaultRule } from '#sandbox/service/faultBoard.mts';
import type { Fault, FaultMoment } from '#sandbox/service/faults.mts';
import type { LoggedRequest } from '#sandbox/service/requestLog.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';
import { get, pluck, post } from './apiCall.mts';

const { sandbox } = await sandboxForTests({ data: 'demo' });
const { id: north } = sandbox.tenants.north.organization;

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

describe('what a fault does', () => {
	const elsewhere = 'http://127.0.0.1:9/x';

	it.each<[Fault, object, RegExp]>([
		[
			{ kind: 'status', status: 429, headers: { 'retry-after': '7' }, body: { why: 'busy' } },
			{ status: 429, 'retry-after': '7' },
			/^\{"why":"busy"\}$/,
		],
		[{ kind: 'status', status: 500 }, { status: 500 }, /^\{"code":500,/],
		[
			{ kind: 'html', status: 502 },
			{ status: 502, 'content-type': 'text/html; charset=utf-8' },
			/<h1>502 Bad Gateway<\/h1>/,
		],
		[{ kind: 'truncate' }, { status: 200 }, /^\{"data":\[.{100,}[^}]$/],
		[{ kind: 'malformed' }, { status: 200 }, /^\{"data":\[.{100,},"oops":\}$/],
		[{ kind: 'empty' }, { status: 200 }, /^$/],
		[{ kind: 'body', body: { data: 'none' } }, { status: 200 }, /^\{"data":"none"\}$/],
		[
			{ kind: 'redirect', location: elsewhere, status: 302 },
			{ status: 302, location: elsewhere },
			/^$/,
		],
	])('%j', async (fault, expected, body) => {
		sandbox.faults.add({ do: fault });
		const { status, headers, text } = await read();
		expect({ ...Object.fromEntries(headers), status }).toMatchObject(expected);
		expect(text).toMatch(body);
	});

	it('truncate with reset breaks the connection off', async () => {
		sandbox.faults.add({ do: { kind: 'truncate', reset: true } });
		await expect(read()).rejects.toThrow('terminated');
	});

	it('truncate breaks a download off', async () => {
		const { files, id } = sandbox.store.addInspection({
			template: 'SITE-SAFETY',
			files: [{ kind: 'attachment' }],
		});
		const path = `/v1/inspections/${id}/files/${String(files[0]?.id)}/url`;
		const { url } = Object((await get(sandbox, path)).json);
		sandbox.faults.add({ on: { operation: 'downloadFile' }, do: { kind: 'truncate' } });
		await expect((await fetch(url)).arrayBuffer()).rejects.toThrow('terminated');
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

	it('run changes the data between two pages', async () => {
		const [first, , third] = sandbox.store.inspections(north).map(({ id }) => id);
		sandbox.faults.add({
			on: { nth: 2 },
			do: { kind: 'run', run: ({ store }) => store.updateInspection(first ?? '') },
		});
		const pages = [await read('?page_size=2'), await read('?page_size=2&page=2')];
		const ids = pages.flatMap(({ json }) => pluck(json, 'data', 'id'));
		expect(ids[0]).toBe(first);
		expect(ids).not.toContain(third);
	});

	it('hang ends when the sandbox is closed', async () => {
		const other = await startSandbox({ data: 'empty' });
		other.faults.add({ do: { kind: 'hang' } });
		const waiting = expect(get(other, '/v1/inspections')).rejects.toThrow();
		while (other.requests.count() === 0) await fetch(other.filesUrl);
		await other.close();
		await waiting;
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
		[{ kind: 'hang', when: 'before' }, false, 0],
		[{ kind: 'hang', when: 'after' }, true, 1],
	])('by %j has made its inspection: %j, its task: %i', async (fault, isThere, tasks) => {
		const before = sandbox.store.tasks.length;
		sandbox.faults.add({ do: fault });
		const outcome = create('Hit').then(
			({ status }) => status,
			() => 'no response',
		);
		if (fault.kind === 'hang') await untilBodyIsRead();
		else expect(await outcome).toBe(fault.kind === 'status' ? 500 : 'no response');
		expect(wasCreated('Hit')).toBe(isThere);
		expect(sandbox.store.tasks.length - before).toBe(tasks);
	});

	/** Other requests are answered meanwhile by the same process. */
	async function untilBodyIsRead(): Promise<void> {
		while ((sandbox.requests.all('createInspection')[0]?.body ?? '') === '')
			await fetch(sandbox.filesUrl);
		await fetch(sandbox.filesUrl);
	}
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
