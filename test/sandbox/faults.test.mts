import { expect, it } from 'vitest';

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

const isPage4 = ({ url }: LoggedRequest) => url.endsWith('4');
const unavailable = { kind: 'status', status: 503 } as const;

it.each<[string, Omit<FaultRule, 'do'>, number[]]>([
	['all of them', {}, [503, 503, 503, 503]],
	['so many times', { times: 2 }, [503, 503, 200, 200]],
	['the n-th', { on: { nth: 2 } }, [200, 503, 200, 200]],
	['some from the n-th on', { on: { nth: 2 }, times: 2 }, [200, 503, 503, 200]],
	['those of one operation', { on: { operation: 'getTemplate' } }, [200, 200, 200, 200]],
	['those that a condition fits', { on: { where: isPage4 } }, [200, 200, 200, 503]],
])('a fault hits %s', async (_what, rule, expected) => {
	const fault = sandbox.faults.add({ ...rule, do: unavailable });
	const statuses = [];
	for (const page of [1, 2, 3, 4]) statuses.push((await read(`?page=${String(page)}`)).status);
	expect(statuses).toEqual(expected);
	expect(fault.hits).toBe(expected.filter((status) => status === 503).length);
});

// The connector's tests that use the other faults cover them.
it('html is a web page, and truncate with reset breaks the connection off', async () => {
	const headers = { 'access-token': sandbox.keys.north };
	const reply = async () => await fetch(`${sandbox.apiUrl}/v1/inspections`, { headers });
	sandbox.faults.add({ do: { kind: 'html', status: 502 }, times: 1 });
	expect((await reply()).headers.get('content-type')).toBe('text/html; charset=utf-8');
	sandbox.faults.add({ do: { kind: 'truncate', reset: true } });
	await expect((await reply()).text()).rejects.toThrow('terminated');
});

it.each<[Fault & { when: FaultMoment }, boolean, number]>([
	[{ kind: 'status', status: 500, when: 'before' }, false, 0],
	[{ kind: 'status', status: 500, when: 'while' }, true, 0],
	[{ kind: 'status', status: 500, when: 'after' }, true, 1],
	[{ kind: 'reset', when: 'before' }, false, 0],
	[{ kind: 'reset', when: 'while' }, true, 0],
	[{ kind: 'reset', when: 'after' }, true, 1],
])(
	'a create hit by %j has created its inspection: %j, its task: %i',
	async (fault, isThere, tasks) => {
		const before = sandbox.store.tasks.length;
		sandbox.faults.add({ do: fault });
		if (fault.kind === 'status') expect((await create('Hit')).status).toBe(500);
		else await expect(create('Hit')).rejects.toThrow('fetch failed');
		expect(wasCreated('Hit')).toBe(isThere);
		expect(sandbox.store.tasks.length - before).toBe(tasks);
	},
);
