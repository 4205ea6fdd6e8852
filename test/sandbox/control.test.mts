import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { type Sandbox, startSandbox } from '../../sandbox/service/sandbox.mts';
import { at, get, list, pluck } from './apiCall.mts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ data: 'demo', control: true });
});
afterAll(() => sandbox.close());
afterEach(() => {
	sandbox.faults.clear();
});

async function control(method: string, path: string, body?: object): Promise<unknown> {
	const response = await fetch(`${sandbox.apiUrl}/_control${path}`, {
		method,
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	return response.json();
}

it('is closed unless it was asked for', async () => {
	const closed = await startSandbox({ data: 'empty' });
	expect((await get(closed, '/_control/state')).status).toBe(404);
	await closed.close();
});

it('shows what there is', async () => {
	const state = await control('GET', '/state');
	expect(pluck(state, 'organizations', 'name')).toContain('North Star Construction');
	expect(pluck(state, 'templates', 'identifier')).toContain('SITE-SAFETY');
	expect(list(state, 'tasks')).toEqual([]);
});

describe('inspections', () => {
	it('are added, changed, completed and removed', async () => {
		const added = await control('POST', '/inspections', {
			template: 'SITE-SAFETY',
			name: 'Remote',
			answers: [{ control: 'site_name', value: 'Tower' }],
			timing: { at: '2026-01-02T03:04:05Z' },
		});
		expect(added).toMatchObject({ name: 'Remote', updated_at: '2026-01-02T03:04:05.000Z' });
		const path = `/inspections/${String(at(added, 'id'))}`;
		expect(await control('PATCH', path, { name: 'Changed' })).toMatchObject({ name: 'Changed' });
		expect(await control('POST', `${path}/complete`)).toMatchObject({ status: 'completed' });
		expect(await control('GET', path)).toMatchObject({
			name: 'Changed',
			status: 'completed',
			data: { items: [{ response: { value: 'Tower' } }] },
		});
		await control('DELETE', path);
		expect(await control('GET', path)).toMatchObject({ visible: false });
	});

	it('are changed in bulk, also to one timestamp', async () => {
		const changed = await control('POST', '/bulk-update', {
			template: 'SITE-SAFETY',
			count: 5,
			patch: { status: 'canceled' },
			timing: { at: '2026-01-01T00:00:00Z' },
		});
		const ids = list(changed, 'updated');
		expect(ids).toHaveLength(5);
		const found = ids.map((id) => sandbox.store.find(String(id)));
		expect(new Set(found.map((one) => one?.status))).toEqual(new Set(['canceled']));
		expect(new Set(found.map((one) => one?.updatedAt)).size).toBe(1);
	});
});

it('faults are added, counted and removed', async () => {
	const added = await control('POST', '/faults', {
		on: { operation: 'listInspections', urlIncludes: 'page=2' },
		do: { kind: 'status', status: 503 },
	});
	expect((await get(sandbox, '/v1/inspections')).status).toBe(200);
	expect((await get(sandbox, '/v1/inspections?page=2')).status).toBe(503);
	const path = `/faults/${String(at(added, 'id'))}`;
	expect(await control('GET', path)).toMatchObject({ hits: 1 });
	await control('DELETE', path);
	expect((await get(sandbox, '/v1/inspections?page=2')).status).toBe(200);
	expect(await control('GET', '/faults')).toEqual([]);
});

it('requests are counted, without those of the control itself', async () => {
	await control('DELETE', '/requests');
	await get(sandbox, '/v1/inspections');
	await get(sandbox, '/v1/templates/EMPTY');
	const all = await control('GET', '/requests');
	expect(pluck(all, 'requests', 'operation')).toEqual(['listInspections', 'getTemplate']);
	expect(at(all, 'requests.0.headers.access-token')).toBe(sandbox.keys.north);
	expect(await control('GET', '/requests?operation=getTemplate')).toMatchObject({
		count: 1,
		peak_in_flight: 1,
	});
});

it('settings and clock are changed', async () => {
	expect(await control('PATCH', '/settings', { createStatus: 201 })).toMatchObject({
		createStatus: 201,
	});
	sandbox.settings.createStatus = 200;
	const frozen = await control('PATCH', '/clock', {
		freeze: '2027-01-01T00:00:00Z',
		advanceMs: 500,
	});
	expect(frozen).toEqual({ now: '2027-01-01T00:00:00.5000000Z' });
	await control('PATCH', '/clock', { resume: true, offsetMs: 0 });
	expect(Math.abs(sandbox.clock.date().getTime() - Date.now())).toBeLessThan(5000);
});

it.each<[string, string, string, object]>([
	['an unknown setting', 'PATCH', '/settings', { nope: 1 }],
	['an unknown variant', 'PATCH', '/settings', { envelope: 'nope' }],
	['an unknown fault', 'POST', '/faults', { do: { kind: 'run' } }],
	['an unknown template', 'POST', '/inspections', { template: 'NOPE' }],
	['an unknown inspection', 'POST', '/inspections/x/complete', {}],
])('says what is wrong: %s', async (_what, method, path, body) => {
	expect(await control(method, path, body)).toEqual({ message: expect.any(String) });
});
