import { expect, it } from 'vitest';

import { sandboxForTests } from '#harness/sandboxForTests.mts';
import { startSandbox } from '#sandbox/service/sandbox.mts';
import { at, get, pluck } from './apiCall.mts';

const { sandbox } = await sandboxForTests({ data: 'demo', control: true });

async function control(path: string, body: unknown = [], method = 'POST'): Promise<unknown> {
	const address = `${sandbox.apiUrl}/_control/${path}`;
	return (await fetch(address, { method, body: JSON.stringify(body) })).json();
}
const listStatus = async (query = '') => (await get(sandbox, `/v1/inspections${query}`)).status;

it('/_control is only available if requested', async () => {
	const closed = await startSandbox({ data: 'empty' });
	const { status } = await fetch(`${closed.apiUrl}/_control/clock/date`, { method: 'POST' });
	await closed.close();
	expect(status).toBe(404);
});

it('/_control/store manages the stored inspections', async () => {
	const spec = { template: 'SITE-SAFETY', name: 'Remote' };
	const added = await control('store/addInspection', [spec, { at: '2024-01-02T03:04:05Z' }]);
	expect(added).toMatchObject({ name: 'Remote', updatedAt: '2024-01-02T03:04:05.0000000Z' });
	const id = at(added, 'id');
	const newest = async () =>
		pluck((await get(sandbox, '/v1/inspections?sort_order=desc&page_size=1')).json, 'data', 'id');
	expect(await newest()).not.toEqual([id]);
	const answers = [{ control: 'site_name', value: 'Tower' }];
	const changes = { status: 'completed', answers, files: [{ kind: 'image' }] };
	await control('store/updateInspection', [id, changes]);
	expect(await newest()).toEqual([id]);
	expect(await control('store/find', [id])).toMatchObject({
		name: 'Remote',
		status: 'completed',
		createdAt: '2024-01-02T03:04:05.0000000Z',
		answers: [{ value: 'Tower', order: 1 }],
		files: [{ kind: 'image' }],
	});
	await control('store/removeInspection', [id]);
	expect(await control('store/find', [id])).toBeNull();
	const ids = () => sandbox.store.inspections().map((inspection) => inspection.id);
	const oldest = ids().slice(0, 5);
	await control('store/updateOldest', [5]);
	expect(ids().slice(-5)).toEqual(oldest);
});

it('/_control/faults manages the faults', async () => {
	const on = { operation: 'listInspections', urlIncludes: 'page=2' };
	const id = at(await control('faults/add', [{ on, do: { kind: 'status', status: 503 } }]), 'id');
	expect([await listStatus(), await listStatus('?page=2')]).toEqual([200, 503]);
	expect(await control('faults/all')).toMatchObject([{ id, hits: 1 }]);
	await control('faults/remove', [id]);
	expect(await listStatus('?page=2')).toBe(200);
});

it('/_control/requests lists all requests except its own', async () => {
	await listStatus();
	await get(sandbox, '/v1/templates/EMPTY');
	const operations = pluck(await control('requests/all'), '', 'operation');
	expect(operations).toEqual(['listInspections', 'getTemplate']);
	expect(await control('requests/count', ['getTemplate'])).toBe(1);
});

it('/_control changes the sandbox for later requests through its paths settings and clock', async () => {
	const changed = await control('settings', { pageCap: 25 }, 'PATCH');
	expect([at(changed, 'pageCap'), sandbox.settings.pageCap]).toEqual([25, 25]);
	await control('clock/setOffset', [0]);
	await control('clock/advance', [3_600_000]);
	const ahead = Date.parse(String(await control('clock/date'))) - Date.now();
	expect(Math.round(ahead / 60_000)).toBe(60);
});

it.each<[string, string, unknown, string?]>([
	['an unknown setting', 'settings', { nope: 1 }, 'PATCH'],
	['a value that a setting rejects', 'settings', { envelope: 'nope' }, 'PATCH'],
	['an unknown fault', 'faults/add', [{ do: { kind: 'nope' } }]],
	['an unknown template', 'store/addInspection', [{ template: 'NOPE' }]],
	['no question', 'store/addInspection', [{ template: 'EMPTY', answers: [{ control: 'x' }] }]],
	['an unknown inspection', 'store/updateInspection', ['x']],
	['a method that is not offered', 'store/constructor', []],
	['a part that is not offered', '__proto__/toString', []],
	["arguments that aren't a list", 'store/find', { id: 'x' }],
])('/_control reports what is wrong with %s', async (_what, path, body, method) => {
	expect(await control(path, body, method)).toEqual({ message: expect.any(String) });
});

it('the demo has the same contents every time', async () => {
	const contents = async () => {
		const demo = await startSandbox({ data: 'demo' });
		await demo.close();
		return demo.store.inspections().map((one) => [one.id, one.name, one.answers]);
	};
	expect(await contents()).toEqual(await contents());
});
