import { afterAll, beforeAll, expect, it } from 'vitest';

import { type Sandbox, startSandbox } from '#sandbox/service/sandbox.mts';
import { at, get, list, pluck } from './apiCall.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ data: 'demo', control: true });
});
afterAll(() => sandbox.close());

async function control(path: string, body: unknown = [], method = 'POST'): Promise<unknown> {
	const response = await fetch(`${sandbox.apiUrl}/_control/${path}`, {
		method,
		body: JSON.stringify(body),
	});
	return response.json();
}

it('is closed unless it was asked for', async () => {
	const closed = await startSandbox({ data: 'empty' });
	expect((await get(closed, '/_control/state')).status).toBe(404);
	await closed.close();
});

it('shows what there is', async () => {
	const state = (await get(sandbox, '/_control/state')).json;
	expect(pluck(state, 'organizations', 'name')).toContain('North Star Construction');
	expect(pluck(state, 'templates', 'identifier')).toContain('SITE-SAFETY');
	expect(list(state, 'tasks')).toEqual([]);
});

it('inspections are added, changed, found and removed', async () => {
	const answers = [{ control: 'site_name', value: 'Tower' }];
	const spec = { template: 'SITE-SAFETY', name: 'Remote', answers };
	const added = await control('store/addInspection', [spec, { at: '2026-01-02T03:04:05Z' }]);
	expect(added).toMatchObject({ name: 'Remote', updatedAt: '2026-01-02T03:04:05.0000000Z' });
	const id = at(added, 'id');
	await control('store/updateInspection', [id, { status: 'completed' }]);
	const found = await control('store/find', [id]);
	expect(found).toMatchObject({ status: 'completed', answers: [{ value: 'Tower' }] });
	await control('store/removeInspection', [id]);
	expect(await control('store/find', [id])).toBeNull();
});

it('those that were changed last the longest ago are changed together', async () => {
	const oldest = sandbox.store.inspections().slice(0, 5);
	await control('store/updateOldest', [5, { status: 'canceled' }]);
	const changed = sandbox.store.inspections().slice(-5);
	expect(changed.map(({ id }) => id)).toEqual(oldest.map(({ id }) => id));
	expect(new Set(changed.map(({ status }) => status))).toEqual(new Set(['canceled']));
});

it('faults are added, counted and removed', async () => {
	const fault = { kind: 'status', status: 503 };
	const on = { operation: 'listInspections', urlIncludes: 'page=2' };
	const id = at(await control('faults/add', [{ on, do: fault }]), 'id');
	expect((await get(sandbox, '/v1/inspections')).status).toBe(200);
	expect((await get(sandbox, '/v1/inspections?page=2')).status).toBe(503);
	expect(await control('faults/all')).toMatchObject([{ id, hits: 1 }]);
	await control('faults/remove', [id]);
	expect((await get(sandbox, '/v1/inspections?page=2')).status).toBe(200);
	expect(await control('faults/all')).toEqual([]);
});

it('requests are counted, without those of the control itself', async () => {
	await control('requests/clear');
	await get(sandbox, '/v1/inspections');
	await get(sandbox, '/v1/templates/EMPTY');
	const all = await control('requests/all');
	expect(pluck(all, '', 'operation')).toEqual(['listInspections', 'getTemplate']);
	expect(at(all, '0.headers.access-token')).toBe(sandbox.keys.north);
	expect(await control('requests/count', ['getTemplate'])).toBe(1);
	expect(await control('requests/peakInFlight', ['getTemplate'])).toBe(1);
});

it('settings and clock are changed', async () => {
	const changed = await control('settings', { createStatus: 201 }, 'PATCH');
	expect(changed).toMatchObject({ createStatus: 201 });
	sandbox.settings.createStatus = 200;
	await control('clock/freeze', ['2027-01-01T00:00:00Z']);
	await control('clock/advance', [500]);
	expect(await control('clock/date')).toBe('2027-01-01T00:00:00.500Z');
	await control('clock/resume');
	await control('clock/setOffset', [0]);
	expect(Math.abs(sandbox.clock.date().getTime() - Date.now())).toBeLessThan(5000);
});

it.each<[string, string, unknown, string?]>([
	['an unknown setting', 'settings', { nope: 1 }, 'PATCH'],
	['an unknown variant', 'settings', { envelope: 'nope' }, 'PATCH'],
	['an unknown fault', 'faults/add', [{ do: { kind: 'nope' } }]],
	['an unknown template', 'store/addInspection', [{ template: 'NOPE' }]],
	['an unknown inspection', 'store/updateInspection', ['x']],
	['a method that is not offered', 'store/constructor', []],
	['a part that is not offered', '__proto__/toString', []],
	['arguments that are no list', 'store/find', { id: 'x' }],
])('says what is wrong: %s', async (_what, path, body, method) => {
	expect(await control(path, body, method)).toEqual({ message: expect.any(String) });
});
