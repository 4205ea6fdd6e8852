import { expect, it } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import type { Fault, FaultMoment } from '#sandbox/service/faults.mts';
import { post } from './apiCall.mts';

const { sandbox } = await sandboxForTests({ data: 'demo' });

const create = (name: string) => post(sandbox, { template_id: 'SITE-SAFETY', name, task: {} });
const wasCreated = (name: string) =>
	sandbox.store.inspections().some((inspection) => inspection.name === name);

// The connector's tests rely on these effects of faults.
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
